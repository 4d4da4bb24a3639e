#include "src/array/advice.h"

#include <algorithm>

#include "src/array/convert.h"
#include "src/state.h"

namespace gpy {

const rt::Array* array_of(const FailedOperand& operand) {
  const Ndarray* array = as_ndarray(operand.value);
  return array ? &array->array : nullptr;
}

const FailedOperand* subject_of(const Failure& failure) {
  if (array_of(failure.receiver)) return &failure.receiver;
  if (failure.operands.empty() || !array_of(failure.operands[0])) return nullptr;
  return &failure.operands[0];
}

bool is_raised_as(const Failure& failure, const Type* type) {
  return failure.exception->type->is_subclass_of(type);
}

const char* namespace_name(const rt::Array& array) {
  if (array.space().is_host()) return "np";
  return array.space().is_device() ? "cp" : "gp";
}

std::optional<rt::Dims> try_broadcast_shapes(const rt::Dims& a, const rt::Dims& b) {
  const rt::Dims &longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  rt::Dims shape = longer;
  for (int i = 1; i <= shorter.size(); ++i) {
    int64_t& extent = shape[longer.size() - i];
    const int64_t other = shorter[shorter.size() - i];
    if (extent != other && extent != 1 && other != 1) return std::nullopt;
    if (extent == 1) extent = other;
  }
  return shape;
}

rt::Dims reversed(const rt::Dims& shape) {
  rt::Dims result = shape;
  std::reverse(result.begin(), result.end());
  return result;
}

std::string brief_shape(const rt::Dims& shape) {
  constexpr int kFirst = 3;
  if (shape.size() <= kMostAxesTold) return rt::shape_text(shape);
  std::string text = "(";
  for (int i = 0; i < kFirst; ++i) text += fmt::format("{},", shape[i]);
  return fmt::format("{}...,{}) of {} axes", text, shape.back(), shape.size());
}

std::string operand_text(const FailedOperand& operand) {
  const std::string& text = operand.text;
  if (text.find_first_of(" +-*/%<>=&|^~@") == text.npos) return text;
  const bool is_closed = text.ends_with(')') || text.ends_with(']');
  const size_t open = text.find_first_of("([");
  const bool is_call =
      is_closed && open != text.npos && open > 0 && text.find_first_of(" +-*/%<>=&|^~@") > open;
  return is_call ? text : "(" + text + ")";
}

static std::string number_text(Interpreter& vm, const Generic& number) {
  constexpr size_t kLongest = 30;
  if (number.pending()) return "";
  const std::string text = vm.to_str(Value(const_cast<Generic*>(&number)));
  return text.size() > kLongest ? "" : " " + text;
}

std::string describe_array(Interpreter& vm, const Value& value) {
  if (const Generic* number = as_generic(value)) {
    return std::string(rt::name(number->dtype())) + number_text(vm, *number);
  }
  if (const DTypeObject* dtype = value.try_as<DTypeObject>()) {
    return fmt::format("dtype {}", rt::name(dtype->dtype));
  }
  const Ndarray* array = as_ndarray(value);
  if (!array) return "";
  const rt::Array& a = array->array;
  std::string text = fmt::format("{} {}", rt::name(a.dtype()), brief_shape(a.shape()));
  if (a.space().is_device()) text += fmt::format(" on device {}", a.space().device);
  return text;
}

namespace {

struct Family {
  Advice (*advise)(const Failure&);
  const char* code;
};

constexpr Family kFamilies[] = {
    {advise_device, "P01"},    {advise_precedence, "B02"}, {advise_truth, "B01"},
    {advise_broadcast, "S01"}, {advise_matmul, "S02"},     {advise_reshape, "S03"},
    {advise_join, "S04"},      {advise_axis, "S05"},       {advise_index, "S06"},
    {advise_sizes, "D01"},     {advise_in_place, "D02"},   {advise_range, "D03"},
    {advise_cholesky, "L02"},  {advise_linalg, "L01"},     {advise_memory, "M01"}};

}  // namespace

static Advice advise_arrays(const Failure& failure) {
  for (const Family& family : kFamilies) {
    Advice advice = family.advise(failure);
    if (advice.empty()) continue;
    advice.code = family.code;
    return advice;
  }
  return {};
}

void setup_array_advice(Arrays& arrays) {
  arrays.vm.state().describers.push_back(describe_array);
  arrays.vm.state().advisors.push_back(advise_arrays);
}

}  // namespace gpy
