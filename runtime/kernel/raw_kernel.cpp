#include "runtime/kernel/raw_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/lent_memory.h"
#include "runtime/graph/recording.h"
#include "runtime/kernel/check_number.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/launch.h"
#include "runtime/memory/raw_memory.h"
#include "runtime/ops/create.h"
#include "runtime/text/number_text.h"

namespace gpy::rt {

RawKernel::RawKernel(std::shared_ptr<RawModule> module, std::string name, bool checked)
    : module_(std::move(module)),
      name_(std::move(name)),
      checked_(checked),
      prints_(module_->source().code.find("printf") != std::string::npos),
      parameters_(find_raw_parameters(module_->source().code, name_)) {}

std::shared_ptr<UserFunction> RawKernel::function(Session& session, Space space, std::string* log) {
  const InterruptScope scope(session.interrupt);
  const Place place = session.place_of(space);
  if (log) *log = module_->compile(session, place);
  return module_->function(session, place, name_);
}

std::shared_ptr<UserFunction> RawKernel::known_function(Session& session, Place place) {
  {
    const std::lock_guard lock(mutex_);
    if (functions_[place]) return functions_[place];
  }
  std::shared_ptr<UserFunction> found = module_->function(session, place, name_);
  const std::lock_guard lock(mutex_);
  return functions_[place] = std::move(found);
}

namespace {

void check_array(const std::string& kernel, size_t i, const RawParameter& parameter,
                 const Array& array) {
  if (!parameter.pointer && array.rank() > 0) {
    fail(ErrorKind::kType, "{}: {} is of type {}, but an array was passed", kernel,
         argument_text(i, parameter.name), parameter.type);
  }
  if (!parameter.pointer) return;
  if (parameter.dtype && *parameter.dtype != array.dtype()) {
    fail(ErrorKind::kType,
         "{}: {} points to {}, but the array is {}: convert it with .astype('{}')", kernel,
         argument_text(i, parameter.name), parameter.type, name(array.dtype()),
         name(*parameter.dtype));
  }
  if (!is_c_contiguous(array.layout())) {
    fail(ErrorKind::kValue, "{}: {} must be C-contiguous (shape {}, strides {}): pass a copy()",
         kernel, argument_text(i, parameter.name), tuple_text(array.shape()),
         tuple_text(array.strides()));
  }
  if (!parameter.constant && !array.writeable()) {
    fail(ErrorKind::kValue, "{}: {} is written, but the array is read-only", kernel,
         argument_text(i, parameter.name));
  }
}

// A struct's bytes are those of a record: no number has them.
void check_struct(const std::string& kernel, size_t i, const RawParameter& parameter,
                  const RawArgument& argument) {
  const size_t bytes = parameter.struct_bytes;
  const bool may_be = argument.is_struct() ? !bytes || argument.bytes.size() == bytes
                                           : argument.operand.is_array() && !bytes;
  if (may_be) return;
  const std::string given = argument.is_struct()
                                ? fmt::format("a record of {} bytes", argument.bytes.size())
                            : argument.operand.is_array() ? "an array"
                            : argument.is_address         ? "an address"
                                                          : scalar_str(argument.operand.scalar());
  fail(ErrorKind::kType, "{}: {} is of type {}, but {} was passed: pass a NumPy record{}", kernel,
       argument_text(i, parameter.name), parameter.type, given,
       bytes ? fmt::format(" of {} bytes", bytes) : "");
}

}  // namespace

const RawParameter* RawKernel::parameter(size_t i) const {
  return parameters_ && i < parameters_->size() ? &(*parameters_)[i] : nullptr;
}

DType RawKernel::dtype_of(size_t i, const Scalar& number) const {
  const RawParameter* known = parameter(i);
  if (!known || !known->dtype || known->pointer) return number.dtype();
  if (checked_) check_number(name_, i, known->name, known->type, *known->dtype, number);
  return *known->dtype;
}

void RawKernel::check(std::span<const RawArgument> arguments) const {
  if (!parameters_) return;
  if (checked_ ? arguments.size() != parameters_->size() : arguments.size() < parameters_->size()) {
    fail(ErrorKind::kType, "{}() takes {} argument{} but {} {} given", name_, parameters_->size(),
         parameters_->size() == 1 ? "" : "s", arguments.size(),
         arguments.size() == 1 ? "was" : "were");
  }
  for (size_t i = 0; i < parameters_->size(); ++i) {
    const RawParameter& parameter = (*parameters_)[i];
    if (parameter.is_struct) check_struct(name_, i, parameter, arguments[i]);
    if (!checked_) continue;
    if (arguments[i].operand.is_array()) {
      check_array(name_, i, parameter, arguments[i].operand.array());
    } else if (parameter.pointer && !arguments[i].is_address) {
      fail(ErrorKind::kType, "{}: {} is a pointer: pass an array", name_,
           argument_text(i, parameter.name));
    }
  }
}

namespace {

// Storage for every argument's value, aligned as for any type, and behind it the addresses that a
// launch takes.
class Packed {
 public:
  // `room`: the bytes that each value may take at least.
  Packed(std::span<const RawArgument> arguments, size_t room) : count_(arguments.size()) {
    size_t size = 0;
    for (const RawArgument& each : arguments) size += cells_for(std::max(each.bytes.size(), room));
    cells_.resize(size + cells_for(count_ * sizeof(void*)));
    addresses_ = reinterpret_cast<void**>(&cells_[size]);
    Cell* next = cells_.data();
    for (size_t i = 0; i < count_; ++i) {
      const std::string& bytes = arguments[i].bytes;
      addresses_[i] = next;
      if (!bytes.empty()) std::memcpy(next, bytes.data(), bytes.size());
      next += cells_for(std::max(bytes.size(), room));
    }
  }
  std::byte* value(size_t i) { return static_cast<std::byte*>(addresses_[i]); }
  const void* address(size_t i) const {
    const void* address = nullptr;
    std::memcpy(&address, addresses_[i], sizeof(address));
    return address;
  }
  // The address that is the value becomes what a checked kernel takes for it. `target`: an array,
  // or a block of memory.
  template <class Target>
  void set_pointer(size_t i, const CheckedLaunch& launch, const Target& target) {
    CheckedPointer pointer;
    if (launch.make_pointer(i, address(i), target, pointer))
      std::memcpy(value(i), &pointer, sizeof(pointer));
  }
  // They stay the same where this is moved.
  std::span<void* const> addresses() const { return {addresses_, count_}; }

