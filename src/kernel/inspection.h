#pragma once
// What a kernel was compiled to: the attributes `source`, `ptx`, `sass` and `attributes` that all
// kernels have, and what gp.explain says of them.

#include <memory>
#include <string>
#include <vector>

#include "runtime/kernel/user_kernel.h"
#include "src/array/arrays.h"

namespace gpy {

struct KernelVersion {
  std::string arguments;  // those that it was compiled for; empty: it takes any
  rt::Place place;
  std::string source;
  std::shared_ptr<rt::UserFunction> function;
};

struct AttributeName {
  const char* name;
  rt::FunctionAttribute attribute;
  bool is_settable = false;
};
// CuPy's names.
inline constexpr AttributeName kAttributeNames[] = {
    {"max_threads_per_block", rt::FunctionAttribute::kMaxThreadsPerBlock},
    {"shared_size_bytes", rt::FunctionAttribute::kSharedSizeBytes},
    {"const_size_bytes", rt::FunctionAttribute::kConstSizeBytes},
    {"local_size_bytes", rt::FunctionAttribute::kLocalSizeBytes},
    {"num_regs", rt::FunctionAttribute::kNumRegs},
    {"ptx_version", rt::FunctionAttribute::kPtxVersion},
    {"binary_version", rt::FunctionAttribute::kBinaryVersion},
    {"cache_mode_ca", rt::FunctionAttribute::kCacheModeCa},
    {"max_dynamic_shared_size_bytes", rt::FunctionAttribute::kMaxDynamicSharedSizeBytes, true},
    {"preferred_shared_memory_carveout", rt::FunctionAttribute::kPreferredSharedMemoryCarveout,
     true},
};

// Gives a type of kernels the attributes.
void add_inspection(Type& kernel_type);

// A line or more for each version of a kernel, or for the launch of one: `f[grid, block]`. Empty
// for what is neither.
std::string explain_kernel(Interpreter& vm, const Value& kernel);

}  // namespace gpy
