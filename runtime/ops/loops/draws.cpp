#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
namespace {

#include "runtime/ops/support_draws.h"

// A sampler serves all neighbours that have its parameters.
template <class Op, class R, class Y, class Z>
void draw_tile(const void* const* in, void* out, int64_t count) {
  const auto* key = static_cast<const u64*>(in[0]);
  const auto* y = static_cast<const Y*>(in[Op::arity > 1 ? 1 : 0]);
  const auto* z = static_cast<const Z*>(in[Op::arity - 1]);
  auto* to = static_cast<R*>(out);
  for (int64_t i = 0; i < count;) {
    const Y first = y[i];
    const Z second = z[i];
    const auto sampler = Op::make(first, second);
    do {
      to[i] = draw(key[i], sampler);
      ++i;
    } while (i < count && (Op::arity < 2 || y[i] == first) && (Op::arity < 3 || z[i] == second));
  }
}

template <class Op> constexpr std::array<TileLoop, 1> draw_loops() {
  constexpr Signature types = signature(Op::rule, Op::arity, 0);
  using Y = typename CType<types.in[Op::arity > 1 ? 1 : 0].code()>::Type;
  using Z = typename CType<types.in[Op::arity - 1].code()>::Type;
  return {draw_tile<Op, typename CType<types.out.code()>::Type, Y, Z>};
}

#define DRAW(name, arity_, rule_, doc, sampler, ...)                          \
  struct op_##name {                                                          \
    static constexpr int arity = arity_;                                      \
    static constexpr TypeRule rule = type_rule::rule_;                        \
    template <class Y, class Z>                                               \
    GPY_MEMBER static auto make([[maybe_unused]] Y y, [[maybe_unused]] Z z) { \
      return sampler;                                                         \
    }                                                                         \
  };
#include "runtime/ops/ufuncs/draws.def"

}  // namespace

namespace GPY_ISA {
#define DRAW(name, ...)                      \
  extern const std::array<TileLoop, 1> name; \
  constexpr std::array<TileLoop, 1> name = draw_loops<op_##name>();
#include "runtime/ops/ufuncs/draws.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
