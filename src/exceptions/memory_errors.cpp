#include "src/exceptions/memory_errors.h"

#include <new>

#include "src/code.h"
#include "src/interpreter.h"

namespace gpy {

// A report parses the source again and describes the operands. Memory that is not touched costs no
// more than its addresses.
static constexpr size_t kReserveBytes = 1 << 20;
// The number of places that an exception made in advance can note in its trace.
static constexpr size_t kPlaces = 32;

static Ref<Exception> make_error(Interpreter& vm) {
  return vm.make_exception(vm.types.memory_error, std::initializer_list<Value>{});
}

static Ref<Exception> make_spare(Interpreter& vm) {
  Ref<Exception> error = make_error(vm);
  error->trace.reserve(kPlaces);
  return error;
}

void MemoryErrors::prepare(Interpreter& vm) {
  if (!last_) last_ = make_spare(vm);
  for (Ref<Exception>& each : spare_) {
    if (!each) each = make_spare(vm);
  }
  if (!reserve_) reserve_ = std::make_unique_for_overwrite<std::byte[]>(kReserveBytes);
}

void MemoryErrors::try_prepare(Interpreter& vm) noexcept {
  try {
    prepare(vm);
  } catch (...) {  // a later call tries again
  }
}

Ref<Exception> MemoryErrors::take(Interpreter& vm) noexcept {
  try {
    Ref<Exception> error = make_error(vm);
    try_prepare(vm);
    return error;
  } catch (...) {
    return take_spare();
  }
}

Ref<Exception> MemoryErrors::take_spare() noexcept {
  for (Ref<Exception>& each : spare_) {
    if (each) return std::move(each);
  }
  const bool is_in_use = last_->refs > 1;
  if (!is_in_use) {
    last_->trace.clear();
    last_->operands.clear();
    last_->attributes = nullptr;
    last_->cause = last_->context = Value::none();
    last_->flags = 0;
  }
  return last_;
}

void MemoryErrors::clear() noexcept {
  spare_ = {};
  last_ = nullptr;
  reserve_.reset();
}

}  // namespace gpy
