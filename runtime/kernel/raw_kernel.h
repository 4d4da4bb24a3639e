#pragma once

// Whole CUDA source, and kernels of it launched with a grid and a block of one's own.

#include <memory>
#include <unordered_map>
#include <string>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/kernel/generated.h"
#include "runtime/kernel/launch_shape.h"

namespace gpy::rt {

// One parameter of a kernel, as its C declaration says.
struct RawParameter {
  std::string type;  // without const and *: "float", "unsigned int"
  std::string name;
  std::optional<DType> dtype;  // of the number or of what is pointed to, where it is known
  bool pointer = false;
  bool constant = false;
};

// The parameter list of a kernel: "const float* x, int n".
std::vector<RawParameter> parse_raw_parameters(std::string_view text);
// The same of a kernel that whole source text declares. nullopt if it is not there.
std::optional<std::vector<RawParameter>> find_raw_parameters(std::string_view source,
                                                             std::string_view name);

class RawKernel;

class RawModule : public std::enable_shared_from_this<RawModule> {
 public:
  RawModule(std::string source, std::string name, std::vector<std::string> options);

  const std::string& source() const { return source_; }
  // Compiles for the place at first use. Throws kCompile, or kValue if there is no such kernel.
  std::shared_ptr<UserFunction> function(Session& session, Place place, const std::string& name);

 private:
  std::string source_, name_;
  std::vector<std::string> options_;
  ForkSafe<std::mutex> mutex_;
  std::unordered_map<int, std::shared_ptr<UserModule>> modules_;
  std::unordered_map<std::string, std::shared_ptr<UserFunction>> functions_;
};

class RawKernel {
 public:
  // `checked`: the arguments of a launch must fit the declaration in number, dtype and contiguity,
  // as kernel blocks promise; CuPy's classes check no more than that there are enough.
  RawKernel(std::shared_ptr<RawModule> module, std::string name, bool checked);

  // Arrays are passed as pointers: all are made ready first, and those behind a pointer that is not
  // const count as written. Runs on `space`'s device.
  void launch(Session& session, const LaunchShape& shape, std::span<const Operand> arguments,
              Space space);

  const std::string& name() const { return name_; }
  // Compiles now, for errors at once.
  void compile(Session& session, Space space);

 private:
  void check(std::span<const Operand> arguments) const;
  // The dtype that a number is passed as.
  DType dtype_of(size_t i, const Scalar& number) const;

  std::shared_ptr<RawModule> module_;
  std::string name_;
  bool checked_;
  std::optional<std::vector<RawParameter>> parameters_;
};

}  // namespace gpy::rt
