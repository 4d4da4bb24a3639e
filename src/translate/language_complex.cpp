// Complex numbers of the interpreter: Python's, every step of which is rounded, and NumPy's.
#include "src/array/operators.h"
#include "src/lower/operators.h"
#include "src/translate/loop_translator.h"

namespace gpy {

using Op = syntax::BinaryOperator;
using rt::DType;
using rt::Weak;

namespace {

bool is_complex(const TypedExpression& value) { return rt::is_complex(value.type.dtype); }

// What computes it where Python's and NumPy's results differ; null where a row does for both.
const char* plain_symbol(Op op) {
  switch (op) {
    case Op::Mult: return "plain_product";
    case Op::Div: return "plain_quotient";
    case Op::Pow: return "plain_power";
    default: return nullptr;
  }
}

}  // namespace

TypedExpression LoopTranslator::complex_numbers(Op op, TypedExpression left, TypedExpression right,
                                                syntax::Span place) {
  if (!plain_symbol(op) && op != Op::Add && op != Op::Sub)
    fail_translation(place, "complex numbers have no such operator");
  left = kept(std::move(left), place);
  right = kept(std::move(right), place);
  const TypedExpression numpys = is_numpys(left, right);
  if (is_true(numpys)) return numpy_complex(op, std::move(left), std::move(right), place);
  left = settled(std::move(left), place);
  right = settled(std::move(right), place);
  TypedExpression out = python_complex(op, left, right, place);
  if (is_known(numpys)) return out;
  const TypedExpression tag = kept(numpys, place);
  out = choice(tag, numpy_complex(op, std::move(left), std::move(right), place), std::move(out),
               place);
  out.unsettled = true;
  out.tag = {tag};
  return out;
}

TypedExpression LoopTranslator::python_complex(Op op, TypedExpression left, TypedExpression right,
                                               syntax::Span place) {
  left = cast_to(std::move(left), kPythonComplex);
  right = kept(cast_to(std::move(right), kPythonComplex), place);
  if (op == Op::Div) require(truth_of(right), place);
  const char* const symbol = plain_symbol(op);
  if (!symbol)
    return row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)},
               RowUse::kOperator, place);
  TypedExpression out = support_call(symbol, kPythonComplex, {std::move(left), std::move(right)});
  out.unsettled = op == Op::Pow;  // 0 to a negative power, or too large
  return settled(std::move(out), place);
}

// Quotients and powers of a few numbers only are sure to give no warning on the way.
TypedExpression LoopTranslator::numpy_complex(Op op, TypedExpression left, TypedExpression right,
                                              syntax::Span place) {
  const rt::Ufunc& ufunc = ufunc_of(binary_operator(op));
  check_either(ufunc, left, right, place);
  const TypedExpression sketch = row(ufunc, {left, right}, RowUse::kOperator, place);
  const TypedType type = TypedType::number(sketch.type.dtype);
  left = kept(cast_to(std::move(left), type), place);
  left.unsettled = op == Op::Pow;  // infinity to the power of 0 is finite
  left = settled(std::move(left), place);
  right = kept(cast_to(std::move(right), type), place);
  if (op == Op::Div) require(checked("divides_quietly", left, right), place);
  if (op == Op::Pow) require(support_call("is_product", TypedType::truth(), {right}), place);
  TypedExpression out = row(ufunc, {std::move(left), std::move(right)}, RowUse::kOperator, place);
  out.unsettled = true;
  return op == Op::Pow ? settled(std::move(out), place) : out;
}

TypedExpression LoopTranslator::to_complex(const syntax::Call& node) {
  check_count(node, 0, 2);
  if (node.args.empty())
    return TypedExpression::constant(rt::Scalar::weak(std::complex<double>(0)));
  if (node.args.size() == 2) {
    TypedExpression real = to_float(number(*node.args[0]), node.args[0]->span);
    TypedExpression imag = to_float(number(*node.args[1]), node.args[1]->span);
    return support_call("Complex<f64>", kPythonComplex, {std::move(real), std::move(imag)});
  }
  TypedExpression value = settled(plain(number(*node.args[0])), node.span);
  if (!is_complex(value)) value = to_float(std::move(value), node.span);
  return cast_to(std::move(value), kPythonComplex);
}

// The parts of Python's numbers are Python's, those of NumPy's are NumPy's.
TypedExpression LoopTranslator::part_of_number(TypedExpression number,
                                               const syntax::Attribute& node) {
  number = settled(plain(std::move(number)), node.span);
  if (!number.type.either) return FunctionTranslator::part_of_number(std::move(number), node);
  number = kept(std::move(number), node.span);
  TypedExpression tag = tag_of(number);
  TypedExpression out = FunctionTranslator::part_of_number(std::move(number), node);
  out.type.either = true;
  out.tag = {std::move(tag)};
  return out;
}

TypedExpression LoopTranslator::conjugated(TypedExpression number, syntax::Span place) {
  number = settled(plain(std::move(number)), place);
  if (!is_complex(number)) return number;
  number = kept(std::move(number), place);
  TypedExpression out = language_row(rt::Row::conjugate, {number}, place);
  if (number.type.either) {
    out.type.either = true;
    out.tag = {tag_of(number)};
  }
  return out;
}

}  // namespace gpy
