#include "runtime/typed/selection.h"

#include <algorithm>

#include "runtime/typed/walk.h"

namespace gpy::rt::typed {

namespace {

using Kind = Expression::Kind;

// Computed in a few instructions from variables, whatever their values are.
bool is_cheap(const Expression& node) {
  switch (node.kind) {
    case Kind::kNumber:
    case Kind::kVariable: return node.type.is_number();
    case Kind::kCast: break;
    case Kind::kRow: {
      constexpr Row kCheap[] = {Row::add,         Row::subtract,   Row::multiply,
                                Row::negative,    Row::bitwise_or, Row::bitwise_and,
                                Row::bitwise_xor, Row::less,       Row::greater,
                                Row::less_equal,  Row::equal,      Row::not_equal};
      const bool known = std::ranges::any_of(kCheap, [&](Row row) { return node.ufunc->is(row); });
      if (!known || is_complex(node.type.dtype)) return false;
      break;
    }
    default: return false;
  }
  return std::ranges::all_of(node.args, is_cheap);
}

bool contains(const Expression& node, const Expression& part) {
  return is_same(node, part) || std::ranges::any_of(node.args, [&](const Expression& each) {
           return contains(each, part);
         });
}

Expression choice(const Expression& test, const Expression& yes, const Expression& no) {
  Expression out;
  out.kind = Kind::kSupport;
  out.symbol = "selected";
  out.type = yes.type;
  out.args = {test, yes, no};
  return out;
}

}  // namespace

std::optional<Statement> try_selection(const Function& function, const Statement& branch,
                                       bool stores) {
  if (branch.body.size() != 1 || !branch.otherwise.empty()) return std::nullopt;
  Statement out = branch.body[0];
  const Expression& test = branch.values[0];
  if (test.effects) return std::nullopt;
  if (out.kind == Statement::Kind::kAssign) {
    const Type& type = function.variables[static_cast<size_t>(out.variable)].type;
    if (!type.is_number() || is_complex(type.dtype) || !is_cheap(out.values[0]))
      return std::nullopt;
    out.values[0] = choice(test, out.values[0], Expression::variable(out.variable, type));
    return out;
  }
  // The condition has read the place, so it may be read and written.
  const bool is_read = out.kind == Statement::Kind::kStore && stores && !out.values[0].effects &&
                       contains(test, out.values[0]);
  if (!is_read || !is_cheap(out.values[1]) || is_complex(out.values[1].type.dtype))
    return std::nullopt;
  out.values[1] = choice(test, out.values[1], out.values[0]);
  return out;
}

}  // namespace gpy::rt::typed
