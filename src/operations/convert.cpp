// Conversion of arguments to C++ values, with CPython's errors.
#include "src/interpreter.h"
#include "src/numbers/number.h"

namespace gpy {

bool Interpreter::has_index(const Value& value) {
  return is_int(value) || (value.is_object() && type_of(value)->slots.index);
}

Value Interpreter::to_index_value(const Value& value) {
  if (value.is_integer()) return value;
  if (value.is_boolean()) return Value::integer(value.as_integer());
  if (auto slot = type_of(value)->slots.index) return slot(*this, value);
  raise_type_error("'{}' object cannot be interpreted as an integer", type_name(value));
}

int64_t Interpreter::to_index(const Value& value) {
  Value index = to_index_value(value);
  if (index.is_integer()) return index.as_integer();
  raise_overflow_error("Python int too large to convert to C ssize_t");
}

double Interpreter::to_real(const Value& value) {
  if (value.is_real()) return value.as_real();
  if (is_int(value)) return int_to_real(*this, value);
  const Slots& slots = type_of(value)->slots;
  if (slots.to_float) return to_real(slots.to_float(*this, value));
  if (slots.index) return int_to_real(*this, slots.index(*this, value));
  raise_type_error("must be real number, not {}", type_name(value));
}

std::string_view Interpreter::to_text(const Value& value, std::string_view what) {
  if (const Str* text = value.try_as<Str>()) return text->view();
  const bool of_call = what.find("() argument") != what.npos;
  raise_type_error("{} must be str, not {}", what,
                   of_call && value.is_none() ? "None" : type_name(value));
}

}  // namespace gpy
