#pragma once

// Code that calls CUDA's device runtime, as kernels do that launch kernels: it is compiled to be
// linked, by the driver, with the toolkit's libcudadevrt.a.

#include <span>
#include <string>

#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

constexpr const char* kRelocatable = "--relocatable-device-code=true";

// Whether NVRTC's options ask for such code.
bool is_relocatable(std::span<const std::string> options);

// Such code as a cubin. `name`: of its text. Throws kNotImplemented where the library is not found,
// kCompile with the linker's messages.
std::string linked(Context& context, const std::string& code, const std::string& name);

}  // namespace gpy::rt::cuda
