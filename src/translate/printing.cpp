// print in compiled functions: of numbers, and of texts that are known while translating.
#include "runtime/typed/call_frame.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"

namespace gpy {

using rt::typed::PrintedKind;

static TypedExpression constant(int64_t n) {
  return TypedExpression::constant(rt::Scalar::weak(n));
}

// Numbers are printed as Python's.
static PrintedKind printed_kind(const TypedType& type, rt::DType& as) {
  if (type.dtype == rt::DType::kBool) return as = type.dtype, PrintedKind::kBool;
  if (rt::is_complex(type.dtype)) return as = rt::DType::kComplex128, PrintedKind::kComplex;
  if (!rt::is_integer(type.dtype)) return as = rt::DType::kFloat64, PrintedKind::kFloat;
  const bool is_unsigned = rt::kind(type.dtype) == rt::DTypeKind::kUnsigned;
  as = is_unsigned ? rt::DType::kUInt64 : rt::DType::kInt64;
  return is_unsigned ? PrintedKind::kUnsigned : PrintedKind::kInt;
}

void FunctionTranslator::emit_print(std::string symbol, std::vector<TypedExpression> args,
                                    syntax::Span place) {
  TypedExpression call = failing_call(std::move(symbol), TypedType(), std::move(args));
  call.effects = true;
  emit(TypedStatement::Kind::kEvaluate, place).values = {std::move(call)};
}

void FunctionTranslator::print_text(const Value& text, syntax::Span place) {
  program_.values.texts.push_back(text);
  emit_print("print_text", {constant(static_cast<int64_t>(program_.values.texts.size()) - 1)},
             place);
}

void FunctionTranslator::print_value(TypedExpression value, syntax::Span place) {
  if (!value.type.is_number())
    fail_translation(place, "compiled code prints numbers and constant texts, not {}",
                     rt::typed::type_text(value.type));
  rt::DType as;
  const auto kind = static_cast<int64_t>(printed_kind(value.type, as));
  emit_print("print_number", {constant(kind), cast_to(std::move(value), TypedType::number(as))},
             place);
}

TypedExpression FunctionTranslator::call_print(const syntax::Call& node) {
  check_arrays(node.span);
  if (conditional_ > 0) fail_translation(node.span, "print() stands in a statement of its own");
  if (!node.keywords.empty())
    fail_translation(node.keywords[0].span, "print() of compiled code has no keywords");
  for (const syntax::Expr* each : node.args) {
    const auto* text = syntax::try_as<syntax::Constant>(each);
    const bool is_text = text && text->constant_kind == syntax::ConstantKind::String;
    if (is_text) print_text(vm_.str(text->text), each->span);
    else print_value(expression(*each), each->span);
  }
  effects_ = true;
  emit_print("print_end", {}, node.span);
  return {};
}

}  // namespace gpy
