// What is told of kernels that were compiled for a GPU: on a driver that runs none, with a
// disassembler of the test's own.
#ifdef GPY_FAKE_CUDA

#include <filesystem>
#include <fstream>

#include "tests/limit/fake_gpu.h"

namespace gpy::test {

namespace {

constexpr const char* kKernel = R"(
import cupy as cp
kernel raw fill(float* x) { x[0] = 1; }
fill[1, 1](cp.zeros(1, "f4"))
)";

// A folder with an `nvdisasm` of this text, which stands first on PATH.
struct Tools {
  TemporaryFolder folder;

  explicit Tools(const std::string& text) {
    const std::string path = folder.path() + "/nvdisasm";
    std::ofstream(path) << "#!/bin/sh\n" << text << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  Environment environment() const {
    return {{"PATH", folder.path() + ":/usr/bin:/bin"}, {"GPY_CUDA_PATH", "/proc/nowhere"}};
  }
};

}  // namespace

TEST_CASE("machine code is what nvdisasm makes of a kernel's cubin") {
  const Tools tools("test -s \"$2\" && echo \"code of $1 $(basename $2)\"");
  const Result result =
      FakeGpu().script(std::string(kKernel) + "print(fill.sass)\n", tools.environment());
  CHECK(result.err == "");
  CHECK(result.out == "code of --print-code kernel.cubin\n\n");
}

TEST_CASE("what a disassembler complains of is the error") {
  const Tools tools("echo 'not for me' >&2; exit 3");
  const Result result =
      FakeGpu().script(std::string(kKernel) + "print(fill.sass)\n", tools.environment());
  CHECK(result.err.find("RuntimeError: nvdisasm cannot show this code: not for me") !=
        std::string::npos);
}

TEST_CASE("PTX and occupancy of a kernel for a GPU") {
  const Result result = FakeGpu().script(std::string(kKernel) + R"(
print(".entry fill" in fill.ptx, fill.attributes["occupancy"])
print(gp.explain(fill[3, 64]))
)");
  CHECK(result.err == "");
  CHECK(
      result.out ==
      "True 0.9696969696969697\nkernel fill: 3 blocks of 64 threads, 0 bytes of dynamic shared "
      "memory\n"
      "on cuda:0\n"
      "  0 registers a thread; 0 bytes of local, 0 of shared, 0 of constant memory; at most 1024 "
      "threads a block; occupancy 97 % at best\n"
      "  a multiprocessor runs 2 of these blocks at once, 128 of 132 threads (occupancy 97 %)\n\n");
}

}  // namespace gpy::test

#endif
