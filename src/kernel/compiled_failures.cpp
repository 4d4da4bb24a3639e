#include "src/kernel/compiled_failures.h"

#include <bit>
#include <complex>

#include "src/array/convert.h"
#include "src/calls/call.h"
#include "src/code.h"
#include "src/objects/exception.h"

namespace gpy {

namespace {

using rt::typed::FailureCode;

struct FailureText {
  FailureCode code;
  Type* Types::*type;
  std::string_view text;
};

constexpr FailureText kTexts[] = {
    {FailureCode::kZeroDivision, &Types::zero_division_error, "division by zero"},
    {FailureCode::kWholeQuotient, &Types::zero_division_error, "integer division by zero"},
    {FailureCode::kWholeModulo, &Types::zero_division_error, "integer modulo by zero"},
    {FailureCode::kWholeDivmod, &Types::zero_division_error, "integer divmod by zero"},
    {FailureCode::kModulo, &Types::zero_division_error, "modulo by zero"},
    {FailureCode::kNegativeExtent, &Types::value_error, "negative dimensions not allowed"},
    {FailureCode::kTooLarge, &Types::value_error, "array is too big"},
    {FailureCode::kShapes, &Types::value_error, "unable to broadcast argument to output array"},
    {FailureCode::kAssigned, &Types::value_error, "cannot assign slice of a shape from another"},
    {FailureCode::kEmptyLeast, &Types::value_error,
     "zero-size array to reduction operation minimum which has no identity"},
    {FailureCode::kEmptyGreatest, &Types::value_error,
     "zero-size array to reduction operation maximum which has no identity"},
    {FailureCode::kEmptyPlaceOfLeast, &Types::value_error,
     "attempt to get argmin of an empty sequence"},
    {FailureCode::kEmptyPlaceOfGreatest, &Types::value_error,
     "attempt to get argmax of an empty sequence"},
    {FailureCode::kNewShape, &Types::value_error, "total size of new array must be unchanged"},
    {FailureCode::kProduct, &Types::value_error, "incompatible array sizes for a matrix product"},
    {FailureCode::kStep, &Types::value_error, "slice step cannot be zero"},
    {FailureCode::kIndex, &Types::index_error, "index is out of bounds"},
    {FailureCode::kListIndex, &Types::index_error, "getitem out of range"},
    {FailureCode::kEmptyList, &Types::index_error, "pop from empty list"},
    {FailureCode::kEmptyRange, &Types::value_error, "empty range for randrange()"},
    {FailureCode::kLargeSample, &Types::value_error,
     "Cannot take a larger sample than population when 'replace=False'"},
    {FailureCode::kRangeStep, &Types::value_error, "range() arg 3 must not be zero"},
    {FailureCode::kUnset, &Types::attribute_error, "the field has no value yet"},
    {FailureCode::kWiderItems, &Types::value_error,
     "When changing to a larger dtype, its size must be a divisor of the total size in bytes "
     "of the last axis of the array."},
    {FailureCode::kApartItems, &Types::value_error,
     "To change to a dtype of a different size, the last axis must be contiguous"},
    {FailureCode::kNotInList, &Types::value_error, "item not in list"},
    {FailureCode::kNoKey, &Types::key_error, "the dictionary has no such key"},
    {FailureCode::kZeroPower, &Types::zero_division_error,
     "0 cannot be raised to a negative power"},
    {FailureCode::kJoined, &Types::value_error,
     "all the input array dimensions except for the concatenation axis must match exactly"},
    {FailureCode::kAxis, &Types::value_error, "axis is out of bounds for the array"},
    {FailureCode::kAxisTwice, &Types::value_error, "repeated axis in transpose"},
    {FailureCode::kMask, &Types::index_error, "a mask has another size than its axis"},
    {FailureCode::kRows, &Types::value_error, "incompatible sequence shape"},
    {FailureCode::kNotSquare, &Types::value_error, "matrix must be square"},
};

Value exception_of(Interpreter& vm, const ProgramValues& values, FailureCode code) {
  if (code >= FailureCode::kRaised) {
    const auto number = static_cast<size_t>(code) - static_cast<size_t>(FailureCode::kRaised);
    const RaisedValue& raised = values.raised[number];
    return vm.call(raised.type,
                   CallArgs{raised.args.data(), static_cast<uint32_t>(raised.args.size())});
  }
  for (const FailureText& each : kTexts) {
    if (each.code == code) return vm.make_exception(vm.types.*each.type, each.text);
  }
  return vm.make_exception(vm.types.runtime_error, "compiled code failed");
}

int line_of(const Code& code, size_t at) { return code.source->line_of(code.spans[at].begin); }

// The function that the line is in: the one that begins last before it.
Code* code_at(const ProgramValues& values, int line) {
  Code* found = nullptr;
  for (const Value& value : values.codes) {
    auto* each = static_cast<Code*>(value.as_object());
    const bool begins_later = found && each->first_line < found->first_line;
    if (static_cast<int>(each->first_line) <= line && !begins_later) found = each;
  }
  return found;
}

void note_line(Exception& exception, const ProgramValues& values, int line) {
  Code* code = code_at(values, line);
  if (!code) return;
  for (size_t at = 0; at < code->spans.size(); ++at) {
    if (line_of(*code, at) != line) continue;
    exception.trace.push_back({Ref<Code>(code), static_cast<uint32_t>(at)});
    return;
  }
}

Value number_of(Interpreter& vm, const rt::typed::Printed& printed) {
  using enum rt::typed::PrintedKind;
  switch (printed.kind) {
    case kBool: return Value::boolean(printed.words[0] & 1);
    case kInt: return Value::integer(static_cast<int64_t>(printed.words[0]));
    case kUnsigned: return python_number(vm, rt::Scalar::load(rt::DType::kUInt64, printed.words));
    case kFloat: return Value::real(std::bit_cast<double>(printed.words[0]));
    default: return python_number(vm, rt::Scalar::load(rt::DType::kComplex128, printed.words));
  }
}

}  // namespace

void raise_failure(Interpreter& vm, const ProgramValues& values, const rt::typed::Raised& raised) {
  const Value exception = exception_of(vm, values, raised.code);
  if (exception.is<Exception>()) note_line(*exception.as<Exception>(), values, raised.line);
  vm.raise(exception);
}

void print_all(Interpreter& vm, const ProgramValues& values,
               std::span<const rt::typed::Printed> printed) {
  const Value print = *vm.builtins->find(vm.intern("print"));
  std::vector<Value> line;
  for (const rt::typed::Printed& each : printed) {
    if (each.kind == rt::typed::PrintedKind::kEnd) {
      vm.call(print, CallArgs{line.data(), static_cast<uint32_t>(line.size())});
      line.clear();
    } else if (each.kind == rt::typed::PrintedKind::kText) {
      line.push_back(values.texts[each.words[0]]);
    } else {
      line.push_back(number_of(vm, each));
    }
  }
}

[[noreturn]] static void raise_of_numba(Interpreter& vm, std::string_view name,
                                        std::string_view message) {
  const Value errors = vm.import_module("numba.core.errors");
  vm.raise(vm.call(vm.get_attribute(errors, vm.intern(name)), {vm.str(message)}));
}

// The message first, then where it is from.
void raise_numba_error(Interpreter& vm, std::string_view name, std::string_view message) {
  constexpr std::string_view kError = ": error: ";
  const size_t line = message.find('\n') + 1, error = message.find(kError);
  if (error == std::string_view::npos) raise_of_numba(vm, name, message);
  raise_of_numba(vm, name,
                 fmt::format("{}\n{}", message.substr(error + kError.size()),
                             message.substr(line, error - line)));
}

void raise_typing_error(Interpreter& vm, std::string_view message) {
  constexpr std::string_view kKernel = "kernel '";
  if (message.starts_with(kKernel)) message.remove_prefix(message.find('\n') + 1);
  raise_of_numba(
      vm, "TypingError",
      fmt::format("Failed in nopython mode pipeline (step: nopython frontend)\n{}", message));
}

}  // namespace gpy
