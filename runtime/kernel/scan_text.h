#pragma once

// The kernels of a scan.

#include "runtime/kernel/scan_kernel.h"

namespace gpy::rt {

constexpr int64_t kScanThreads = 256;  // of a GPU's block

// Whole source text for one binding of arguments, whose last is the output. `fields`: those of the
// argument block.
std::string scan_source(const ScanText& text, const TypeBinding& types,
                        std::span<const Bound> bound, const std::string& fields, int rank);

}  // namespace gpy::rt
