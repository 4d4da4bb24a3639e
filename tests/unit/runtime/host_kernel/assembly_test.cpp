#include "runtime/host_kernel/assembly.h"

#include <doctest/doctest.h>

namespace gpy::rt {
namespace {

constexpr std::string_view kCheapPoll = "\ttestq\t%rsp, _gpy_stop(%rip)\n";
constexpr std::string_view kPoll = "\tpushq\t%rcx\n\tmovq\t_gpy_stop(%rip), %rcx\n";

std::string guarded(std::string_view assembly) {
  const auto out = guard_assembly(assembly, {"script.gpy"});
  REQUIRE(out);
  return *out;
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool polls(std::string_view assembly) { return count(guarded(assembly), "%rip)") > 2; }

}  // namespace

TEST_CASE("a poll stands before the comparison of a jump backwards") {
  const std::string text = guarded(".L3:\n\tincl\t%eax\n\tcmpl\t%eax, %edx\n\tjne\t.L3\n\tret\n");
  CHECK(count(text, kCheapPoll) == 1);
  CHECK(text.find(kCheapPoll) < text.find("cmpl\t%eax"));
  CHECK(count(text, "gpy_call0:\n\tcall\t_gpy_poll\n\tjmp\t.Lgpy_on0\n") == 1);
  CHECK(text.find("cmpl\t%eax, %edx\n\tjne\t.L3\n") != text.npos);
}

TEST_CASE("what keeps the flags may stand between, what changes or reads them may not") {
  CHECK(count(guarded(".L3:\n\tcmpl\t%eax, %edx\n\tmovl\t%eax, %ecx\n\tvaddps\t%ymm0, %ymm0, "
                      "%ymm0\n\tjne\t.L3\n"),
              kCheapPoll) == 1);
  for (const char* between : {"decl\t%ecx", "adcl\t%ecx, %ecx", "vptest\t%ymm0, %ymm0",
                              "addss\t%xmm0, %xmm1", "call\tf", ".L4:", "jp\t.L9"}) {
    CAPTURE(between);
    const std::string loop =
        std::string(".L3:\n\tcmpl\t%eax, %edx\n\t") + between + "\n\tjne\t.L3\n.L9:\n";
    CHECK(count(guarded(loop), kCheapPoll) == 0);
    CHECK(count(guarded(loop), kPoll) == 1);
  }
}

TEST_CASE("each kind of loop edge is polled, and jumps forward are not") {
  CHECK(polls(".L2:\n\tjmp\t.L2\n"));
  CHECK(polls("f:\n\tjmp\tf\n"));
  CHECK(polls("f:\n\tjmp\tf@PLT\n"));
  CHECK(polls("\tjmp\t*%rax\n"));
  CHECK(polls("\tnotrack jmp\t*%rax\n"));
  CHECK(polls("#APP\n1: nop; jne 1b\n#NO_APP\n"));
  CHECK(polls("#APP\n1: loop 1b\n#NO_APP\n"));
  CHECK_FALSE(polls("\tjmp\t.L2\n.L2:\n"));
  CHECK_FALSE(polls("\tje\t.L2\n\tret\n.L2:\n\tret\n"));
  CHECK_FALSE(polls("#APP\n jne 1f; 1:\n#NO_APP\n"));
  CHECK_FALSE(polls(".L2:\n\tcall\t.L2\n"));
}

TEST_CASE("a poll stands behind the label of its own line") {
  const std::string text = guarded("#APP\n1: 2: jmp 1b\n#NO_APP\n");
  CHECK(text.find("1:\n2:\n\tpushq\t%rcx") != text.npos);
}

TEST_CASE("assembly statements of another syntax are refused") {
  for (const char* statement : {".intel_syntax noprefix", ".macro m", "/* x */ nop", ".rept 3"}) {
    CHECK_FALSE(guard_assembly(std::string("#APP\n") + statement + "\n#NO_APP\n", {}));
  }
}

TEST_CASE("the table tells lines of the named files, and that others are none of theirs") {
  const std::string text = guarded(
      "\t.file 1 \"/usr/include/x.h\"\n\t.file 2 \"script.gpy\"\n\t.file 3 \"/w\" \"script.gpy\"\n"
      "f:\n\t.cfi_startproc\n\t.loc 2 7 3 view .LVU1\n\tnop\n\t.loc 2 7 9\n\tnop\n\t.loc 1 40 2\n"
      "\tnop\n\t.loc 3 8 2\n\tnop\n\t.loc 2 0 0\n");
  CHECK(count(text, "\t.long\t") == 5);
  CHECK(text.find("\t.long\t.Lgpy_at0-., -2, 0\n") != text.npos);
  CHECK(text.find("\t.long\t.Lgpy_at1-., 0, 7\n") != text.npos);
  CHECK(text.find("\t.long\t.Lgpy_at2-., -1, 40\n") != text.npos);
  CHECK(text.find("\t.long\t.Lgpy_at3-., 0, 8\n") != text.npos);
  CHECK(text.find("\t.long\t.Lgpy_at4-., -1, 0\n") != text.npos);
}

TEST_CASE("the files of a source are those of its #line directives") {
  CHECK(line_directive_files(
            "#line 1 \"<kernel>\"\nx\n#line 5 \"a\\\\b.gpy\"\n#line 6 \"a\\\\b.gpy\"\n"
            "#line 1 \"<generated>\"\n") == std::vector<std::string>{"<kernel>", "a\\b.gpy"});
}

}  // namespace gpy::rt
