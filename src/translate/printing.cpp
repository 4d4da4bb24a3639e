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

static std::string c_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += "%%";
    else if (c == '"' || c == '\\') out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < ' ') out += fmt::format("\\{:03o}", c);
    else out += c;
  }
  return out;
}

// How printf takes a number and writes it, and what gives it that.
struct PrintedForm {
  const char *type, *format, *given;
};
static PrintedForm form_of(PrintedKind kind) {
  switch (kind) {
    case PrintedKind::kBool: return {"bool", "%s", " ? \"True\" : \"False\""};
    case PrintedKind::kInt: return {"long long", "%lld", ""};
    case PrintedKind::kUnsigned: return {"unsigned long long", "%llu", ""};
    default: return {"double", "%f", ""};
  }
}

// A thread prints a line by CUDA's printf, in Numba's formats.
TypedExpression FunctionTranslator::print_in_kernel(const syntax::Call& node) {
  constexpr size_t kMost = 32;
  if (node.args.size() > kMost)
    fail_translation(node.args[kMost]->span, "print() of a kernel takes up to {} values", kMost);
  program_.make_printing();
  std::string format, parameters, values;
  std::vector<TypedExpression> args;
  for (const syntax::Expr* each : node.args) {
    if (each != node.args[0]) format += " ";
    const auto* text = syntax::try_as<syntax::Constant>(each);
    if (text && text->constant_kind == syntax::ConstantKind::String) {
      format += c_text(text->text);
      continue;
    }
    TypedExpression value = expression(*each);
    rt::DType as;
    const bool is_real = value.type.is_number() && !rt::is_complex(value.type.dtype);
    if (!is_real)
      fail_translation(each->span, "a kernel prints real numbers and constant texts, not {}",
                       rt::typed::type_text(value.type));
    const PrintedForm form = form_of(printed_kind(value.type, as));
    const size_t i = args.size();
    format += form.format;
    parameters += fmt::format("{}{} x{}", i ? ", " : "", form.type, i);
    values += fmt::format(", x{}{}", i, form.given);
    args.push_back(cast_to(std::move(value), TypedType::number(as)));
  }
  TypedExpression call =
      support_call(fmt::format("[]({}) {{ printf(\"{}\\n\"{}); }}", parameters, format, values),
                   TypedType(), std::move(args));
  call.effects = effects_ = true;
  emit(TypedStatement::Kind::kEvaluate, node.span).values = {std::move(call)};
  return {};
}

TypedExpression FunctionTranslator::call_print(const syntax::Call& node) {
  if (program_.target == Target::kGrid) {
    if (!node.keywords.empty())
      fail_translation(node.keywords[0].span, "print() of a kernel has no keywords");
    return print_in_kernel(node);
  }
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
