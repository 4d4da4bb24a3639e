// A GPU's memory, and drivers of other versions, with a driver that runs nothing.
#ifdef GPY_FAKE_CUDA

#include <doctest/doctest.h>

#include <string>

#include "tests/limit/fake_gpu.h"

namespace gpy::test {

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

const std::string kUsed =
    "import cupy as cp\n"
    "def used(): return cp.get_default_memory_pool().used_bytes() >> 20\n"
    "\n"
    "x = cp.ones(1 << 20); gp.eval(x)\n"
    "def fail():\n"
    "  y = cp.ones(1 << 22); gp.eval(y)\n"
    "  return y[10**9]\n"
    "\n";

}  // namespace

TEST_CASE("the prompt keeps no array that nobody can find") {
  const char* entries[] = {
      "fail()\n",
      "try: fail()\nexcept IndexError as e: kept = e\n\n",
      "def back():\n  try: fail()\n  except IndexError as e: return e\n\nkept = back()\n",
      "try:\n  try: fail()\n  except IndexError as e: 1 / 0\nexcept Exception as e: kept = e\n\n",
      "from contextlib import suppress\nwith suppress(IndexError): fail()\n\n",
      "for i in range(3): (x * i)[10**9]\n\n",
      "def ends():\n  yield 1\n  return x * 2\n\nlist(ends())\n",
      "class A:\n  def __repr__(self): return str(gp.eval(x * 2)[10**9])\n\nA()\n",
      "x * 2\n0\n",
      "%time x * 2\n0\n",
      "%timeit -n1 -r1 x * 2\n",
  };
  for (const char* entry : entries) {
    CAPTURE(entry);
    const Result result = FakeGpu().run({"-i"}, kUsed + entry + "print('used', used())\n");
    CHECK(holds(result.out, "used 8\n"));
  }
}

TEST_CASE("the environment limits the memory of a device") {
  const FakeGpu gpu;
  const std::string limit =
      "import cupy as cp\npool = cp.get_default_memory_pool()\n"
      "print(pool.get_limit())\n";
  CHECK(gpu.script(limit).out == "0\n");
  CHECK(gpu.script(limit, {{"CUPY_GPU_MEMORY_LIMIT", "1048576"}}).out == "1048576\n");
  const Environment half = {{"GPY_FAKE_CUDA_MEMORY", "8388608"}, {"CUPY_GPU_MEMORY_LIMIT", "50%"}};
  CHECK(gpu.script(limit, half).out == "4194304\n");
  const Result result = gpu.script("import cupy as cp\ngp.eval(cp.ones(1 << 20))",
                                   {{"CUPY_GPU_MEMORY_LIMIT", "1048576"}});
  CHECK(holds(result.err, "limit set to: 1,048,576 bytes"));
  for (const char* text : {"much", "10 MB", "-1", "101%", "nan"}) {
    const Result refused = gpu.script(limit, {{"CUPY_GPU_MEMORY_LIMIT", text}});
    CHECK(holds(refused.err, "neither a number of bytes nor a percentage"));
  }
}

TEST_CASE("what an exception keeps goes before memory is out") {
  const Result result = FakeGpu().script(
      "import cupy as cp\n"
      "def fail():\n"
      "    y = cp.ones(1 << 23); gp.eval(y)\n"
      "    return y[10**9]\n"
      "try:\n"
      "    fail()\n"
      "except IndexError as e:\n"
      "    z = cp.ones(1 << 23); gp.eval(z)\n"
      "    print('made')\n",
      {{"GPY_FAKE_CUDA_MEMORY", "100000000"}});
  CHECK(result.out == "made\n");
  CHECK(result.err == "");
}

TEST_CASE("out of memory names what holds most, through containers too") {
  const Result result = FakeGpu().script(
      "import cupy as cp, numpy as np\n"
      "class Net: pass\n"
      "net, parts, on_host = Net(), {'a': [(cp.ones(1 << 20), 1)]}, np.ones(1 << 24)\n"
      "net.weights = cp.ones(1 << 21)\n"
      "gp.eval(net.weights); gp.eval(parts['a'][0][0]); gp.eval(on_host)\n"
      "again = parts['a']\n"
      "gp.eval(cp.ones(1 << 24))\n",
      {{"GPY_FAKE_CUDA_MEMORY", "100000000"}});
  CHECK(holds(result.err, "OutOfMemoryError"));
  CHECK(holds(result.err, "the largest arrays: `net` 16.0 MiB, `parts` 8.00 MiB [M01]"));
}

