// The text of generated kernels, executed on the host, against the CPU backend.

#include <doctest/doctest.h>

#include "../backend_suite/plan_cases.h"
#include "emulator.h"
#include "runtime/cpu/cpu_backend.h"

namespace gpy::rt {

TEST_CASE("generated kernels compute what the CPU computes") {
  if (std::system("${CXX:-c++} --version > /dev/null 2>&1") != 0) {
    MESSAGE("skipped: there is no C++ compiler on this machine");
    return;
  }
  CpuBackend cpu;
  const std::vector<test::PlanCase> cases = test::structure_cases();
  test::KernelEmulator emulator;
  std::vector<test::CaseData> data;
  data.reserve(cases.size());
  for (const test::PlanCase& one : cases) {
    data.emplace_back(one);
    data.back().run_by([&](const Plan& plan, const Bindings& b) { emulator.add(plan, b); });
  }
  std::string log;
  const bool compiled = emulator.compile(&log);
  REQUIRE_MESSAGE(compiled, log);
  for (size_t i = 0; i < cases.size(); ++i) {
    const test::Outputs expected = data[i].run_on(cpu);
    const test::Outputs found =
        data[i].run_by([&](const Plan& plan, const Bindings& b) { emulator.run(plan, b); });
    CHECK(test::difference(cases[i], expected, found) == "");
  }
}

}  // namespace gpy::rt
