#pragma once

// The two kernels of a reduction, and what kernels that combine elements have in common.

#include "runtime/kernel/reduction_kernel.h"
#include "runtime/kernel/reduction_schedule.h"

namespace gpy::rt {

// The most bytes of a reduce_type that the kernel names: only the compiler knows its size.
constexpr int64_t kMostReducedBytes = 64;

// Whole source text for one binding of arguments. `fields`: those of the argument block.
std::string reduction_source(const ReductionText& text, const TypeBinding& types,
                             std::span<const Bound> inputs, const std::string& fields,
                             const ReductionSchedule& schedule, int rank);

// The definitions that come before a kernel's functions: the library's types, placeholders, the
// preamble, `_gpy_reduced` as `type` and the argument block.
std::string combining_head(const TypeBinding& types, const std::string& preamble,
                           const std::string& type, const KernelPlace& type_place,
                           const std::string& fields);
// A function "HEAD { ... return (_gpy_reduced)(EXPRESSION); }" of the user's expression.
std::string combining_function(const std::string& head, const std::string& expression,
                               const KernelPlace& place);
// `_gpy_identity()`, a function of the user's expression; nothing where there is none.
std::string identity_function(const std::string& identity, const KernelPlace& place);
// " = _gpy_identity()", or nothing where there is none.
std::string initial_value(const std::string& identity);

}  // namespace gpy::rt
