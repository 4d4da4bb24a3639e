// What a user's kernel does wrong on the CPU is one error that names the kernel, the line and the
// thread, and what runs on without end can be interrupted.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Result run_on_cpu(const std::string& source, const std::string& threads = "4", Run run = {}) {
  run.environment.push_back({"GPY_DEVICE", "cpu"});
  run.environment.push_back({"GPY_NUM_THREADS", threads});
  TemporaryFolder folder;
  run.folder = folder.path();
  folder.write("script.gpy", source);
  return run_gpy({"script.gpy"}, run);
}

// Lines 1 to 4, then the body; the launch has 1000 blocks of 32 threads. The last line tells that
// the program is well.
std::string raw(const std::string& body) {
  return "f = gp.zeros(32000, dtype=gp.float32)\n"
         "k = gp.zeros(32000, dtype=gp.int32)\n"
         "kernel raw bad(float* f, int* k, int n) {\n"
         "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body +
         "\n}\n"
         "try:\n"
         "    bad[1000, 32](f, k, 8)\n"
         "except RuntimeError as error:\n"
         "    print(type(error).__name__, error)\n"
         "print('well', 1 + 1)\n";
}

struct Fault {
  const char* body;   // its first line is line 5
  const char* what;   // of the message
  const char* place;  // in brackets
};

constexpr Fault kRawFaults[] = {
    {"    if (i == 37)\n        f[i - (1LL << 40)] = n;", "wrote to a bad address, 0x",
     "script.gpy:6, block (1, 0, 0), thread (5, 0, 0)"},
    {"    if (i == 37)\n        f[0] = f[i - (1LL << 40)];", "read a bad address, 0x",
     "script.gpy:6, block (1, 0, 0), thread (5, 0, 0)"},
    {"    volatile int* p = nullptr;\n\n    if (i == 3) *p = 4;", "wrote to a bad address, 0x0",
     "script.gpy:7, block (0, 0, 0), thread (3, 0, 0)"},
    {"    if (i == 3) k[0] = *(int*)((1ULL << 62) + i);", "used an address that no memory can have",
     "script.gpy:5, block (0, 0, 0), thread (3, 0, 0)"},
    {"    k[i] = 1;\n    k[i] = 100 / (i - n);", "divided an integer by zero",
     "script.gpy:6, block (0, 0, 0), thread (8, 0, 0)"},
    {"    if (i == 9) abort();\n    if (i == 4)\n        abort();", "aborted",
     "script.gpy:7, block (0, 0, 0), thread (4, 0, 0)"},
    {"    if (i == 9) exit(0);", "called exit", "script.gpy:5, block (0, 0, 0), thread (9, 0, 0)"},
    {"    if (i == 9)\n    throw \"too large\";", "threw an exception: too large",
     "script.gpy:6, block (0, 0, 0), thread (9, 0, 0)"},
    {"    if (i == 9)\n    throw \"\\377 \\303\\251 \\303\";",
     "threw an exception: \\xff \xc3\xa9 \\xc3 (",
     "script.gpy:6, block (0, 0, 0), thread (9, 0, 0)"},
    {"    if (i == 9) throw i;", "threw an exception (",
     "script.gpy:5, block (0, 0, 0), thread (9, 0, 0)"},
    {"    if (i == 2)\n    memset(f - (1LL << 40), 0, 4000);", "wrote to a bad address",
     "script.gpy:6, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2)\n    memcpy(f, f - (1LL << 40), n * 31);", "read a bad address",
     "script.gpy:6, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2) __builtin_trap();", "reached code that must not be reached",
     "script.gpy:5, block (0, 0, 0), thread (2, 0, 0)"},
};

// A program of its own, with the rest of raw()'s.
std::string element(const std::string& kernel, const std::string& call) {
  return kernel +
         "x = gp.arange(100000, dtype=gp.int32)\n"
         "try:\n"
         "    " +
         call +
         "\nexcept RuntimeError as error:\n"
         "    print(type(error).__name__, error)\n"
         "print('well', 1 + 1)\n";
}

const std::string kDivides =
    "kernel elementwise bad(int32 x, int32 y) -> (int32 z) {\n    z = x / y;\n}\n";
