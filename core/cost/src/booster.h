// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::cost {

/// Boosted trees with a gradient of our own; XGBoost's handles stay in the source.
/// Every function throws InternalError with XGBoost's words when the library refuses.
class Booster {
public:
    struct Settings {
        int maxDepth = 10;
        double gamma = 0.001;
        double minChildWeight = 0;
        double eta = 0.2;
        int seed = 43;
        int threads = 1;
    };
    /// A dense row-major matrix in XGBoost's own form.
    class Matrix {
    public:
        Matrix(const float* values, std::size_t rows, std::size_t columns, int threads);
        Matrix(const Matrix&) = delete;
        Matrix& operator=(const Matrix&) = delete;
        ~Matrix();
        [[nodiscard]] void* handle() const { return handle_; }
        [[nodiscard]] std::size_t rows() const { return rows_; }

    private:
        void* handle_ = nullptr;
        std::size_t rows_ = 0;
    };

    Booster(const Settings& settings, const Matrix& training);
    /// From bytes of save(). Throws UserError (kind `cost-model`).
    Booster(const Settings& settings, std::string_view bytes);
    Booster(const Booster&) = delete;
    Booster& operator=(const Booster&) = delete;
    ~Booster();

    /// Adds trees that follow the gradient.
    void boost(const Matrix& training, std::vector<float>& gradient, std::vector<float>& hessian,
               int iteration);
    /// One number a row.
    [[nodiscard]] std::vector<float> predict(const Matrix& matrix, bool training) const;
    [[nodiscard]] std::string save() const;

private:
    void configure(const Settings& settings);
    void* handle_ = nullptr;
};

} // namespace tilewright::cost
