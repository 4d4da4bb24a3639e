#include "stdlib/native/numpy/class_calls.h"

#include <algorithm>

#include "src/array/sequence_objects.h"
#include "src/calls/args.h"
#include "src/calls/override.h"
#include "src/objects/function.h"
#include "src/state.h"
#include "stdlib/native/numpy/class_rules.h"
#include "stdlib/native/numpy/function_protocol.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_classes.h"
#include "stdlib/native/numpy/ufunc_object.h"

namespace gpy::lib {

namespace {

// Methods whose arrays are plain, or which look at the class themselves.
constexpr std::string_view kPlainMethods[] = {"__array__",
                                              "__array_function__",
                                              "__array_ufunc__",
                                              "__array_wrap__",
                                              "get",
                                              "nonzero",
                                              "searchsorted",
                                              "view"};

// A call of a native, bound to its parameters.
struct Call {
  Interpreter& vm;
  NativeFunction& callee;
  std::span<const Value> slots;

  std::string_view name() const { return callee.row->name; }
  Value run() const {
    return callee.row->body.call(vm,
                                 Args(slots.data(), static_cast<uint32_t>(slots.size()), callee));
  }
  const Parameter& parameter(size_t i) const { return callee.signature().parameters[i]; }
  bool is_left_out(size_t i) const { return slots[i].same(parameter(i).fallback); }
  const Value* argument(std::string_view wanted) const {
    for (size_t i = 0; i < slots.size(); ++i) {
      if (parameter(i).name == wanted) return &slots[i];
    }
    return nullptr;
  }
};

const Value* first_of_class(std::span<const Value> values) {
  const auto found = std::ranges::find_if(values, is_of_array_class);
  return found == values.end() ? nullptr : &*found;
}

bool is_new(const Value& made) { return made.is_object() && made.as_object()->refs == 1; }

bool is_among(const Value& places, int64_t place) {
  const auto chosen = items_of(places);
  return !chosen || std::ranges::any_of(*chosen, [&](const Value& each) {
    return each.is_integer() && each.as_integer() == place;
  });
}

// A result with the class of `leader`: an array, or the arrays of a tuple or list at those places
// (None: at all).
Value kept(Interpreter& vm, Value&& made, const Value& leader,
           const Value& places = Value::none()) {
  const auto adopt = [&](const Value& each) {
    return adopt_array(vm, vm.type_of(leader), each, leader);
  };
  if (as_ndarray(made)) return is_new(made) ? adopt(made) : made;
  if (Tuple* several = made.try_as<Tuple>()) {
    std::vector<Value> items;
    for (const Value& each : several->items()) {
      const bool is_chosen = is_among(places, std::ssize(items));
      items.push_back(is_chosen ? adopt(each) : each);
    }
    Ref<Tuple> tuple = Tuple::make(vm, items);
    tuple->type = several->type;
    return tuple;
  }
  if (List* list = made.try_as<List>()) {
    std::vector<Value> items;
    for (const Value& each : std::vector<Value>(list->items)) items.push_back(adopt(each));
    return vm.list(items);
  }
  return made;
}

// --- methods -------------------------------------------------------------------------------------

// add.reduce(self, axis=..., ...) for self.sum(...) of a class that answers for ufuncs.
Value reduce_by_ufunc(const Call& call, const char* ufunc) {
  Interpreter& vm = call.vm;
  std::vector<Value> values{call.slots[0]};
  std::vector<Str*> names;
  for (size_t i = 1; i < call.slots.size(); ++i) {
    const std::string_view name = call.parameter(i).name;
    const bool always = name == "axis" || name == "dtype" || name == "keepdims";
    if (!always && call.is_left_out(i)) continue;
    if (call.slots[i].is_undefined()) continue;
    names.push_back(vm.intern(name));
    values.push_back(call.slots[i]);
  }
  const Value function = vm.get_attribute(ufunc_beside(vm, call.slots[0], ufunc), "reduce");
  return vm.call(function, CallArgs{values.data(), 1, names});
}

Value call_method(const Call& call) {
  Interpreter& vm = call.vm;
  const Value& self = call.slots[0];
  if (std::ranges::find(kPlainMethods, call.name()) != std::end(kPlainMethods)) return call.run();
  const Reducer* reducer = reducer_of(call.name());
  if (reducer && reducer->ufunc && own_array_ufunc(vm, self)) {
    return reduce_by_ufunc(call, reducer->ufunc);
  }
  Value made = call.run();
  if (reducer) return as_ndarray(made) && !is_new(made) ? made : wrap_for_class_of(vm, made, self);
  const Value* subok = call.argument("subok");
  if (subok && is_given(*subok) && !vm.truth(*subok)) return without_array_class(vm, made);
  if (!as_ndarray(made) || !is_new(made)) return made;
  const Value leader = call.name() == "dot" ? leading_operand(vm, call.slots) : self;
  return leader.is_undefined() ? made : adopt_array(vm, vm.type_of(leader), made, leader);
}

// --- methods of ufuncs ---------------------------------------------------------------------------

// A call of a ufunc's method, whose first slot is the ufunc, or of a native that is one.
UfuncCall as_told(const Call& call, const Value& ufunc, std::string_view method, size_t first) {
  UfuncCall told{ufunc, method, {}, {}, {}, {}};
  for (size_t i = first; i < call.slots.size(); ++i) {
    const Value& value = call.slots[i];
    const Parameter& parameter = call.parameter(i);
    if (parameter.kind == Parameter::var_keyword) continue;
    if (parameter.required || (told.method == "at" && value.is_defined())) {
      told.inputs.push_back(value);
    } else if (parameter.name == "out") {
      if (Tuple* several = value.try_as<Tuple>()) {
        told.outputs.assign(several->items().begin(), several->items().end());
      } else if (is_given(value)) {
        told.outputs.push_back(value);
      }
    } else if (value.is_defined() && !call.is_left_out(i)) {
      told.names.push_back(call.vm.intern(parameter.name));
      told.values.push_back(value);
    }
  }
  return told;
}

// outer(A, B) as a call of the ufunc, so that the class sees both operands.
Value outer_as_call(Interpreter& vm, const UfuncCall& told) {
  std::vector<Value> values{told.ufunc};
  values.insert(values.end(), told.inputs.begin(), told.inputs.end());
  values.insert(values.end(), told.values.begin(), told.values.end());
  return vm.call(find_in_library(vm, kNumpy, "classes", "outer_as_call"),
                 CallArgs{values.data(), 3, told.names});
}

Value call_ufunc_method(const Call& call) {
  Interpreter& vm = call.vm;
  if (call.name() == "resolve_dtypes") return call.run();
  const UfuncCall told = as_told(call, call.slots[0], call.name(), 1);
  Value answer = ask_classes(vm, told);
  if (answer.is_defined()) return answer;
  if (call.name() == "outer" && first_of_class(told.inputs)) {
    answer = outer_as_call(vm, told);
    if (!answer.is_not_implemented()) return answer;
  }
  std::vector<Value> plain(call.slots.begin(), call.slots.end());
  if (call.name() != "at") {
    for (size_t i = 0; i < told.inputs.size(); ++i) {
      plain[i + 1] = without_array_class(vm, plain[i + 1]);
    }
  }
  const Value made = Call{vm, call.callee, plain}.run();
  if (!told.outputs.empty()) return made;
  const Value leader = leading_operand(vm, told.inputs);
  return leader.is_undefined() ? made : wrap_for_class_of(vm, made, leader);
}

// --- functions -----------------------------------------------------------------------------------

// The arguments behind the first one as the method gets them: by position as far as they are given.
Value call_own_method(const Call& call, std::string_view method) {
  Interpreter& vm = call.vm;
  std::vector<Value> values;
  std::vector<Str*> names;
  for (size_t i = 1; i < call.slots.size(); ++i) {
    if (call.slots[i].is_undefined() || (!call.parameter(i).required && call.is_left_out(i)))
      continue;
    if (names.empty() && values.size() == i - 1) {
      values.push_back(call.slots[i]);
      continue;
    }
    names.push_back(vm.intern(call.parameter(i).name));
    values.push_back(call.slots[i]);
  }
  const auto positional = static_cast<uint32_t>(values.size() - names.size());
  return vm.call(vm.get_attribute(call.slots[0], method),
                 CallArgs{values.data(), positional, names});
}

Value joined(const Call& call) {
  Interpreter& vm = call.vm;
  Value made = call.run();
  const Value leader =
      leading_operand(vm, items_of(call.slots[0]).value_or(std::span<const Value>()));
  if (leader.is_undefined() || !as_ndarray(made) || !is_new(made)) return made;
  const Value priority = vm.get_attribute(leader, "__array_priority__");
  // The result is made from several, so __array_finalize__ is told of none.
  return vm.to_real(priority) > 0 ? adopt_array(vm, vm.type_of(leader), made, Value::none()) : made;
}

// A ufunc that is a native.
Value call_product(const Call& call) {
  Interpreter& vm = call.vm;
  const Value ufunc(static_cast<Object*>(&call.callee));
  const UfuncCall told = as_told(call, ufunc, "__call__", 0);
  Value answer = ask_classes(vm, told);
  if (answer.is_defined()) return answer;
  const Value made = call.run();
  return told.outputs.empty() ? wrap_for_classes(vm, made, told.inputs, call.name())
                              : wrap_given_outputs(vm, made, told.inputs, told.outputs, ufunc);
}

Value call_function(const Call& call, const FunctionRule& rule, const Value* object) {
  Interpreter& vm = call.vm;
  if (rule.rule == Rule::ufunc) return call_product(call);
  if (rule.rule == Rule::joins) return joined(call);
  if (!object) return call.run();
  if (rule.rule == Rule::by_method) {
    if (object != call.slots.data()) return call.run();
    return call_own_method(call, rule.method.empty() ? rule.name : rule.method);
  }
  if (rule.rule == Rule::row) {
    const Value own = vm.try_get_attribute(*object, vm.intern("_as_plain_row"));
    return call_own_method(call, own.is_undefined() ? rule.name : "_as_plain_row");
  }
  if (rule.rule == Rule::keeps) {
    const Value leader = leading_operand(vm, call.slots);
    return leader.is_undefined() ? call.run() : kept(vm, call.run(), leader);
  }
  const Value* keeps = rule.rule == Rule::subok ? call.argument("subok") : nullptr;
  if (keeps && keeps->is_defined() && vm.truth(*keeps)) return kept(vm, call.run(), *object);
  return without_array_class(vm, call.run());
}

bool is_namespace(const void* context) {
  return context == &kNumpy || context == &kCupy || context == &kGp;
}

}  // namespace

Value with_class_of(Interpreter& vm, const Value& made, const Value& like, const Value& places) {
  if (!first_of_class({&like, 1})) return made;
  if (as_ndarray(made)) return adopt_array(vm, vm.type_of(like), made, like);
  return kept(vm, Value(made), like, places);
}

// How a function is done where an argument is of such a class, by its name in stdlib/numpy/classes;
// undefined: as for arrays.
static Value way_for_classes(Interpreter& vm, std::string_view module, std::string_view name) {
  const size_t dot = module.find('.');
  const std::string part = dot == module.npos ? "" : fmt::format("{}_", module.substr(dot + 1));
  return find_in_library(vm, kNumpy, "classes", fmt::format("{}{}", part, name));
}

static bool holds_class_objects(const CallArgs& arguments) {
  const std::span all(arguments.values, arguments.positional + arguments.names.size());
  if (first_of_class(all)) return true;
  const auto items = all.empty() ? std::nullopt : items_of(all[0]);
  return items && first_of_class(*items);
}

Value call_function_for_classes(Interpreter& vm, Function& function, const CallArgs& arguments) {
  if (vm.state().has_array_functions) {
    Value answer = answer_for_function(vm, function, arguments);
    if (answer.is_defined()) return answer;
  }
  if (!holds_class_objects(arguments)) return Value();
  const Value way = way_for_classes(vm, vm.to_text(function.module), vm.to_text(function.name));
  return way.is_defined() ? vm.call(way, arguments) : Value();
}

static Value call_as_written(Interpreter& vm, const Value& way, const Args& args) {
  Written call = as_written(vm, args);
  std::vector<Str*> names;
  const auto positional = static_cast<uint32_t>(call.positional.size());
  for (const auto& entry : call.named->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    call.positional.push_back(entry.value);
  }
  return vm.call(way, CallArgs{call.positional.data(), positional, names});
}

static bool is_of_class(const Value& value) {
  return value.is_object() && value.as_object()->type->is_class;
}

Value call_for_classes(Interpreter& vm, const Args& args) {
  if (vm.state().has_array_functions) {
    Value answer = answer_for_native(vm, args);
    if (answer.is_defined()) return answer;
  }
  auto& callee = const_cast<NativeFunction&>(args.callee());
  const std::span slots(args.begin(), args.size());
  const Call call{vm, callee, slots};
  const Value* object = first_of_class(slots);
  if (callee.owner) {
    if (callee.owner == ufunc_type(vm) && std::ranges::any_of(slots, is_of_class)) {
      return call_ufunc_method(call);
    }
    const bool is_method = object == slots.data() && arrays(vm).is_array_type(callee.owner);
    return object && is_method ? call_method(call) : call.run();
  }
  const int several = callee.signature().var_positional;
  if (object || (several >= 0 && first_of_class(slots[several].as<Tuple>()->items()))) {
    const Value way = way_for_classes(vm, callee.qualifier, call.name());
    if (way.is_defined()) return call_as_written(vm, way, args);
  }
  if (!is_namespace(callee.context) || slots.empty()) return call.run();
  const bool may_count = std::ranges::any_of(slots, is_of_class) || items_of(slots[0]);
  const FunctionRule* rule = may_count ? rule_of(call.name()) : nullptr;
  return rule ? call_function(call, *rule, object) : call.run();
}

}  // namespace gpy::lib
