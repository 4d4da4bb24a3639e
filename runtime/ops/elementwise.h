#pragma once

// Checked elementwise operations: NumPy's type resolution (NEP 50), broadcasting and messages.

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "runtime/session.h"

namespace gpy::rt {

inline constexpr size_t kMaxArity = 3;

// A ufunc's operands as terms, which refer to them.
class Terms {
 public:
  Terms(std::span<const Operand> operands) : count_(operands.size()) {
    std::copy(operands.begin(), operands.end(), room_.begin());
  }
  operator std::span<const Term>() const { return {room_.data(), count_}; }

 private:
  std::array<Term, kMaxArity> room_;
  size_t count_;
};

struct UfuncOptions {
  const Array* out = nullptr;
  const Operand* where = nullptr;  // elements where false keep what `out` holds
  std::optional<DType> dtype;      // the loop's type: its output, and inputs like it
  Casting casting = Casting::kSameKind;
};

// kNoLoop where `from` does not cast: "Cannot cast ufunc 'add' output from dtype('float64') to
// ...". `operand`: "output", "input" or "input 1".
void check_cast(std::string_view ufunc, std::string_view operand, DType from, DType to,
                Casting casting);

// The loop that NumPy would choose. Throws kType where there is none, kNoLoop where an input does
// not cast to the `dtype` asked for, kOverflow where a Python int does not fit its dtype.
struct ResolvedLoop {
  const Ufunc* ufunc;
  uint16_t loop;
  const UfuncLoop& signature() const { return ufunc->loops[loop]; }
};
ResolvedLoop resolve_loop(const Ufunc& ufunc, std::span<const Term> inputs,
                          std::optional<DType> dtype = std::nullopt,
                          Casting casting = Casting::kSameKind);

// The ufunc on operands that broadcast together. Numbers alone give a 0-d array in `fallback`.
// Throws kType where host and device arrays are mixed.
Array apply(Session& session, const Ufunc& ufunc, std::span<const Term> inputs,
            const UfuncOptions& options, Space fallback);
inline Array apply(Session& session, const Ufunc& ufunc, std::span<const Operand> inputs,
                   const UfuncOptions& options, Space fallback) {
  return apply(session, ufunc, Terms(inputs), options, fallback);
}

// The rows as functions, an operand an input: ops::add(session, x, y).
template <size_t> using RowOperand = const Operand&;
template <class Inputs> struct RowCall;
template <size_t... I> struct RowCall<std::index_sequence<I...>> {
  Row row;
  Array operator()(Session& session, RowOperand<I>... inputs,
                   Space fallback = Space::automatic()) const {
    return apply(session, ufunc(row), std::array<Term, sizeof...(I)>{Term(inputs)...}, {},
                 fallback);
  }
};
namespace ops {
#define ROW(name, arity, ...) \
  inline constexpr RowCall<std::make_index_sequence<arity>> name = {Row::name};
#include "runtime/ops/ufuncs.def"
}  // namespace ops

// NumPy's result_type of operands (weak numbers count as NEP 50 says).
DType result_type(std::span<const Operand> operands);
DType result_type(std::span<const Term> operands);

// A copy as another dtype; the same array if `copy` is false and nothing changes. `order` is K, C,
// F or A. Throws kType "Cannot cast array data from dtype('float64') to dtype('int64') according to
// the rule 'safe'".
Array astype(Session& session, const Array& array, DType dtype, Casting casting = Casting::kUnsafe,
             bool copy = true, char order = 'K');
Array copy(Session& session, const Array& array, char order = 'K');

// The space that operands meet in, or kType. Scalars of the host go anywhere.
Space common_space(std::span<const Operand> operands, Space fallback);
Space common_space(std::span<const Term> operands, Space fallback);

}  // namespace gpy::rt
