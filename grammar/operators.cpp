#include "grammar/operators.h"

#include <algorithm>

namespace gpy::syntax {
namespace {

using Kind = PendingOperator::Kind;

constexpr uint8_t kOr = 1, kAnd = 2, kNot = 3, kCompare = 4, kBitOr = 5, kBitXor = 6, kBitAnd = 7,
                  kShift = 8, kSum = 9, kTerm = 10, kUnary = 11, kPower = 12;

template <class Code>
constexpr OperatorMatch make_match(int length, Kind kind, Code code, uint8_t precedence) {
  return {length, {kind, static_cast<uint8_t>(code), precedence, {}}};
}

constexpr OperatorMatch binary(int length, BinaryOperator op, uint8_t precedence) {
  return make_match(length, Kind::binary, op, precedence);
}
constexpr OperatorMatch compare(int length, CompareOperator op) {
  return make_match(length, Kind::compare, op, kCompare);
}
constexpr OperatorMatch boolean(int length, BoolOperator op, uint8_t precedence) {
  return make_match(length, Kind::boolean, op, precedence);
}
constexpr OperatorMatch unary(int length, UnaryOperator op, uint8_t precedence) {
  return make_match(length, Kind::unary, op, precedence);
}

// The text from an operator's first character on; beyond the end it reads as '\0'.
struct Ahead {
  const char* at;
  const char* end;
  char operator[](int i) const { return end - at > i ? at[i] : '\0'; }
  bool is_word(std::string_view word) const {
    return skip_identifier(at, end) == at + word.size() &&
           std::string_view(at, word.size()) == word;
  }
};

// `@`, `%`, `&`, `|`, `^`: one character, unless it assigns.
OperatorMatch single(Ahead text, BinaryOperator op, uint8_t precedence) {
  return text[1] == '=' ? OperatorMatch{} : binary(1, op, precedence);
}

// `*` and `/`, which may be doubled, unless they assign.
OperatorMatch doubled(Ahead text, OperatorMatch once, OperatorMatch twice) {
  OperatorMatch match = text[1] == text[0] ? twice : once;
  return text[match.length] == '=' ? OperatorMatch{} : match;
}

OperatorMatch arithmetic_sign(Ahead text) {
  using enum BinaryOperator;
  switch (text[0]) {
    case '+': return single(text, Add, kSum);
    case '-': return text[1] == '>' ? OperatorMatch{} : single(text, Sub, kSum);
    case '*': return doubled(text, binary(1, Mult, kTerm), binary(2, Pow, kPower));
    case '/': return doubled(text, binary(1, Div, kTerm), binary(2, FloorDiv, kTerm));
    case '%': return single(text, Mod, kTerm);
    case '@': return single(text, MatMult, kTerm);
    case '|': return single(text, BitOr, kBitOr);
    case '^': return single(text, BitXor, kBitXor);
    case '&': return single(text, BitAnd, kBitAnd);
    case '<':
      return text[1] == '<' ? doubled(text, {}, binary(2, LShift, kShift)) : OperatorMatch{};
    case '>':
      return text[1] == '>' ? doubled(text, {}, binary(2, RShift, kShift)) : OperatorMatch{};
    default: return {};
  }
}

// `is not`, `not in`: the second word, blanks before it included.
int second_word(Ahead text, int from, std::string_view word) {
  int blanks = from;
  while (is_blank(text[blanks])) ++blanks;
  if (blanks == from || !Ahead{text.at + blanks, text.end}.is_word(word)) return 0;
  return blanks + static_cast<int>(word.size());
}

OperatorMatch word_operator(Ahead text) {
  if (text.is_word("and")) return boolean(3, BoolOperator::And, kAnd);
  if (text.is_word("or")) return boolean(2, BoolOperator::Or, kOr);
  if (text.is_word("in")) return compare(2, CompareOperator::In);
  if (text.is_word("is")) {
    int length = second_word(text, 2, "not");
    return length ? compare(length, CompareOperator::IsNot) : compare(2, CompareOperator::Is);
  }
  if (text.is_word("not")) {
    if (int length = second_word(text, 3, "in")) return compare(length, CompareOperator::NotIn);
  }
  return {};
}

OperatorMatch comparison_or_word(Ahead text) {
  bool has_equals = text[1] == '=';
  switch (text[0]) {
    case '=': return has_equals ? compare(2, CompareOperator::Eq) : OperatorMatch{};
    case '!': return has_equals ? compare(2, CompareOperator::NotEq) : OperatorMatch{};
    case '<':
      if (text[1] == '>') return {};
      return has_equals ? compare(2, CompareOperator::LtE) : compare(1, CompareOperator::Lt);
    case '>':
      return has_equals ? compare(2, CompareOperator::GtE) : compare(1, CompareOperator::Gt);
    case 'a':
    case 'i':
    case 'n':
    case 'o': return word_operator(text);
    default: return {};
  }
}

bool is_assigning_shift(Ahead text) {
  return (text[0] == '<' || text[0] == '>') && text[1] == text[0] && text[2] == '=';
}

// ---- building ----

Span extent(std::span<const Item> operands) {
  return join(operands.front().outer, operands.back().outer);
}

void reduce_unary(State& state, const PendingOperator& op) {
  auto* node = state.arena.make<UnaryOp>();
  const Item operand = state.items.back();
  node->op = static_cast<UnaryOperator>(op.code);
  node->operand = operand.expr;
  adopt(*node, operand.expr);
  state.replace(state.items.size() - 1, node, join(op.span, operand.outer));
}

void reduce_binary(State& state, const PendingOperator& op) {
  auto* node = state.arena.make<BinOp>();
  auto operands = std::span(state.items).last(2);
  node->op = static_cast<BinaryOperator>(op.code);
  node->op_span = op.span;
  node->left = operands[0].expr;
  node->right = operands[1].expr;
  adopt(*node, node->left);
  adopt(*node, node->right);
  state.replace(state.items.size() - 2, node, extent(operands));
}

void reduce_compare(State& state, std::span<const PendingOperator> ops) {
  auto* node = state.arena.make<Compare>();
  auto operands = std::span(state.items).last(ops.size() + 1);
  auto* comparisons = state.arena.make_array<Comparison>(ops.size());
  node->left = operands[0].expr;
  adopt(*node, node->left);
  for (size_t i = 0; i < ops.size(); ++i) {
    Expr* right = operands[i + 1].expr;
    comparisons[i] = {static_cast<CompareOperator>(ops[i].code), ops[i].span, right};
    adopt(*node, right);
  }
  node->comparisons = {comparisons, ops.size()};
  state.replace(state.items.size() - operands.size(), node, extent(operands));
}

void reduce_boolean(State& state, std::span<const PendingOperator> ops) {
  auto* node = state.arena.make<BoolOp>();
  auto operands = std::span(state.items).last(ops.size() + 1);
  node->op = static_cast<BoolOperator>(ops[0].code);
  node->values = collect_exprs(state, operands);
  adopt(*node, node->values);
  state.replace(state.items.size() - operands.size(), node, extent(operands));
}

// The operators on top of the stack that make one chain: `a < b < c`, `a and b and c`.
std::span<const PendingOperator> top_chain(const State& state) {
  const auto& ops = state.operators;
  auto top = ops.back();
  size_t first = ops.size() - 1;
  while (ops[first - 1].kind == top.kind && ops[first - 1].precedence == top.precedence) --first;
  return std::span(ops).subspan(first);
}

void reduce_top(State& state) {
  auto& ops = state.operators;
  const PendingOperator top = ops.back();
  size_t count = 1;
  switch (top.kind) {
    case Kind::unary: reduce_unary(state, top); break;
    case Kind::binary: reduce_binary(state, top); break;
    case Kind::compare:
      count = top_chain(state).size();
      reduce_compare(state, top_chain(state));
      break;
    case Kind::boolean:
      count = top_chain(state).size();
      reduce_boolean(state, top_chain(state));
      break;
    case Kind::barrier: break;
  }
  ops.resize(ops.size() - count);
}

// Whether the operator on the stack has both operands once `next` comes.
bool binds_before(const PendingOperator& pending, const PendingOperator& next) {
  if (pending.kind == Kind::barrier) return false;
  if (pending.precedence != next.precedence) return pending.precedence > next.precedence;
  return next.kind == Kind::binary && next.precedence != kPower;
}

}  // namespace

OperatorMatch match_infix(const char* at, const char* end, Operators which) {
  if (at == end) return {};
  Ahead text{at, end};
  if (auto match = arithmetic_sign(text); match.length) return match;
  if (which == Operators::arithmetic || is_assigning_shift(text)) return {};
  return comparison_or_word(text);
}

OperatorMatch match_prefix(const State& state, const char* at) {
  if (at == state.end()) return {};
  switch (*at) {
    case '-': return unary(1, UnaryOperator::USub, kUnary);
    case '+': return unary(1, UnaryOperator::UAdd, kUnary);
    case '~': return unary(1, UnaryOperator::Invert, kUnary);
    case 'n': break;
    default: return {};
  }
  bool is_not = state.operators.back().precedence <= kNot && Ahead{at, state.end()}.is_word("not");
  return is_not ? unary(3, UnaryOperator::Not, kNot) : OperatorMatch{};
}

void begin_operation(State& state, Operators which) {
  uint8_t loosest = which == Operators::all ? 0 : kBitOr;
  state.operators.push_back({Kind::barrier, 0, loosest, {}});
}

void build_prefix(State& state, Span span) {
  state.matched_operator.span = span;
  state.operators.push_back(state.matched_operator);
}

void build_infix(State& state, Span span) {
  state.matched_operator.span = span;
  while (binds_before(state.operators.back(), state.matched_operator)) reduce_top(state);
  state.operators.push_back(state.matched_operator);
}

void end_operation(State& state) {
  while (state.operators.back().kind != Kind::barrier) reduce_top(state);
  state.operators.pop_back();
}

}  // namespace gpy::syntax
