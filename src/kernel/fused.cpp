// cupy.fuse: expressions fuse by themselves here, so the decorator only sees to it that the
// function's own run is lazy.
#include "runtime/graph/evaluate.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/kernel_objects.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

class LazyScope {
 public:
  explicit LazyScope(rt::Session& session) : session_(session), before_(session.lazy) {
    session_.lazy = true;
  }
  ~LazyScope() { session_.lazy = before_; }
  bool was_eager() const { return !before_; }

 private:
  rt::Session& session_;
  bool before_;
};

void finish(Interpreter& vm, const Value& value) {
  if (Ndarray* array = as_ndarray(value)) rt::evaluate(session(vm), *array->array.value());
  if (Tuple* items = value.try_as<Tuple>()) {
    for (size_t i = 0; i < items->size; ++i) finish(vm, (*items)[i]);
  }
}

Value wrap(Interpreter& vm, const Value& function, const Value& name) {
  if (!vm.is_callable(function)) vm.raise_type_error("fuse() takes a function");
  return Value(vm.make<FusedObject>(arrays(vm).fused, function, name).get());
}

// Without a function it is the decorator that takes one.
Value call_fused(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const FusedObject& fused = *self.as<FusedObject>();
  if (fused.function.is_none()) {
    if (arguments.positional != 1 || !arguments.names.empty())
      vm.raise_type_error("fuse() takes a function");
    return wrap(vm, arguments.values[0], fused.name);
  }
  const LazyScope scope(session(vm));
  Value result = vm.call(fused.function, arguments);
  if (scope.was_eager()) finish(vm, result);
  return result;
}

// @fuse, @fuse() and @fuse(kernel_name='...')
Value make_fused(Interpreter& vm, const Value&, const Value& function, const Value& name) {
  if (is_given(name)) kernel_name(vm, name);
  if (!function.is_none()) return wrap(vm, function, name);
  return Value(vm.make<FusedObject>(arrays(vm).fused, Value::none(), name).get());
}
constexpr Native kMakeFused = {"fuse", "(cls, function=None, /, *, kernel_name=None)",
                               typed<make_fused>,
                               "Fuses the function's elementwise operations and reductions."};

// `kernel_name`, or the function's own name.
Value fused_name(Interpreter& vm, const Value& self) {
  const FusedObject& fused = *self.as<FusedObject>();
  if (!fused.name.is_none() || fused.function.is_none()) return fused.name;
  return vm.try_get_attribute(fused.function, vm.intern("__name__"));
}
constexpr NativeGetter kFusedGetters[] = {
    {"name", fused_name, nullptr, "The kernel's name, by kernel_name or the function's own."}};

std::string show_fused(Interpreter& vm, const Value& self) {
  const Value name = fused_name(vm, self);
  return fmt::format("<Fusion name={}>", name.is_defined() ? vm.to_str(name) : "None");
}

Value fused_attribute(Interpreter& vm, const Value& self, Str* name) {
  return vm.try_get_attribute(self.as<FusedObject>()->function, name);
}

}  // namespace

void setup_fused(Arrays& state) {
  Slots slots;
  slots.call = call_fused;
  slots.getattr = fused_attribute;
  slots.repr = show_fused;
  slots.traverse = traverse<&FusedObject::function, &FusedObject::name>;
  state.fused = state.vm.make_type<FusedObject>({.name = "fuse",
                                                 .module = "cupy",
                                                 .doc = kMakeFused.doc,
                                                 .slots = slots,
                                                 .getters = kFusedGetters,
                                                 .constructor = &kMakeFused});
}

}  // namespace gpy
