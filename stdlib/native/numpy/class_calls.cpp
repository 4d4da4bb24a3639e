#include "stdlib/native/numpy/class_calls.h"

#include <algorithm>

#include "src/array/sequence_objects.h"
#include "src/calls/args.h"
#include "src/objects/function.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_classes.h"
#include "stdlib/native/numpy/ufunc_object.h"

namespace gpy::lib {

namespace {

// What NumPy does with an object of a class that a function gets.
enum class Rule {
  by_method,  // the object's own method does it
  keeps,      // the result takes the class
  ufunc,      // the same, and a number becomes an array without axes of it
  subok,      // it does so where the argument `subok` says it
  strips,     // the object is taken as a plain array, and is not the result itself
  joins,      // the result takes a class of the items that has a priority above that of arrays
};

struct FunctionRule {
  std::string_view name;
  Rule rule;
  std::string_view method = {};  // if its name is another one
};

constexpr FunctionRule kFunctions[] = {
    {"all", Rule::by_method},
    {"amax", Rule::by_method, "max"},
    {"amin", Rule::by_method, "min"},
    {"angle", Rule::keeps},
    {"any", Rule::by_method},
    {"argmax", Rule::by_method},
    {"argmin", Rule::by_method},
    {"argpartition", Rule::by_method},
    {"argsort", Rule::by_method},
    {"around", Rule::by_method, "round"},
    {"array", Rule::subok},
    {"array_split", Rule::keeps},
    {"asanyarray", Rule::keeps},
    {"asarray", Rule::strips},
    {"ascontiguousarray", Rule::strips},
    {"asfortranarray", Rule::strips},
    {"atleast_1d", Rule::keeps},
    {"atleast_2d", Rule::keeps},
    {"atleast_3d", Rule::keeps},
    {"block", Rule::joins},
    {"broadcast_arrays", Rule::subok},
    {"broadcast_to", Rule::subok},
    {"choose", Rule::by_method},
    {"clip", Rule::by_method},
    {"column_stack", Rule::joins},
    {"compress", Rule::keeps},
    {"concat", Rule::joins},
    {"concatenate", Rule::joins},
    {"copy", Rule::subok},
    {"cumprod", Rule::by_method},
    {"cumsum", Rule::by_method},
    {"diag", Rule::keeps},
    {"diagonal", Rule::by_method},
    {"dot", Rule::keeps},
    {"dsplit", Rule::keeps},
    {"dstack", Rule::joins},
    {"eig", Rule::keeps},
    {"empty_like", Rule::subok},
    {"expand_dims", Rule::keeps},
    {"extract", Rule::keeps},
    {"flip", Rule::keeps},
    {"full_like", Rule::subok},
    {"hsplit", Rule::keeps},
    {"hstack", Rule::joins},
    {"imag", Rule::keeps},
    {"inner", Rule::keeps},
    {"insert", Rule::keeps},
    {"inv", Rule::keeps},
    {"isclose", Rule::keeps},
    {"matmul", Rule::ufunc},
    {"matrix_transpose", Rule::keeps},
    {"matvec", Rule::ufunc},
    {"max", Rule::by_method},
    {"mean", Rule::by_method},
    {"min", Rule::by_method},
    {"moveaxis", Rule::keeps},
    {"nan_to_num", Rule::keeps},
    {"ones_like", Rule::subok},
    {"partition", Rule::keeps},
    {"permute_dims", Rule::by_method, "transpose"},
    {"prod", Rule::by_method},
    {"ptp", Rule::by_method},
    {"ravel", Rule::by_method},
    {"real", Rule::keeps},
    {"repeat", Rule::by_method},
    {"reshape", Rule::by_method},
    {"roll", Rule::keeps},
    {"rollaxis", Rule::keeps},
    {"round", Rule::by_method},
    {"solve", Rule::keeps},
    {"sort", Rule::keeps},
    {"split", Rule::keeps},
    {"squeeze", Rule::by_method},
    {"stack", Rule::joins},
    {"std", Rule::by_method},
    {"sum", Rule::by_method},
    {"swapaxes", Rule::by_method},
    {"take", Rule::by_method},
    {"tile", Rule::keeps},
    {"trace", Rule::by_method},
    {"transpose", Rule::by_method},
    {"unique", Rule::keeps},
    {"var", Rule::by_method},
    {"vecdot", Rule::ufunc},
    {"vecmat", Rule::ufunc},
    {"vsplit", Rule::keeps},
    {"vstack", Rule::joins},
    {"zeros_like", Rule::subok},
};

static_assert(std::ranges::is_sorted(kFunctions, {}, &FunctionRule::name));

const FunctionRule* rule_of(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kFunctions, name, {}, &FunctionRule::name);
  return found != std::end(kFunctions) && found->name == name ? found : nullptr;
}

// Reductions: a single number is an array without axes of the class. `ufunc`: whose reduce it is.
struct Reducer {
  std::string_view name;
  const char* ufunc;
};
constexpr Reducer kReducers[] = {
    {"sum", "add"},        {"prod", "multiply"},   {"max", "maximum"}, {"min", "minimum"},
    {"any", "logical_or"}, {"all", "logical_and"}, {"mean", nullptr},  {"std", nullptr},
    {"var", nullptr},      {"ptp", nullptr},
};

const Reducer* reducer_of(std::string_view name) {
  const auto* found = std::ranges::find(kReducers, name, &Reducer::name);
  return found == std::end(kReducers) ? nullptr : found;
}

// Methods whose arrays are plain, or which look at the class themselves.
constexpr std::string_view kPlainMethods[] = {
    "__array__", "__array_ufunc__", "__array_wrap__", "get", "nonzero", "searchsorted", "view"};

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

// A result with the class of `leader`: an array, or each array of a tuple or list.
Value kept(Interpreter& vm, Value&& made, const Value& leader) {
  const auto adopt = [&](const Value& each) {
    return adopt_array(vm, vm.type_of(leader), each, leader);
  };
  if (as_ndarray(made)) return is_new(made) ? adopt(made) : made;
  if (Tuple* several = made.try_as<Tuple>()) {
    std::vector<Value> items;
    for (const Value& each : several->items()) items.push_back(adopt(each));
    return vm.tuple(items);
  }
  if (List* list = made.try_as<List>()) {
    for (Value& each : list->items) each = adopt(each);
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
  const Value* leader = call.name() == "dot" ? leading_operand(vm, call.slots) : &self;
  const bool is_plain_array = as_ndarray(made) && is_new(made);
  if (!is_plain_array || !leader) return made;
  return adopt_array(vm, vm.type_of(*leader), made, *leader);
}

// --- methods of ufuncs ---------------------------------------------------------------------------

UfuncCall as_told(const Call& call) {
  UfuncCall told{call.slots[0], call.name(), {}, {}, {}, {}};
  for (size_t i = 1; i < call.slots.size(); ++i) {
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

Value call_ufunc_method(const Call& call) {
  Interpreter& vm = call.vm;
  if (call.name() == "resolve_dtypes") return call.run();
  const UfuncCall told = as_told(call);
  Value answer = ask_classes(vm, told);
  if (answer.is_defined()) return answer;
  std::vector<Value> plain(call.slots.begin(), call.slots.end());
  if (call.name() != "at") {
    for (size_t i = 0; i < told.inputs.size(); ++i) {
      plain[i + 1] = without_array_class(vm, plain[i + 1]);
    }
  }
  const Value made = Call{vm, call.callee, plain}.run();
  const Value* leader = leading_operand(vm, told.inputs);
  if (!leader || !told.outputs.empty()) return made;
  return wrap_for_class_of(vm, made, *leader);
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
  const Value* leader =
      leading_operand(vm, items_of(call.slots[0]).value_or(std::span<const Value>()));
  if (!leader || !as_ndarray(made) || !is_new(made)) return made;
  const Value priority = vm.get_attribute(*leader, "__array_priority__");
  return vm.to_real(priority) > 0 ? adopt_array(vm, vm.type_of(*leader), made, *leader) : made;
}

Value without_class(Interpreter& vm, const Value& made) { return without_array_class(vm, made); }

Value call_function(const Call& call, const FunctionRule& rule, const Value& object) {
  Interpreter& vm = call.vm;
  switch (rule.rule) {
    case Rule::by_method:
      if (&object != &call.slots[0]) return call.run();
      return call_own_method(call, rule.method.empty() ? rule.name : rule.method);
    case Rule::keeps: {
      const Value* leader = leading_operand(vm, call.slots);
      return leader ? kept(vm, call.run(), *leader) : call.run();
    }
    case Rule::ufunc: return wrap_for_classes(vm, call.run(), call.slots, call.name());
    case Rule::subok: {
      const Value* keeps = call.argument("subok");
      if (keeps && keeps->is_defined() && vm.truth(*keeps)) return kept(vm, call.run(), object);
      return without_class(vm, call.run());
    }
    case Rule::strips: return without_class(vm, call.run());
    case Rule::joins: break;
  }
  return call.run();
}

bool is_namespace(const void* context) {
  return context == &kNumpy || context == &kCupy || context == &kGp;
}

}  // namespace

Value with_class_of(Interpreter& vm, const Value& made, const Value& like) {
  if (!first_of_class({&like, 1})) return made;
  if (as_ndarray(made)) return adopt_array(vm, vm.type_of(like), made, like);
  return kept(vm, Value(made), like);
}

Value call_for_classes(Interpreter& vm, const Args& args) {
  auto& callee = const_cast<NativeFunction&>(args.callee());
  const std::span slots(args.begin(), args.size());
  const Call call{vm, callee, slots};
  const Value* object = first_of_class(slots);
  if (callee.owner) {
    if (!object) return call.run();
    if (arrays(vm).is_array_type(callee.owner)) {
      return object == slots.data() ? call_method(call) : call.run();
    }
    return callee.owner == ufunc_type(vm) ? call_ufunc_method(call) : call.run();
  }
  if (!is_namespace(callee.context) || slots.empty()) return call.run();
  const FunctionRule* rule = object || items_of(slots[0]) ? rule_of(call.name()) : nullptr;
  if (!rule) return call.run();
  if (rule->rule == Rule::joins) return joined(call);
  return object ? call_function(call, *rule, *object) : call.run();
}

}  // namespace gpy::lib
