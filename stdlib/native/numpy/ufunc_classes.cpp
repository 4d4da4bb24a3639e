#include "stdlib/native/numpy/ufunc_classes.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "src/calls/override.h"
#include "src/run/run.h"
#include "src/typed_native.h"
#include "src/classes/class_slots.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// The library's other kinds of arrays are asked where the ufunc meets them (answer_for_ufunc).
bool is_of_other_kind(Interpreter& vm, const Value& operand) {
  return librarys_array_function(vm, vm.type_of(operand));
}

// One operand a class that answers for ufuncs, a class before those that it is made from.
std::vector<Value> answering(Interpreter& vm, const UfuncCall& call) {
  std::vector<Value> found;
  const auto add = [&](const Value& operand) {
    if (!own_array_ufunc(vm, operand) || is_of_other_kind(vm, operand)) return;
    const Type* type = vm.type_of(operand);
    const auto same = [&](const Value& each) { return vm.type_of(each) == type; };
    if (std::ranges::any_of(found, same)) return;
    const auto base = [&](const Value& each) { return type->is_subclass_of(vm.type_of(each)); };
    found.insert(std::ranges::find_if(found, base), operand);
  };
  for (const Value& each : call.inputs) add(each);
  for (const Value& each : call.outputs) add(each);
  return found;
}

Value ask_one(Interpreter& vm, const Value& operand, const UfuncCall& call) {
  const Value method(*own_array_ufunc(vm, operand));
  if (method.is_none()) {
    vm.raise_type_error("operand '{}' does not support ufuncs (__array_ufunc__=None)",
                        vm.type_name(operand));
  }
  std::vector<Value> values{call.ufunc, vm.str(call.method)};
  values.insert(values.end(), call.inputs.begin(), call.inputs.end());
  const auto positional = static_cast<uint32_t>(values.size());
  std::vector<Str*> names = call.names;
  values.insert(values.end(), call.values.begin(), call.values.end());
  if (!call.outputs.empty()) {
    names.push_back(vm.intern("out"));
    values.push_back(vm.tuple(call.outputs));
  }
  return call_special(vm, method, operand, CallArgs{values.data(), positional, names});
}

[[noreturn]] void raise_all_refused(Interpreter& vm, const UfuncCall& call,
                                    const std::vector<Value>& asked) {
  std::vector<std::string> shown{vm.repr(call.ufunc), fmt::format("'{}'", call.method)};
  for (const Value& each : call.inputs) shown.push_back(vm.repr(each));
  std::vector<std::string> types;
  for (const Value& each : asked) types.push_back(fmt::format("'{}'", vm.type_name(each)));
  vm.raise_type_error("operand type(s) all returned NotImplemented from __array_ufunc__({}): {}",
                      fmt::join(shown, ", "), fmt::join(types, ", "));
}

bool is_of_class(const Value& value) {
  return value.is_object() && value.as_object()->type->is_class;
}

// The arguments of a call by what they are. `subok` is taken out.
UfuncCall read(const Value& ufunc, uint32_t inputs, const CallArgs& arguments, bool& keeps_class) {
  UfuncCall call{ufunc, "__call__", {}, {}, {}, {}};
  for (uint32_t i = 0; i < arguments.positional; ++i) {
    (i < inputs ? call.inputs : call.outputs).push_back(arguments.values[i]);
  }
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    const Value& value = arguments.keyword(i);
    const std::string_view name = arguments.names[i]->view();
    if (name == "subok") {
      keeps_class = !value.is_boolean() || value.as_boolean();
    } else if (name == "out") {
      Tuple* several = value.try_as<Tuple>();
      if (several) {
        call.outputs.assign(several->items().begin(), several->items().end());
      } else if (!value.is_none()) {
        call.outputs.push_back(value);
      }
    } else {
      call.names.push_back(arguments.names[i]);
      call.values.push_back(value);
    }
  }
  return call;
}

Value run_plainly(Interpreter& vm, const UfuncCall& call, const CallArgs& arguments,
                  PlainUfunc plain) {
  std::vector<Value> values;
  for (const Value& each : call.inputs) values.push_back(without_array_class(vm, each));
  values.insert(values.end(), arguments.values + values.size(),
                arguments.values + arguments.positional + arguments.names.size());
  return plain(vm, call.ufunc, CallArgs{values.data(), arguments.positional, arguments.names});
}

}  // namespace

