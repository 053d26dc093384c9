// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/measure/builder.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/runner.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::measure {

/// Component kinds by name, in the order in which they were added; a value owned by the session.
template <class Component, class Settings> class KindRegistry {
public:
    using Factory = std::function<std::unique_ptr<Component>(const Settings&)>;
    struct Entry {
        std::string kind;
        /// One line for help and forms.
        std::string description;
        Factory create;
    };

    explicit KindRegistry(std::string componentName) : name_(std::move(componentName)) {}

    /// Adds a kind, or replaces the one of that name.
    void add(std::string kind, std::string description, Factory create) {
        for (Entry& entry : entries_)
            if (entry.kind == kind) {
                entry = {std::move(kind), std::move(description), std::move(create)};
                return;
            }
        entries_.push_back({std::move(kind), std::move(description), std::move(create)});
    }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

    /// Makes a component; throws UserError (kind `unknown-kind`) naming the accepted kinds.
    [[nodiscard]] std::unique_ptr<Component> create(std::string_view kind,
                                                    const Settings& settings) const {
        std::vector<std::string> known;
        for (const Entry& entry : entries_) {
            if (entry.kind == kind)
                return entry.create(settings);
            known.push_back(entry.kind);
        }
        throw base::UserError("unknown-kind",
                              base::concat(name_, ": there is no kind \"", kind,
                                           "\"; accepted: ", base::join(known, ", ")));
    }

private:
    std::string name_;
    std::vector<Entry> entries_;
};

using BuilderRegistry = KindRegistry<Builder, BuilderSettings>;
using RunnerRegistry = KindRegistry<Runner, RunnerSettings>;

/// Registries with the built-in kinds: builder `local`; runners `local`, `rpc`.
BuilderRegistry builtinBuilders();
RunnerRegistry builtinRunners();

} // namespace tilewright::measure
