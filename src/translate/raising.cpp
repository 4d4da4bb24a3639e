// raise and assert in compiled functions. What is raised is known while translating: the text holds
// its number among the program's.
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/raised.h"

namespace gpy {

Value FunctionTranslator::static_argument(const syntax::Expr& node) {
  if (const auto* constant = syntax::try_as<syntax::Constant>(&node)) {
    using enum syntax::ConstantKind;
    switch (constant->constant_kind) {
      case String: return vm_.str(constant->text);
      case Integer: return Value::integer(constant->integer);
      case Float: return Value::real(constant->real);
      default: break;
    }
  } else if (const Value value = static_value(node); value.is_defined()) {
    return value;
  }
  fail_translation(node.span, "what compiled code raises is made of constant texts and numbers");
}

// What the library raises is told of where the script calls it.
int64_t FunctionTranslator::told_line(syntax::Span place) const {
  return source_.is_library ? 0 : source_.tree->source->line_of(place.begin);
}

void FunctionTranslator::raise_always(Value type, std::vector<Value> args, syntax::Span place) {
  check_dialect(place);
  const int told = variables_.find(kRaisedParameter);
  if (program_.target != Target::kFunction && told < 0)
    fail_translation(place, "{} raises nothing: write a value that tells of the failure",
                     is_kernel_ ? "a kernel" : "a function of a kernel");
  const int64_t number = program_.add_raise({std::move(type), std::move(args)});
  const int64_t line = told_line(place);
  if (told >= 0) {
    TypedExpression tell = support_call(
        "tell_raised", TypedType(),
        {TypedExpression::variable(told, raised_type()),
         TypedExpression::constant(rt::Scalar::of(rt::DType::kUInt64, number << 32 | line))});
    tell.effects = effects_ = true;
    emit(TypedStatement::Kind::kEvaluate, place).values = {std::move(tell)};
    emit(TypedStatement::Kind::kReturn, place);
    return;
  }
  TypedExpression call = support_call("fail", TypedType(),
                                      {TypedExpression::constant(rt::Scalar::weak(number)),
                                       TypedExpression::constant(rt::Scalar::weak(line))});
  call.effects = true;
  emit(TypedStatement::Kind::kEvaluate, place).values = {std::move(call)};
}

void FunctionTranslator::visit(const syntax::Raise& node) {
  check_dialect(node.span);
  if (!node.exc) fail_translation(node.span, "compiled code has no exception to raise again");
  if (node.cause) fail_translation(node.cause->span, "compiled code raises without a cause");
  const auto* call = syntax::try_as<syntax::Call>(node.exc);
  const syntax::Expr& named = call ? *call->func : *node.exc;
  Value type = static_value(named);
  const bool is_exception = type.is_defined() && type.is<Type>() &&
                            type.as<Type>()->is_subclass_of(vm_.types.base_exception);
  if (!is_exception)
    fail_translation(named.span, "compiled code raises classes of exceptions that are known here");
  std::vector<Value> args;
  if (call) {
    if (!call->keywords.empty())
      fail_translation(call->keywords[0].span, "give what is raised by position");
    for (const syntax::Expr* each : call->args) args.push_back(static_argument(*each));
  }
  raise_always(std::move(type), std::move(args), node.span);
  flow_.reachable = false;
}

void FunctionTranslator::visit(const syntax::Assert& node) {
  check_dialect(node.span);
  TypedExpression test = condition(*node.test);
  std::vector<Value> args;
  if (node.message) args.push_back(static_argument(*node.message));
  TypedStatement out;
  out.kind = TypedStatement::Kind::kIf;
  out.line = source_.tree->source->line_of(node.span.begin);
  out.values = {std::move(test)};
  Block raising;
  Block* outer = std::exchange(block_, &raising);
  raise_always(Value(vm_.types.assertion_error), std::move(args), node.span);
  block_ = outer;
  out.otherwise = std::move(raising);
  block_->push_back(std::move(out));
}

}  // namespace gpy
