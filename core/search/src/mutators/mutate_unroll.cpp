// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/mutator.h>

namespace tilewright::search {

using schedule::Trace;
using schedule::Value;

namespace {

/// Instruction that produces a variable; size() when there is none.
std::size_t producerOf(const Trace& trace, schedule::Rv rv, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i)
        for (const schedule::Rv output : trace[i].outputs)
            if (output == rv)
                return i;
    return trace.size();
}

bool isUnrollAnnotation(const schedule::Instruction& instruction) {
    if (!instruction.is("Annotate") || instruction.attrs.empty())
        return false;
    const std::string* key = instruction.attrs[0].asString();
    return key &&
           (*key == "meta_schedule.unroll_explicit" || *key == "meta_schedule.unroll_implicit");
}

/// Another index than the current one, drawn by the other candidates' probabilities.
std::int64_t otherIndex(const Value::List& probabilities, std::int64_t current,
                        base::RandomState& random) {
    std::vector<double> weights;
    for (const Value& probability : probabilities)
        weights.push_back(probability.toDouble(0));
    weights.erase(weights.begin() + current);
    const std::int64_t drawn = random.sampleCategorical(weights);
    return drawn >= current ? drawn + 1 : drawn;
}

class MutateUnroll final : public Mutator {
public:
    [[nodiscard]] std::string_view name() const override { return "MutateUnroll"; }

    [[nodiscard]] std::optional<Trace> apply(const Trace& trace,
                                             base::RandomState& random) const override {
        std::vector<std::size_t> candidates;
        const std::size_t end = trace.postprocIndex();
        for (std::size_t i = 0; i < end; ++i) {
            if (!isUnrollAnnotation(trace[i]))
                continue;
            const schedule::Rv* rv = trace[i].inputs.at(1).asRv();
            const std::size_t sampled = rv ? producerOf(trace, *rv, i) : trace.size();
            if (sampled < trace.size() && trace[sampled].is("SampleCategorical") &&
                trace[sampled].attrs.at(0).asList()->size() > 1)
                candidates.push_back(sampled);
        }
        if (candidates.empty())
            return std::nullopt;
        const std::size_t at = candidates[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(candidates.size())))];
        const std::int64_t index =
            otherIndex(*trace[at].attrs.at(1).asList(), trace.decision(at).toInt(0), random);
        return trace.withDecision(at, Value(index), true);
    }
};

} // namespace

MutatorPtr mutateUnroll() {
    return std::make_shared<MutateUnroll>();
}

} // namespace tilewright::search
