// Every backend that this machine has computes what the CPU computes: the same bits for integers
// and + - * / sqrt, within the stated ulps for the rest, and the same bits again when run again.

#include <doctest/doctest.h>

#include "plan_cases.h"
#include "runtime/cpu/cpu_backend.h"
#include "runtime/cuda/make_backend.h"

namespace gpy::rt {
namespace {

using test::PlanCase;

void compare(Backend& other, const std::vector<PlanCase>& cases) {
  CpuBackend cpu;
  for (const PlanCase& one : cases) {
    const test::CaseData data(one);
    const test::Outputs expected = data.run_on(cpu);
    const test::Outputs found = data.run_on(other);
    CHECK(test::difference(one, expected, found) == "");
    CHECK_MESSAGE(data.run_on(other) == found, one.name, " differs from run to run");
  }
}

// A prepared plan runs again with other memory, whether or not it is told that blocks are apart.
void check_prepared(Backend& backend, const std::vector<PlanCase>& cases) {
  for (const PlanCase& one : cases) {
    const test::CaseData data(one);
    const test::Outputs expected = data.run_on(backend);
    for (const bool apart : {false, true}) {
      for (const test::Outputs& found : data.run_prepared_on(backend, apart)) {
        CHECK_MESSAGE(found == expected, one.name, apart ? ", apart" : "");
      }
    }
  }
}

// Sums of numbers that round: the tree is this backend's own, and follows from the shape alone.
void check_trees(Backend& backend) {
  for (const test::TreePair& pair : test::tree_pairs()) {
    const test::Outputs a = test::CaseData(pair.plain).run_on(backend);
    const test::Outputs b = test::CaseData(pair.other).run_on(backend);
    CHECK_MESSAGE(a.back() == b.back(), pair.plain.name, " and ", pair.other.name);
  }
}

}  // namespace

TEST_CASE("a prepared plan runs again in other memory") {
  CpuBackend cpu;
  SUBCASE("structures") { check_prepared(cpu, test::structure_cases()); }
  SUBCASE("reductions and scans") { check_prepared(cpu, test::reduction_cases()); }
}

TEST_CASE("cuda computes what the cpu computes") {
  std::string why_not = "no GPU";
  const auto cuda = cuda_device_count() > 0 ? make_cuda_backend(0, &why_not) : nullptr;
  if (!cuda) {
    MESSAGE("skipped: " << why_not);
    return;
  }
  SUBCASE("structures") { compare(*cuda, test::structure_cases()); }
  SUBCASE("operations and casts") {
    // Zipf draws beyond 2^53 are other ints where a power's last bit is another one.
    std::vector<PlanCase> cases = test::ufunc_cases();
    std::erase_if(cases, [](const PlanCase& one) { return one.name.starts_with("draw_zipf"); });
    compare(*cuda, cases);
  }
  SUBCASE("reductions and scans") { compare(*cuda, test::reduction_cases()); }
  SUBCASE("prepared plans") { check_prepared(*cuda, test::structure_cases()); }
  SUBCASE("a sum's tree") { check_trees(*cuda); }
}

}  // namespace gpy::rt
