// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/schedule_rule.h>

namespace tilewright::space {

namespace {

class ApplyCustomRule final : public ScheduleRule {
public:
    [[nodiscard]] std::string_view name() const override { return "ApplyCustomRule"; }

    [[nodiscard]] std::vector<schedule::Schedule> apply(const SpaceContext&, schedule::Schedule sch,
                                                        schedule::BlockRV block) const override {
        const ir::AttrValue* rule = sch.get(block)->annotations.find("schedule_rule");
        const std::string* wanted = rule ? rule->asString() : nullptr;
        // "None" stays: it keeps every other rule away from the block. No custom rule is registered
        // for other names, so the mark goes and the block is treated like any other.
        if (wanted && *wanted != "None")
            sch.unannotate(block, "schedule_rule");
        return {std::move(sch)};
    }
};

} // namespace

ScheduleRulePtr applyCustomRule() {
    return std::make_shared<ApplyCustomRule>();
}

} // namespace tilewright::space
