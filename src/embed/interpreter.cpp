#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/convert.h"
#include "src/embed/state.h"
#include "src/exceptions/as_raised.h"
#include "src/objects/utf8.h"

namespace gpy::host {

// Element types of the host are cast to the runtime's.
// clang-format off
#define GPY_SAME(host_name, name) \
  static_assert(static_cast<int>(DType::host_name) == static_cast<int>(rt::TypeCode::name));
GPY_SAME(boolean, kBool) GPY_SAME(int8, kInt8) GPY_SAME(uint8, kUInt8) GPY_SAME(int16, kInt16)
GPY_SAME(uint16, kUInt16) GPY_SAME(int32, kInt32) GPY_SAME(uint32, kUInt32)
GPY_SAME(int64, kInt64) GPY_SAME(uint64, kUInt64) GPY_SAME(float16, kFloat16)
GPY_SAME(float32, kFloat32) GPY_SAME(float64, kFloat64) GPY_SAME(complex64, kComplex64)
GPY_SAME(complex128, kComplex128) GPY_SAME(bfloat16, kBFloat16)
#undef GPY_SAME
    // clang-format on
    static_assert(rt::kTypeCodes == 15);

// --- life ----------------------------------------------------------------------------------------

static std::shared_ptr<rt::Runtime> open_devices(const std::string& name) {
  if (name.empty()) return std::make_shared<rt::Runtime>();
  try {
    return std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(name));
  } catch (const rt::Error& error) {
    throw Error("ValueError", spell_surrogates(escape_malformed(error.message())));
  }
}

// Raises an error if a device that the host names is not there.
static void check_device(State& state) {
  if (state.runtime->choice().kind != rt::DeviceChoice::Kind::kCuda) return;
  const State::Visit visit(state);
  try {
    state.runtime->gpu_count();
  } catch (const rt::Error& error) {
    throw Error("ValueError", error.message());
  }
}

Interpreter::Interpreter(const Options& options) try {
  const Interpreter* other = options.share_devices_with;
  auto devices = other ? other->state()->runtime : open_devices(options.device);
  state_ = std::make_shared<State>(options, std::move(devices));
  check_device(*state_);
} catch (const std::bad_alloc&) {
  throw Error(State::out_of_memory());
}

Interpreter::~Interpreter() = default;

const std::shared_ptr<State>& Interpreter::state() const {
  if (!state_) throw Error("ValueError", "this host::Interpreter was moved from");
  return state_;
}

Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter& Interpreter::operator=(Interpreter&&) noexcept = default;

#define GPY_SAME(name) static_assert(int(Stop::name) == int(StopReason::name))
GPY_SAME(none);
GPY_SAME(interrupt);
GPY_SAME(deadline);
GPY_SAME(steps);
GPY_SAME(memory);
GPY_SAME(output);
#undef GPY_SAME

void Interpreter::limit(const Limits& limits) {
  State& state = *this->state();
  const State::Visit visit(state);
  if (!(limits.seconds >= 0)) {  // refuses NaN too
    throw Error("ValueError",
                fmt::format("a limit on seconds must not be negative (got {})", limits.seconds));
  }
  state.limits = {limits.steps, limits.seconds, limits.memory, limits.output};
}

void Interpreter::interrupt() { state()->vm.stop(StopReason::interrupt); }

// --- running -------------------------------------------------------------------------------------

void Interpreter::run(std::string_view source, std::string_view name) {
  State& state = *this->state();
  const std::string_view file = state.checked(name);
  state.guarded([&] {
    state.vm.run_source(source, file, state.vm.main_module());
    return true;
  });
}

Value Interpreter::evaluate(std::string_view text) {
  State& state = *this->state();
  return state.guarded([&] {
    const std::string entry = std::string(text) + "\n\n";  // the blank line ends a block
    gpy::Value value = state.vm.run_interactive(entry, "<host>", state.vm.main_module());
    return state.hold(value.is_defined() ? std::move(value) : gpy::Value::none());
  });
}

Value Interpreter::get(std::string_view name) const {
  State& state = *this->state();
  const std::string_view text = state.checked(name);
  return state.told([&] {
    const gpy::Value* found = state.vm.main_module().find(state.vm, state.vm.intern(text));
    if (!found) throw Error("NameError", "name '" + std::string(name) + "' is not defined");
    return state.hold(*found);
  });
}

static void set_global(State& state, std::string_view name, gpy::Value value) {
  state.vm.main_module().set(state.vm, name, std::move(value));
}

void Interpreter::set(std::string_view name, const Value& value) {
  State& state = *this->state();
  const std::string_view text = state.checked(name);
  state.guarded([&] {
    set_global(state, text, state.unwrap_own(value));
    return true;
  });
}

// --- functions of the host -----------------------------------------------------------------------

static Value run_body(HostFunction& function, const std::vector<Value>& arguments) {
  try {
    const Value result = function.body(arguments);
    function.state->go_on_after_host();
    return result;
  } catch (...) {
    function.state->go_on_after_host();
    throw;
  }
}

