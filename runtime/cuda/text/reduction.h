#pragma once

// Reductions and scans: forms, launches and the device functions they call.

#include <string_view>

#include "runtime/cuda/text/kernel_source.h"

namespace gpy::rt::cuda {

LaunchList reduction_launches(const Plan& plan, const Schedule& schedule);
Workspace reduction_workspace(const Plan& plan, const Schedule& schedule);

// `struct Reduce`: the table's row of this reduction for its type.
void write_reduce_struct(const Plan& plan, CppWriter& out);

// Come after the struct Reduce and the functions fetch and result_offset of a kernel.
std::string_view reduction_device_text();
std::string_view scan_device_text();

// True where every order of combining gives the same bits.
bool is_order_free(const Plan& plan);

}  // namespace gpy::rt::cuda