const std::string kWanders =
    "kernel elementwise bad(int32 x, raw int32 y) -> (int32 z) {\n"
    "    z = x;\n"
    "    z += y[x < 50000 ? i : i * (1LL << 40)];\n}\n";
const std::string kReduces =
    "kernel reduction bad(int32 x, int32 y) -> (int32 z) {\n"
    "    map: x % y\n    reduce: a + b\n    identity: 0\n}\n";
const std::string kFinishes =
    "kernel reduction bad(int32 x) -> (int32 z) {\n"
    "    map: x\n    reduce: a + b\n    post: z = 7 / a\n    identity: 0\n}\n";

}  // namespace

TEST_CASE("a fault in a raw kernel is one error, and the program goes on") {
  for (const Fault& fault : kRawFaults) {
    CAPTURE(std::string(fault.body));
    const Result result = run_on_cpu(raw(fault.body), "1");
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.out.starts_with("KernelFaultError kernel 'bad' "));
    CHECK(holds(result.out, fault.what));
    CHECK(holds(result.out, std::string("(") + fault.place + ")\nwell 2\n"));
    CHECK(result.code == 0);
  }
}

TEST_CASE("endless recursion in a kernel is an error, on the main thread and on others") {
  const std::string source =
      "kernel raw bad {\n"
      "    __device__ int deep(int* k, int x) {\n"
      "        k[0] += x;\n"
      "        return x < 0 ? 0 : deep(k, x + 1) + deep(k, x - k[0]);\n"
      "    }\n"
      "    extern \"C\" __global__ void bad(int* k, int n) { k[threadIdx.x] = deep(k, n); }\n"
      "}\n"
      "k = gp.zeros(64, dtype=gp.int32)\n"
      "for turn in range(3):\n"
      "    try:\n"
      "        bad.bad[2000, 32](k, 8)\n"
      "    except RuntimeError as error:\n"
      "        print(error)\n"
      "print('well')\n";
  for (const char* threads : {"1", "4"}) {
    const Result result = run_on_cpu(source, threads);
    CAPTURE(result.out);
    CHECK(result.out.starts_with("kernel 'bad' used up the stack (script.gpy:"));
    CHECK(result.out.ends_with("well\n"));
    CHECK(result.code == 0);
  }
}

TEST_CASE("a fault in a generated kernel tells the element, whatever thread it ran on") {
  const std::pair<std::string, const char*> faults[] = {
      {element(kDivides, "bad(x, x - 54321)"), "(script.gpy:2, element 54321)"},
      {element(kWanders, "bad(x, x)"), "(script.gpy:3, element 50000)"},
      {element(kReduces, "bad(x, x - 54321)"), "(script.gpy:2, element 54321)"},
      {element(kFinishes, "bad((x - x).reshape(100, 1000), axis=1)"), "(script.gpy:4, element 0)"},
  };
  for (const auto& [source, place] : faults) {
    for (const char* threads : {"1", "4"}) {
      const Result result = run_on_cpu(source, threads);
      CAPTURE(source);
      CAPTURE(result.out);
      CHECK(result.out.starts_with("KernelFaultError kernel 'bad' "));
      CHECK(holds(result.out, place));
      CHECK(result.out.ends_with("well 2\n"));
    }
  }
}

TEST_CASE("a fault on one thread ends what others do without end") {
  const Result result =
      run_on_cpu(raw("    if (i == 0) abort();\n    while (n) { }"), "4", {.seconds = 30});
  CHECK(result.out ==
        "KernelFaultError kernel 'bad' aborted (script.gpy:5, block (0, 0, 0), thread (0, 0, 0))\n"
        "well 2\n");
}

TEST_CASE("an uncaught fault says what is in doubt from then on") {
  const Result result = run_on_cpu(
      "kernel raw bad(float* f) { f[(long long)f[0] - (1LL << 40)] = 1; }\n"
      "bad[1, 1](gp.zeros(8, dtype=gp.float32))\n");
  CHECK(result.code == 1);
  CHECK(holds(result.err, "gpy.KernelFaultError: kernel 'bad' wrote to a bad address, 0x"));
  CHECK(holds(result.err, "(script.gpy:1, block (0, 0, 0), thread (0, 0, 0))\n"));
  CHECK(holds(result.err, "in doubt"));
}