static gpy::Value call_body(HostFunction& function, const gpy::Value& arguments) {
  State& state = *function.state;
  std::vector<Value> values;
  for (const gpy::Value& each : arguments.as<Tuple>()->items()) {
    values.push_back(state.hold(each));
  }
  const Value result = run_body(function, values);
  return State::is_made(result) ? state.unwrap_own(result) : gpy::Value::none();
}

// An exception of the host's function becomes an exception of the script.
static gpy::Value call_host(gpy::Interpreter& vm, Args args) {
  auto& function = *static_cast<HostFunction*>(args.callee().context);
  gpy::Value exception;
  try {
    return call_body(function, args[0]);
  } catch (const Error& error) {
    exception = function.state->to_exception(error);
  } catch (const gpy::Raised&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;  // a MemoryError
  } catch (const std::exception& error) {
    exception = vm.make_exception(vm.types.runtime_error, what_of(error));
  }
  vm.raise(std::move(exception));
}

void Interpreter::define(std::string_view name, Function body) {
  State& state = *this->state();
  const std::string_view text = state.checked(name);
  state.guarded([&] {
    HostFunction& function =
        state.functions.emplace_back(HostFunction{&state, std::string(text), std::move(body), {}});
    function.row = {function.name.c_str(), "(*arguments)", call_host, "A function of the host."};
    set_global(state, text, state.vm.function(function.row, "", &function));
    return true;
  });
}

// --- making values -------------------------------------------------------------------------------

static Value hold_told(State& state, gpy::Value value) {
  return state.told([&] { return state.hold(std::move(value)); });
}

Value Interpreter::make(bool boolean) { return hold_told(*state(), gpy::Value::boolean(boolean)); }
Value Interpreter::make(int64_t number) { return hold_told(*state(), gpy::Value::integer(number)); }
Value Interpreter::make(double number) { return hold_told(*state(), gpy::Value::real(number)); }
Value Interpreter::make(std::string_view text) {
  State& state = *this->state();
  const std::string_view known = state.checked(text);
  return state.guarded([&] {
    state.vm.claim(known.size());
    return state.hold(state.vm.str(known));
  });
}

static rt::Dims strides_of(const Elements& elements, int64_t item_size) {
  const rt::Dims shape{std::span<const int64_t>(elements.shape)};
  if (elements.strides.empty()) return rt::c_strides(shape, item_size);
  if (elements.strides.size() == elements.shape.size()) {
    return rt::Dims{std::span<const int64_t>(elements.strides)};
  }
  throw Error("ValueError", "strides and shape differ in length");
}

static std::unique_ptr<rt::Loan> make_loan(State& state, const Elements& elements, bool writable) {
  if (elements.dtype > DType::bfloat16) throw Error("ValueError", "a dtype that does not exist");
  const auto dtype = rt::dtype_at(static_cast<size_t>(elements.dtype));
  const rt::Dims shape{std::span<const int64_t>(elements.shape)};
  for (int64_t extent : shape) {
    if (extent < 0) throw Error("ValueError", "negative dimensions are not allowed");
  }
  rt::element_count(shape, rt::item_size(dtype));
  return std::make_unique<rt::Loan>(session(state.vm), dtype, shape,
                                    strides_of(elements, rt::item_size(dtype)),
                                    const_cast<void*>(elements.data), writable);
}

// The elements are lent for as long as copying them takes.
Value Interpreter::copy(const Elements& elements) {
  State& state = *this->state();
  return state.guarded([&] {
    rt::Session& session = gpy::session(state.vm);
    const auto loan = make_loan(state, elements, false);
    const rt::Array made = rt::copy(session, loan->array());
    const rt::Array moved = rt::to_space(session, made, rt::Space::automatic());
    loan->settle();
    return state.hold(wrap_array(state.vm, moved));
  });
}

static std::unique_ptr<HeldLoan> hold_loan(std::shared_ptr<State> state,
                                           std::unique_ptr<rt::Loan> loan) {
  std::unique_ptr<HeldLoan> held(new HeldLoan{std::move(state), std::move(loan)});
  held->state->loans.insert(held->loan);
  return held;
}

Loan Interpreter::lend(const Elements& elements) {
  const std::shared_ptr<State> state = this->state();
  return state->guarded([&] { return Loan(hold_loan(state, make_loan(*state, elements, false))); });
}

Loan Interpreter::lend_writable(const Elements& elements) {
  const std::shared_ptr<State> state = this->state();
  return state->guarded([&] { return Loan(hold_loan(state, make_loan(*state, elements, true))); });
}

// --- loans ---------------------------------------------------------------------------------------

Loan::Loan(std::unique_ptr<HeldLoan> held) : held_(std::move(held)) {}
Loan::~Loan() = default;
Loan::Loan(Loan&&) noexcept = default;
Loan& Loan::operator=(Loan&&) noexcept = default;

Value Loan::value() const {
  if (!held_ || !held_->loan) throw Error("ValueError", "the loan has ended");
  State& state = *held_->state;
  return state.told([&] { return state.hold(wrap_array(state.vm, held_->loan->array())); });
}

void Loan::end() {
  if (!held_) return;
  held_->state->guarded([&] { return held_->end(), true; });
  held_.reset();
}

}  // namespace gpy::host
