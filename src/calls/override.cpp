#include "src/calls/override.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "src/calls/args.h"
#include "src/classes/class_slots.h"
#include "src/code.h"
#include "src/interpreter.h"
#include "src/objects/containers.h"
#include "src/state.h"

namespace gpy {

namespace {

// The arguments by their slots, each by position as far as that goes.
Written by_slots(Interpreter& vm, const Args& args) {
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

bool is_of_library(const Value& method) {
  const Function* function = method.try_as<Function>();
  return function && function->code->is_library;
}

Value types_of(Interpreter& vm, const std::vector<Value>& objects) {
  std::vector<Value> types;
  for (const Value& each : objects) types.push_back(Value(static_cast<Object*>(vm.type_of(each))));
  return vm.tuple(types);
}

[[noreturn]] void raise_no_answer(Interpreter& vm, const Value& types, const std::string& name) {
  std::vector<std::string> shown;
  for (const Value& each : types.as<Tuple>()->items()) shown.push_back(vm.repr(each));
  vm.raise_type_error(
      "no implementation found for '{}' on types that implement __array_function__: [{}]", name,
      fmt::join(shown, ", "));
}

// The native __array_function__ of a type answers where all the objects are of classes over it.
bool are_of_one_native(const std::vector<Value>& objects) {
  const Type* native = native_base(objects.front().as_object()->type);
  return std::ranges::all_of(
      objects, [&](const Value& each) { return native_base(each.as_object()->type) == native; });
}

void add_of_library(Interpreter& vm, std::vector<Value>& found, const Value& argument) {
  const auto add = [&](const Value& each) {
    if (each.is_object() && librarys_array_function(vm, each.as_object()->type)) {
      add_answering(vm, found, each);
    }
  };
  add(argument);
  if (const List* list = argument.try_as<List>()) {
    std::ranges::for_each(list->items, add);
  } else if (Tuple* tuple = argument.try_as<Tuple>()) {
    std::ranges::for_each(tuple->items(), add);
  }
}

}  // namespace

Written as_written(Interpreter& vm, const CallArgs& arguments) {
  const auto given = arguments.positionals();
  Written call{{given.begin(), given.end()}, vm.dict()};
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    call.named->set(arguments.names[i], arguments.keyword(i));
  }
  return call;
}

Written as_written(Interpreter& vm, const Args& args) {
  return args.written() ? as_written(vm, *args.written()) : by_slots(vm, args);
}

const Value* scripts_special(Interpreter& vm, Type* type, std::string_view name) {
  const Value* method = type->is_class ? find_special(vm, type, name) : nullptr;
  return method && !method->is<NativeFunction>() && !is_of_library(*method) ? method : nullptr;
}

const Value* librarys_array_function(Interpreter& vm, Type* type) {
  const Value* method = type->is_class ? find_special(vm, type, "__array_function__") : nullptr;
  return method && is_of_library(*method) ? method : nullptr;
}

void add_answering(Interpreter& vm, std::vector<Value>& found, const Value& object) {
  const Type* type = vm.type_of(object);
  const auto same = [&](const Value& each) { return vm.type_of(each) == type; };
  if (std::ranges::any_of(found, same)) return;
  const auto base = [&](const Value& each) { return type->is_subclass_of(vm.type_of(each)); };
  found.insert(std::ranges::find_if(found, base), object);
}

Value ask(Interpreter& vm, const std::vector<Value>& asked, const Value& function,
          const Written& call, const std::string& name) {
  vm.check_stack();
  const Value types = types_of(vm, asked);
  const Value positional = vm.tuple(call.positional);
  for (const Value& each : asked) {
    Type* type = each.as_object()->type;
    const Value* method = type->is_class ? find_special(vm, type, "__array_function__") : nullptr;
    if (!method || method->is<NativeFunction>()) {
      if (are_of_one_native(asked)) return Value();
      continue;
    }
    const Value answer =
        call_special(vm, *method, each, {function, types, positional, Value(call.named)});
    if (!answer.is_not_implemented()) return answer;
  }
  raise_no_answer(vm, types, name);
}

Value run_body(Interpreter& vm, const Args& args) {
  try {
    if (vm.state().asks_classes) [[unlikely]]
      return vm.state().class_calls.native(vm, args);
    return args.callee().row->body.call(vm, args);
  } catch (const Override& override) {
    return answer_for(vm, args, override);
  }
}

// The library's own classes want to know arguments by their places.
Value answer_for(Interpreter& vm, const Args& args, const Override& override) {
  const Written call = by_slots(vm, args);
  std::vector<Value> found;
  for (const Value& each : call.positional) add_of_library(vm, found, each);
  for (const auto& entry : call.named->entries()) {
    if (!entry.key.is_undefined()) add_of_library(vm, found, entry.value);
  }
  add_answering(vm, found, override.by);
  const auto& callee = args.callee();
  const Value function(static_cast<Object*>(&const_cast<NativeFunction&>(callee)));
  const auto name =
      fmt::format("{}.{}", callee.is_method ? "numpy" : callee.qualifier, callee.row->name);
  return ask(vm, found, function, call, name);
}

Value answer_of_arguments(Interpreter& vm, Function& function, const CallArgs& arguments) {
  return vm.state().asks_classes ? vm.state().class_calls.function(vm, function, arguments)
                                 : Value();
}

}  // namespace gpy
