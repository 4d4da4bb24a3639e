#pragma once

// Kernels of whole CUDA source, launched with a grid and a block of one's own.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "runtime/kernel/launch_shape.h"
#include "runtime/kernel/raw_module.h"
#include "runtime/kernel/raw_parameters.h"

namespace gpy::rt {

// An argument of a launch: an array or a number, or the bytes of a struct that is passed by value.
struct RawArgument {
  RawArgument(Operand operand) : operand(std::move(operand)) {}
  RawArgument(std::string bytes) : operand(Scalar(0)), bytes(std::move(bytes)) {}

  bool is_struct() const { return !bytes.empty(); }

  Operand operand;
  std::string bytes;
  bool is_address = false;  // a number that is an address, or 0 for none
};

class RawKernel {
 public:
  // `checked`: the arguments of a launch must fit the declaration in number, dtype and contiguity,
  // as kernel blocks promise; CuPy's classes check no more than that there are enough.
  RawKernel(std::shared_ptr<RawModule> module, std::string name, bool checked);

  // Arrays are passed as pointers: all are made ready first, and those behind a pointer that is not
  // const count as written. Runs on `space`'s device.
  void launch(Session& session, const LaunchShape& shape, std::span<const RawArgument> arguments,
              Space space);

  const std::string& name() const { return name_; }
  const std::shared_ptr<RawModule>& module() const { return module_; }
  // Whether its text names printf, which writes to the C library's stdout.
  bool prints() const { return prints_; }
  // Null: its declaration is not known, or has fewer.
  const RawParameter* parameter(size_t i) const;
  // The compiled kernel; compiles it now. Gives the compiler's messages where `log` is not null.
  std::shared_ptr<UserFunction> function(Session& session, Space space, std::string* log = nullptr);

 private:
  void check(std::span<const RawArgument> arguments) const;
  // The dtype that a number is passed as.
  DType dtype_of(size_t i, const Scalar& number) const;
  // Whether pending work may use memory that the kernel reaches by an address.
  bool may_reach_pending(std::span<const RawArgument> arguments) const;

  // The same, which is looked up once for each place.
  std::shared_ptr<UserFunction> known_function(Session& session, Place place);

  std::shared_ptr<RawModule> module_;
  std::string name_;
  bool checked_, prints_;
  ForkSafe<std::mutex> mutex_;
  std::array<std::shared_ptr<UserFunction>, kMaxPlaces> functions_;
  std::optional<std::vector<RawParameter>> parameters_;
};

}  // namespace gpy::rt
