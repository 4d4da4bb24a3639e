// Hostile runs of the CPU's plans: other tiles, slow threads, memory full of garbage.

#include <doctest/doctest.h>

#include <cstring>

#include "../backend_suite/plan_cases.h"
#include "runtime/core/error.h"
#include "runtime/cpu/cpu_backend.h"

namespace gpy::rt {

namespace {

void check_same_bits(const std::vector<test::PlanCase>& cases, std::string_view names) {
  CpuBackend usual, hostile(Hostile::parse(names));
  for (const test::PlanCase& each : cases) {
    const test::CaseData data(each);
    CHECK_MESSAGE(data.run_on(usual) == data.run_on(hostile), each.name, " under ", names);
  }
}

}  // namespace

TEST_CASE("tiles of 7 and delayed threads change no bit") {
  for (const char* names : {"tile", "delays", "tile,delays,poison,pool"}) {
    check_same_bits(test::structure_cases(), names);
    check_same_bits(test::reduction_cases(), names);
  }
}

TEST_CASE("fresh memory is poisoned, and what is freed is not kept") {
  CpuBackend hostile(Hostile::parse("poison,pool"));
  const Ref<Buffer> buffer = hostile.allocate(1000);
  const std::vector<unsigned char> poison(1000, kPoison);
  CHECK(std::memcmp(buffer->data(), poison.data(), poison.size()) == 0);
  { const Ref<Buffer> gone = hostile.allocate(5000); }
  CHECK(hostile.memory_use().free_blocks == 0);
  CHECK_THROWS_WITH(Hostile::parse("tile,nothing"), "there is no hostile run named 'nothing'");
}

}  // namespace gpy::rt
