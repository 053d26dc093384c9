// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/runtime/npy.h>
#include <tilewright/runtime/tensor.h>
#include <tilewright/runtime/tensor_compare.h>
#include <tilewright/runtime/tensor_fill.h>

#include <QtTest/QTest>

#include <cmath>
#include <cstring>
#include <set>

using namespace tilewright;
using runtime::ElementType;
using runtime::Tensor;
using runtime::TypeCode;

namespace {

constexpr ElementType kFloat{TypeCode::Float, 32};
constexpr ElementType kHalf{TypeCode::Float, 16};
constexpr ElementType kInt8{TypeCode::Int, 8};

Tensor make(ElementType type, runtime::TensorShape shape) {
    auto tensor = Tensor::allocate(type, std::move(shape));
    TW_CHECK(tensor.has_value());
    return std::move(*tensor);
}

Tensor counted(ElementType type, runtime::TensorShape shape) {
    Tensor tensor = make(type, std::move(shape));
    for (std::int64_t i = 0; i < tensor.elements(); ++i)
        tensor.setValueAt(i, static_cast<double>(i));
    return tensor;
}

std::string kindOf(const base::Result<Tensor>& result) {
    return result ? "" : result.error().kind;
}

} // namespace

class TensorTest : public QObject {
    Q_OBJECT
private slots:
    void namesTypes() {
        for (const char* name : {"float32", "float64", "float16", "bfloat16", "int8", "int16",
                                 "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"})
            QCOMPARE(runtime::toString(*runtime::parseElementType(name)), std::string(name));
        for (const char* name : {"", "float32x4", "int4", "handle", "float8_e4m3fn", "Float32"})
            QVERIFY(!runtime::parseElementType(name));
    }

    void convertsEveryHalf() {
        for (int bits = 0; bits < 65536; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float value = runtime::halfToFloat(half);
            if (std::isnan(value))
                QVERIFY(std::isnan(runtime::halfToFloat(runtime::floatToHalf(value))));
            else
                QCOMPARE(runtime::floatToHalf(value), half);
        }
        QCOMPARE(runtime::halfToFloat(0x3c00), 1.0f);
        QCOMPARE(runtime::halfToFloat(0x0001), 0x1p-24f);
        QCOMPARE(runtime::floatToHalf(65520.0f), std::uint16_t{0x7c00}); // rounds to infinity
        QCOMPARE(runtime::floatToHalf(65519.0f), std::uint16_t{0x7bff});
        QCOMPARE(runtime::floatToHalf(1.0f + 0x1p-11f), std::uint16_t{0x3c00}); // tie to even
        QCOMPARE(runtime::floatToHalf(1.0f + 3 * 0x1p-11f), std::uint16_t{0x3c02});
        QCOMPARE(runtime::floatToHalf(0x1p-25f), std::uint16_t{0});
        QCOMPARE(runtime::floatToHalf(0x1.8p-25f), std::uint16_t{1});
        QCOMPARE(runtime::floatToBfloat(1.0f + 0x1p-8f), std::uint16_t{0x3f80});
        QCOMPARE(runtime::bfloatToFloat(0x3f81), 1.0f + 0x1p-7f);
    }