Value ask_classes(Interpreter& vm, const UfuncCall& call) {
  const std::vector<Value> asked = answering(vm, call);
  for (const Value& each : asked) {
    Value answer = ask_one(vm, each, call);
    if (!answer.is_not_implemented()) return answer;
  }
  if (asked.empty()) return Value();
  raise_all_refused(vm, call, asked);
}

bool holds_classes(const CallArgs& arguments) {
  const size_t count = arguments.positional + arguments.names.size();
  for (size_t i = 0; i < count; ++i) {
    const Value& value = arguments.values[i];
    if (is_of_class(value)) return true;
    if (i < arguments.positional) continue;
    Tuple* several = value.try_as<Tuple>();
    if (several && std::ranges::any_of(several->items(), is_of_class)) return true;
  }
  return false;
}

Value call_with_classes(Interpreter& vm, const Value& ufunc, uint32_t inputs,
                        const CallArgs& arguments, PlainUfunc plain) {
  bool keeps_class = true;
  const UfuncCall call = read(ufunc, inputs, arguments, keeps_class);
  if (call.inputs.size() < inputs) return plain(vm, ufunc, arguments);
  Value answer = ask_classes(vm, call);
  if (answer.is_defined()) return answer;
  Value made = run_plainly(vm, call, arguments, plain);
  if (!keeps_class) return made;
  if (!call.outputs.empty()) return wrap_given_outputs(vm, made, call.inputs, call.outputs, ufunc);
  const Value name = vm.get_attribute(ufunc, "__name__");
  return wrap_for_classes(vm, made, call.inputs, name.as<Str>()->view());
}

// --- the protocol's methods ----------------------------------------------------------------------

namespace {

Value array_finalize(Interpreter&, const Value&, const Value&) { return Value::none(); }

Value array_wrap(Interpreter& vm, const Value& self, const Value& array, const Value&,
                 bool return_scalar) {
  const Ndarray* made = as_ndarray(array);
  if (!made) vm.raise_type_error("can only be called with ndarray object");
  if (!is_of_array_class(self)) {
    return return_scalar ? wrap_result(vm, made->array) : without_array_class(vm, array);
  }
  if (made->type == as_ndarray(self)->type) return array;
  return adopt_array(vm, vm.type_of(self), without_array_class(vm, array), self);
}

bool any_answers(Interpreter& vm, std::span<const Value> values) {
  return std::ranges::any_of(
      values, [&](const Value& each) { return own_array_ufunc(vm, each) != nullptr; });
}

// What a class's own __array_ufunc__ calls by super(), with arrays in the place of its objects.
Value array_ufunc(Interpreter& vm, const Value&, const Value& ufunc, const Value& method,
                  std::span<const Value> inputs, const Value& keywords) {
  std::vector<Value> values(inputs.begin(), inputs.end());
  std::vector<Str*> names;
  bool refuses = any_answers(vm, inputs);
  for (auto& entry : keywords.as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
    Tuple* outputs = names.back()->view() == "out" ? entry.value.try_as<Tuple>() : nullptr;
    refuses |= outputs && any_answers(vm, outputs->items());
  }
  if (refuses) return Value::not_implemented();
  const Value function = vm.get_attribute(ufunc, vm.to_text(method));
  return vm.call(function, CallArgs{values.data(), static_cast<uint32_t>(inputs.size()), names});
}

const Native kRows[] = {
    {"__array_finalize__", "(self, obj, /)", typed<array_finalize>,
     "Called for each new object of a class, with the object that it was made from, or None."},
    {"__array_wrap__", "(self, array, context=None, return_scalar=False, /)", typed<array_wrap>,
     "The result of a ufunc as an object of the class."},
    {"__array_ufunc__", "(self, ufunc, method, /, *inputs, **kwargs)", typed<array_ufunc>,
     "A ufunc, or one of its methods, on operands of which none has an __array_ufunc__ of its "
     "own."},
};

}  // namespace

std::span<const Native> class_protocol_rows() { return kRows; }

}  // namespace gpy::lib