TEST_CASE("a factorisation that refuses an argument says nothing of the matrix") {
  const FakeGpu gpu;
  const auto error = [&](const std::string& call, const char* info) {
    return gpu
        .script("import cupy as cp\na = cp.eye(3)\nprint(" + call + ")\n",
                {{"GPY_FAKE_CUSOLVER_INFO", info}})
        .err;
  };
  for (const char* call : {"cp.linalg.solve(a, a)", "cp.linalg.inv(a)", "cp.linalg.cholesky(a)",
                           "cp.linalg.svd(a)", "cp.linalg.qr(a)"}) {
    CAPTURE(call);
    const std::string refused = error(call, "-3");
    CHECK(holds(refused, "RuntimeError"));
    CHECK(holds(refused, "info -3"));
  }
  CHECK(holds(error("cp.linalg.cholesky(a)", "2"), "LinAlgError"));
  CHECK(holds(error("cp.linalg.svd(a)", "2"), "SVD did not converge"));
}

TEST_CASE("determinants are computed where the matrix is, and nothing waits for them") {
  const Result result = FakeGpu().script(
      "import cupy as cp\n"
      "a = cp.eye(3)\n"
      "stack = cp.stack([a, 2 * a])\n"
      "gp.eval(a); gp.eval(stack)\n"
      "before = gp.counters()['bytes_to_host']\n"
      "kept = [cp.linalg.det(a), cp.linalg.slogdet(stack), cp.linalg.det(1j * stack)]\n"
      "gp.eval(kept[0]); gp.eval(kept[2])\n"
      "print(gp.counters()['bytes_to_host'] - before)\n");
  CHECK(result.err == "");
  CHECK(result.out == "0\n");
}

TEST_CASE("a driver older than NVRTC translates kernels itself, or is said to be too old") {
  const std::string script = "x = gp.arange(3) + 1\ngp.eval(x)\nprint('ran')\n";
  const FakeGpu gpu;
  for (const char* same : {"13000", "13010"}) {
    const Result result = gpu.script(script, {{"GPY_FAKE_CUDA_VERSION", same}});
    CHECK(result.out == "ran\n");
    CHECK(result.err == "");
  }
  const Result older = gpu.script(script, {{"GPY_FAKE_CUDA_VERSION", "12020"}});
  CHECK(older.out == "ran\n");
  CHECK(holds(older.err,
              "gpy: warning: the NVIDIA driver (for CUDA 12.2) is older than the CUDA "
              "compiler NVRTC "));
  CHECK(older.err.ends_with(": it translates kernels from PTX 8.2\n"));
  const Result cached = gpu.script(script + "print(gp.counters()['kernels_loaded'])",
                                   {{"GPY_FAKE_CUDA_VERSION", "12020"}});
  CHECK(cached.out == "ran\n1\n");
  const Result oldest = gpu.script(script, {{"GPY_FAKE_CUDA_VERSION", "11080"}});
  CHECK(oldest.code == 1);
  CHECK(holds(oldest.err, "loads nothing that it makes: update the driver, or `pip install "));
  const Result automatic = gpu.script("import cupy as cp\nprint(cp.arange(3).sum())",
                                      {{"GPY_FAKE_CUDA_VERSION", "11080"}, {"GPY_DEVICE", ""}});
  CHECK(automatic.out == "3\n");
}

TEST_CASE("libraries that do not start with an older driver leave linear algebra to the host") {
  const Result result = FakeGpu().script(
      "import numpy as np\n"
      "a = gp.asarray(np.array([[1.0, 2.0], [3.0, 4.0]]))\n"
      "print(gp.asnumpy(a @ a).tolist(), gp.asnumpy(a.T @ a).tolist())\n"
      "try:\n"
      "    gp.linalg.inv(gp.asarray(np.zeros((2, 2))))\n"
      "except np.linalg.LinAlgError as error:\n"
      "    print(error)\n",
      {{"GPY_FAKE_CUDA_VERSION", "12020"}});
  CHECK(result.out ==
        "[[7.0, 10.0], [15.0, 22.0]] [[10.0, 14.0], [14.0, 20.0]]\nSingular matrix\n");
  CHECK(holds(result.err,
              "gpy: warning: the NVIDIA driver (for CUDA 12.2) is older than cuBLAS of "
              "CUDA 13, which does not start: linear algebra of cuda:0 is done on the "
              "host\n"));
}

TEST_CASE("products that need no library start none") {
  const Result result = FakeGpu().script(
      "whole, true = gp.ones((3, 3), dtype=int), gp.ones((2, 3, 3), dtype=bool)\n"
      "gp.eval(whole @ whole); gp.eval(true @ true)\n",
      {{"GPY_FAKE_CUDA_VERSION", "12020"}});
  CHECK(!holds(result.err, "is done on the host"));
  CHECK(result.code == 0);
}

// The script asserts what must be refused if there are two devices.
TEST_CASE("two devices keep their arrays, streams and events apart, and copy to each other") {
  const Result result = FakeGpu().run({GPY_SOURCE_ROOT "/tests/lib/cuda/two_devices.gpy"}, "",
                                      {{"GPY_FAKE_CUDA_DEVICES", "2"}});
  CHECK(result.code == 0);
  CHECK(result.err == "");
  CHECK(holds(result.out, "44999850000 <CUDA Device 0>\n44999850000 True\n"));
}

}  // namespace gpy::test
#endif
