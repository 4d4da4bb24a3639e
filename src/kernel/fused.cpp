// cupy.fuse: expressions fuse by themselves here, so the decorator only sees to it that the
// function's own run is lazy.
#include "runtime/graph/evaluate.h"
#include "src/array/convert.h"
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

Value call_fused(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const LazyScope scope(session(vm));
  Value result = vm.call(self.as<FusedObject>()->function, arguments);
  if (scope.was_eager()) finish(vm, result);
  return result;
}

Value wrap(Interpreter& vm, const Value& function) {
  return Value(vm.make<FusedObject>(arrays(vm).fused, function).get());
}

constexpr Native kDecorate = {"fuse", "(function, /)", typed<wrap>,
                              "Fuses the function's elementwise operations and reductions."};

// @fuse, @fuse() and @fuse(kernel_name='...')
Value make_fused(Interpreter& vm, const Value&, const Value& function, const Value&) {
  if (function.is_none()) return vm.function(kDecorate, "cupy");
  if (!vm.is_callable(function)) vm.raise_type_error("fuse() takes a function");
  return wrap(vm, function);
}
constexpr Native kMakeFused = {"fuse", "(cls, function=None, /, *, kernel_name=None)",
                               typed<make_fused>, kDecorate.doc};

Value fused_attribute(Interpreter& vm, const Value& self, Str* name) {
  return vm.try_get_attribute(self.as<FusedObject>()->function, name);
}

}  // namespace

void setup_fused(Arrays& state) {
  Slots slots;
  slots.call = call_fused;
  slots.getattr = fused_attribute;
  slots.traverse = traverse<&FusedObject::function>;
  state.fused = state.vm.make_type<FusedObject>({.name = "fuse",
                                                 .module = "cupy",
                                                 .doc = kMakeFused.doc,
                                                 .slots = slots,
                                                 .constructor = &kMakeFused});
}

}  // namespace gpy
