// exit and quit: called, they end the program; shown at the prompt, they say how to leave it.
#include "src/builtins/rows.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

struct Quitter : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  Quitter(Type* type, const char* name) : Object(type), name(name) {}
  const char* name;
};

}  // namespace

static std::string quitter_repr(Interpreter&, const Value& self) {
  return fmt::format("Use {}() or Ctrl-D (i.e. EOF) to exit", self.as<Quitter>()->name);
}

static Value quit(Interpreter& vm, const Value& code) {
  vm.raise(vm.call(Value(vm.types.system_exit), {code}));
}

static const Native kQuit = {"__call__", "(code=None)", typed<quit>,
                             "Ends the program with an exit code: raises SystemExit."};

static Value quitter_call(Interpreter& vm, const Value&, const CallArgs& arguments) {
  return vm.call(vm.function(kQuit, "Quitter"), arguments);
}

static Value quitter_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Quitter>()->name);
}

static const NativeGetter kGetters[] = {{"name", quitter_name, nullptr, "What it is called."}};

void setup_quitters(Interpreter& vm) {
  Type* type = vm.make_type<Quitter>({.name = "Quitter",
                                      .module = "_sitebuiltins",
                                      .doc = kQuit.doc,
                                      .slots = {.repr = quitter_repr, .call = quitter_call},
                                      .getters = kGetters});
  for (const char* name : {"exit", "quit"}) {
    vm.builtins->set(vm.intern(name), vm.make<Quitter>(type, name));
  }
}

}  // namespace gpy
