#pragma once

// Kernels whose text a user wrote in CUDA C++: compiled by NVRTC for a GPU, by the system's C++
// compiler for the host. They are handed over as whole source text, generated around the user's
// body by `kernel/`; #line directives in it map places back to the user's file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gpy::rt {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

// The prefix of the entries of generated kernels.
constexpr const char* kGeneratedEntry = "_gpy_kernel_";

struct LaunchChecks;

struct KernelLaunch {
  Dim3 grid, block;
  size_t shared_bytes = 0;
  // Addresses of the values, as cuLaunchKernel takes them.
  std::span<void* const> arguments = {};
  int64_t elements = 0;            // of a generated kernel: errors on the host name the element
  bool in_ranges = false;          // on the host they are computed in ranges, by one block each
  bool catches_faults = false;     // a fault on the host is an error, as Session has it
  bool cooperative = false;        // all blocks run at once: they may wait for one another
  LaunchChecks* checks = nullptr;  // of a kernel whose text is checked
};

// What is known of compiled code; the numbers are CUDA's (CUfunction_attribute).
enum class FunctionAttribute : int {
  kMaxThreadsPerBlock = 0,
  kSharedSizeBytes = 1,
  kConstSizeBytes = 2,
  kLocalSizeBytes = 3,
  kNumRegs = 4,
  kPtxVersion = 5,
  kBinaryVersion = 6,
  kCacheModeCa = 7,
  kMaxDynamicSharedSizeBytes = 8,
  kPreferredSharedMemoryCarveout = 9,
};

// What one multiprocessor of a GPU runs at once of a launch.
struct Occupancy {
  int blocks = 0;
  int threads = 0;       // of these blocks
  int most_threads = 0;  // of any kernel
};

// A variable of a module.
struct GlobalVariable {
  void* address;
  size_t bytes;
};

// One compiled function.
class UserFunction {
 public:
  virtual ~UserFunction() = default;
  // Throws kInterrupt, and KernelFaultError where the host runs it. Its outputs are then undefined.
  virtual void launch(const KernelLaunch& launch) = 0;
  // On the host what a GPU alone has is 0, and limits are those of the devices that launches keep
  // to.
  virtual int attribute(FunctionAttribute attribute) = 0;
  // The last two can be set. Throws kValue for what the device has not.
  virtual void set_attribute(FunctionAttribute attribute, int value) = 0;
  // All 0 on the host.
  virtual Occupancy occupancy(int threads_a_block, size_t shared_bytes) = 0;
  // The text of its module's PTX. Throws kNotImplemented on the host, and where only machine code
  // is known.
  virtual std::string ptx() = 0;
  // Its module's machine code, as CUDA's nvdisasm shows it. Throws kNotImplemented on
  // the host, and where that program is not found.
  virtual std::string sass() = 0;
};

class UserModule {
 public:
  virtual ~UserModule() = default;
  // Throws kValue if the module has no such kernel.
  virtual std::shared_ptr<UserFunction> function(const std::string& name) = 0;
  // nullopt if the module has no such variable.
  virtual std::optional<GlobalVariable> global(const std::string& name) = 0;
  // The compiler's messages about text that compiled; empty where it was compiled before.
  virtual std::string log() const { return ""; }
};

class UserKernels {
 public:
  virtual ~UserKernels() = default;
  // Compiles (or finds compiled) source text. `instances` name functions of it that have no name of
  // their own, such as "f<float>". Throws kCompile with the compiler's message, places as the #line
  // directives say; kNotImplemented where no compiler is found.
  virtual std::shared_ptr<UserModule> compile(const std::string& source, const std::string& name,
                                              std::span<const std::string> options,
                                              std::span<const std::string> instances) = 0;
  std::shared_ptr<UserModule> compile(const std::string& source, const std::string& name,
                                      std::span<const std::string> options) {
    return compile(source, name, options, {});
  }
  // Loads a device's machine code, or PTX. Throws kValue for what the device does not take.
  virtual std::shared_ptr<UserModule> load(const std::string& code, const std::string& name) = 0;
};

}  // namespace gpy::rt
