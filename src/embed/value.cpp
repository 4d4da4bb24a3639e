// The operations of a host on a value.
#include <cstring>

#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/convert.h"
#include "src/embed/state.h"
#include "src/types/system_text.h"
#include "src/types/text_codec.h"

namespace gpy::host {

Value::Value() = default;
Value::~Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(Value other) noexcept {
  held_.swap(other.held_);
  return *this;
}

bool Value::is_none() const { return State::unwrap(*this).is_none(); }

std::string Value::type() const {
  State& state = State::owner(*this);
  return state.told([&] { return spell_surrogates(state.vm.type_name(State::unwrap(*this))); });
}

static std::string text_for_host(gpy::Interpreter& vm, const gpy::Value& value) {
  std::string text = vm.to_str(value);
  check_writable(vm, text);
  return text;
}

std::string Value::to_text() const {
  State& state = State::owner(*this);
  return state.guarded([&] { return text_for_host(state.vm, State::unwrap(*this)); });
}

std::string Value::to_bytes() const {
  State& state = State::owner(*this);
  return state.guarded(
      [&] { return bytes_for_system(state.vm, state.vm.to_str(State::unwrap(*this))); });
}

std::string Value::repr() const {
  State& state = State::owner(*this);
  return state.guarded([&] { return spell_surrogates(state.vm.repr(State::unwrap(*this))); });
}

int64_t Value::to_int() const {
  State& state = State::owner(*this);
  return state.guarded([&] { return state.vm.to_index(State::unwrap(*this)); });
}

double Value::to_double() const {
  State& state = State::owner(*this);
  return state.guarded([&] { return state.vm.to_real(State::unwrap(*this)); });
}

bool Value::to_bool() const {
  State& state = State::owner(*this);
  return state.guarded([&] { return state.vm.truth(State::unwrap(*this)); });
}

Value Value::attribute(std::string_view name) const {
  State& state = State::owner(*this);
  const std::string_view text = state.checked(name);
  return state.guarded(
      [&] { return state.hold(state.vm.get_attribute(State::unwrap(*this), text)); });
}

Value Value::item(int64_t index) const {
  State& state = State::owner(*this);
  const gpy::Value key = gpy::Value::integer(index);
  return state.guarded([&] { return state.hold(state.vm.get_item(State::unwrap(*this), key)); });
}

Value Value::operator()(const std::vector<Value>& arguments) const {
  State& state = State::owner(*this);
  return state.guarded([&] {
    std::vector<gpy::Value> values;
    for (const Value& argument : arguments) values.push_back(state.unwrap_own(argument));
    const CallArgs call{values.data(), static_cast<uint32_t>(values.size())};
    return state.hold(state.vm.call(State::unwrap(*this), call));
  });
}

// A host may read its bytes as bool, which C++ allows of 0 and 1 alone.
static void make_bools(std::vector<std::byte>& bytes) {
  for (std::byte& byte : bytes) byte = std::byte{byte != std::byte{0}};
}

static OwnedElements read_elements(State& state, const gpy::Value& value) {
  rt::Session& session = gpy::session(state.vm);
  const auto operand = try_operand_or_sequence(state.vm, value, rt::Space::host());
  if (!operand) {
    state.vm.raise_type_error("'{}' object is no array", state.vm.type_name(value));
  }
  const rt::Array array = as_array(state.vm, *operand, rt::Space::host());
  const rt::Array dense = rt::astype(session, array, array.dtype().native(), rt::Casting::kEquiv,
                                     !rt::is_c_contiguous(array.layout()), 'C');
  const rt::HostRead read(session, dense);
  state.vm.claim(static_cast<size_t>(dense.bytes()));
  OwnedElements result{static_cast<DType>(dense.dtype().index()),
                       {dense.shape().begin(), dense.shape().end()},
                       std::vector<std::byte>(static_cast<size_t>(dense.bytes()))};
  if (!result.data.empty()) std::memcpy(result.data.data(), read.data(), result.data.size());
  if (dense.dtype() == rt::DType::kBool) make_bools(result.data);
  return result;
}

OwnedElements Value::to_elements() const {
  State& state = State::owner(*this);
  return state.guarded([&] { return read_elements(state, State::unwrap(*this)); });
}

}  // namespace gpy::host
