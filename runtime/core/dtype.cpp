#include "runtime/core/dtype.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/core/error.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kKindLetters = "biufc";

constexpr size_t kNumpyTypes = static_cast<size_t>(TypeCode::kBFloat16);

// Names beyond kTypes' own that numpy.dtype accepts on 64-bit Linux.
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
  for (size_t i = 0; i < kNumpyTypes; ++i) {
    if (kTypes[i].character == code) return dtype_at(i);
  }
  for (auto [extra, type] : kExtraCodes) {
    if (extra == code) return type;
  }
  return std::nullopt;
}

std::optional<DType> dtype_of(DTypeKind kind, int64_t size) {
  for (size_t i = 0; i < kNumpyTypes; ++i) {
    if (kTypes[i].kind == kind && kTypes[i].size == size) return dtype_at(i);
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
  return dtype_of(static_cast<DTypeKind>(letter), size);
}

std::optional<DType> dtype_from_short_text(std::string_view text) {
  if (text.size() == 1) return dtype_from_code(text[0]);
  return dtype_from_size_text(text);
}

}  // namespace

DType real_type(DType type) {
  if (!is_complex(type)) return type;
  const DType part = item_size(type) == 8 ? DType::kFloat32 : DType::kFloat64;
  return type.is_native() ? part : part.swapped();
}

DType complex_type(DType type) {
  if (!is_float(type)) return type;
  const DType pair = item_size(type) == 8 ? DType::kComplex128 : DType::kComplex64;
  return type.is_native() ? pair : pair.swapped();
}

std::optional<DType> dtype_from_name(std::string_view text) {
  for (size_t i = 0; i < kTypeCodes; ++i) {
    if (kTypes[i].name == text) return dtype_at(i);
  }
  for (auto [alias, type] : kAliases) {
    if (alias == text) return type;
  }
  if (text.empty()) return std::nullopt;
  const char order = text[0];
  const bool is_ordered = order == '>' || order == '<' || order == '=' || order == '|';
  const std::optional<DType> type = dtype_from_short_text(text.substr(is_ordered ? 1 : 0));
  return type && order == '>' ? type->swapped() : type;
}

std::string dtype_descr(DType type) {
  std::string text(info(type).swapped_name);
  if (type.is_native() && text[0] == '>') text[0] = '<';
  return text;
}

namespace {

DType promote_integers(DType a, DType b) {
  if (kind(a) == kind(b)) return item_size(a) > item_size(b) ? a : b;
  if (kind(a) == DTypeKind::kUnsigned) std::swap(a, b);
  if (item_size(a) > item_size(b)) return a;
  return dtype_of(DTypeKind::kSigned, 2 * item_size(b)).value_or(DType::kFloat64);
}

// The smallest float that NumPy holds able to carry an integer type.
DType float_for_integer(DType type) {
  if (item_size(type) == 1) return DType::kFloat16;
  return item_size(type) == 2 ? DType::kFloat32 : DType::kFloat64;
}

DType promote_reals(DType a, DType b) {
  if (is_integer(a)) a = float_for_integer(a);
  if (is_integer(b)) b = float_for_integer(b);
  return a.code() > b.code() ? a : b;
}

// bfloat16 takes in types that it holds exactly, and goes into wider inexact types.
std::optional<DType> promote_bfloat16(DType other) {
  if (is_integer(other) && item_size(other) == 1) return DType::kBFloat16;
  if (is_inexact(other) && item_size(other) > 2) return other;
  return std::nullopt;
}

std::optional<DType> common_type(DType a, DType b) {
  a = a.native();
  b = b.native();
  if (a == b || b == DType::kBool) return a;
  if (a == DType::kBool) return b;
  if (a == DType::kBFloat16) return promote_bfloat16(b);
  if (b == DType::kBFloat16) return promote_bfloat16(a);
  if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
  DType real = promote_reals(real_type(a), real_type(b));
  return is_complex(a) || is_complex(b) ? complex_type(real) : real;
}

}  // namespace

DType promote(DType a, DType b) {
  const std::optional<DType> common = common_type(a, b);
  if (common) return *common;
  fail(ErrorKind::kType,
       "The DTypes {} and {} do not have a common DType. For example they cannot be stored in a "
       "single array unless the dtype is `object`.",
       name(a), name(b));
}

namespace {

constexpr std::string_view kCastingNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

// The rank of a kind for "a cast within a kind or to a wider one".
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

namespace {

using SafeCasts = std::array<std::array<bool, kTypeCodes>, kTypeCodes>;

// Of each dtype to each: loops are looked for by this.
SafeCasts find_safe_casts() {
  SafeCasts casts{};
  for (size_t from = 0; from < kTypeCodes; ++from) {
    for (size_t to = 0; to < kTypeCodes; ++to) {
      casts[from][to] = common_type(dtype_at(from), dtype_at(to)) == dtype_at(to);
    }
  }
  return casts;
}

bool casts_safely(DType from, DType to) {
  static const SafeCasts kCasts = find_safe_casts();
  return kCasts[from.index()][to.index()];
}

}  // namespace

bool can_cast(DType from, DType to, Casting casting) {
  switch (casting) {
    case Casting::kNo: return from == to;
    case Casting::kEquiv: return from.native() == to.native();
    case Casting::kSafe: return casts_safely(from, to);
    case Casting::kSameKind:
      // ml_dtypes: everything casts to bfloat16, and bfloat16 to what holds it.
      if (!is_numpys_own(to)) return true;
      if (!is_numpys_own(from)) return can_cast(from, to, Casting::kSafe);
      return kind_order(from) <= kind_order(to);
    case Casting::kUnsafe: return true;
  }
  return false;
}

}  // namespace gpy::rt
