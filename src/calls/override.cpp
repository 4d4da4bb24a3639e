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

// Whether a class of the library's own answers: it is asked last, as it knows of no script's class.
bool is_of_library(const Value& method) {
  const Function* function = method.try_as<Function>();
  return function && function->code->is_library;
}

// The objects that answer for a call, one a class, a class before those that it is made from.
class Answering {
 public:
  Answering(Interpreter& vm, bool scripts_only) : vm_(vm), scripts_only_(scripts_only) {}

  void add(const Value& object) {
    const Value* method = method_of(object);
    if (!method) return;
    const bool is_library = is_of_library(*method);
    if (is_library && scripts_only_) return;
    const Type* type = vm_.type_of(object);
    auto& found = is_library ? library_ : scripts_;
    const auto same = [&](const Value& each) { return vm_.type_of(each) == type; };
    if (std::ranges::any_of(found, same)) return;
    const auto base = [&](const Value& each) { return type->is_subclass_of(vm_.type_of(each)); };
    found.insert(std::ranges::find_if(found, base), object);
  }
  void add_with_items(const Value& argument) {
    add(argument);
    if (const List* list = argument.try_as<List>()) {
      for (const Value& each : list->items) add(each);
    } else if (Tuple* tuple = argument.try_as<Tuple>()) {
      for (const Value& each : tuple->items()) add(each);
    }
  }
  std::vector<Value> all() const {
    std::vector<Value> found = scripts_;
    found.insert(found.end(), library_.begin(), library_.end());
    return found;
  }
  bool any_of_scripts() const { return !scripts_.empty(); }

 private:
  const Value* method_of(const Value& object) const {
    if (!object.is_object() || !object.as_object()->type->is_class) return nullptr;
    return find_special(vm_, object.as_object()->type, "__array_function__");
  }

  Interpreter& vm_;
  bool scripts_only_;
  std::vector<Value> scripts_, library_;
};

Value types_of(Interpreter& vm, const std::vector<Value>& objects) {
  std::vector<Value> types;
  for (const Value& each : objects) types.push_back(Value(static_cast<Object*>(vm.type_of(each))));
  return vm.tuple(types);
}

Value ask(Interpreter& vm, const std::vector<Value>& asked, const Value& function,
          const Written& call, const std::string& name) {
  vm.check_stack();
  const Value types = types_of(vm, asked);
  for (const Value& each : asked) {
    const Value* method = find_special(vm, vm.type_of(each), "__array_function__");
    if (!method) continue;
    const Value answer = call_special(
        vm, *method, each, {function, types, vm.tuple(call.positional), Value(call.named)});
    if (!answer.is_not_implemented()) return answer;
  }
  std::vector<std::string> shown;
  for (const Value& each : types.as<Tuple>()->items()) shown.push_back(vm.repr(each));
  vm.raise_type_error(
      "no implementation found for '{}' on types that implement __array_function__: [{}]", name,
      fmt::join(shown, ", "));
}

Written written_call(Interpreter& vm, const CallArgs& arguments) {
  const auto given = arguments.positionals();
  Written call{{given.begin(), given.end()}, vm.dict()};
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    call.named->set(arguments.names[i], arguments.keyword(i));
  }
  return call;
}

bool holds_objects(const CallArgs& arguments) {
  const std::span all(arguments.values, arguments.positional + arguments.names.size());
  return std::ranges::any_of(all, [](const Value& each) {
    return each.is_object() &&
           (each.as_object()->type->is_class || each.is<List>() || each.is<Tuple>());
  });
}

}  // namespace

Written as_written(Interpreter& vm, const Args& args) {
  return args.written() ? written_call(vm, *args.written()) : by_slots(vm, args);
}

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
  const Written by_place = by_slots(vm, args);
  Answering answering(vm, false);
  for (const Value& each : by_place.positional) answering.add_with_items(each);
  for (const auto& entry : by_place.named->entries()) {
    if (!entry.key.is_undefined()) answering.add_with_items(entry.value);
  }
  answering.add(override.by);
  const auto& callee = args.callee();
  const Value function(static_cast<Object*>(&const_cast<NativeFunction&>(callee)));
  const auto name =
      fmt::format("{}.{}", callee.is_method ? "numpy" : callee.qualifier, callee.row->name);
  // The library's own classes want to know arguments by their places.
  const Written call = answering.any_of_scripts() ? as_written(vm, args) : by_place;
  return ask(vm, answering.all(), function, call, name);
}

Value answer_of_arguments(Interpreter& vm, Function& function, const CallArgs& arguments) {
  if (!holds_objects(arguments)) return Value();
  Answering answering(vm, true);
  const size_t count = arguments.positional + arguments.names.size();
  for (size_t i = 0; i < count; ++i) answering.add(arguments.values[i]);
  if (answering.any_of_scripts()) {
    const auto name = fmt::format("{}.{}", vm.to_str(function.module), vm.to_str(function.name));
    return ask(vm, answering.all(), Value(static_cast<Object*>(&function)),
               written_call(vm, arguments), name);
  }
  const auto by_class = vm.state().call_function_for_classes;
  return by_class ? by_class(vm, function, arguments) : Value();
}

}  // namespace gpy
