// SPDX-License-Identifier: Apache-2.0
#include "booster.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/cost/cost_model.h>

#include <xgboost/c_api.h>

#include <limits>

namespace tilewright::cost {

namespace {

void require(int code) {
    TW_CHECK(code == 0) << "XGBoost: " << XGBGetLastError();
}

} // namespace

Booster::Matrix::Matrix(const float* values, std::size_t rows, std::size_t columns, int threads)
    : rows_(rows) {
    DMatrixHandle handle = nullptr;
    require(XGDMatrixCreateFromMat_omp(values, rows, columns,
                                       std::numeric_limits<float>::quiet_NaN(), &handle, threads));
    handle_ = handle;
}

Booster::Matrix::~Matrix() {
    XGDMatrixFree(handle_);
}

Booster::Booster(const Settings& settings, const Matrix& training) {
    DMatrixHandle matrix = training.handle();
    BoosterHandle handle = nullptr;
    require(XGBoosterCreate(&matrix, 1, &handle));
    handle_ = handle;
    configure(settings);
}

Booster::Booster(const Settings& settings, std::string_view bytes) {
    BoosterHandle handle = nullptr;
    require(XGBoosterCreate(nullptr, 0, &handle));
    handle_ = handle;
    if (XGBoosterLoadModelFromBuffer(handle_, bytes.data(), bytes.size()) != 0) {
        XGBoosterFree(handle_);
        throw base::UserError("cost-model", "these bytes are no XGBoost model");
    }
    configure(settings);
}

Booster::~Booster() {
    XGBoosterFree(handle_);
}

void Booster::configure(const Settings& settings) {
    const auto set = [&](const char* name, const std::string& value) {
        require(XGBoosterSetParam(handle_, name, value.c_str()));
    };
    set("max_depth", std::to_string(settings.maxDepth));
    set("gamma", base::concat(settings.gamma));
    set("min_child_weight", base::concat(settings.minChildWeight));
    set("eta", base::concat(settings.eta));
    set("seed", std::to_string(settings.seed));
    // More threads than idle cores make training many times slower: its workers spin.
    set("nthread", std::to_string(settings.threads));
    set("tree_method", "hist");
    set("max_bin", "64");
    set("base_score", "0");
    set("verbosity", "0");
}

void Booster::boost(const Matrix& training, std::vector<float>& gradient,
                    std::vector<float>& hessian, int iteration) {
    static_cast<void>(iteration);
    require(XGBoosterBoostOneIter(handle_, training.handle(), gradient.data(), hessian.data(),
                                  gradient.size()));
}

std::vector<float> Booster::predict(const Matrix& matrix, bool training) const {
    bst_ulong count = 0;
    const float* values = nullptr;
    require(XGBoosterPredict(handle_, matrix.handle(), 0, 0, training ? 1 : 0, &count, &values));
    // The library's buffer changes at the next call.
    return {values, values + count};
}

std::string Booster::save() const {
    bst_ulong size = 0;
    const char* bytes = nullptr;
    require(XGBoosterSaveModelToBuffer(handle_, R"({"format": "ubj"})", &size, &bytes));
    return {bytes, size};
}

std::string xgboostVersion() {
    int major = 0;
    int minor = 0;
    int patch = 0;
    XGBoostVersion(&major, &minor, &patch);
    return base::concat(major, '.', minor, '.', patch);
}

} // namespace tilewright::cost
