// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/constant_tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright::graph {

/// Value of an operator's attribute.
using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                                    std::vector<double>, std::vector<std::string>, ConstantPtr>;

/// Attributes of a node by name, in a fixed order.
class Attributes {
public:
    void set(std::string name, AttributeValue value) {
        values_[std::move(name)] = std::move(value);
    }
    void remove(const std::string& name) { values_.erase(name); }
    [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
    /// Value with a default; a value of another type gives the default too.
    [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t fallback) const {
        return get<std::int64_t>(name, fallback);
    }
    [[nodiscard]] double real(const std::string& name, double fallback) const {
        return get<double>(name, fallback);
    }
    [[nodiscard]] std::string text(const std::string& name, std::string fallback) const {
        return get<std::string>(name, std::move(fallback));
    }
    [[nodiscard]] std::vector<std::int64_t>
    integers(const std::string& name, std::vector<std::int64_t> fallback = {}) const {
        return get<std::vector<std::int64_t>>(name, std::move(fallback));
    }
    [[nodiscard]] ConstantPtr tensor(const std::string& name) const {
        return get<ConstantPtr>(name, nullptr);
    }
    [[nodiscard]] const std::map<std::string, AttributeValue>& all() const { return values_; }

private:
    template <class T> [[nodiscard]] T get(const std::string& name, T fallback) const {
        const auto it = values_.find(name);
        if (it == values_.end())
            return fallback;
        const T* value = std::get_if<T>(&it->second);
        return value != nullptr ? *value : fallback;
    }

    std::map<std::string, AttributeValue> values_;
};

} // namespace tilewright::graph
