#include "runtime/core/dtype.h"

#include <algorithm>
#include <utility>

namespace gpy::rt {

constinit const std::array<DTypeInfo, kDTypeCount> kDTypes = {{
    {"bool", '?', Kind::kBool, 1},
    {"int8", 'b', Kind::kSigned, 1},
    {"uint8", 'B', Kind::kUnsigned, 1},
    {"int16", 'h', Kind::kSigned, 2},
    {"uint16", 'H', Kind::kUnsigned, 2},
    {"int32", 'i', Kind::kSigned, 4},
    {"uint32", 'I', Kind::kUnsigned, 4},
    {"int64", 'l', Kind::kSigned, 8},
    {"uint64", 'L', Kind::kUnsigned, 8},
    {"float16", 'e', Kind::kFloat, 2},
    {"float32", 'f', Kind::kFloat, 4},
    {"float64", 'd', Kind::kFloat, 8},
    {"complex64", 'F', Kind::kComplex, 8},
    {"complex128", 'D', Kind::kComplex, 16},
}};

namespace {

constexpr std::string_view kKindLetters = "biufc";

// Names beyond kDTypes' own that numpy.dtype accepts on 64-bit Linux.
constexpr std::pair<std::string_view, DType> kAliases[] = {
    {"bool_", DType::kBool},         {"byte", DType::kInt8},
    {"ubyte", DType::kUInt8},        {"short", DType::kInt16},
    {"ushort", DType::kUInt16},      {"intc", DType::kInt32},
    {"uintc", DType::kUInt32},       {"int", DType::kInt64},
    {"int_", DType::kInt64},         {"intp", DType::kInt64},
    {"long", DType::kInt64},         {"longlong", DType::kInt64},
    {"uint", DType::kUInt64},        {"uintp", DType::kUInt64},
    {"ulong", DType::kUInt64},       {"ulonglong", DType::kUInt64},
    {"half", DType::kFloat16},       {"single", DType::kFloat32},
    {"float", DType::kFloat64},      {"double", DType::kFloat64},
    {"csingle", DType::kComplex64},  {"complex", DType::kComplex128},
    {"cdouble", DType::kComplex128},
};

constexpr std::pair<char, DType> kExtraCodes[] = {
    {'q', DType::kInt64},  {'p', DType::kInt64},  {'n', DType::kInt64},
    {'Q', DType::kUInt64}, {'P', DType::kUInt64}, {'N', DType::kUInt64},
};

std::optional<DType> dtype_from_code(char code) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypes[i].code == code) return static_cast<DType>(i);
  }
  for (auto [extra, type] : kExtraCodes) {
    if (extra == code) return type;
  }
  return std::nullopt;
}

std::optional<DType> dtype_of(Kind kind, int64_t size) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypes[i].kind == kind && kDTypes[i].size == size) return static_cast<DType>(i);
  }
  return std::nullopt;
}

// A kind letter and a byte count: "f4", "c16".
std::optional<DType> dtype_from_size_text(std::string_view text) {
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  size_t letter = kKindLetters.find(text[0]);
  // NumPy has 'b' for both bool and int8 as characters; "b1" is bool.
  if (letter == std::string_view::npos) return std::nullopt;
  int64_t size = 0;
  for (char c : text.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    size = size * 10 + (c - '0');
  }
  return dtype_of(static_cast<Kind>(letter), size);
}

std::optional<DType> dtype_from_short_text(std::string_view text) {
  if (text.size() == 1) return dtype_from_code(text[0]);
  return dtype_from_size_text(text);
}

}  // namespace

DType real_type(DType type) {
  if (type == DType::kComplex64) return DType::kFloat32;
  if (type == DType::kComplex128) return DType::kFloat64;
  return type;
}

DType complex_type(DType type) {
  if (type == DType::kFloat16 || type == DType::kFloat32) return DType::kComplex64;
  if (type == DType::kFloat64) return DType::kComplex128;
  return type;
}

std::optional<DType> dtype_from_name(std::string_view text) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypes[i].name == text) return static_cast<DType>(i);
  }
  for (auto [alias, type] : kAliases) {
    if (alias == text) return type;
  }
  if (text.empty()) return std::nullopt;
  bool big_endian = text[0] == '>';
  if (big_endian || text[0] == '<' || text[0] == '=' || text[0] == '|') text.remove_prefix(1);
  std::optional<DType> type = dtype_from_short_text(text);
  if (type && big_endian && item_size(*type) > 1) return std::nullopt;
  return type;
}

std::string dtype_descr(DType type) {
  std::string text(1, item_size(type) == 1 ? '|' : '<');
  text += kKindLetters[static_cast<int>(kind(type))];
  return text + std::to_string(item_size(type));
}

namespace {

DType promote_integers(DType a, DType b) {
  if (kind(a) == kind(b)) return item_size(a) > item_size(b) ? a : b;
  if (kind(a) == Kind::kUnsigned) std::swap(a, b);
  if (item_size(a) > item_size(b)) return a;
  return dtype_of(Kind::kSigned, 2 * item_size(b)).value_or(DType::kFloat64);
}

// The smallest float that NumPy holds able to carry an integer type.
DType float_for_integer(DType type) {
  if (item_size(type) == 1) return DType::kFloat16;
  return item_size(type) == 2 ? DType::kFloat32 : DType::kFloat64;
}

DType promote_reals(DType a, DType b) {
  if (is_integer(a)) a = float_for_integer(a);
  if (is_integer(b)) b = float_for_integer(b);
  return std::max(a, b);
}

}  // namespace

DType promote(DType a, DType b) {
  if (a == b || b == DType::kBool) return a;
  if (a == DType::kBool) return b;
  if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
  DType real = promote_reals(real_type(a), real_type(b));
  return is_complex(a) || is_complex(b) ? complex_type(real) : real;
}

namespace {

constexpr std::string_view kCastingNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

// Where a kind stands in "a cast within a kind or to a wider one".
int kind_order(DType type) {
  constexpr int kOrder[] = {0, 2, 1, 3, 4};  // bool, signed, unsigned, float, complex
  return kOrder[static_cast<int>(kind(type))];
}

}  // namespace

std::optional<Casting> casting_from_name(std::string_view text) {
  const auto* at = std::find(std::begin(kCastingNames), std::end(kCastingNames), text);
  if (at == std::end(kCastingNames)) return std::nullopt;
  return static_cast<Casting>(at - kCastingNames);
}

std::string_view name(Casting casting) { return kCastingNames[static_cast<int>(casting)]; }

bool can_cast(DType from, DType to, Casting casting) {
  switch (casting) {
    case Casting::kNo:
    case Casting::kEquiv: return from == to;
    case Casting::kSafe: return promote(from, to) == to;
    case Casting::kSameKind: return kind_order(from) <= kind_order(to);
    case Casting::kUnsafe: return true;
  }
  return false;
}

}  // namespace gpy::rt