TEST_CASE("what throws and catches inside a kernel is nobody else's business") {
  const Result result = run_on_cpu(
      "kernel raw fine(int* k) {\n"
      "    try { throw 7; } catch (int x) { k[threadIdx.x] = x; }\n"
      "}\n"
      "k = gp.zeros(4, dtype=gp.int32)\n"
      "fine[1, 4](k)\n"
      "print(k)\n");
  CHECK(result.out == "[7 7 7 7]\n");
}

TEST_CASE("a fault that is not the kernel's own ends the process, with a word") {
  const Result result = run_on_cpu(
      "kernel raw bad(float* f) { snprintf((char*)f, 32, \"%s\", (char*)1); }\n"
      "bad[1, 1](gp.zeros(8, dtype=gp.float32))\n");
  CHECK(result.code == 128 + 11);
  CHECK(holds(result.err, "a function that a kernel called failed"));
}

TEST_CASE("a fault sent by another process ends the program as it would any") {
  const Result result =
      run_on_cpu("import os\nprint('ready', flush=True)\nos.kill(os.getpid(), 11)\nprint('on')\n");
  CHECK(result.code != 0);
}

TEST_CASE("endless loops of every kind in a kernel are interrupted") {
  const std::string kLoops[] = {"while (n) { }",
                                "for (;;) k[0] += 1;",
                                "again: if (n > 0) goto again;",
                                "do { f[i] += 1; } while (n == 8);",
                                "for (long long t = 0; t < 1LL << 62; ++t) f[t & 63] = t;",
                                "while (true) { try { throw 1; } catch (...) { } }",
                                "void* to = &&top; top: k[0] += 1; goto *to;",
                                "asm volatile(\"1: jmp 1b\");"};
  for (const std::string& loop : kLoops) {
    CAPTURE(loop);
    const std::string ready = "    if (i == 0) { puts(\"ready\"); fflush(stdout); }\n    ";
    const std::string source = raw(ready + loop);
    for (const char* threads : {"1", "4"}) {
      const Result result = run_on_cpu(source, threads, {.interrupt_at_output = true});
      CAPTURE(result.out);
      CAPTURE(result.err);
      CHECK(result.code == 130);
      CHECK(holds(result.err, "KeyboardInterrupt"));
    }
  }
}

TEST_CASE("endless elementwise and reduction kernels are interrupted, and the program goes on") {
  const std::string ready = "if (i == 0) { puts(\"ready\"); fflush(stdout); }";
  const std::string kernels[] = {
      "kernel elementwise spin(int32 x) -> (int32 z) {\n    " + ready +
          "\n    while (x >= 0) { }\n    z = x;\n}\n",
      "kernel reduction spin(int32 x) -> (int32 z) {\n    map: ({ " + ready +
          " for (;;) ; x; })\n    reduce: a + b\n    identity: 0\n}\n",
  };
  for (const std::string& kernel : kernels) {
    const Result result = run_on_cpu(kernel +
                                         "x = gp.arange(100000, dtype=gp.int32)\n"
                                         "try:\n    spin(x)\n"
                                         "except KeyboardInterrupt:\n    print('well', x.sum())\n",
                                     "4", {.interrupt_at_output = true});
    CAPTURE(result.err);
    CHECK(result.out == "ready\nwell 4999950000\n");
  }
}

TEST_CASE("a kernel whose loops cannot be interrupted says so, and runs") {
  const Result result = run_on_cpu(
      "kernel raw odd(int* k) {\n"
      "    asm volatile(\"/* nothing */\");\n"
      "    k[threadIdx.x] = 3;\n"
      "}\n"
      "k = gp.zeros(2, dtype=gp.int32)\n"
      "odd[1, 2](k)\n"
      "print(k)\n");
  CHECK(result.out == "[3 3]\n");
  CHECK(holds(result.err, "gpy: warning: loops of kernel 'odd' cannot be interrupted"));
}

}  // namespace gpy::test