 private:
  struct alignas(16) Cell {
    std::byte bytes[16] = {};
  };
  static size_t cells_for(size_t bytes) { return bytes == 0 ? 1 : (bytes + 15) / 16; }

  size_t count_;
  std::vector<Cell> cells_;
  void** addresses_;
};

bool one_number(const Operand& argument, const RawParameter* parameter) {
  if (!argument.is_array()) return true;
  return argument.array().is_scalar() ||
         (parameter && !parameter->pointer && argument.array().rank() == 0);
}

}  // namespace

// A number for a pointer may be the address of an array, whose content somebody still wants to
// read; so may arrays be that lie over the module's variables.
bool RawKernel::may_reach_pending(std::span<const RawArgument> arguments) const {
  if (module_->is_shared()) return true;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const RawParameter* known = parameter(i);
    const bool is_number = !arguments[i].operand.is_array();
    if (is_number && (!known || known->pointer || arguments[i].is_struct())) return true;
  }
  return false;
}

void RawKernel::launch(Session& session, const LaunchShape& shape,
                       std::span<const RawArgument> arguments, Space space) {
  check(arguments);
  const InterruptScope scope(session.interrupt);
  const Place place = session.place_of(space);
  const std::shared_ptr<CheckedKernel> checked =
      checks_launches(session, space) ? module_->checked_kernel(session, place, name_) : nullptr;
  const std::shared_ptr<UserFunction> function =
      checked ? checked->function : known_function(session, place);
  std::optional<CheckedLaunch> checks;
  if (checked) checks.emplace(session, checked);
  if (may_reach_pending(arguments)) launch_pending(session, place);
  const RecordedWorkOf records(session, space);
  Packed packed(arguments, checks ? sizeof(CheckedPointer) : 0);
  std::vector<LentMemory> lent;
  lent.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_struct()) continue;
    const RawParameter* known = parameter(i);
    const Operand& argument = arguments[i].operand;
    if (one_number(argument, known)) {
      const Scalar number =
          argument.is_array() ? item(session, argument.array()) : argument.scalar();
      number.store(dtype_of(i, number), packed.value(i));
      if (!checks || !known || !known->pointer) continue;
      const auto block = session.backend(place).raw_memory().block(packed.address(i));
      if (block.second && known->dtype) checks->lend(known->name, block, *known->dtype);
      packed.set_pointer(i, *checks, block);
      continue;
    }
    const Array& array = argument.array();
    if (array.space().is_host() && space.is_device())
      fail(ErrorKind::kType, "Unsupported type <class 'numpy.ndarray'>");
    const bool read = known && known->pointer && known->constant;
    const auto use = read ? LentMemory::Use::kRead : LentMemory::Use::kWrite;
    const void* address = lent.emplace_back(session, array, place, use).address();
    std::memcpy(packed.value(i), &address, sizeof(address));
    if (!checks) continue;
    checks->lend(known ? known->name : "", array, address);
    packed.set_pointer(i, *checks, array);
  }
  if (checks) checks->bring_variables(session.backend(place));
  launch_or_record(function,
                   {.grid = shape.grid,
                    .block = shape.block,
                    .shared_bytes = shape.shared_bytes,
                    .arguments = packed.addresses(),
                    .catches_faults = session.catches_kernel_faults,
                    .cooperative = module_->source().cooperative,
                    .checks = checks ? checks->checks() : nullptr},
                   packed);
  if (!checks) return;
  checks->return_variables(session.backend(place));
  checks->report(name_);
}

}  // namespace gpy::rt
