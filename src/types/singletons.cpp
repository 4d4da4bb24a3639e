// None, NotImplemented and Ellipsis.
#include "src/interpreter.h"
#include "src/types/setup.h"

namespace gpy {

namespace {

// They live in the Value; no object of these types is ever made.
struct NoObject : Object {
  static constexpr Layout kLayout = Layout::plain;
  using Object::Object;
};

}  // namespace

template <Value (*make)()> static Value itself(Interpreter&, Args) { return make(); }

static const Native kNone = {"NoneType", "(cls, /)", itself<Value::none>, ""};
static const Native kNotImplemented = {"NotImplementedType", "(cls, /)",
                                       itself<Value::not_implemented>, ""};
static const Native kEllipsis = {"ellipsis", "(cls, /)", itself<Value::ellipsis>, ""};

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
