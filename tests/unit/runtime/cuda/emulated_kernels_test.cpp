// The text of generated kernels, executed on the host, against the CPU backend.

#include <doctest/doctest.h>

#include "../backend_suite/plan_cases.h"
#include "emulator.h"
#include "runtime/cpu/cpu_backend.h"

namespace gpy::rt {

namespace {

bool has_compiler() {
  if (std::system("${CXX:-c++} --version > /dev/null 2>&1") == 0) return true;
  MESSAGE("skipped: there is no C++ compiler on this machine");
  return false;
}

// Adds every case's kernel to `emulator`.
std::vector<test::CaseData> prepare(const std::vector<test::PlanCase>& cases,
                                    test::KernelEmulator& emulator) {
  std::vector<test::CaseData> data;
  data.reserve(cases.size());
  for (const test::PlanCase& one : cases) {
    data.emplace_back(one);
    data.back().run_by([&](const Plan& plan, const Bindings& b) { emulator.add(plan, b); });
  }
  return data;
}

}  // namespace

TEST_CASE("generated kernels compute what the CPU computes") {
  if (!has_compiler()) return;
  CpuBackend cpu;
  const std::vector<test::PlanCase> cases = test::structure_cases();
  test::KernelEmulator emulator;
  const std::vector<test::CaseData> data = prepare(cases, emulator);
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

TEST_CASE("a sum's tree follows from its shape") {
  if (!has_compiler()) return;
  std::vector<test::PlanCase> cases;
  for (test::TreePair& pair : test::tree_pairs()) {
    cases.push_back(std::move(pair.plain));
    cases.push_back(std::move(pair.other));
  }
  test::KernelEmulator emulator;
  const std::vector<test::CaseData> data = prepare(cases, emulator);
  std::string log;
  const bool compiled = emulator.compile(&log);
  REQUIRE_MESSAGE(compiled, log);
  auto run = [&](const Plan& plan, const Bindings& b) { emulator.run(plan, b); };
  for (size_t i = 0; i < cases.size(); i += 2) {
    const auto a = data[i].run_by(run), b = data[i + 1].run_by(run);
    CHECK_MESSAGE(a.back() == b.back(), cases[i].name, " and ", cases[i + 1].name);
  }
}

TEST_CASE("blocks of 32, a grid of 2 and wide indices change no bit") {
  if (!has_compiler()) return;
  const std::vector<test::PlanCase> cases = test::structure_cases();
  test::KernelEmulator usual, hostile(Hostile::parse("block,grid,wide"));
  const std::vector<test::CaseData> data = prepare(cases, usual), again = prepare(cases, hostile);
  std::string log;
  REQUIRE_MESSAGE(usual.compile(&log), log);
  REQUIRE_MESSAGE(hostile.compile(&log), log);
  for (size_t i = 0; i < cases.size(); ++i) {
    auto by = [&](test::KernelEmulator& emulator) {
      return data[i].run_by([&](const Plan& plan, const Bindings& b) { emulator.run(plan, b); });
    };
    CHECK_MESSAGE(by(usual) == by(hostile), cases[i].name);
  }
}

}  // namespace gpy::rt
