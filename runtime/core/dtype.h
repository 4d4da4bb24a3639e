#pragma once

// Element types and NumPy's rules between them. A DType is a small value: the code of its type, the
// order of its bytes, a parameter and the size of an element. Tables, loops and plans use the code
// alone and know the machine's byte order only: loads and stores convert to and from it
// (PlanBuilder).

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpy::rt {

// NumPy's own types in its type-number order, which ufunc loops are searched in; then the others.
enum class TypeCode : uint8_t {
  kBool,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
  kBFloat16,
};

inline constexpr int kTypeCodes = 15;

static_assert(std::endian::native == std::endian::little);

// bool, signed, unsigned, float, complex.
enum class DTypeKind : uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex };

struct TypeInfo {
  std::string_view name;  // "float32"
  char character;         // NumPy's: ? b B h H i I l L e f d F D ('q','Q' accepted); ml_dtypes' E
  DTypeKind kind;
  uint8_t size;                   // bytes
  std::string_view swapped_name;  // in the opposite byte order: ">f4"
};

inline constexpr std::array<TypeInfo, kTypeCodes> kTypes = {{
    {"bool", '?', DTypeKind::kBool, 1, "|b1"},
    {"int8", 'b', DTypeKind::kSigned, 1, "|i1"},
    {"uint8", 'B', DTypeKind::kUnsigned, 1, "|u1"},
    {"int16", 'h', DTypeKind::kSigned, 2, ">i2"},
    {"uint16", 'H', DTypeKind::kUnsigned, 2, ">u2"},
    {"int32", 'i', DTypeKind::kSigned, 4, ">i4"},
    {"uint32", 'I', DTypeKind::kUnsigned, 4, ">u4"},
    {"int64", 'l', DTypeKind::kSigned, 8, ">i8"},
    {"uint64", 'L', DTypeKind::kUnsigned, 8, ">u8"},
    {"float16", 'e', DTypeKind::kFloat, 2, ">f2"},
    {"float32", 'f', DTypeKind::kFloat, 4, ">f4"},
    {"float64", 'd', DTypeKind::kFloat, 8, ">f8"},
    {"complex64", 'F', DTypeKind::kComplex, 8, ">c8"},
    {"complex128", 'D', DTypeKind::kComplex, 16, ">c16"},
    {"bfloat16", 'E', DTypeKind::kFloat, 2, ">V2"},
}};

class DType {
 public:
  static const DType kBool, kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64,
      kFloat16, kFloat32, kFloat64, kComplex64, kComplex128, kBFloat16;

  constexpr DType() : DType(TypeCode::kBool) {}
  constexpr DType(TypeCode code)
      : code_(code), item_size_(kTypes[static_cast<size_t>(code)].size) {}

  constexpr TypeCode code() const { return code_; }
  constexpr size_t index() const { return static_cast<size_t>(code_); }  // into tables by code
  constexpr int64_t item_size() const { return item_size_; }

  // True in the machine's byte order, which types of one byte always have.
  constexpr bool is_native() const { return order_ == Order::kNative; }
  constexpr DType native() const { return with(Order::kNative); }
  constexpr DType swapped() const { return with(is_native() ? Order::kSwapped : Order::kNative); }

  // The code and byte order of a type without a parameter, in one byte: for keys.
  constexpr uint8_t key() const {
    return static_cast<uint8_t>(static_cast<int>(code_) | static_cast<int>(order_) << 7);
  }
  friend constexpr bool operator==(DType a, DType b) {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
  }

 private:
  enum class Order : uint8_t { kNative, kSwapped };
  constexpr DType with(Order order) const {
    DType result = *this;
    result.order_ = item_size_ == 1 ? Order::kNative : order;
    return result;
  }

  TypeCode code_;
  Order order_ = Order::kNative;
  uint16_t parameter_ = 0;  // of types that have one: none does yet
  uint32_t item_size_;
};

inline constexpr DType DType::kBool = TypeCode::kBool, DType::kInt8 = TypeCode::kInt8,
                       DType::kUInt8 = TypeCode::kUInt8, DType::kInt16 = TypeCode::kInt16,
                       DType::kUInt16 = TypeCode::kUInt16, DType::kInt32 = TypeCode::kInt32,
                       DType::kUInt32 = TypeCode::kUInt32, DType::kInt64 = TypeCode::kInt64,
                       DType::kUInt64 = TypeCode::kUInt64, DType::kFloat16 = TypeCode::kFloat16,
                       DType::kFloat32 = TypeCode::kFloat32, DType::kFloat64 = TypeCode::kFloat64,
                       DType::kComplex64 = TypeCode::kComplex64,
                       DType::kComplex128 = TypeCode::kComplex128,
                       DType::kBFloat16 = TypeCode::kBFloat16;

// The type of a code by number, in the machine's byte order.
constexpr DType dtype_at(size_t index) { return static_cast<TypeCode>(index); }

constexpr const TypeInfo& info(DType type) { return kTypes[type.index()]; }
constexpr int64_t item_size(DType type) { return type.item_size(); }
constexpr DTypeKind kind(DType type) { return info(type).kind; }
// The name of a type in NumPy's messages and repr: "float32", ">f4".
constexpr std::string_view name(DType type) {
  return type.is_native() ? info(type).name : info(type).swapped_name;
}

constexpr bool is_integer(DType t) {
  return kind(t) == DTypeKind::kSigned || kind(t) == DTypeKind::kUnsigned;
}
constexpr bool is_float(DType t) { return kind(t) == DTypeKind::kFloat; }
constexpr bool is_complex(DType t) { return kind(t) == DTypeKind::kComplex; }
constexpr bool is_inexact(DType t) { return is_float(t) || is_complex(t); }
constexpr bool is_numpys_own(DType t) { return t.code() < TypeCode::kBFloat16; }
// float16 and bfloat16: stored narrowly, computed as float32.
constexpr bool is_narrow_float(DType t) { return is_float(t) && t.item_size() == 2; }

// The float type of a complex type's parts, and back; other types are returned unchanged.
DType real_type(DType type);
DType complex_type(DType type);

// Accepts what numpy.dtype accepts as text: names, "f4", "<f8", ">i2", "=i2", type characters,
// "float", "int", "uint", "bool", "complex", "single", "double", "half", "intp", ...
std::optional<DType> dtype_from_name(std::string_view text);

// The type with its byte order: "<f4", ">f4", "|b1"; bfloat16 is "<V2", as ml_dtypes has it.
std::string dtype_descr(DType type);

// NumPy's promotion of two array types, in the machine's byte order. Throws kType where they have
// none: bfloat16 with float16 or with integers of more than 8 bits.
DType promote(DType a, DType b);

enum class Casting : uint8_t { kNo, kEquiv, kSafe, kSameKind, kUnsafe };
std::optional<Casting> casting_from_name(std::string_view text);
std::string_view name(Casting casting);
bool can_cast(DType from, DType to, Casting casting);

}  // namespace gpy::rt
