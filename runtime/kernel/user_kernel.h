#pragma once

// Kernels whose text a user wrote in CUDA C++: compiled by NVRTC for a GPU, by the system's C++
// compiler for the host. They are handed over as whole source text, generated around the user's
// body by `kernel/`; #line directives in it map places back to the user's file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gpy::rt {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

// The prefix of the entries of generated kernels.
constexpr const char* kGeneratedEntry = "_gpy_kernel_";

struct KernelLaunch {
  Dim3 grid, block;
  size_t shared_bytes = 0;
  std::span<void* const> arguments;  // addresses of the values, as cuLaunchKernel takes them
  bool by_element = false;           // a generated kernel: errors on the host name the element
  bool catches_faults = false;       // a fault on the host is an error, as Session has it
};

// One compiled function.
class UserFunction {
 public:
  virtual ~UserFunction() = default;
  // Throws kInterrupt, and KernelFaultError where the host runs it. Its outputs are then undefined.
  virtual void launch(const KernelLaunch& launch) = 0;
};

class UserModule {
 public:
  virtual ~UserModule() = default;
  // Throws kValue if the module has no such kernel.
  virtual std::shared_ptr<UserFunction> function(const std::string& name) = 0;
};

class UserKernels {
 public:
  virtual ~UserKernels() = default;
  // Compiles (or finds compiled) source text. Throws kCompile with the compiler's message, places
  // as the #line directives say; kNotImplemented where no compiler is found.
  virtual std::shared_ptr<UserModule> compile(const std::string& source, const std::string& name,
                                              std::span<const std::string> options) = 0;
};

}  // namespace gpy::rt
