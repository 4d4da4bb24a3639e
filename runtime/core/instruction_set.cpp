#include "runtime/core/instruction_set.h"

#include <cpuid.h>

#include <string>

#include "runtime/core/environment.h"

namespace gpy::rt {
namespace {

// clang does not know "f16c" as a name.
bool has_f16c() {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

InstructionSet detect() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl");
  const InstructionSet best = avx512 ? InstructionSet::kAvx512
                              : avx2 ? InstructionSet::kAvx2
                                     : InstructionSet::kBase;
  // Lower ones can be asked for, to test them.
  const std::string wish = environment_variable("GPY_CPU_ISA");
  if (wish == "base") return InstructionSet::kBase;
  return wish == "avx2" && avx2 ? InstructionSet::kAvx2 : best;
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet set = detect();
  return set;
}

}  // namespace gpy::rt
