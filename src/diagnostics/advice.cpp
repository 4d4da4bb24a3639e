// The rules about mistakes in the language itself: each looks at a failed expression and says what
// to write instead, or nothing.
#include <algorithm>
#include <optional>

#include "src/array/convert.h"
#include "src/calls/args.h"
#include "src/code.h"
#include "src/diagnostics/failure.h"
#include "src/diagnostics/find_assignment.h"
#include "src/interpreter.h"
#include "src/text/suggest.h"

namespace gpy {

namespace ast = syntax;

// --- methods -------------------------------------------------------------------------------------

static bool is_method(const Value& value) {
  if (value.is<BoundMethod>()) return true;
  return value.is<NativeFunction>() && value.as<NativeFunction>()->is_method;
}

// The number of arguments that a bound method needs; nullopt where it is not known.
static std::optional<size_t> required_arguments(const Value& method) {
  const BoundMethod* bound = method.try_as<BoundMethod>();
  if (!bound) return std::nullopt;
  if (NativeFunction* native = bound->function.try_as<NativeFunction>()) {
    const uint32_t required = native->signature().required;
    return required > 0 ? required - 1 : 0;
  }
  const Function* function = bound->function.try_as<Function>();
  if (!function) return std::nullopt;
  const uint32_t positional = function->code->parameters.positional;
  return positional - std::min<size_t>(positional, function->defaults.size() + 1);
}

// `a.mean + 1`
static Advice method_not_called(const Failure& failure) {
  for (const FailedOperand& operand : failure.operands) {
    if (!is_method(operand.value)) continue;
    const auto arguments = required_arguments(operand.value);
    const char* call = arguments == size_t{0} ? "()" : "(...)";
    return {"", fmt::format("`{0}` is a method: call it, `{0}{1}`", operand.text, call)};
  }
  return {};
}

// `a.shape()`: what was called, and how it is used without the call.
static Advice called_what_is_no_function(const Failure& failure) {
  const auto* call = ast::try_as<ast::Call>(failure.node());
  if (!call || !failure.message.ends_with("object is not callable")) return {};
  const std::string name(failure.text(*call->func));
  if (failure.message.starts_with("'module'")) {
    const std::string same = name.substr(name.rfind('.') + 1);
    return {"", fmt::format("`{}` is a module: call a function in it, `{}.{}(...)`", name, name,
                            same == "random" || same == "time" ? same : "name")};
  }
  if (call->func->kind != ast::ExprKind::Attribute) return {};
  if (call->args.empty() && call->keywords.empty()) {
    return {"", fmt::format("`{0}` is no method: write `{0}` without `()`", name)};
  }
  const bool is_sequence = failure.message.starts_with("'tuple'") ||
                           failure.message.starts_with("'list'") ||
                           failure.message.starts_with("'dict'");
  if (!is_sequence || call->args.size() != 1) return {};
  return {"", fmt::format("`{}` is no method: an item of it is `{}[{}]`", name, name,
                          failure.text(*call->args[0]))};
}

// --- text and numbers ----------------------------------------------------------------------------

static bool is_number(const Value& value) {
  return value.is_integer() || value.is_real() || as_generic(value) || as_ndarray(value);
}

// `"n = " + 3`, and with an array's number or the array
static Advice text_plus_number(const Failure& failure) {
  const auto* sum = ast::try_as<ast::BinOp>(failure.node());
  if (!sum || sum->op != ast::BinaryOperator::Add || failure.operands.size() != 2) return {};
  const FailedOperand &left = failure.operands[0], &right = failure.operands[1];
  if (left.value.is<Str>() && is_number(right.value)) {
    return {"", fmt::format("`{} + str({})` joins them as text", left.text, right.text)};
  }
  if (is_number(left.value) && right.value.is<Str>()) {
    return {"", fmt::format("`str({}) + {}` joins them as text", left.text, right.text)};
  }
  return {};
}

// `for i in 5:`
static Advice loop_over_number(const Failure& failure) {
  const auto* loop = ast::try_as<ast::For>(failure.statement);
  if (!loop || failure.operands.size() != 1 || !failure.operands[0].value.is_integer()) return {};
  if (!failure.message.ends_with("object is not iterable")) return {};
  return {"", fmt::format("`range({})` counts up to it", failure.operands[0].text)};
}

// `values[n / 2]`
static Advice float_as_index(const Failure& failure) {
  const auto* subscript = ast::try_as<ast::Subscript>(failure.node());
  if (!subscript || failure.operands.size() < 2 || !failure.operands[1].value.is_real()) return {};
  const auto* quotient = ast::try_as<ast::BinOp>(subscript->slice);
  if (!quotient || quotient->op != ast::BinaryOperator::Div) return {};
  return {"", fmt::format("`/` gives a float; `{} // {}` gives an int",
                          failure.text(*quotient->left), failure.text(*quotient->right))};
}

// Whether an expression cannot be None: [], 3, "text".
static bool is_something(const ast::Expr* value) {
  if (!value) return false;
  if (const auto* constant = ast::try_as<ast::Constant>(value)) {
    return constant->constant_kind != ast::ConstantKind::None;
  }
  using enum ast::ExprKind;
  for (ast::ExprKind kind : {List, Tuple, Dict, Set, ListComp, SetComp, DictComp, JoinedStr}) {
    if (value->kind == kind) return true;
  }
  return false;
}

// The call that returned None: the operand itself, or the value assigned to its variable.
static const ast::Call* maker_of(const Failure& failure, const FailedOperand& operand) {
  if (!operand.value.is_none() || !operand.node) return nullptr;
  const auto* name = ast::try_as<ast::Name>(operand.node);
  if (!name || !failure.tree) return ast::try_as<ast::Call>(operand.node);
  const auto values = find_assigned(*failure.tree, *name);
  const auto maker = std::find_if_not(values.begin(), values.end(), is_something);
  return maker == values.end() || !*maker ? nullptr : ast::try_as<ast::Call>(*maker);
}

// The object that a call changes if its method returns nothing; empty for other methods.
static std::string_view changed_by(const Failure& failure, const ast::Call& call) {
  const auto* method = ast::try_as<ast::Attribute>(call.func);
  if (!method) return "";
  if (method->attr == "shuffle" && !call.args.empty()) return failure.text(*call.args[0]);
  for (const char* name : {"sort", "reverse", "append", "extend", "insert", "remove", "clear",
                           "update", "add", "discard", "fill", "resize"}) {
    if (method->attr == name) return failure.text(*method->value);
  }
  return "";
}

// `x.sort() + y`, `y = x.sort()` and then `y[0]`
static Advice changed_in_place(const Failure& failure) {
  std::vector<FailedOperand> operands = failure.operands;
  operands.push_back(failure.receiver);
  for (const FailedOperand& operand : operands) {
    const ast::Call* call = maker_of(failure, operand);
    const std::string_view changed = call ? changed_by(failure, *call) : "";
    if (changed.empty()) continue;
    return {"",
            fmt::format("`{}` changes `{}` itself and returns None", failure.text(*call), changed)};
  }
  return {};
}

// --- items ---------------------------------------------------------------------------------------

static Advice nearest_key(const Failure& failure) {
  if (!failure.exception->type->is_subclass_of(failure.vm.types.key_error)) return {};
  if (failure.operands.size() < 2 || !failure.operands[1].value.is<Str>()) return {};
  Dict* dict = failure.operands[0].value.try_as<Dict>();
  if (!dict) return {};
  std::vector<std::string_view> known;
  for (auto& entry : dict->entries()) {
    if (entry.key.is<Str>()) known.push_back(entry.key.as<Str>()->view());
  }
  const std::string nearest = nearest_word(failure.operands[1].value.as<Str>()->view(), known);
  if (nearest.empty()) return {};
  return {"", fmt::format("there is a key '{}'", nearest)};
}

static Advice past_the_end(const Failure& failure) {
  if (!failure.exception->type->is_subclass_of(failure.vm.types.index_error)) return {};
  const bool is_call = ast::try_as<ast::Call>(failure.node()) != nullptr;  // an AxisError's, say
  if (is_call || failure.operands.size() < 2) return {};
  const List* list = failure.operands[0].value.try_as<List>();
  if (!list || !failure.operands[1].value.is_integer()) return {};
  const std::string& name = failure.operands[0].text;
  const size_t count = list->items.size();
  if (count == 0) return {fmt::format("`{}` is empty", name), ""};
  const auto index = static_cast<uint64_t>(failure.operands[1].value.as_integer());
  const bool just_past = index == count && failure.operands[1].is_literal;
  return {fmt::format("indices of `{}` go from 0 to {}", name, count - 1),
          just_past ? fmt::format("the last item is `{}[-1]`", name) : ""};
}

namespace {

struct Rule {
  Advice (*advise)(const Failure&);
  const char* code;
};

constexpr Rule kRules[] = {{method_not_called, "C01"}, {called_what_is_no_function, "C02"},
                           {text_plus_number, "T01"},  {loop_over_number, "T02"},
                           {float_as_index, "T03"},    {changed_in_place, "C03"},
                           {nearest_key, ""},          {past_the_end, "S06"}};

}  // namespace

Advice advise_language(const Failure& failure) {
  for (const Rule& rule : kRules) {
    Advice advice = rule.advise(failure);
    if (advice.empty()) continue;
    advice.code = rule.code;
    return advice;
  }
  return {};
}

}  // namespace gpy
