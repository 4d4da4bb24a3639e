#pragma once

// The 14 element types and NumPy's rules between them. The order is NumPy's type-number order,
// which ufunc loops are searched in.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpy::rt {

enum class DType : uint8_t {
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
};

inline constexpr int kDTypeCount = 14;

// bool, signed, unsigned, float, complex: NumPy's `dtype.kind` letters b i u f c.
enum class Kind : uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex };

struct DTypeInfo {
  std::string_view name;  // "float32"
  char code;              // NumPy's type character: ? b B h H i I l L e f d F D ('q','Q' accepted)
  Kind kind;
  uint8_t size;  // bytes
};

extern const std::array<DTypeInfo, kDTypeCount> kDTypes;

inline const DTypeInfo& info(DType type) { return kDTypes[static_cast<int>(type)]; }
inline int64_t item_size(DType type) { return info(type).size; }
inline Kind kind(DType type) { return info(type).kind; }
inline std::string_view name(DType type) { return info(type).name; }

inline bool is_integer(DType t) { return kind(t) == Kind::kSigned || kind(t) == Kind::kUnsigned; }
inline bool is_float(DType t) { return kind(t) == Kind::kFloat; }
inline bool is_complex(DType t) { return kind(t) == Kind::kComplex; }
inline bool is_inexact(DType t) { return is_float(t) || is_complex(t); }

// The float type of a complex type's parts, and back; other types are returned unchanged.
DType real_type(DType type);
DType complex_type(DType type);

// Accepts what numpy.dtype accepts as text: names, "f4", "<f8", "=i2", type characters, "float",
// "int", "uint", "bool", "complex", "single", "double", "half", "intp", ... Big-endian is nullopt.
std::optional<DType> dtype_from_name(std::string_view text);

// ">f4"-style text with the byte order of the machine: "<f4", "|b1".
std::string dtype_descr(DType type);

// NumPy's promotion of two array types.
DType promote(DType a, DType b);

enum class Casting : uint8_t { kNo, kEquiv, kSafe, kSameKind, kUnsafe };
std::optional<Casting> casting_from_name(std::string_view text);
std::string_view name(Casting casting);
bool can_cast(DType from, DType to, Casting casting);

}  // namespace gpy::rt
