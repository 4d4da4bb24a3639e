// NVRTC compiles generated kernels to machine code with no GPU in sight.

#include <doctest/doctest.h>

#include "../backend_suite/plan_cases.h"
#include "kernel_batch.h"

#if GPY_HAVE_CUDA
#include "runtime/cuda/nvrtc.h"

namespace gpy::rt {
namespace {

constexpr size_t kKernelsAText = 100;

std::string text_of(const Plan& plan, const Hostile& hostile) {
  Bindings bindings;
  bindings.inputs.resize(plan.inputs.size());
  bindings.outputs.resize(plan.outputs.size() + 1);
  cuda::Schedule schedule;
  cuda::make_schedule(plan, bindings, schedule, hostile);
  return cuda::kernel_text(plan, schedule);
}

void compile_all(cuda::Nvrtc& nvrtc, const std::vector<test::PlanCase>& cases,
                 const Hostile& hostile = {}) {
  const std::vector<std::string> options = {"--gpu-architecture=sm_90", "--fmad=false", "--minimal",
                                            "--std=c++17"};
  for (size_t first = 0; first < cases.size(); first += kKernelsAText) {
    std::string kernels;
    for (size_t i = first; i < std::min(first + kKernelsAText, cases.size()); ++i) {
      kernels += fmt::format("// {}\n", cases[i].name);
      kernels += test::in_namespace(static_cast<int>(i), text_of(cases[i].plan, hostile));
    }
    const auto result = nvrtc.compile(cuda::with_support(kernels), "generated", options);
    CHECK_MESSAGE(result.ok, result.log.substr(0, 4000));
    CHECK(result.code.size() > 0);
  }
}

// A third of the loops, another one of every operation: the compiler needs 2-40 ms for each.
std::vector<test::PlanCase> every_third(std::vector<test::PlanCase> cases) {
  std::vector<test::PlanCase> some;
  for (size_t i = 0; i < cases.size(); i += 3) some.push_back(std::move(cases[i]));
  return some;
}

}  // namespace

TEST_CASE("NVRTC compiles what is generated") {
  std::string why_not;
  const auto nvrtc = cuda::Nvrtc::open(0, &why_not);
  if (!nvrtc) {
    MESSAGE("skipped: " << why_not);
    return;
  }
  SUBCASE("every structure") { compile_all(*nvrtc, test::structure_cases()); }
  SUBCASE("every structure, in small blocks that walk the grid by wide indices") {
    compile_all(*nvrtc, test::structure_cases(), Hostile::parse("block,grid,wide"));
  }
  SUBCASE("operations and casts") { compile_all(*nvrtc, every_third(test::ufunc_cases())); }
  SUBCASE("draws from distributions") {
    std::vector<test::PlanCase> cases = test::ufunc_cases();
    std::erase_if(cases, [](const auto& one) { return !one.name.starts_with("draw_"); });
    CHECK(cases.size() == 25);
    compile_all(*nvrtc, cases);
  }
  SUBCASE("reductions and scans") { compile_all(*nvrtc, every_third(test::reduction_cases())); }
}

}  // namespace gpy::rt
#endif
