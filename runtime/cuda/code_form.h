#pragma once

// The form of NVRTC's code that the driver loads, where the driver is the older one of the two.

#include <optional>
#include <string>

#include "runtime/cuda/compiler.h"
#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

// Chooses cubins where the driver is no older than NVRTC. Else a kernel is tried: as a cubin, which
// drivers of the same major version load, then as PTX of a version that the driver knows, with a
// line on stderr. Nothing where neither loads, with one line in `why_not`.
std::optional<CodeForm> choose_code_form(Context& context, Nvrtc& nvrtc, std::string* why_not);

// 83 for a driver of CUDA 12.3: the newest version of PTX that it translates. 0: none known.
int newest_ptx(int driver_version);

}  // namespace gpy::rt::cuda
