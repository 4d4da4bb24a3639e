#include "runtime/host_kernel/assembly.h"

#include <doctest/doctest.h>

#include "runtime/kernel/line_directives.h"

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

TEST_CASE("a jump backwards to code that sets the flags anew needs none kept") {
  for (const char* first : {"", "movl\t%eax, %ecx\n\t", ".L4:\n\t"}) {
    CAPTURE(first);
    const std::string loop = std::string(".L3:\n\t") + first +
                             "testb\t%al, %al\n\tje\t.L9\n\tdecl\t%eax\n\tjmp\t.L3\n.L9:\n";
    CHECK(count(guarded(loop), kCheapPoll) == 1);
    CHECK(guarded(loop).find("\tdecl\t%eax\n\ttestq") != std::string::npos);
  }
  for (const char* first : {"adcl\t%ecx, %ecx\n\t", "jc\t.L8\n\t", "cmovel\t%eax, %ecx\n\t"}) {
    CAPTURE(first);
    const std::string loop = std::string(".L3:\n\t") + first +
                             "testb\t%al, %al\n\tje\t.L9\n\tdecl\t%eax\n\tjmp\t.L3\n.L9:\n";
    CHECK(count(guarded(loop), kCheapPoll) == 0);
    CHECK(count(guarded(loop), kPoll) == 1);
  }
}

