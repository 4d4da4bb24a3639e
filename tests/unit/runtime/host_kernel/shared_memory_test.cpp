#include "runtime/host_kernel/shared_memory.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("shared memory is counted by function, and other variables are not") {
  CHECK(declared_shared_bytes("\t.section\t.tbss,\"awT\",@nobits\n\t.size\t_ZZ1gE1u, 20\n") == 0);
  CHECK(declared_shared_bytes(
            "\t.section\t.tbss.gpy_shared,\"awT\",@nobits\n\t.size\t_ZZ1fE1s, 400\n_ZZ1fE1s:\n"
            "\t.size\t_ZZ1fE1t, 40\n\t.size\t_ZZ1gE1t, 8\n\t.text\n\t.size\tf, 1000\n") == 440);
}

TEST_CASE("a function's own variables are told by what stands behind its name") {
  const auto bytes = [](const std::string& symbols) {
    return declared_shared_bytes("\t.section\t.tbss.gpy_shared,\"awT\",@nobits\n" + symbols);
  };
  CHECK(bytes("\t.size\t_ZZ1fPfE1a, 4\n\t.size\t_ZZ1fPfE2bE, 8\n") == 12);
  CHECK(bytes("\t.size\t_ZZ1fPfE1a, 4\n\t.size\t_ZZ1fPfE1a_0, 8\n") == 12);
  CHECK(bytes("\t.size\t_ZZ1fPfE5xE1yE, 4\n\t.size\t_ZZ1fPfE1E, 8\n") == 12);
  CHECK(bytes("\t.size\t_ZZ4EdgeN1E1XEE1a, 4\n\t.size\t_ZZ4EdgeN1E1YEE1a, 8\n") == 8);
}

TEST_CASE("the way to a thread's variables leads into the block's region") {
  const std::string before = "f:\n\tpushq\t%rbx\n", after = "\tmovl\tx@dtpoff(%rax), %eax\n";
  const std::string asks = "\tleaq\tx@tlsld(%rip), %rdi\n\tcall\t__tls_get_addr@PLT\n";
  CHECK(with_shared_in_region(before + asks + after, 17) ==
        before + "\tmovq\t%rsp, %rax\n\tandq\t$-268435456, %rax\n\taddq\t$1048576, %rax\n" + after);
  const std::string other = "\tleaq\tx@tlsgd(%rip), %rdi\n\tcall\t__tls_get_addr@PLT\n";
  CHECK(with_shared_in_region(before + asks + other, 17) == before + asks + other);
  const std::string by_clang = "\tleaq\tx@TLSLD(%rip), %rdi\n\tcallq\t__tls_get_addr@PLT\n";
  CHECK(with_shared_in_region(by_clang, 17) == with_shared_in_region(asks, 17));
  CHECK(with_shared_in_region(before, 17) == before);
}

}  // namespace gpy::rt
