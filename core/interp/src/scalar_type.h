// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/data_type.h>

#include <cstdint>
#include <cstring>

namespace tilewright::interp {

/// Brings an integer into the range of its type.
class Wrap {
public:
    explicit Wrap(ir::DataType type)
        : shift_(type.bits >= 64 ? 0 : 64 - type.bits), isBool_(type.isBool()),
          isSigned_(type.isInt()) {}
    std::int64_t operator()(std::uint64_t bits) const {
        if (isBool_)
            return bits != 0 ? 1 : 0;
        if (isSigned_)
            return static_cast<std::int64_t>(bits << shift_) >> shift_;
        return static_cast<std::int64_t>((bits << shift_) >> shift_);
    }

private:
    int shift_;
    bool isBool_;
    bool isSigned_;
};

/// Rounds a double to a floating type and back.
double roundTo(ir::DataType type, double value);

/// Bytes of one element in memory; throws UserError for types that have no whole bytes.
std::int64_t bytesOf(ir::DataType type);

std::int64_t loadInt(ir::DataType type, const std::uint8_t* place);
void storeInt(ir::DataType type, std::uint8_t* place, std::int64_t value);
double loadReal(ir::DataType type, const std::uint8_t* place);
void storeReal(ir::DataType type, std::uint8_t* place, double value);

/// A double as an integer of the type: truncated, NaN is 0, out of range saturates.
std::int64_t toInteger(ir::DataType type, double value);

} // namespace tilewright::interp