TEST_CASE("a jump to another fiber is not polled, and the next one is") {
  CHECK_FALSE(polls("#APP\n.Lgpy_switch7:\n\tjmp *%rax\n1:\n#NO_APP\n"));
  CHECK(polls("#APP\n.Lgpy_switch7:\n\tjmp *%rax\n1:\n\tjmp *%rax\n#NO_APP\n"));
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

TEST_CASE("what a function jumps to at its end is called where it can be left") {
  CHECK(guarded("f:\n\tjmp\tmemset@PLT\n").find("\tcall\tmemset@PLT\n") != std::string::npos);
  CHECK(guarded("f:\n\tjmp\tqsort@PLT\n").find("\tcall\tqsort") == std::string::npos);
}

TEST_CASE("a poll stands behind the label of its own line") {
  const std::string text = guarded("#APP\n1: 2: jmp 1b\n#NO_APP\n");
  CHECK(text.find("1:\n2:\n\tpushq\t%rcx") != text.npos);
}

TEST_CASE("a poll stands behind a label and before a comparison of the same line") {
  const std::string text = guarded("#APP\n1: subl $1, %eax; jne 1b\n#NO_APP\n");
  CHECK(text.find(std::string("1:\n") += kCheapPoll) != text.npos);
}

TEST_CASE("no poll stands between a prefix and its instruction") {
  const std::string text = guarded(
      "#APP\n\tlock; subl $1, %eax\n#NO_APP\n\tje\t.L2\n.L2:\n"
      ".L3:\n#APP\n\tlock; subl $1, (%rdx)\n#NO_APP\n\tjne\t.L3\n");
  CHECK(text.find("\tlock\n subl $1, (%rdx)\n") != text.npos);
  CHECK(count(text, kCheapPoll) == 1);
  CHECK(guarded("1:\n\tnotrack jmp\t*%rax\n").find("\tpopq\t%rcx\n\tnotrack jmp") !=
        std::string::npos);
  CHECK(guarded("#APP\n1: bnd; jmp 1b\n#NO_APP\n").find("\tpopq\t%rcx\nbnd\n jmp 1b\n") !=
        std::string::npos);
  CHECK_FALSE(guard_assembly("#APP\n lock; 1: incl (%rax)\n#NO_APP\n", {}));
}

TEST_CASE("a jump to so many bytes from a place is not understood") {
  for (const char* target : {".", ".-2", ".L1+4", "1f-8"}) {
    CAPTURE(target);
    CHECK_FALSE(guard_assembly(std::string("#APP\n jmp ") + target + "\n.L1: 1:\n", {}));
  }
}

TEST_CASE("calls and returns in assembly statements may be loops") {
  CHECK(polls("#APP\n1: lea 1b(%rip), %rax; push %rax; ret\n#NO_APP\n"));
  CHECK(polls("#APP\n1: add $8, %rsp; call 1b\n#NO_APP\n"));
  CHECK_FALSE(polls("#APP\n call f\n#NO_APP\n"));
  CHECK_FALSE(polls("f:\n\tcall\tf\n\tret\n"));
}

TEST_CASE("bytes that may be instructions are not understood") {
  for (const char* statement :
       {".byte 0xeb, 0xfe", ".word 0xfeeb", ".long 1", ".quad 1", ".ascii \"\\353\\376\"",
        ".string \"x\"", ".fill 1, 2, 0xfeeb", "1: nop; .value 0xfceb", ".insn 1"}) {
    CAPTURE(statement);
    CHECK_FALSE(guard_assembly(std::string("#APP\n ") + statement + "\n#NO_APP\n", {}));
    CHECK(guard_assembly(std::string("\t") + statement + "\n", {}));
  }
  // Compilers put their own data here as well.
  CHECK(
      guard_assembly("#APP\n nop\n\t.section\t.rodata.str1.1,\"aMS\",@progbits,1\n.LC0:\n"
                     "\t.string\t\"ready\"\n#NO_APP\n\t.text\n",
                     {}));
  CHECK_FALSE(guard_assembly("#APP\n.section .rodata\n.text\n.byte 1\n#NO_APP\n", {}));
  CHECK_FALSE(guard_assembly("#APP\n.section .data.x,\"awx\"\n.byte 1\n#NO_APP\n", {}));
  CHECK(guard_assembly("#APP\n .p2align 4; .cfi_undefined rip; .globl f\n#NO_APP\n", {}));
}

TEST_CASE("what would run as an object is opened and closed is put into sections of its own") {
  const std::string kList = "\t.quad\tf\n";
  CHECK(defer_initialisers("\t.section\t.init_array.00100,\"aw\"\n" + kList) ==
        "\t.section\tgpy_init,\"aw\",@progbits\n" + kList);
  CHECK(defer_initialisers("\t.section\t.fini_array,\"aw\"\n" + kList) ==
        "\t.section\tgpy_fini,\"aw\",@progbits\n" + kList);
  CHECK(
      defer_initialisers("#APP\n nop; .pushsection \".ctors\"; .quad f; .popsection\n#NO_APP\n") ==
      "#APP\n nop;\t.pushsection\tgpy_init,\"aw\",@progbits; .quad f; .popsection\n#NO_APP\n");
  for (const char* other : {"\t.section\t.rodata\n", "x:\t.asciz\t\"a;.section .ctors\"\n", "a"})
    CHECK(defer_initialisers(other) == other);
}

TEST_CASE("assembly statements of another syntax are refused") {
  for (const char* statement :
       {".intel_syntax noprefix", ".macro m", "/* x */ nop", ".rept 3", ".set a, b", "a = 1b"}) {
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

TEST_CASE("names of files are told with escapes") {
  const auto text = guard_assembly("\t.file 1 \"\\303\\251\\\\\\\".gpy\"\n\t.loc 1 7 3\n\tnop\n",
                                   {"\303\251\\\".gpy"});
  REQUIRE(text);
  CHECK(text->find("\t.long\t.Lgpy_at0-., 0, 7\n") != text->npos);
}

TEST_CASE("the files of a source are those of its #line directives") {
  CHECK(line_directive_files(
            "#line 1 \"<kernel>\"\nx\n#line 5 \"a\\\\b.gpy\"\n#line 6 \"a\\\\b.gpy\"\n"
            "#line 1 \"<generated>\"\n") == std::vector<std::string>{"<kernel>", "a\\b.gpy"});
}

}  // namespace gpy::rt
