// The reactions to floating-point events: numpy.seterr and numpy.errstate.
#include <algorithm>
#include <utility>

#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

constexpr std::string_view kModes[] = {"ignore", "warn", "raise", "call", "print", "log"};

constexpr const char* kHandlerName = "_errcall";

Value handler(Interpreter& vm) {
  const Value* found = arrays(vm).generic->lookup(vm.intern(kHandlerName));
  return found ? *found : Value::none();
}

void set_handler(Interpreter& vm, const Value& function) {
  arrays(vm).generic->set_attribute(vm.intern(kHandlerName), function);
}

// What writes, of a handler for the mode `log`; undefined for others.
Value writer_of(Interpreter& vm, const Value& function) {
  Value write = vm.try_get_attribute(function, vm.intern("write"));
  return write.is_defined() && vm.is_callable(write) ? write : Value();
}

void check_handler(Interpreter& vm, const Value& function) {
  if (function.is_none() || vm.is_callable(function) || writer_of(vm, function).is_defined())
    return;
  vm.raise_type_error("python object must be callable or have a callable write method");
}

void handle_event(Interpreter& vm, rt::OnError action, const rt::FloatingPointEvent& event) {
  const std::string text = fmt::format("Warning: {} encountered in {}\n", event.kind, event.op);
  if (action == rt::OnError::kPrint) return vm.write_err(text);
  const Value function = handler(vm);
  if (action == rt::OnError::kCall) {
    if (function.is_none()) {
      vm.raise(vm.types.name_error,
               fmt::format("python callback specified for {} (in  {}) but no function found.",
                           event.kind, event.op));
    }
    vm.call(function, {vm.str(event.kind), Value::integer(event.all)});
    return;
  }
  const Value write = writer_of(vm, function);
  if (!write.is_defined()) {
    vm.raise(vm.types.name_error,
             fmt::format("log specified for {} (in {}) but no object with write method found.",
                         event.kind, event.op));
  }
  vm.call(write, {vm.str(text)});
}

rt::OnError to_mode(Interpreter& vm, const Value& value) {
  if (value.is<Str>()) {
    const auto* found = std::ranges::find(kModes, vm.to_text(value, "error mode"));
    if (found != std::end(kModes)) return static_cast<rt::OnError>(found - kModes);
  }
  vm.raise_value_error("invalid error mode {}", vm.repr(value));
}

// Slots: all, divide, over, under, invalid.
rt::ErrorState changed(Interpreter& vm, rt::ErrorState state, const Value* slots) {
  rt::OnError* const kinds[] = {&state.divide, &state.over, &state.under, &state.invalid};
  for (int i = 0; i < 4; ++i) {
    if (is_given(slots[0])) *kinds[i] = to_mode(vm, slots[0]);
    if (is_given(slots[i + 1])) *kinds[i] = to_mode(vm, slots[i + 1]);
  }
  if (state.tells_at_once() && !session(vm).handle_event) {
    session(vm).handle_event = [&vm](rt::OnError action, const rt::FloatingPointEvent& event) {
      handle_event(vm, action, event);
    };
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

Value seterrcall(Interpreter& vm, const Value& function) {
  check_handler(vm, function);
  Value before = handler(vm);
  set_handler(vm, function);
  return before;
}

Value geterrcall(Interpreter& vm, Args) { return handler(vm); }

struct ErrorScope : Object {
  static constexpr ObjectLayout kLayout = kErrorStateLayout;
  ErrorScope(Type* type, std::vector<Value> modes) : Object(type), modes(std::move(modes)) {}
  std::vector<Value> modes;  // as changed() takes them, and the handler; undefined: kept
  rt::ErrorState before;
  Value handler_before;
  bool entered = false;
};

constexpr int kHandlerSlot = 5;

void enter(Interpreter& vm, const std::vector<Value>& modes) {
  rt::ErrorState& current = session(vm).errors;
  current = changed(vm, current, modes.data());
  if (modes[kHandlerSlot].is_defined()) set_handler(vm, modes[kHandlerSlot]);
}

Value enter_scope(Interpreter& vm, const Value& self) {
  auto* scope = self.as<ErrorScope>();
  if (scope->entered) vm.raise_type_error("Cannot enter `np.errstate` twice.");
  scope->before = session(vm).errors;
  scope->handler_before = handler(vm);
  scope->entered = true;
  enter(vm, scope->modes);
  return self;
}

bool exit_scope(Interpreter& vm, const Value& self, const Value&) {
  const auto* scope = self.as<ErrorScope>();
  session(vm).errors = scope->before;
  set_handler(vm, scope->handler_before);
  return false;
}

// `@errstate(...)`: a function that runs inside the scope.
struct GuardedFunction : Object {
  static constexpr ObjectLayout kLayout = kGuardedFunctionLayout;
  GuardedFunction(Type* type, std::vector<Value> modes, Value function)
      : Object(type), modes(std::move(modes)), function(std::move(function)) {}
  std::vector<Value> modes;
  Value function;
};

Value call_guarded(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const auto* guarded = self.as<GuardedFunction>();
  struct Restore {
    Interpreter& vm;
    rt::ErrorState before;
    Value function;
    ~Restore() {
      session(vm).errors = before;
      set_handler(vm, function);
    }
  } restore{vm, session(vm).errors, handler(vm)};
  enter(vm, guarded->modes);
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
         .slots = {.call = call_guarded,
                   .traverse = traverse<&GuardedFunction::modes, &GuardedFunction::function>}});
  });
  return vm.make<GuardedFunction>(type, self.as<ErrorScope>()->modes, arguments.values[0]);
}

Type* scope_type(Interpreter& vm) {
  return kept_type(vm, "_errstate", [&] {
    return vm.make_type<ErrorScope>(
        {.name = "errstate",
         .module = "numpy",
         .slots = {.call = decorate,
                   .enter = enter_scope,
                   .exit = exit_scope,
                   .traverse = traverse<&ErrorScope::modes, &ErrorScope::handler_before>}});
  });
}

Value errstate(Interpreter& vm, Args args) {
  changed(vm, {}, args.begin());  // refuses wrong modes here, not at the with statement
  if (args[kHandlerSlot].is_defined()) check_handler(vm, args[kHandlerSlot]);
  return vm.make<ErrorScope>(scope_type(vm), std::vector<Value>(args.begin(), args.end()));
}

constexpr const char* kModesSignature =
    "(all=None, divide=None, over=None, under=None, invalid=None)";

const Native kFunctions[] = {
    {"seterr", kModesSignature, seterr, "Sets what floating-point events do; gives what they did."},
    {"geterr", "()", geterr, "What floating-point events do."},
    {"errstate", "(*, all=None, divide=None, over=None, under=None, invalid=None, call=<omitted>)",
     errstate, "`with errstate(divide='ignore'):` sets what floating-point events do inside."},
    {"seterrcall", "(func)", typed<seterrcall>,
     "Sets what the modes `call` and `log` use; gives what they used.\n\n"
     "With `call` a function gets the event (\"divide by zero\") and all events of the operation:\n"
     "1 divide by zero, 2 overflow, 4 underflow, 8 invalid value, added. With `log` an object's\n"
     "method `write` gets \"Warning: divide by zero encountered in divide\"."},
    {"geterrcall", "()", geterrcall, "What the modes `call` and `log` use, or None."},
};

}  // namespace

Family error_state_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
