// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/module.h>

#include <algorithm>

namespace tilewright::ir {

Module Module::of(PrimFunc function, std::string name) {
    Module module;
    module.set(name, std::move(function));
    return module;
}

PrimFunc Module::find(std::string_view name) const {
    for (const Entry& entry : functions_)
        if (entry.first == name)
            return entry.second;
    return nullptr;
}

void Module::set(std::string_view name, PrimFunc function) {
    const auto it =
        std::lower_bound(functions_.begin(), functions_.end(), name,
                         [](const Entry& e, std::string_view n) { return e.first < n; });
    if (it != functions_.end() && it->first == name)
        it->second = std::move(function);
    else
        functions_.insert(it, Entry(std::string(name), std::move(function)));
}

std::string Module::entryName() const {
    for (const Entry& entry : functions_) {
        const AttrValue* mark = entry.second->attrs.find("tirx.is_entry_func");
        if (mark && mark->toInt(0) != 0)
            return entry.first;
    }
    if (find("main"))
        return "main";
    return functions_.size() == 1 ? functions_.front().first : std::string();
}

} // namespace tilewright::ir
