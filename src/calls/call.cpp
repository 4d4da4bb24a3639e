// Calls of any callable value.
#include "src/calls/call.h"

#include "src/calls/bind.h"
#include "src/calls/override.h"
#include "src/interpreter.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

const Value* CallArgs::find_keyword(std::string_view name) const {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i]->view() == name) return &keyword(i);
  }
  return nullptr;
}

Value call_function(Interpreter& vm, Function* function, const Value& self,
                    const CallArgs& arguments) {
  if (function->code->asks_arguments && self.is_undefined()) [[unlikely]] {
    Value answer = answer_of_arguments(vm, *function, arguments);
    if (answer.is_defined()) return answer;
  }
  return call_undispatched(vm, function, self, arguments);
}

Value call_undispatched(Interpreter& vm, Function* function, const Value& self,
                        const CallArgs& arguments) {
  Frame* frame = bind_function(vm, function, self, arguments);
  if (function->code->is_generator) return make_generator(vm, frame);
  return run(vm, frame);
}

Value call_with_first(Interpreter& vm, const Value& callable, const Value& first,
                      const CallArgs& arguments) {
  std::vector<Value> values{first};
  size_t count = arguments.positional + arguments.names.size();
  values.insert(values.end(), arguments.values, arguments.values + count);
  return vm.call(callable, {values.data(), arguments.positional + 1, arguments.names});
}

Value Interpreter::call(const Value& callable, const CallArgs& arguments) {
  if (auto slot = type_of(callable)->slots.call) {
    check_stack();
    return slot(*this, callable, arguments);
  }
  raise_type_error("'{}' object is not callable", type_name(callable));
}

static Value call_with(Interpreter& vm, const Value& callable,
                       std::initializer_list<Value> arguments, Keywords keywords) {
  std::vector<Value> values(arguments);
  std::vector<Str*> names;
  for (const auto& [name, value] : keywords) {
    names.push_back(vm.intern(name));
    values.push_back(value);
  }
  return vm.call(callable, {values.data(), static_cast<uint32_t>(arguments.size()), names});
}

Value Interpreter::call(const Value& callable, std::initializer_list<Value> arguments,
                        Keywords keywords) {
  if (keywords.size() > 0) return call_with(*this, callable, arguments, keywords);
  return call(callable, CallArgs{arguments.begin(), static_cast<uint32_t>(arguments.size()), {}});
}

Value Interpreter::call_method(const Value& self, std::string_view name,
                               std::initializer_list<Value> arguments, Keywords keywords) {
  return call(get_attribute(self, name), arguments, keywords);
}

bool Interpreter::is_callable(const Value& value) { return type_of(value)->slots.call != nullptr; }

}  // namespace gpy
