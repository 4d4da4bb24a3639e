#include "runtime/host_kernel/shared_memory.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("shared memory is counted by function, and other variables are not") {
  CHECK(declared_shared_bytes("\t.section\t.tbss,\"awT\",@nobits\n\t.size\t_ZZ1gE1u, 20\n") == 0);
  CHECK(declared_shared_bytes(
            "\t.section\t.tbss.gpy_shared,\"awT\",@nobits\n\t.size\t_ZZ1fE1s, 400\n_ZZ1fE1s:\n"
            "\t.size\t_ZZ1fE1t, 40\n\t.size\t_ZZ1gE1t, 8\n\t.text\n\t.size\tf, 1000\n") == 440);
}

}  // namespace gpy::rt