    void allocatesAlignedAndRefusesNonsense() {
        const Tensor tensor = make(kFloat, {3, 5});
        QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.data()) % 64, std::uintptr_t{0});
        QCOMPARE(tensor.bytes(), std::int64_t{60});
        QCOMPARE(make(kFloat, {}).elements(), std::int64_t{1});
        QCOMPARE(make(kFloat, {4, 0}).elements(), std::int64_t{0});
        QCOMPARE(kindOf(Tensor::allocate(kFloat, {-1})), std::string("tensor-shape"));
        QCOMPARE(kindOf(Tensor::allocate(kFloat, {1LL << 40, 1LL << 40})),
                 std::string("tensor-shape"));
        QCOMPARE(kindOf(Tensor::allocate(kFloat, {1LL << 50})), std::string("out-of-memory"));
        QCOMPARE(kindOf(Tensor::allocate({TypeCode::Int, 4}, {2})), std::string("tensor-type"));
    }

    void fillsTheSameEveryTime() {
        Tensor a = make(kFloat, {100});
        Tensor b = make(kFloat, {100});
        runtime::fillTensor(a, runtime::checkFill(kFloat, 7));
        runtime::fillTensor(b, runtime::checkFill(kFloat, 7));
        QCOMPARE(runtime::hashTensor(a), runtime::hashTensor(b));
        // Fixed, because runners of other architectures must make the same inputs.
        QCOMPARE(runtime::hashTensor(a), std::uint64_t{3290363496804458059ULL});
        runtime::fillTensor(b, runtime::checkFill(kFloat, 8));
        QVERIFY(runtime::hashTensor(a) != runtime::hashTensor(b));
        for (const float value : a.as<float>())
            QVERIFY(value >= -1 && value < 1);
        runtime::fillTensor(b, runtime::timingFill(kFloat, 1));
        for (const float value : b.as<float>())
            QVERIFY(value >= 1 && value < 10);
    }

    void fillsIntegersWithWholeNumbersInRange() {
        Tensor tensor = make(kInt8, {1000});
        runtime::fillTensor(tensor, runtime::checkFill(kInt8, 1));
        std::set<int> seen;
        for (const std::int8_t value : tensor.as<std::int8_t>())
            seen.insert(value);
        QCOMPARE(*seen.begin(), -8);
        QCOMPARE(*seen.rbegin(), 7);
        Tensor poisoned = make(kFloat, {3});
        runtime::fillTensor(poisoned, {runtime::FillKind::Poison, 0, 0, 0});
        QVERIFY(std::isnan(poisoned.valueAt(1)));
    }

    void comparesWithinTolerance() {
        const Tensor expected = counted(kFloat, {2, 3});
        Tensor actual = counted(kFloat, {2, 3});
        QVERIFY(runtime::compareTensors(actual, expected, {0, 0}).equal);
        actual.setValueAt(4, 4.01);
        QVERIFY(runtime::compareTensors(actual, expected, {0.01, 0}).equal);
        const auto found = runtime::compareTensors(actual, expected, {1e-4, 0});
        QVERIFY(!found.equal);
        QCOMPARE(found.worstIndex, std::int64_t{4});
        QVERIFY(found.message.find("[1, 1]") != std::string::npos);
        actual.setValueAt(4, std::nan(""));
        QVERIFY(!runtime::compareTensors(actual, expected, {1, 1}).equal);
        QVERIFY(!runtime::compareTensors(counted(kFloat, {6}), expected, {1, 1}).equal);
        QVERIFY(!runtime::compareTensors(counted(kHalf, {2, 3}), expected, {1, 1}).equal);
    }

    void readsWhatItWrites_data() {
        QTest::addColumn<QString>("type");
        for (const char* name : {"float32", "float64", "float16", "bfloat16", "int8", "int64",
                                 "uint8", "uint32", "bool"})
            QTest::newRow(name) << QString(name);
    }
    void readsWhatItWrites() {
        QFETCH(QString, type);
        const ElementType element = *runtime::parseElementType(type.toStdString());
        for (const runtime::TensorShape& shape : {runtime::TensorShape{}, {7}, {2, 3, 4}, {0, 3}}) {
            const Tensor tensor = counted(element, shape);
            const auto back = runtime::decodeNpy(runtime::encodeNpy(tensor), "t.npy");
            QVERIFY2(back, back ? "" : back.error().toString().c_str());
            QCOMPARE(runtime::hashTensor(*back), runtime::hashTensor(tensor));
        }
        QCOMPARE(runtime::encodeNpy(counted(element, {3})).find('\n') % 64, std::size_t{63});
    }

    void readsFortranOrder() {
        std::string bytes = runtime::encodeNpy(counted(kFloat, {2, 3}));
        const auto at = bytes.find("False");
        bytes.replace(at, 5, "True ");
        const auto tensor = runtime::decodeNpy(bytes, "f.npy");
        QVERIFY(tensor);
        QCOMPARE(tensor->valueAt(1), 2.0); // [0, 1]
        QCOMPARE(tensor->valueAt(3), 1.0); // [1, 0]
    }

    void refusesDamagedNpy() {
        const std::string good = runtime::encodeNpy(counted(kFloat, {2, 3}));
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY(!runtime::decodeNpy(good.substr(0, size), "cut.npy"));
        std::string foreign = good;
        foreign.replace(foreign.find("<f4"), 3, ">f4");
        const auto refused = runtime::decodeNpy(foreign, "be.npy");
        QVERIFY(!refused);
        QVERIFY(refused.error().toString().starts_with("be.npy"));
        std::string huge = good;
        huge.replace(huge.find("(2, 3)"), 6, "(9999999999999999999, 3)");
        QVERIFY(!runtime::decodeNpy(huge, "huge.npy"));
        // Any byte of the header may be anything.
        for (std::size_t i = 0; i < 80; ++i)
            for (int byte = 0; byte < 256; byte += 5) {
                std::string bytes = good;
                bytes[i] = static_cast<char>(byte);
                static_cast<void>(runtime::decodeNpy(bytes, "fuzz.npy"));
            }
        QCOMPARE(kindOf(runtime::readNpy("/nonexistent/x.npy")), std::string("file"));
    }
};

QTEST_GUILESS_MAIN(TensorTest)
#include "tensor_test.moc"
