#include "src/calls/override.h"

#include "src/calls/args.h"
#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/objects/containers.h"
#include "src/state.h"

namespace gpy {

namespace {

// The arguments of a call as its caller could have written them.
struct Written {
  std::vector<Value> positional;
  Ref<Dict> named;
};

Written written(Interpreter& vm, const Args& args) {
  const auto& parameters = const_cast<NativeFunction&>(args.callee()).signature().parameters;
  Written call{{}, vm.dict()};
  bool by_name = false;  // one before was left out
  for (size_t i = 0; i < args.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (parameter.kind == Parameter::var_positional) {
      const auto items = args[i].as<Tuple>()->items();
      call.positional.insert(call.positional.end(), items.begin(), items.end());
    } else if (parameter.kind == Parameter::var_keyword) {
      for (const auto& entry : args[i].as<Dict>()->entries()) {
        if (!entry.key.is_undefined()) call.named->set(vm, entry.key, entry.value);
      }
    } else if (args[i].is_undefined() || has_no_value(vm, {&args[i], 1})) {
      by_name = true;
    } else if (by_name || parameter.kind == Parameter::keyword_only) {
      call.named->set(vm.intern(parameter.name), args[i]);
    } else {
      call.positional.push_back(args[i]);
    }
  }
  return call;
}

}  // namespace

Value run_body(Interpreter& vm, const Args& args) {
  try {
    if (auto by_class = vm.state().call_for_classes) [[unlikely]]
      return by_class(vm, args);
    return args.callee().row->body.call(vm, args);
  } catch (const Override& override) {
    return answer_for(vm, args, override);
  }
}

Value answer_for(Interpreter& vm, const Args& args, const Override& override) {
  vm.check_stack();
  const Value by = override.by;
  Type* type = vm.type_of(by);
  const Value* method = find_special(vm, type, "__array_function__");
  const Written call = written(vm, args);
  const Value function(static_cast<Object*>(&const_cast<NativeFunction&>(args.callee())));
  const Value types = vm.tuple({Value(static_cast<Object*>(type))});
  const Value answer = call_special(
      vm, *method, by, {function, types, vm.tuple(call.positional), Value(call.named)});
  if (!answer.is_not_implemented()) return answer;
  vm.raise_type_error(
      "no implementation found for 'numpy.{}' on types that implement "
      "__array_function__: [{}]",
      args.callee().row->name, vm.repr(Value(static_cast<Object*>(type))));
}

}  // namespace gpy
