// Very many interpreters, which leave nothing behind.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "src/embed/gpy.hpp"
#include "tests/ends/counts.h"
#include "tests/ends/standing.h"

namespace gpy::test {

namespace {

using host::Error;
using host::Interpreter;
using host::Options;

constexpr const char* kScripts[] = {
    "x = [i * i for i in range(100)]; s = ','.join(map(str, x))",
    "a = gp.arange(1000.0); b = (a * 2 + 1).sum(); float(b); pending = a * 3 + 1",
    "class C:\n    def __init__(self): self.me = self\nkept = [C() for i in range(10)]",
    "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    kept = e",
    "raise ValueError('nobody catches this')",
    "def g():\n    try:\n        while True: yield 1\n    finally: left = 1\ni = g(); next(i)",
    "import numpy as np\na = np.arange(10.0)\nb = a[a > 3] @ a[a > 3]\nc = np.sort(np.ones(20000))",
    "import numpy as np\nnp.ones(3) + np.ones(4)",
    "d = {}; d['d'] = d; l = [d]; l.append(l)",
    "import json, math; json.loads('[1, {\"a\": 2}]')",
    "class D:\n    def __del__(self): self.x = 1\nd = D(); d.d = d",
    "import numpy as np\nlast = np.add.reduce([np.float64(1), 2]); f = np.random.rand(3)",
    "import cupy as cp\nclass Hook(cp.cuda.MemoryHook): pass\nhook = Hook(); hook.__enter__()\n"
    "pool = cp.cuda.MemoryPool(lambda size: cp.cuda.malloc_managed(size))\n"
    "cp.cuda.set_allocator(pool.malloc); kept = cp.ones(50) + 1; float(kept[0])",
};
constexpr const char* kKernel =
    "kernel raw store(float* a, float x) { a[0] = x; }\n"
    "a = gp.zeros(1, dtype=gp.float32)\nstore[1, 1](a, 42)";
// A kernel in an interpreter with devices of its own costs the search for a compiler.
constexpr int kBetweenKernels = 50;

Options silent(const Interpreter* other) {
  return {
      .out = [](std::string_view) {}, .err = [](std::string_view) {}, .share_devices_with = other};
}

bool raises(const char* script) {
  return std::string_view(script).starts_with("raise") ||
         std::string_view(script).find("np.ones(4)") != std::string_view::npos;
}

void make_and_close(int turn, const Interpreter* other) {
  const bool kernel = turn % kBetweenKernels == 0;
  const char* script = kernel ? kKernel : kScripts[turn % std::size(kScripts)];
  Interpreter gpy(silent(other));
  std::optional<Error> error;
  try {
    gpy.run(script);
  } catch (const Error& caught) {
    error = caught;
  }
  CHECK_MESSAGE(error.has_value() == raises(script), script, error ? error->what() : "");
}

// Runs `work` `count` times: memory must not grow after a quarter of them.
template <class Work> void stays_flat(int count, Work&& work) {
  const int warm = count / 4;
  for (int turn = 0; turn < warm; ++turn) work(turn);
  const Standing before = Standing::now();
  for (int turn = warm; turn < count; ++turn) work(turn);
  const Standing after = Standing::now();
  MESSAGE(count, " times: resident ", before.resident >> 10, " KiB then ", after.resident >> 10,
          ", blocks ", before.blocks, " then ", after.blocks);
  CHECK(after.blocks <= before.blocks + 32);  // tables that still grow
  CHECK(after.resident <= before.resident + (size_t{2} << 20));
  CHECK(after.threads == before.threads);
  CHECK(after.files == before.files);
}

}  // namespace

TEST_CASE("interpreters made and closed leave nothing") {
  stays_flat(interpreters() / 2, [](int turn) { make_and_close(turn, nullptr); });
}

TEST_CASE("interpreters that share devices leave nothing") {
  const Interpreter first(silent(nullptr));
  stays_flat(interpreters() / 2, [&](int turn) { make_and_close(turn, &first); });
}

TEST_CASE("evaluations and runs of one interpreter leave nothing") {
  Interpreter gpy(silent(nullptr));
  gpy.run("import numpy as np\ndef f(x): return [x] * 3\na = np.arange(100.0); kept = None");
  constexpr const char* kExpressions[] = {
      "f(2)[1] + 1",
      "float((a * 2 + 1).sum())",
      "a / 0",
      "[n for n in range(20) if n % 3]",
      "(lambda x: x + 1)(41)",
      "f'{a[:3]} {f(1)}'",
      "nowhere",
      "1 +",
  };
  stays_flat(interpreters() * 10, [&](int turn) {
    const char* expression = kExpressions[turn % std::size(kExpressions)];
    try {
      gpy.evaluate(expression);
    } catch (const Error&) {
    }
    if (turn % 10 == 0) gpy.run("kept = a * 2", fmt::format("script {}", turn));
  });
}

}  // namespace gpy::test
