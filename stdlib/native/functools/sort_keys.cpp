// functools.cmp_to_key and reduce.
#include "src/typed_native.h"
#include "stdlib/native/functools/functools.h"

namespace gpy::lib {

namespace {

struct SortKey : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  SortKey(Type* type, Value compare, Value object)
      : Object(type), compare(std::move(compare)), object(std::move(object)) {}
  Value compare;
  Value object;  // undefined: the result of cmp_to_key, to be called with an object
  template <class F> void each_field(F&& f) { f(compare), f(object); }
};

}  // namespace

static Value cmp_to_key(Interpreter& vm, const Args& call, const Value& compare) {
  return vm.make<SortKey>(static_cast<Type*>(call.callee().context), compare, Value());
}

static Value key_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const Value* object = arguments.positional == 1 ? arguments.values : nullptr;
  if (!object) object = arguments.find_keyword("obj");
  if (!object || arguments.positional + arguments.names.size() != 1) {
    vm.raise_type_error("K() missing required argument 'obj' (pos 1)");
  }
  auto& key = *self.as<SortKey>();
  return vm.make<SortKey>(key.type, key.compare, *object);
}

static Value key_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  auto& key = *self.as<SortKey>();
  if (!other.is_object() || other.as_object()->type != key.type) {
    vm.raise_type_error("other argument must be K instance");
  }
  auto& right = *other.as<SortKey>();
  if (key.object.is_undefined() || right.object.is_undefined()) {
    vm.raise(vm.types.attribute_error, "object");
  }
  return vm.compare(op, vm.call(key.compare, {key.object, right.object}), Value::integer(0));
}

static Value get_object(Interpreter& vm, const Value& self) {
  const Value& object = self.as<SortKey>()->object;
  if (object.is_undefined()) vm.raise(vm.types.attribute_error, "object");
  return object;
}
static const NativeGetter kGetters[] = {{"obj", get_object}};

static Value reduce(Interpreter& vm, const Value& function, const Value& iterable,
                    const Value& initial) {
  if (!vm.is_iterable(iterable)) vm.raise_type_error("reduce() arg 2 must support iteration");
  Value iterator = vm.iterate(iterable);
  Value total = initial.is_defined() ? initial : vm.next(iterator);
  if (total.is_undefined()) {
    vm.raise_type_error("reduce() of empty iterable with no initial value");
  }
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator)) {
    total = vm.call(function, {total, item});
    vm.poll();
  }
  return total;
}

static const Native kReduce = {"reduce", "(function, iterable, initial=<omitted>, /)",
                               typed<reduce>,
                               "function(function(a, b), c) and so on: one value of many."};
static const Native kCmpToKey = {"cmp_to_key", "(mycmp)", typed<cmp_to_key>,
                                 "A key for sorting, of a function that compares two."};

void add_sort_keys(Interpreter& vm, Module& module) {
  Type* key = vm.make_type<SortKey>(
      {.name = "KeyWrapper",
       .module = "functools",
       .slots = {.compare = key_compare, .call = key_call, .traverse = traverse_fields<SortKey>},
       .getters = kGetters});
  module.set(vm, "cmp_to_key", vm.function(kCmpToKey, "functools", key));
  module.set(vm, "reduce", vm.function(kReduce, "functools"));
}

}  // namespace gpy::lib
