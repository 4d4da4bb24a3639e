// The type slice.
#include "src/interpreter.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

static Value make_slice(Interpreter& vm, const Value&, std::span<const Value> given) {
  const size_t count = given.size();
  if (count == 0 || count > 3) {
    vm.raise_type_error("slice expected at {} {} argument{}, got {}", count ? "most" : "least",
                        count ? 3 : 1, count ? "s" : "", count);
  }
  Value none = Value::none();
  if (count == 1) return vm.slice(none, given[0], none);
  return vm.slice(given[0], given[1], count == 3 ? given[2] : none);
}

static const Native kConstructor = {
    "slice", "(cls, /, *args)", typed<make_slice>,
    "slice(stop) or slice(start, stop[, step]): what x[a:b:c] indexes with."};

static std::string slice_repr(Interpreter& vm, const Value& self) {
  const auto* s = self.as<Slice>();
  return fmt::format("slice({}, {}, {})", vm.repr(s->start), vm.repr(s->stop), vm.repr(s->step));
}

static Value parts(Interpreter& vm, const Value& v) {
  const auto* s = v.as<Slice>();
  return vm.tuple({s->start, s->stop, s->step});
}

static Value slice_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Slice>()) return Value::not_implemented();
  return vm.compare(op, parts(vm, self), parts(vm, other));
}

static Value slice_indices(Interpreter& vm, Slice& self, int64_t length) {
  if (length < 0) vm.raise_value_error("length should not be negative");
  auto indices = self.indices(vm, length);
  return vm.tuple(
      {Value::integer(indices.start), Value::integer(indices.stop), Value::integer(indices.step)});
}

static const Native kMethods[] = {
    {"indices", "(self, len, /)", typed<slice_indices>,
     "(start, stop, step) for a sequence of that length."},
};

static Value slice_start(Interpreter&, const Value& self) { return self.as<Slice>()->start; }
static Value slice_stop(Interpreter&, const Value& self) { return self.as<Slice>()->stop; }
static Value slice_step(Interpreter&, const Value& self) { return self.as<Slice>()->step; }

static const NativeGetter kGetters[] = {
    {"start", slice_start},
    {"stop", slice_stop},
    {"step", slice_step},
};

void setup_slice(Interpreter& vm) {
  vm.types.slice = vm.make_type<Slice>(
      {.name = "slice",
       .doc = "What x[a:b:c] indexes with.",
       .slots = {.repr = slice_repr,
                 .compare = slice_compare,
                 .traverse = traverse<&Slice::start, &Slice::stop, &Slice::step>},
       .methods = kMethods,
       .getters = kGetters,
       .constructor = &kConstructor});
}

}  // namespace gpy
