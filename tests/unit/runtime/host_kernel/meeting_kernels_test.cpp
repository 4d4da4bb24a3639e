#include "runtime/host_kernel/meeting_kernels.h"

#include <doctest/doctest.h>

namespace gpy::rt {
namespace {

const std::string kEnd = ".Lgpy_switch_at_end1:\n\tjmp *%rax\n";

bool is_alone(const std::string& assembly) {
  const std::string made = with_lone_kernels(assembly);
  REQUIRE(made.starts_with(assembly));
  return made.find("\n_gpy_alone_f:\n") != std::string::npos;
}

}  // namespace

TEST_CASE("a kernel runs alone that reaches no switch but its last") {
  const std::string entry = "_gpy_enter_f:\n";
  CHECK(is_alone(entry + kEnd));
  CHECK(is_alone(entry + "\tcall\tcosf@PLT\n" + kEnd));
  CHECK(is_alone(entry + "\tcall\tg\n" + kEnd + "g:\n\tret\nh:\n.Lgpy_switch2:\n\tjmp *%rax\n"));
  CHECK(is_alone(entry + "\tcall\t*_gpy_host+16(%rip)\n" + kEnd));
  CHECK(is_alone(entry + "\tcall\t_ZL5_gpy_v\n" + kEnd + "_ZL5_gpy_v:\n\tcall\t*16(%rdx)\n"));
  CHECK_FALSE(is_alone(entry + ".Lgpy_switch2:\n\tjmp *%rax\n" + kEnd));
  CHECK_FALSE(is_alone("g:\n" + kEnd));
}

TEST_CASE("it does not where one that it calls meets, or is not known") {
  const std::string entry = "_gpy_enter_f:\n\tcall\tg\n" + kEnd;
  const std::string meets = ".Lgpy_switch2:\n\tjmp *%rax\n";
  CHECK_FALSE(is_alone(entry + "g:\n" + meets));
  CHECK_FALSE(is_alone(entry + "g:\n\tjmp\th\nh:\n\tcall\tg\n" + meets));
  CHECK_FALSE(is_alone(entry + "g:\n\tret\ng.cold:\n" + meets));
  CHECK_FALSE(is_alone(entry + "g:\n#APP\nx:\n" + meets + "#NO_APP\n"));
  CHECK_FALSE(is_alone(entry + "g:\n\tcall\t*%rax\n"));
  CHECK_FALSE(is_alone(entry + "g:\n\tjmp\t*%rax\n"));
  CHECK_FALSE(is_alone("_gpy_enter_f:\n\tcall\t_ZN14_gpy_fiber_runE\n" + kEnd +
                       "_ZN14_gpy_fiber_runE:\n\tcall\t*%rax\n"));
}

}  // namespace gpy::rt
