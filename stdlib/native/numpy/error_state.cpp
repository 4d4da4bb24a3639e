// The reactions to floating-point events: numpy.seterr and numpy.errstate.
#include <utility>

#include "src/memory/traverse.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

constexpr std::string_view kModes[] = {"ignore", "warn", "raise", "call", "print", "log"};

rt::OnError to_mode(Interpreter& vm, const Value& value) {
  const std::string_view text = vm.to_text(value, "error mode");
  for (int i = 0; i < 6; ++i) {
    if (kModes[i] != text) continue;
    if (i > 2) {
      vm.raise_not_implemented_error("error mode '{}' is not supported: use ignore, warn or raise",
                                     text);
    }
    return static_cast<rt::OnError>(i);
  }
  vm.raise_value_error("invalid error mode '{}'", text);
}

// Slots: all, divide, over, under, invalid.
rt::ErrorState changed(Interpreter& vm, rt::ErrorState state, const Value* slots) {
  rt::OnError* const kinds[] = {&state.divide, &state.over, &state.under, &state.invalid};
  for (int i = 0; i < 4; ++i) {
    if (is_given(slots[0])) *kinds[i] = to_mode(vm, slots[0]);
    if (is_given(slots[i + 1])) *kinds[i] = to_mode(vm, slots[i + 1]);
  }
  return state;
}

Value state_dict(Interpreter& vm, const rt::ErrorState& state) {
  Ref<Dict> dict = vm.dict();
  auto put = [&](const char* name, rt::OnError mode) {
    dict->set(vm.intern(name), vm.str(kModes[static_cast<int>(mode)]));
  };
  put("divide", state.divide);
  put("over", state.over);
  put("under", state.under);
  put("invalid", state.invalid);
  return dict;
}

Value seterr(Interpreter& vm, Args args) {
  rt::ErrorState& current = session(vm).errors;
  const rt::ErrorState wanted = changed(vm, current, args.begin());
  Value before = state_dict(vm, current);
  current = wanted;
  return before;
}

Value geterr(Interpreter& vm, Args) { return state_dict(vm, session(vm).errors); }

struct ErrorScope : Object {
  static constexpr ObjectLayout kLayout = kErrorStateLayout;
  ErrorScope(Type* type, std::vector<Value> modes) : Object(type), modes(std::move(modes)) {}
  std::vector<Value> modes;  // as changed() takes them
  rt::ErrorState before;
};

Value enter_scope(Interpreter& vm, const Value& self) {
  auto* scope = self.as<ErrorScope>();
  rt::ErrorState& current = session(vm).errors;
  scope->before = current;
  current = changed(vm, current, scope->modes.data());
  return self;
}

bool exit_scope(Interpreter& vm, const Value& self, const Value&) {
  session(vm).errors = self.as<ErrorScope>()->before;
  return false;
}

// `@errstate(...)`: a function that runs inside the scope.
struct GuardedFunction : Object {
  static constexpr ObjectLayout kLayout = kGuardedFunctionLayout;
  GuardedFunction(Type* type, rt::ErrorState inside, Value function)
      : Object(type), inside(inside), function(std::move(function)) {}
  rt::ErrorState inside;
  Value function;
};

Value call_guarded(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const auto* guarded = self.as<GuardedFunction>();
  struct Restore {
    rt::ErrorState& current;
    rt::ErrorState before;
    ~Restore() { current = before; }
  } restore{session(vm).errors, session(vm).errors};
  session(vm).errors = guarded->inside;
  return vm.call(guarded->function, arguments);
}

Value decorate(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  if (arguments.positional != 1 || !arguments.names.empty()) {
    vm.raise_type_error("errstate: a decorator takes one function");
  }
  Type* type = kept_type(vm, "_guarded", [&] {
    return vm.make_type<GuardedFunction>(
        {.name = "function",
         .module = "numpy",
         .slots = {.call = call_guarded, .traverse = traverse<&GuardedFunction::function>}});
  });
  const rt::ErrorState inside =
      changed(vm, session(vm).errors, self.as<ErrorScope>()->modes.data());
  return vm.make<GuardedFunction>(type, inside, arguments.values[0]);
}

Type* scope_type(Interpreter& vm) {
  return kept_type(vm, "_errstate", [&] {
    return vm.make_type<ErrorScope>(
        {.name = "errstate",
         .module = "numpy",
         .slots = {.call = decorate, .enter = enter_scope, .exit = exit_scope}});
  });
}

Value errstate(Interpreter& vm, Args args) {
  changed(vm, {}, args.begin());  // refuses wrong modes here, not at the with statement
  return vm.make<ErrorScope>(scope_type(vm), std::vector<Value>(args.begin(), args.begin() + 5));
}

constexpr const char* kModesSignature =
    "(all=None, divide=None, over=None, under=None, invalid=None)";

const Native kFunctions[] = {
    {"seterr", kModesSignature, seterr, "Sets what floating-point events do; gives what they did."},
    {"geterr", "()", geterr, "What floating-point events do."},
    {"errstate", "(*, all=None, divide=None, over=None, under=None, invalid=None, call=None)",
     errstate, "`with errstate(divide='ignore'):` sets what floating-point events do inside."},
};

}  // namespace

Family error_state_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
