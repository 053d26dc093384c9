// SPDX-License-Identifier: Apache-2.0

// Facts about the blocks of workloads recorded with TVM.

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>
#include <tilewright/analysis/flops.h>
#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>

#include <QtTest/QTest>

#include <cmath>
#include <fstream>
#include <string>

using namespace tilewright;

namespace {

std::string sharedDir() {
    const QByteArray set = qgetenv("TW_SHARED");
    return set.isEmpty() ? std::string(TW_SOURCE_DIR "/../shared") : set.toStdString();
}

char letter(ir::IterType type) {
    switch (type) {
    case ir::IterType::DataPar:
        return 'S';
    case ir::IterType::CommReduce:
        return 'R';
    default:
        return 'O';
    }
}

/// Compares what we find in one module with what was recorded; differences as lines.
class Comparison {
public:
    Comparison(const ir::Module& module, const json::Value& record)
        : facts_(record.at("blocks_post_order").asArray()) {
        const ir::PrimFunc function = module.find(module.entryName());
        const auto* root = ir::as<ir::BlockRealizeNode>(function->body);
        if (!root) {
            differ("root", "the function has no root block");
            return;
        }
        rootBlock_ = root->block.get();
        scope(*root, {});
        checkNumber("flops", record.at("flops").asDouble(), analysis::estimateFlops(module));
        if (record.at("is_spatial_func").asBool() != analysis::isSpatialFunction(*function))
            differ("is_spatial_func", "differs");
    }
    std::vector<std::string> differences;

private:
    void differ(const std::string& what, const std::string& detail) {
        differences.push_back(base::concat(what, ": ", detail));
    }
    void checkNumber(const char* what, double expected, double found) {
        if (std::abs(expected - found) > 1e-6 * std::abs(expected))
            differ(what, base::concat("expected ", expected, ", found ", found));
    }
    void checkFlag(const json::Value& fact, const char* key, bool found) {
        const json::Value* expected = fact.find(key);
        if (expected && expected->isBool() && expected->asBool() != found)
            differ(fact.at("name").asString(), base::concat(key, " is ", found));
    }

    /// Children first, as recorded. `outer`: loops around the scope block.
    void scope(const ir::BlockRealizeNode& realize, std::vector<const ir::ForNode*> outer) {
        const ir::BlockNode& block = *realize.block;
        const auto children = analysis::collectChildren(block.body);
        const analysis::ScopeFacts facts = analysis::analyzeScope(children, analyzer_, outer);
        for (std::size_t i = 0; i < children.size(); ++i) {
            std::vector<const ir::ForNode*> loops = outer;
            loops.insert(loops.end(), children[i].loops.begin(), children[i].loops.end());
            scope(*children[i].realize, loops);
            child(children, facts, i, block);
        }
        if (realize.block.get() == rootBlock_ && next_ < facts_.size())
            checkFlag(facts_[next_++], "stage_pipeline", facts.stagePipeline);
        pipelines_.emplace_back(&block, facts.stagePipeline);
    }

    void child(const std::vector<analysis::ScopeChild>& children, const analysis::ScopeFacts& facts,
               std::size_t index, const ir::BlockNode& parent) {
        const analysis::ScopeChild& child = children[index];
        if (next_ >= facts_.size())
            return differ("blocks", "too many");
        const json::Value& fact = facts_[next_++];
        if (fact.at("name").asString() != child.block().name)
            differ(fact.at("name").asString(), base::concat("found ", child.block().name));
        const bool affine = analysis::isAffineBinding(*child.realize, child.loops, analyzer_);
        checkFlag(fact, "affine_binding", affine);
        checkFlag(fact, "region_cover", facts.regionCover[index] != 0);
        for (const auto& [block, pipeline] : pipelines_)
            if (block == &child.block())
                checkFlag(fact, "stage_pipeline", pipeline);
        if (&parent == rootBlock_) {
            checkFlag(fact, "is_output_block", analysis::isOutputBlock(child.block(), parent));
            checkFlag(fact, "is_reduction_block",
                      analysis::reductionViolation(child.block(), facts.dependences.writers(),
                                                   affine) == analysis::ReductionViolation::None);
        }
        checkFlag(fact, "is_trivial_binding",
                  analysis::isTrivialBinding(*child.realize, child.loops));
        // Recorded for the block alone, without its realize.
        checkFlag(fact, "has_if_then_else", analysis::hasIfThenElse(child.realize->block));
        const auto names = [&](const std::vector<int>& positions) {
            std::vector<std::string> result;
            for (const int position : positions)
                result.push_back(children[static_cast<std::size_t>(position)].block().name);
            return base::join(result, ",");
        };
        checkList(fact, "producers", names(facts.dependences.producers(static_cast<int>(index))));
        checkList(fact, "consumers", names(facts.dependences.consumers(static_cast<int>(index))));
        std::vector<std::string> types;
        for (const ir::ForNode* loop : child.loops)
            types.emplace_back(1, letter(analysis::loopIterType(*loop)));
        checkList(fact, "loop_iter_types", base::join(types, ","));
    }

    void checkList(const json::Value& fact, const char* key, const std::string& found) {
        const json::Value* expected = fact.find(key);
        if (!expected || !expected->isArray())
            return;
        std::vector<std::string> items;
        for (const auto& item : expected->asArray())
            items.push_back(item.asString() == "opaque" ? "O" : item.asString());
        if (base::join(items, ",") != found)
            differ(fact.at("name").asString(),
                   base::concat(key, ": expected ", base::join(items, ","), ", found ", found));
    }

    const json::Array& facts_;
    const ir::BlockNode* rootBlock_ = nullptr;
    std::size_t next_ = 0;
    std::vector<std::pair<const ir::BlockNode*, bool>> pipelines_;
    arith::Analyzer analyzer_;
};

} // namespace

class AnalysisWorkloadsTest : public QObject {
    Q_OBJECT
private slots:
    void factsAreThoseOfTvm();
};

void AnalysisWorkloadsTest::factsAreThoseOfTvm() {
    std::ifstream file(sharedDir() + "/conformance/workloads.jsonl");
    if (!file)
        QSKIP("no recorded workloads");
    int seen = 0;
    int bad = 0;
    for (std::string line; std::getline(file, line);) {
        const json::Value record = json::parse(line);
        const std::string name = record.at("name").asString();
        ++seen;
        try {
            const ir::Module module = ir::parseModule(record.at("script").asString(), name);
            const Comparison comparison(module, record);
            bad += comparison.differences.empty() ? 0 : 1;
            for (const auto& difference : comparison.differences)
                qWarning("%s: %s", name.c_str(), difference.c_str());
        } catch (const base::UserError& error) {
            ++bad;
            qWarning("%s: %s", name.c_str(), error.what());
        }
    }
    QVERIFY(seen > 0);
    QCOMPARE(bad, 0);
}

QTEST_GUILESS_MAIN(AnalysisWorkloadsTest)
#include "analysis_workloads_test.moc"
