#include "src/embed/state.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "src/array/arrays.h"
#include "src/classes/make_class.h"
#include "src/diagnostics/diagnostic.h"
#include "src/exceptions/ignored.h"
#include "src/exceptions/with_reserve.h"
#include "src/state.h"
#include "src/types/text_codec.h"

namespace gpy::host {

State::State(const Options& options, std::shared_ptr<rt::Runtime> devices)
    : runtime(std::move(devices)) {
  out_of_memory();  // made while there is memory
  vm.arguments = {""};
  install_library(vm, runtime);
  if (options.catch_kernel_faults) {
    faults.emplace();
    session(vm).catches_kernel_faults = true;
  }
  session(vm).start_on(options.stream.value_or(rt::Session::kOwnStream));
  if (options.out) vm.out = options.out;
  if (options.out) vm.flush_out = [] {};
  if (options.err) {
    vm.err = [write = options.err](std::string_view text) { write(spell_surrogates(text)); };
    notes = [this](const std::string& line) { note(line); };
  }
}

// Exceptions of the host's function end here: the runtime cannot pass them on.
void State::note(const std::string& line) noexcept {
  try {
    vm.write_err(line);
  } catch (...) {
  }
}

// --- values --------------------------------------------------------------------------------------

Value State::hold(gpy::Value value) {
  Value result;
  result.held_.reset(new HeldValue{shared_from_this(), std::move(value)}, release_held);
  return result;
}

const gpy::Value& State::unwrap(const Value& value) {
  if (!value.held_) throw Error("ValueError", "this host::Value holds no value");
  return value.held_->value;
}

State& State::owner(const Value& value) {
  unwrap(value);
  return *value.held_->state;
}

gpy::Value State::unwrap_own(const Value& value) {
  if (&owner(value) != this) throw Error("ValueError", "a value of another interpreter");
  return unwrap(value);
}

std::string_view State::checked(std::string_view text) {
  if (!is_valid_utf8(text)) guarded([&] { return decode_text(vm, text, "utf-8", "strict"); });
  return text;
}

// --- threads -------------------------------------------------------------------------------------

State::Visit::Visit(State& state) : state_(state.shared_from_this()), notes_(&state.notes) {
  while (const Visitor other = state.enter(Purpose::kAny)) {
    if (other.is_left_behind()) {
      throw Error("RuntimeError",
                  "the interpreter was running on another thread when this process was forked: it "
                  "cannot go on here");
    }
    if (!other.ends_values) {
      throw Error("RuntimeError", "the interpreter is running on another thread");
    }
    std::this_thread::yield();
  }
}

static uint32_t this_thread() noexcept {
  static std::atomic<uint32_t> last{0};
  static thread_local const uint32_t number = ++last;
  return number;
}

static uint32_t this_process() noexcept { return rt::fork_count() & 0x7fffffff; }

bool State::Visitor::is_left_behind() const { return process != this_process(); }

State::Visitor State::enter(Purpose purpose) noexcept {
  const Visitor self{this_thread(), purpose == Purpose::kEndValues, this_process()};
  Visitor found;
  const bool entered = visitor_.compare_exchange_strong(found, self);
  if (!entered && found.thread != self.thread) return found;
  ++visits_;
  return {};
}

void State::leave() noexcept {
  if (--visits_) return;
  visitor_.store({});
  end_left_values();
}

// The value is put into the list first, then this thread tries to enter; a thread that is inside
// finds the value when it leaves.
void State::release_held(HeldValue* held) noexcept {
  const std::shared_ptr<State> state = held->state;
  held->next = state->left_.load();
  while (!state->left_.compare_exchange_weak(held->next, held)) {
  }
  state->end_left_values();
}

bool State::enter_for_end() noexcept {
  constexpr auto kLongestAtExit = std::chrono::seconds(1);
  constexpr auto kBetween = std::chrono::milliseconds(1);
  const auto end = std::chrono::steady_clock::now() + kLongestAtExit;
  while (const Visitor other = enter(Purpose::kAny)) {
    if (other.is_left_behind()) return false;
    if (rt::ends_process() && std::chrono::steady_clock::now() > end) return false;
    if (!other.ends_values) vm.stop(StopReason::interrupt);
    std::this_thread::sleep_for(kBetween);
  }
  return true;
}

// These may be the last references to objects that have code for their end.
void State::end_left_values() noexcept {
  while (left_.load() && !enter(Purpose::kEndValues)) {
    {
      std::optional<Moment> moment;
      if (vm.may_have_ends()) moment.emplace(*this);
      for (HeldValue* each = left_.exchange(nullptr); each;) {
        const std::unique_ptr<HeldValue> held(std::exchange(each, each->next));
        held->value = gpy::Value();
      }
      if (moment) try_flush_out(vm);
    }
    if (--visits_ == 0) visitor_.store({});
  }
}

// --- errors --------------------------------------------------------------------------------------

// Only the first error is reported; others in these steps are dropped.
void State::finish_failed() {
  try {
    vm.flush_out();
  } catch (...) {
  }
  try {
    settle_loans();
  } catch (...) {
    for (const std::shared_ptr<rt::Loan>& loan : loans) loan->detach();
  }
}

static SourceRange to_host(const gpy::SourceRange& r) {
  return {r.line, r.column, r.end_line, r.end_column};
}

static Diagnostic to_host(const gpy::Diagnostic& d) {
  Diagnostic result{spell_surrogates(d.kind),
                    spell_surrogates(d.message),
                    d.code,
                    spell_surrogates(d.suggestion),
                    spell_surrogates(d.detail),
                    spell_surrogates(d.hint),
                    {},
                    {},
                    {}};
  for (const auto& each : d.notes) result.notes.push_back(spell_surrogates(each));
  for (const auto& each : d.labels) {
    result.labels.push_back({to_host(each.range), spell_surrogates(each.text)});
  }
  for (const auto& f : d.frames) {
    result.frames.push_back({spell_surrogates(f.file), spell_surrogates(f.function),
                             to_host(f.range), to_host(f.caret), spell_surrogates(f.source),
                             f.repeats, f.circle, f.left_out});
  }
  result.link = static_cast<Diagnostic::Link>(d.link);
  result.left_out = d.left_out;
  return result;
}

StopReason State::Run::finish() {
  if (std::exchange(running_, false)) reason_ = vm_.finish();
  return reason_;
}

void State::Run::end() {
  const StopReason reason = finish();
  if (reason != StopReason::none) vm_.raise(gpy::Value(vm_.make_stopped(reason)));
}

// Never destroyed: the end of a process may be short of memory too.
const Error& State::out_of_memory() {
  static const Error& error = *new Error("MemoryError", "MemoryError", "");
  return error;
}

// The exception for a run that was stopped: the Stopped in the chain of `exception`, which knows
// its place and the limit, or a new one.
static gpy::Value stopped_before(gpy::Interpreter& vm, const gpy::Value& exception,
                                 StopReason reason) {
  constexpr int kMost = 1000;  // the chain may be a cycle
  auto* each = exception.as<gpy::Exception>();
  for (int i = 0; each && i < kMost; ++i) {
    if (each->type == vm.types.stopped) return gpy::Value(each);
    each = each->context.try_as<gpy::Exception>();
  }
  return gpy::Value(vm.make_stopped(reason));
}

Error State::to_error(const gpy::Raised& raised, StopReason reason) {
  try {
    gpy::Value exception = raised.exception;
    if (reason != StopReason::none) exception = stopped_before(vm, exception, reason);
    const Moment moment(*this);
    finish_failed();
    return with_reserve(vm, [&] { return describe(exception, reason); });
  } catch (...) {
    Error error = out_of_memory();
    error.stopped_ = static_cast<Stop>(reason);
    return error;
  }
}

Error State::describe(const gpy::Value& exception, StopReason reason) {
  const ErrorReport report = diagnose_in_time(vm, exception.as<Exception>());
  const gpy::Diagnostic& innermost = report.error();
  Error error(spell_surrogates(to_text(report, false)),
              spell_surrogates(vm.type_of(exception)->name), spell_surrogates(innermost.message));
  if (!innermost.frames.empty()) {
    error.file_ = spell_surrogates(innermost.frames.back().file);
    error.line_ = innermost.frames.back().range.line;
  }
  for (const gpy::Diagnostic& each : report.chain) error.diagnostics_.push_back(to_host(each));
  error.json_ = to_json(report);
  error.stopped_ = static_cast<Stop>(reason);
  error.exception_ = hold(exception).held_;
  return error;
}

static gpy::Value named(gpy::Interpreter& vm, std::string_view name) {
  const size_t dot = name.rfind('.');
  gpy::Str* last = vm.intern(name.substr(dot == name.npos ? 0 : dot + 1));
  if (dot != name.npos) {
    const gpy::Value owner = named(vm, name.substr(0, dot));
    return owner.is_defined() ? vm.try_get_attribute(owner, last) : gpy::Value();
  }
  for (const gpy::Value* found :
       {vm.main_module().find(vm, last), vm.builtins->find(last), vm.modules->find(last)}) {
    if (found) return *found;
  }
  return gpy::Value();
}

// One of gpy's own exceptions, which need not be in a module: by its name in a traceback, or by the
// last part of that, which is Error::type(). A host stops a script by `interrupt` alone.
static gpy::Value own_exception_type(gpy::Interpreter& vm, std::string_view name) {
  constexpr std::string_view kBuiltins = "builtins.";
  if (name.starts_with(kBuiltins)) name.remove_prefix(kBuiltins.size());
  for (Type* type : vm.state().all_types) {
    const bool is_exception = type->is_subclass_of(vm.types.base_exception);
    if (!is_exception || type == vm.types.stopped) continue;
    if (type->name == name || type->shown_name() == name) return gpy::Value(type);
  }
  return gpy::Value();
}

// The class of that name: of the script's own, of the builtins, in a module that is imported
// ("json.JSONDecodeError"), or one of gpy's own. Undefined where there is no such exception.
static gpy::Value exception_type(gpy::Interpreter& vm, std::string_view name) {
  const gpy::Value found = named(vm, name);
  const Type* type = found.try_as<Type>();
  if (type && type->is_subclass_of(vm.types.base_exception)) return found;
  return own_exception_type(vm, name);
}

// `Type(message)`; for a class that refuses one text, an object made without __init__ and __new__.
static gpy::Value make_of_class(gpy::Interpreter& vm, const gpy::Value& type,
                                const gpy::Value& message) {
  try {
    return vm.call(type, {message});
  } catch (const gpy::Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
    return make_natively(vm, type.as<Type>(), {&message, 1});
  }
}

// The exception itself if it came from this interpreter, else one of the type of that name.
gpy::Value State::to_exception(const Error& error) {
  if (error.exception_ && error.exception_->state.get() == this) return error.exception_->value;
  const gpy::Value type = exception_type(vm, error.type());
  if (type.is_undefined()) return vm.make_exception(vm.types.runtime_error, error.message());
  if (!type.as<Type>()->is_class) return vm.make_exception(type.as<Type>(), error.message());
  gpy::Value made = make_of_class(vm, type, vm.str(error.message()));
  if (made.is<Exception>()) return made;
  vm.raise_type_error("calling {} should have returned an instance of BaseException, not {}",
                      error.type(), vm.type_name(made));
}

void State::go_on_after_host() {
  const auto& alarm = vm.state().budget.alarm;
  if (alarm) alarm->go_on();
}

void State::settle_loans() {
  std::exception_ptr first;
  // Settling may warn, and so call a function of the host's that ends a loan.
  const std::vector<std::shared_ptr<rt::Loan>> all(loans.begin(), loans.end());
  for (const std::shared_ptr<rt::Loan>& loan : all) {
    try {
      loan->settle();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void HeldLoan::end() {
  if (!loan) return;
  loan->end();
  forget();
}

void HeldLoan::forget() noexcept {
  state->loans.erase(loan);
  loan.reset();
}

HeldLoan::~HeldLoan() {
  if (!loan) return;
  const bool entered = state->enter_for_end();
  forget();
  if (entered) state->leave();
}

Error::Error(const std::string& rendered, std::string type, std::string message)
    : std::runtime_error(rendered), type_(std::move(type)), message_(std::move(message)) {}
Error::Error(std::string type, std::string message)
    : std::runtime_error(type + ": " + message),
      type_(std::move(type)),
      message_(std::move(message)) {}
Error::~Error() = default;

}  // namespace gpy::host
