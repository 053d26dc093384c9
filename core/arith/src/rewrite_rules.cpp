// SPDX-License-Identifier: Apache-2.0
// The simplifier's rules. Order within one operator matters: the first that matches is applied.
#include "rewrite_rule.h"

#include <span>

namespace tilewright::arith {

namespace {

constexpr std::string_view kAddRules[] = {
    // Cancellation.
    "(x - y) + (y - z) => x - z",
    "(x - y) + (z - x) => z - y",
    "(x - y) +~ y => x",
    "(x - c1) + c2 => x + (c2 - c1)",
    "(c1 - x) + c2 => (c1 + c2) - x",
    "(x + c1) + c2 => x + (c1 + c2)",
    "min(x, y - z) +~ z => min(x + z, y)",
    "min(x - z, y) +~ z => min(x, y + z)",
    "max(x, y - z) +~ z => max(x + z, y)",
    "max(x - z, y) +~ z => max(x, y + z)",
    "min(x, y + z * c1) + z * c2 => min(x + z * c2, y) if c1 == 0 - c2",
    "max(x, y + z * c1) + z * c2 => max(x + z * c2, y) if c1 == 0 - c2",
    "min(y + z * c1, x) + z * c2 => min(x + z * c2, y) if c1 == 0 - c2",
    "max(y + z * c1, x) + z * c2 => max(x + z * c2, y) if c1 == 0 - c2",
    "max(x, y) +~ min~(x, y) => x + y",
    "min(x, y + c1) + c2 => min(x + c2, y) if c1 == 0 - c2",
    "min(x + c1, y) + c2 => min(x, y + c2) if c1 == 0 - c2",
    "max(x, y + c1) + c2 => max(x + c2, y) if c1 == 0 - c2",
    "max(x + c1, y) + c2 => max(x, y + c2) if c1 == 0 - c2",
    // Common factors.
    "x + x => x * 2",
    "(x *~ y) + x => x * (y + 1)",
    "x + (y *~ x) => x * (y + 1)",
    "(x *~ y) + (x *~ z) => x * (y + z)",
    // Quotient and remainder.
    "tdiv(x, c1) * c1 + tmod(x, c1) => x",
    "(x // y) *~ y +~ x % y => x",
    "(x % c2 + c1) // c2 +~ x // c2 => (x + c1) // c2 if c2 > 0",
    // Order of operands.
    "x +~ (c1 - y) =>> (x - y) + c1",
    "(x + c1) + y =>> (x + y) + c1",
    "x + (c1 + y) =>> (x + y) + c1",
    "x + (y + c1) =>> (x + y) + c1",
    "x + max(y, z) =>> max(y, z) + x",
    "x + min(y, z) =>> min(y, z) + x",
    "tmod(y, c1) + x * c1 =>> x * c1 + tmod(y, c1)",
    "y % c1 + x * c1 =>> x * c1 + y % c1",
};

constexpr std::string_view kSubRules[] = {
    "(x +~ y) - y => x",
    "x - (y +~ x) => 0 - y",
    "min(x, y) - x => min(0, y - x)",
    "min(x, y) - y => min(x - y, 0)",
    "max(x, y) - x => max(0, y - x)",
    "max(x, y) - y => max(x - y, 0)",
    "x - max(x, y) => min(0, x - y)",
    "y - max(x, y) => min(y - x, 0)",
    "x - min(x, y) => max(0, x - y)",
    "y - min(x, y) => max(y - x, 0)",
    "x - x => 0",
    "(x *~ y) - x => x * (y - 1)",
    "x - (y *~ x) => x * (1 - y)",
    "(x *~ y) - (x *~ z) => x * (y - z)",
    "(x + c1) - c2 => x + (c1 - c2)",
    "x - (y + c1) =>> (x - y) + (0 - c1)",
    "(c1 - x) - (c2 - y) => (y - x) + (c1 - c2)",
    "(x +~ y) - (x +~ z) => y - z",
    "(x - y) - (z - y) => x - z",
    "(z - x) - (z - y) => y - x",
    "min~(x +~ y, z) - x => min(y, z - x)",
    "max~(x +~ y, z) - x => max(y, z - x)",
    "x - min~(x +~ y, z) => max(0 - y, x - z)",
    "x - max~(x +~ y, z) => min(0 - y, x - z)",
    "min(x, y) - min(y, x) => 0",
    "max(x, y) - max(y, x) => 0",
    "min(x, y) - min(z, w) => x - z if x - y == z - w",
    "min(x, y) - min(z, w) => x - w if x - y == w - z",
    "max(x, y) - max(z, w) => x - z if x - y == z - w",
    "max(x, y) - max(z, w) => x - w if x - y == w - z",
    // Truncated division.
    "x - tdiv(x, c1) * c1 => tmod(x, c1) if c1 != 0",
    // Floor division.
    "x - (x // c1) * c1 => x % c1 if c1 != 0",
    "(x // c1) * c1 - x => 0 - x % c1 if c1 != 0",
    "x - ((x +~ y) // c1) * c1 => (x + y) % c1 - y if c1 != 0",
    "((x +~ y) // c1) * c1 - x => y - (x + y) % c1 if c1 != 0",
    "x - ((x - y) // c1) * c1 => (x - y) % c1 + y if c1 != 0",
    "((x - y) // c1) * c1 - x => 0 - (x - y) % c1 - y if c1 != 0",
    "x * c2 - (x // c1) * c3 => (x % c1) * c2 if c1 != 0 && c3 == c1 * c2",
    "(x // c1) * c3 - x * c2 => 0 - (x % c1) * c2 if c1 != 0 && c3 == c1 * c2",
    "x * c2 - ((x +~ y) // c1) * c3 => ((x + y) % c1 - y) * c2 if c1 != 0 && c3 == c1 * c2",
    "((x +~ y) // c1) * c3 - x * c2 => (y - (x + y) % c1) * c2 if c1 != 0 && c3 == c1 * c2",
    "(x + c1) // c3 - (x + c2) // c3 => ((x + c2 % c3) % c3 + (c1 - c2)) // c3 if c3 > 0",
    "(x + c1) // c3 - x // c3 => (x % c3 + c1) // c3 if c3 > 0",
    // Order of operands.
    "x - c1 => x + (0 - c1)",
    "(x + c1) - y =>> (x - y) + c1",
    "x - (y - z) =>> (x + z) - y",
    "x - y * c1 =>> x + y * (0 - c1)",
};

constexpr std::string_view kMulRules[] = {
    "(x + c1) * c2 => x * c2 + c1 * c2",
    "(x * c1) * c2 => x * (c1 * c2)",
    "min(x, y) *~ max~(x, y) => x * y",
    "((x - x % c2) // c1) * c1 => x - x % c2 if c1 == c2",
    "x * (c1 * y) =>> (x * y) * c1",
    "c1 * x => x * c1",
    "x * (y * c1) =>> (x * y) * c1",
    "(x * c1) * y =>> (x * y) * c1",
    "(x - y) * c1 =>> (y - x) * (0 - c1) if c1 < 0",
};

constexpr std::string_view kFloorDivRules[] = {
    "(x // c1 + c2) // c3 => (x + c1 * c2) // (c1 * c3) if c1 > 0 && c3 > 0",
    "(x // c1) // c2 => x // (c1 * c2) if c1 > 0 && c2 > 0",
    "(x * c1) // c2 => x // (c2 // c1) if c1 > 0 && c2 > 0 && c2 % c1 == 0",
    "x // x => 1",
    "(x * c1) // x => c1",
    "(x + c1) // c2 => c1 // c2 if c1 > 0 && c2 > 0 && x + c1 % c2 >= 0 && x + c1 % c2 < c2",
    "(x * c1) // c2 => x * (c1 // c2) if c2 > 0 && c1 % c2 == 0",
    "min(x * c1, y) // c2 => min(x * (c1 // c2), y // c2) if c2 > 0 && c1 % c2 == 0",
    "max(x * c1, y) // c2 => max(x * (c1 // c2), y // c2) if c2 > 0 && c1 % c2 == 0",
    "min(y, x * c1) // c2 => min(y // c2, x * (c1 // c2)) if c2 > 0 && c1 % c2 == 0",
    "max(y, x * c1) // c2 => max(y // c2, x * (c1 // c2)) if c2 > 0 && c1 % c2 == 0",
    "(x * c1 + y) // c2 => x // (c2 // c1) if c1 > 0 && c2 > 0 && c2 % c1 == 0 && y >= 0 && y < c1",
    "(x * c1 + y) // c2 => x * (c1 // c2) + y // c2 if c2 > 0 && c1 % c2 == 0",
    "(x * c1 - y) // c2 => x * (c1 // c2) + (0 - y) // c2 if c2 > 0 && c1 % c2 == 0",
    "(y + x * c1) // c2 => y // c2 + x * (c1 // c2) if c2 > 0 && c1 % c2 == 0",
    "(y - x * c1) // c2 => y // c2 - x * (c1 // c2) if c2 > 0 && c1 % c2 == 0",
    "(x * c1 + y + z) // c2 => x * (c1 // c2) + (y + z) // c2 if c2 > 0 && c1 % c2 == 0",
    "(x * c1 - y + z) // c2 => x * (c1 // c2) + (z - y) // c2 if c2 > 0 && c1 % c2 == 0",
    "(x * c1 + y - z) // c2 => x * (c1 // c2) + (y - z) // c2 if c2 > 0 && c1 % c2 == 0",
    "(y + x * c1 + z) // c2 => x * (c1 // c2) + (y + z) // c2 if c2 > 0 && c1 % c2 == 0",
    "(x + c1) // c2 => x // c2 + c1 // c2 if c2 > 0 && c1 % c2 == 0",
    "(x * c1) // c2 => x * (c1 // c2) if c2 > 0 && c1 // c2 != 0 && x * (c1 % c2) >= 0 && "
    "x * (c1 % c2) < c2",
    "(x * c1 + y) // c2 => x * (c1 // c2) if c2 > 0 && x * (c1 % c2) + y >= 0 && "
    "x * (c1 % c2) + y < c2",
    "(x * c1) // (x * c2) => c1 // c2 if c2 > 0",
    "(x +~ y) // x => y // x + 1 if x >= 1",
    "((x +~ y) +~ z) // x => (y + z) // x + 1 if x >= 1",
    "(x *~ y) // y => x if y >= 1",
    "(x *~ z +~ y) // z => x + y // z if z >= 1",
    "(x - x % c1) // c1 => x // c1 if c1 != 0",
};

constexpr std::string_view kFloorModRules[] = {
    "(x * c1) % c2 => 0 if c2 != 0 && c1 % c2 == 0",
    "(x * c1 + y) % c2 => y % c2 if c2 > 0 && c1 % c2 == 0",
    "(x + c1) % c2 => x % c2 if c2 > 0 && c1 % c2 == 0",
    "(x + y * c1) % c2 => x % c2 if c2 > 0 && c1 % c2 == 0",
    "(x * c1) % c2 => (x * (c1 % c2)) % c2 if c2 > 0 && (c1 >= c2 || c1 < 0)",
    "(x * c1 + y) % c2 => (x % (c2 // c1)) * c1 + y if c1 > 0 && c2 > c1 && c2 % c1 == 0 && "
    "y >= 0 && y < c1",
    "(x + c1) % c2 => x + c1 % c2 if c2 > 0 && x + c1 % c2 >= 0 && x + c1 % c2 < c2",
    "x % c1 => x if c1 > 0 && x >= 0 && x < c1",
    "(x * c1) % (x * c2) => x * (c1 % c2) if c2 != 0",
    "(x *~ y) % y => 0",
    "(x + y * z) % z => x % z",
    "(x % c1) % c2 => x % c2 if c1 > 0 && c2 > 0 && c1 % c2 == 0",
};

constexpr std::string_view kTruncDivRules[] = {
    "tdiv(x, x) => 1",
    "tdiv(tdiv(x, c1), c2) => tdiv(x, c1 * c2) if c1 > 0 && c2 > 0",
    "tdiv(x * c1, c2) => x * tdiv(c1, c2) if c2 > 0 && c1 % c2 == 0",
    "tdiv(x * c1, c2) => tdiv(x, c2 // c1) if c1 > 0 && c2 > 0 && c2 % c1 == 0",
    "tdiv(x * c1 + y, c2) => x * (c1 // c2) + tdiv(y, c2) if c1 >= 0 && c2 > 0 && c1 % c2 == 0 && "
    "x >= 0 && y >= 0",
    "tdiv(y + x * c1, c2) => tdiv(y, c2) + x * (c1 // c2) if c1 >= 0 && c2 > 0 && c1 % c2 == 0 && "
    "x >= 0 && y >= 0",
    "tdiv(x + c1, c2) => tdiv(x, c2) + c1 // c2 if c1 > 0 && c2 > 0 && c1 % c2 == 0 && x >= 0",
    "tdiv(x *~ y, y) => x",
};

constexpr std::string_view kTruncModRules[] = {
    "tmod(x * c1, c2) => 0 if c2 != 0 && c1 % c2 == 0",
    "tmod(x * c1 + y, c2) => tmod(y, c2) if c2 > 0 && c1 % c2 == 0 && x * c1 >= 0 && y >= 0",
    "tmod(y + x * c1, c2) => tmod(y, c2) if c2 > 0 && c1 % c2 == 0 && x * c1 >= 0 && y >= 0",
    "tmod(x + c1, c2) => tmod(x, c2) if c2 > 0 && c1 > 0 && c1 % c2 == 0 && x >= 0",
};

constexpr std::string_view kMinRules[] = {
    "min(x, x) => x",
    "min(x + c1, x + c2) => x + min(c1, c2)",
    "min(x + c1, x) => x + min(c1, 0)",
    "min(x, x + c1) => x + min(c1, 0)",
    "min(c1 - x, c2 - x) => min(c1, c2) - x",
    "min~(((x + c1) // c2) * c2, x) => x if c2 > 0 && c1 + 1 == c2",
    "min~(((x + c1) // c2) * c2, max(x, c2)) => max(x, c2) if c2 > 0 && c1 + 1 == c2 && x >= 1",
    "min~((x // c2) * c2, x) => (x // c2) * c2 if c2 > 0",
    "min~(max(x, y), min~(x, y)) => min(x, y)",
    "min~(max~(x, y), x) => x",
    "min(min(x, y), x) => min(x, y)",
    "min(min(x, y), y) => min(x, y)",
    "min(x, min(x, y)) => min(x, y)",
    "min(y, min(x, y)) => min(x, y)",
    "min(min(min(x, y), z), y) => min(min(x, y), z)",
    "min(min(min(min(x, y), z), w), y) => min(min(min(x, y), z), w)",
    "min(max~(x, y), max~(x, z)) => max(min(y, z), x)",
    "min(min~(x, y), min~(x, z)) => min(min(y, z), x)",
    "min(x +~ y, x +~ z) => min(y, z) + x",
    "min(y - x, z - x) => min(y, z) - x",
    "min(x - y, x - z) => x - max(y, z)",
    "min(min(x, c1), c2) => min(x, min(c1, c2))",
    "min(x // c1, y // c1) => min(x, y) // c1 if c1 > 0",
    "min(x // c1, y // c1) => max(x, y) // c1 if c1 < 0",
    "min(x * c1, y * c1) => min(x, y) * c1 if c1 > 0",
    "min(x * c1, y * c1) => max(x, y) * c1 if c1 < 0",
    "min(x * c1, c2) => min(x, c2 // c1) * c1 if c1 > 0 && c2 % c1 == 0",
    "min(x * c1, c2) => max(x, c2 // c1) * c1 if c1 < 0 && c2 % c1 == 0",
    "min(min(x, c1), y) =>> min(min(x, y), c1)",
    "min(c1 - x, c2) => c1 - max(x, c1 - c2) if c2 != 0",
};

constexpr std::string_view kMaxRules[] = {
    "max(x, x) => x",
    "max(x + c1, x + c2) => x + max(c1, c2)",
    "max(x + c1, x) => x + max(c1, 0)",
    "max(x, x + c1) => x + max(c1, 0)",
    "max(c1 - x, c2 - x) => max(c1, c2) - x",
    "max~(((x + c1) // c2) * c2, x) => ((x + c1) // c2) * c2 if c2 > 0 && c1 + 1 == c2",
    "max~((x // c2) * c2, x) => x if c2 > 0",
    "max~(min(x, y), max~(x, y)) => max(x, y)",
    "max~(min~(x, y), x) => x",
    "max(max(x, y), x) => max(x, y)",
    "max(max(x, y), y) => max(x, y)",
    "max(x, max(x, y)) => max(x, y)",
    "max(y, max(x, y)) => max(x, y)",
    "max(max(max(x, y), z), y) => max(max(x, y), z)",
    "max(max(max(max(x, y), z), w), y) => max(max(max(x, y), z), w)",
    "max(min~(x, y), min~(x, z)) => min(max(y, z), x)",
    "max(max~(x, y), max~(x, z)) => max(max(y, z), x)",
    "max(x +~ y, x +~ z) => max(y, z) + x",
    "max(y - x, z - x) => max(y, z) - x",
    "max(x - y, x - z) => x - min(y, z)",
    "max(max(x, c1), c2) => max(x, max(c1, c2))",
    "max(x // c1, y // c1) => max(x, y) // c1 if c1 > 0",
    "max(x // c1, y // c1) => min(x, y) // c1 if c1 < 0",
    "max(x * c1, y * c1) => max(x, y) * c1 if c1 > 0",
    "max(x * c1, y * c1) => min(x, y) * c1 if c1 < 0",
    "max(x * c1, c2) => max(x, c2 // c1) * c1 if c1 > 0 && c2 % c1 == 0",
    "max(x * c1, c2) => min(x, c2 // c1) * c1 if c1 < 0 && c2 % c1 == 0",
    "max(max(x, c1), y) =>> max(max(x, y), c1)",
    "max(c1 - x, c2) => c1 - min(x, c1 - c2) if c2 != 0",
};

constexpr std::string_view kEqualRules[] = {
    "c1 == x => x == c1",           "x == x => true",
    "x - c1 == c2 => x == c1 + c2", "c1 - x == c2 => x == c1 - c2",
    "x + c1 == c2 => x == c2 - c1", "x *~ y == 0 =>> x == 0 || y == 0",
};

constexpr std::string_view kLessRules[] = {
    "x +~ y < x +~ z => y < z",
    "y - x < z - x => y < z",
    "x - y < x - z => z < y",
    "x < x +~ z => 0 < z",
    "x +~ y < x => y < 0",
    "x < x - z => z < 0",
    "x - y < x => 0 < y",
    "c1 < x + c2 => c1 - c2 < x",
    "c1 < c2 - x => x < c2 - c1",
    "x + c1 < c2 => x < c2 - c1",
    "x - c1 < c2 => x < c2 + c1",
    "c1 - x < c2 => c1 - c2 < x",
    "x * c1 < y * c1 => x < y if c1 > 0",
    "x * c1 < y * c1 => y < x if c1 < 0",
    "x * c2 < c1 => x < (c1 - 1) // c2 + 1 if c2 > 0",
    "x * c2 < c1 => c1 // c2 < x if c2 < 0",
    "c1 < x * c2 => c1 // c2 < x if c2 > 0",
    "c1 < x * c2 => x < (c1 + 1) // c2 + 1 if c2 < 0",
    "x // c1 < c2 => x < c1 * c2 if c1 > 0",
    "c1 < x // c2 => (c1 + 1) * c2 - 1 < x if c2 > 0",
    "(x // c1) * c1 < x => 0 < x % c1 if c1 > 0",
    "(x // c1) * c1 < x + y => 0 < x % c1 + y if c1 > 0",
    "(x // c1) * c1 < x - y => y < x % c1 if c1 > 0",
    "((x + c2) // c1) * c1 < x => c2 < (x + c2) % c1 if c1 > 0",
    "((x + c2) // c1) * c1 < x + y => c2 < (x + c2) % c1 + y if c1 > 0",
    "((x + c2) // c1) * c1 < x - y => y < (x + c2) % c1 + (0 - c2) if c1 > 0",
    "min(x, y) < z =>> x < z || y < z",
    "max(x, y) < z =>> x < z && y < z",
    "z < min(x, y) =>> z < x && z < y",
    "z < max(x, y) =>> z < x || z < y",
    "x + c1 < y + c2 =>> x < y + (c2 - c1) if c1 != 0",
    "x < y + c1 =>> x + (0 - c1) < y if c1 < 0",
    "x + c1 < y =>> x < y + (0 - c1) if c1 < 0",
};

constexpr std::string_view kNotRules[] = {
    "!(!x) => x",          "!(x <= y) => y < x",         "!(x >= y) => x < y",
    "!(x < y) => y <= x",  "!(x > y) => x <= y",         "!(x == y) => x != y",
    "!(x != y) => x == y", "!(x || y) =>> (!x) && (!y)", "!(x && y) =>> (!x) || (!y)",
};

constexpr std::string_view kAndRules[] = {
    "x && x => x",
    "x && (!x) => false",
    "(!x) && x => false",
    "x == y &&~ x != y => false",
    "x <= y &&~ y < x => false",
    "x < y && y < x => false",
    "x < c1 &&~ c2 < x => false if c2 + 1 >= c1",
    "x < c1 &&~ c2 <= x => false if c2 >= c1",
    "x <= c1 &&~ c2 < x => false if c2 >= c1",
    "x <= c1 &&~ c2 <= x => false if c2 > c1",
    "x == c1 && x != c2 => x == c1 if c1 != c2",
    "x != c2 && x == c1 => x == c1 if c1 != c2",
    "x == c1 && x == c2 => false if c1 != c2",
    "x // c2 == c1 &&~ x % c2 == c3 => x == c1 * c2 + c3 if c2 > 0 && c3 >= 0 && c3 < c2",
    "x && (y && z) =>> (x && y) && z",
    "(x && y) && x => x && y",
    "(x && y) && y => x && y",
};

constexpr std::string_view kOrRules[] = {
    "x || x => x",
    "x || (!x) => true",
    "(!x) || x => true",
    "x == y ||~ x != y => true",
    "x <= y ||~ y < x => true",
    "x < c1 ||~ c2 < x => true if c2 < c1",
    "x < c1 ||~ c2 <= x => true if c2 <= c1",
    "x <= c1 ||~ c2 < x => true if c2 <= c1",
    "x <= c1 ||~ c2 <= x => true if c2 <= c1 + 1",
    "x != c1 || x == c2 => x != c1 if c1 != c2",
    "x == c2 || x != c1 => x != c1 if c1 != c2",
    "x != c1 || x != c2 => true if c1 != c2",
    "x < y ||~ y < x => x != y",
    "x < y || x == y => x <= y",
    "x || (y || z) =>> (x || y) || z",
    "(x || y) || x => x || y",
    "(x || y) || y => x || y",
};

constexpr std::string_view kSelectRules[] = {
    "select(x, y, y) => y",
};

void append(std::vector<std::string_view>& all, std::span<const std::string_view> rules) {
    all.insert(all.end(), rules.begin(), rules.end());
}

} // namespace

std::vector<std::string_view> simplifierRuleTexts() {
    std::vector<std::string_view> all;
    for (const std::span<const std::string_view> rules :
         {std::span<const std::string_view>(kAddRules),
          std::span<const std::string_view>(kSubRules),
          std::span<const std::string_view>(kMulRules),
          std::span<const std::string_view>(kFloorDivRules),
          std::span<const std::string_view>(kFloorModRules),
          std::span<const std::string_view>(kTruncDivRules),
          std::span<const std::string_view>(kTruncModRules),
          std::span<const std::string_view>(kMinRules),
          std::span<const std::string_view>(kMaxRules),
          std::span<const std::string_view>(kEqualRules),
          std::span<const std::string_view>(kLessRules),
          std::span<const std::string_view>(kNotRules),
          std::span<const std::string_view>(kAndRules), std::span<const std::string_view>(kOrRules),
          std::span<const std::string_view>(kSelectRules)})
        append(all, rules);
    return all;
}

const RuleSet& simplifierRules() {
    static const RuleSet rules(simplifierRuleTexts());
    return rules;
}

} // namespace tilewright::arith
