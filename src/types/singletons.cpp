// None, NotImplemented and Ellipsis.
#include "src/interpreter.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

namespace {

// These values are stored in the Value; no object of these types is ever made.
struct NoObject : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
};

}  // namespace

static const char kNoneName[] = "NoneType", kNotImplementedName[] = "NotImplementedType",
                  kEllipsisName[] = "EllipsisType";  // of its constructor: the type is `ellipsis`

template <Value (*make)(), const char* name>
static Value itself(Interpreter& vm, const Value&, std::span<const Value> given,
                    const Value& keywords) {
  if (!given.empty() || keywords.as<Dict>()->size() > 0) {
    vm.raise_type_error("{} takes no arguments", name);
  }
  return make();
}

template <Value (*make)(), const char* name> static constexpr Native constructor() {
  return {name, "(cls, /, *args, **kwargs)", typed<itself<make, name>>, ""};
}
static const Native kNone = constructor<Value::none, kNoneName>();
static const Native kNotImplemented = constructor<Value::not_implemented, kNotImplementedName>();
static const Native kEllipsis = constructor<Value::ellipsis, kEllipsisName>();

static std::string none_repr(Interpreter&, const Value&) { return "None"; }
static std::string not_implemented_repr(Interpreter&, const Value&) { return "NotImplemented"; }
static std::string ellipsis_repr(Interpreter&, const Value&) { return "Ellipsis"; }

static int64_t singleton_hash(Interpreter&, const Value& self) {
  constexpr int64_t kAny = 0x51A61E;
  return kAny + static_cast<int64_t>(self.tag());
}

static bool no(Interpreter&, const Value&) { return false; }

void setup_singletons(Interpreter& vm) {
  vm.types.none =
      vm.make_type<NoObject>({.name = "NoneType",
                              .doc = "The type of None, which stands for no value.",
                              .slots = {.repr = none_repr, .hash = singleton_hash, .truth = no},
                              .constructor = &kNone});
  vm.types.not_implemented =
      vm.make_type<NoObject>({.name = "NotImplementedType",
                              .slots = {.repr = not_implemented_repr, .hash = singleton_hash},
                              .constructor = &kNotImplemented});
  vm.types.ellipsis =
      vm.make_type<NoObject>({.name = "ellipsis",
                              .slots = {.repr = ellipsis_repr, .hash = singleton_hash},
                              .constructor = &kEllipsis});
}

}  // namespace gpy
