// A fault of a user's kernel on the CPU is one error that names the kernel, the line and the
// thread, and a kernel that runs without end can be interrupted.

#include <doctest/doctest.h>
#include <signal.h>

#include <string>

#include "tests/cli/process.h"
#include "tests/cli/terminal.h"

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

// What makes the threads of a kernel meet, so that each has a stack of its own.
constexpr const char* kMeets = "if (n < 0) __syncthreads();";

// Lines 1 to 4, then the body; the launch has 1000 blocks of 32 threads. The last line shows that
// the program goes on. `more` stands in line 4.
std::string raw(const std::string& body, const std::string& more = "") {
  return "f = gp.zeros(32000, dtype=gp.float32)\n"
         "k = gp.zeros(32000, dtype=gp.int32)\n"
         "kernel raw bad(float* f, int* k, int n) {\n"
         "    int i = blockIdx.x * blockDim.x + threadIdx.x; " +
         more + "\n" + body +
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
    {"    if (i == 2)\n    k[i] = n / 0;", "divided an integer by zero",
     "script.gpy:6, block (0, 0, 0), thread (2, 0, 0)"},
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
    {"    if (i == 2)\n    for (long long j = 0; j < 100000LL * n; ++j)\n    f[j - (1LL << 40)] = "
     "0;",
     "wrote to a bad address", "script.gpy:7, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2)\n    for (long long j = 0; j < 1000LL * n; ++j)\n    k[j] = k[j - (1LL << "
     "40)];",
     "read a bad address", "script.gpy:7, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2)\n    memcpy(f, f - (1LL << 40), n * 31);", "read a bad address",
     "script.gpy:6, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2)\n        throw;", "aborted",
     "script.gpy:6, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2)\n        __builtin_unreachable();", "reached code that must not be reached",
     "script.gpy:6, block (0, 0, 0), thread (2, 0, 0)"},
    {"    if (i == 2) __builtin_trap();", "reached code that must not be reached",
     "script.gpy:5, block (0, 0, 0), thread (2, 0, 0)"},
};

// A program with a kernel of its own, which else is like that of raw().
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
    "    z += y[x == 50000 ? i * (1LL << 40) : i];\n}\n";
const std::string kReduces =
    "kernel reduction bad(int32 x, int32 y) -> (int32 z) {\n"
    "    map: x % y\n    reduce: a + b\n    identity: 0\n}\n";
const std::string kFinishes =
    "kernel reduction bad(int32 x) -> (int32 z) {\n"
    "    map: x\n    reduce: a + b\n    post: z = 7 / a\n    identity: 0\n}\n";

// The report of an uncaught fault must hold all `parts`.
void check_told(const std::string& source, std::initializer_list<std::string> parts) {
  const Result result = run_on_cpu(source);
  CAPTURE(result.err);
  CHECK(result.code == 1);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(holds(result.err, part));
  }
}

}  // namespace

static void check_fault(const Fault& fault, const std::string& more) {
  CAPTURE(std::string(fault.body));
  const Result result = run_on_cpu(raw(fault.body, more), "1");
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.out.starts_with("KernelFaultError kernel 'bad' "));
  CHECK(holds(result.out, fault.what));
  CHECK(holds(result.out, std::string("(") + fault.place + ")\nwell 2\n"));
  CHECK(result.code == 0);
}

TEST_CASE("a fault in a raw kernel is one error, and the program goes on") {
  for (const Fault& fault : kRawFaults) check_fault(fault, "");
}

TEST_CASE("a fault on the stack of a thread that meets others is told like any") {
  for (const Fault& fault : kRawFaults) check_fault(fault, kMeets);
}

TEST_CASE("shared memory that a launch gives ends where it ends") {
  const std::string source =
      "kernel raw bad(float* x) {\n"
      "    extern __shared__ float s[];\n"
      "    s[threadIdx.x] = 1;\n"
      "    x[threadIdx.x] = s[threadIdx.x];\n}\n"
      "x = gp.zeros(64, dtype=gp.float32)\n"
      "bad[1, 32, 128](x)\nprint(x.sum())\n"
      "for threads, size in ((33, 128), (1, 0)):\n"
      "    try:\n        bad[1, threads, size](x)\n"
      "    except RuntimeError as error:\n        print(error)\n";
  const Result result = run_on_cpu(source);
  CAPTURE(result.out);
  CHECK(result.out.starts_with("32.0\nkernel 'bad' wrote to a bad address, 0x"));
  CHECK(holds(result.out, "(script.gpy:3, block (0, 0, 0), thread (32, 0, 0))\n"));
  CHECK(holds(result.out, "address, 0x0 (script.gpy:3, block (0, 0, 0), thread (0, 0, 0))\n"));
}

TEST_CASE("endless recursion in a kernel is an error, on the main thread and on others") {
  const std::string source =
      "kernel raw bad {\n"
      "    __device__ int deep(int* k, int x) {\n"
      "        k[0] += x;\n"
      "        return x < 0 ? 0 : deep(k, x + 1) + deep(k, x - k[0]);\n"
      "    }\n"
      "    extern \"C\" __global__ void bad(int* k, int n) { MEETS k[threadIdx.x] = deep(k, n); }\n"
      "}\n"
      "k = gp.zeros(64, dtype=gp.int32)\n"
      "for turn in range(3):\n"
      "    try:\n"
      "        bad.bad[2000, 32](k, 8)\n"
      "    except RuntimeError as error:\n"
      "        print(error)\n"
      "print('well')\n";
  for (const std::string threads : {"1", "4"}) {
    for (const char* meets : {"", kMeets}) {
      std::string text = source;
      const Result result = run_on_cpu(text.replace(text.find("MEETS"), 5, meets), threads);
      CAPTURE(result.out);
      CHECK(result.out.starts_with("kernel 'bad' used up the stack (script.gpy:"));
      CHECK(result.out.ends_with("well\n"));
      CHECK(result.code == 0);
    }
  }
}

TEST_CASE("a fault in a generated kernel tells the element, whatever thread it ran on") {
  // One element alone faults: threads take elements in any order.
  const std::pair<std::string, const char*> faults[] = {
      {element(kDivides, "bad(x, x - 54321)"), "(script.gpy:2, element 54321)"},
      {element(kWanders, "bad(x, x)"), "(script.gpy:3, element 50000)"},
      {element(kReduces, "bad(x, x - 54321)"), "(script.gpy:2, element 54321)"},
      {element(kFinishes, "bad(abs(x // 1000 - 54).reshape(100, 1000), axis=1)"),
       "(script.gpy:4, element 54)"},
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
  check_told(
      "kernel raw bad(float* f) { f[(long long)f[0] - (1LL << 40)] = 1; }\n"
      "bad[1, 1](gp.zeros(8, dtype=gp.float32))\n",
      {"gpy.KernelFaultError: kernel 'bad' wrote to a bad address, 0x",
       "(script.gpy:1, block (0, 0, 0), thread (0, 0, 0))\n", "in doubt"});
}

TEST_CASE("a fault that the compiler took out of its loop is told of its own line and thread") {
  const std::pair<const char*, const char*> stores[] = {
      {"    f[1LL << 40] = 1;", "script.gpy:2, block (0, 0, 0), thread (0, 0, 0)"},
      {"    if (threadIdx.x == 5) f[1LL << 40] = 1;",
       "script.gpy:2, block (0, 0, 0), thread (5, 0, 0)"},
      {"    if (blockIdx.y == 1 && threadIdx.y)\n        f[1LL << 40] = 1;",
       "script.gpy:3, block (0, 1, 0), thread (0, 1, 0)"},
  };
  for (const auto& [body, place] : stores) {
    CAPTURE(body);
    check_told(std::string("kernel raw bad(float* f) {\n") + body +
                   "\n}\nbad[(1, 2), (8, 2)](gp.zeros(8, dtype=gp.float32))\n",
               {std::string("(") + place + ")\n"});
  }
}

TEST_CASE("no fault is told at a line that its text does not have") {
  const std::string calls =
      "for call in [lambda: bad[1, 4](gp.zeros(4, dtype=gp.float32), 3)] * 2:\n"
      "    try:\n        call()\n    except RuntimeError as error:\n        print(error)\n";
  for (const char* body :
       {"if (n) f[1LL << 40] = 1;", "f[threadIdx.x + (1LL << 40)] = n;",
        "double big[8 << 20]; for (int k = 0; k < n; ++k) big[k] = f[k]; f[0] = big[n];",
        "atomicAdd(f + (1LL << 40), 1.f);", "atomicCAS((int*)f + (1LL << 40), 0, n);",
        "memset(f - (1LL << 40), 0, n);", "int* p = nullptr; if (n) *p = 4;", "abort();",
        "for (;; f += 1 << 20) *f = n;", "throw n;"}) {
    CAPTURE(std::string(body));
    const std::string kernel = std::string("bad(float* f, int n) { ") + body + " }";
    const Result block = run_on_cpu("kernel raw " + kernel + "\n" + calls);
    CAPTURE(block.out);
    CHECK(holds(block.out, "(script.gpy:1, block (0, 0, 0), thread (0, 0, 0))\n"));
    const Result text =
        run_on_cpu("import cupy\nbad = cupy.RawKernel(r\"\"\"extern \"C\" __global__ void " +
                   kernel + "\"\"\", \"bad\")\n" + calls);
    CAPTURE(text.out);
    CHECK(holds(text.out, "(<kernel>:1, block (0, 0, 0), thread (0, 0, 0))\n"));
  }
}

TEST_CASE("an atomic function's bad address is told where it was called") {
  for (const char* call : {"atomicAdd(k + (1LL << 40), n)", "atomicSub(k + (1LL << 40), n)",
                           "atomicMax(k + (1LL << 40), n)", "atomicMin(k + (1LL << 40), n)",
                           "atomicExch(k + (1LL << 40), n)", "atomicCAS(k + (1LL << 40), 0, n)",
                           "atomicOr(k + (1LL << 40), n)", "f[i] = __ldg(k + (1LL << 40))"}) {
    CAPTURE(std::string(call));
    const Result result =
        run_on_cpu(raw(std::string("    atomicAdd(k, 1);\n    if (i == 37)\n        ") + call +
                       ";\n    atomicAdd(k, 1);"),
                   "1");
    CAPTURE(result.out);
    CHECK(holds(result.out, "(script.gpy:7, block (1, 0, 0), thread (5, 0, 0))\nwell 2\n"));
  }
}

TEST_CASE("a function that ends without its return is told") {
  check_told(
      "kernel raw bad {\n"
      "    __device__ __noinline__ int sign(int x) {\n        if (x > 0) return 1;\n    }\n"
      "    extern \"C\" __global__ void bad(int* k) { k[0] = sign(k[threadIdx.x]); }\n}\n"
      "bad.bad[1, 4](gp.zeros(4, dtype=gp.int32))\n",
      {"kernel 'bad' reached code that must not be reached (script.gpy:2, "});
}

TEST_CASE("a text whose #line names the shim's own file is told of without a line") {
  check_told(
      "kernel raw bad(float* f) {\n#line 3 \"<called>\"\n    f[threadIdx.x - (1LL << 40)] = 1;\n}\n"
      "bad[1, 4](gp.zeros(4, dtype=gp.float32))\n",
      {"kernel 'bad' wrote to a bad address", "(line not known, block (0, 0, 0), thread "});
}

TEST_CASE("a stack too small for a kernel's variables is told at the kernel") {
  check_told(
      "x = gp.zeros(8, dtype=gp.float32)\n\n"
      "kernel raw bad(float* f, int n) {\n"
      "    double big[8 << 20];\n"
      "    for (int k = 0; k < n; ++k) big[k] = f[k];\n    f[0] = big[n];\n}\n"
      "bad[1, 4](x, 3)\n",
      {"'bad' used up the stack (script.gpy:3, block (0, 0, 0), thread (0,"});
}

TEST_CASE("what C's function did that a kernel called last is told where it was called") {
  check_told(
      "kernel raw bad {\n"
      "    __device__ __noinline__ void clear(char* f, int n) {\n"
      "        f[n] = 1;\n"
      "        memmove(f - (1LL << 40), f, n);\n"
      "    }\n"
      "    extern \"C\" __global__ void bad(char* f, int n) {\n"
      "        clear(f, n);\n        f[0] = n;\n    }\n}\n"
      "bad.bad[1, 4](gp.zeros(400, dtype=gp.int8), 300)\n",
      {"'bad' wrote to a bad address", "(script.gpy:4, block (0, 0, 0), thread (0, 0, 0))\n"});
}

TEST_CASE("a fault is told of in a file whose name is not ASCII") {
  TemporaryFolder folder;
  folder.write("\xc3\xa9.gpy",
               "kernel raw bad(float* f) {\n    f[threadIdx.x - (1LL << 40)] = 1;\n}\n"
               "bad[1, 1](gp.zeros(8, dtype=gp.float32))\n");
  const Result result =
      run_gpy({"\xc3\xa9.gpy"}, {.environment = {{"GPY_DEVICE", "cpu"}}, .folder = folder.path()});
  CHECK(holds(result.err, "(\xc3\xa9.gpy:2, block (0, 0, 0), thread (0, 0, 0))\n"));
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

TEST_CASE("a kernel's own threads use atomics") {
  const Result result = run_on_cpu(
      "kernel raw fine {\n"
      "#include <thread>\n"
      "    extern \"C\" __global__ void fine(int* k) {\n"
      "        std::thread([=] { atomicAdd(k, 3); }).join();\n"
      "    }\n}\n"
      "k = gp.zeros(4, dtype=gp.int32)\n"
      "fine.fine[1, 4](k)\n"
      "print(k)\n");
  CHECK(result.out == "[12  0  0  0]\n");
}

TEST_CASE("a fault that is not the kernel's own ends the process, with a word") {
  const Result result = run_on_cpu(
      "kernel raw bad(float* f) { snprintf((char*)f, 32, \"%s\", (char*)1); }\n"
      "bad[1, 1](gp.zeros(8, dtype=gp.float32))\n");
  CHECK(result.code == 128 + 11);
  CHECK(holds(result.err,
              "gpy: a fault outside of kernel 'bad' while it ran, in a function that it "
              "called or after memory was damaged: the process cannot go on; run it with "
              "GPY_CHECK=1 to find the access\n"));
}

TEST_CASE("who destroys the stack ends the process, and nobody else is blamed") {
  for (const char* count : {"300", "4000", "1L << 40"}) {
    const Result result = run_on_cpu(std::string("kernel raw bad(char* f, int n) {\n"
                                                 "    volatile char c[64];\n"
                                                 "    for (long i = 0; i < ") +
                                     count +
                                     "; ++i) c[i] = n;\n    f[0] = c[n];\n}\n"
                                     "bad[1, 1](gp.zeros(8, dtype=gp.int8), 8)\n");
    CAPTURE(result.err);
    CHECK(result.code == 128 + 11);
    CHECK(result.err ==
          "gpy: the kernel that ran destroyed the stack: the process cannot go on; run it with "
          "GPY_CHECK=1 to find the access\n");
  }
}

TEST_CASE("what fails outside of all kernels says that one may have damaged memory") {
  const Result result = run_on_cpu(
      "kernel raw bad {\n#include <thread>\n#include <stdlib.h>\n"
      "    extern \"C\" __global__ void bad(int* k) { std::thread(abort).detach(); }\n}\n"
      "bad.bad[1, 1](gp.zeros(8, dtype=gp.int32))\nwhile True: pass\n",
      "1", {.seconds = 20});
  CAPTURE(result.err);
  CHECK(result.code == 128 + 6);
  CHECK(
      result.err ==
      "gpy: a fault outside of all kernels, of which one that ran before may have damaged memory: "
      "the process cannot go on; run it with GPY_CHECK=1 to find the access\n");
}

TEST_CASE("a fault after another kernel's wild access says that it may follow from it") {
  const Result result = run_on_cpu(
      "kernel raw wild(float* f) { f[(long long)f[0] - (1LL << 40)] = 1; }\n"
      "kernel raw later(float* f) { f[(long long)f[0] - (1LL << 41)] = 1; }\n"
      "x = gp.zeros(8, dtype=gp.float32)\n"
      "try:\n    wild[1, 1](x)\nexcept RuntimeError:\n    pass\n"
      "later[1, 1](x)\n");
  CAPTURE(result.err);
  CHECK(holds(result.err, "may follow from what kernel 'wild' did before"));
}

TEST_CASE("a kernel of a long name does not follow from itself") {
  const std::string name(80, 'n');
  const Result result =
      run_on_cpu("kernel raw " + name +
                 "(float* f) { f[(long long)f[0] - (1LL << 40)] = 1; }\n"
                 "x = gp.zeros(8, dtype=gp.float32)\n"
                 "try:\n    " +
                 name + "[1, 1](x)\nexcept RuntimeError:\n    pass\n" + name + "[1, 1](x)\n");
  CAPTURE(result.err);
  CHECK(holds(result.err, "KernelFaultError"));
  CHECK_FALSE(holds(result.err, "may follow from"));
}

TEST_CASE("a call of what is no function is an error") {
  for (const char* target : {"(long)n", "0x707070707000 + n", "(long)f"}) {
    const Result result = run_on_cpu(
        raw(std::string("    if (i == 3)\n        ((void (*)())(") + target + "))();"), "1");
    CAPTURE(result.out);
    CHECK(holds(result.out, "kernel 'bad' called what is no function, at 0x"));
    CHECK(holds(result.out, "(script.gpy:6, block (0, 0, 0), thread (3, 0, 0))\nwell 2\n"));
  }
}

TEST_CASE("what a text does before its kernel is guarded like it") {
  const auto with_constructor = [](const std::string& body, const std::string& statement = "") {
    return "kernel raw bad {\n#include <stdlib.h>\n    struct Early {\n        int value;\n        "
           "Early() {\n" +
           body +
           "\n        }\n        ~Early() { abort(); }\n    } early;\n"
           "    extern \"C\" __global__ void bad(int* k) {" +
           statement +
           " k[threadIdx.x] = early.value; }\n}\n"
           "k = gp.zeros(4, dtype=gp.int32)\n"
           "for turn in range(2):\n"
           "    try:\n        bad.bad[1, 4](k)\n    except RuntimeError as error:\n"
           "        print(error)\nprint(k)\n";
  };
  const std::pair<const char*, const char*> ends[] = {
      {"*(volatile int*)8 = 1;", "kernel 'bad' wrote to a bad address, 0x8"},
      {"abort();", "kernel 'bad' aborted"},
      {"exit(3);", "kernel 'bad' called exit"},
      {"throw \"early\";", "kernel 'bad' threw an exception: early"},
  };
  for (const auto& [body, what] : ends) {
    const Result result = run_on_cpu(with_constructor(body));
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(holds(result.out, std::string(what) + " (script.gpy:6, before its first thread)\n"));
    CHECK(result.out.ends_with("[0 0 0 0]\n"));
    CHECK(result.code == 0);
  }
  const Result unknown =
      run_on_cpu(with_constructor("*(volatile int*)8 = 1;", "asm volatile(\".byte 0x90\");"));
  CHECK(holds(unknown.out,
              "kernel 'bad' wrote to a bad address, 0x8 (line not known, before its "
              "first thread)\n"));
  CHECK(unknown.code == 0);
  const Result well =
      run_on_cpu(with_constructor("static int seven = getenv(\"HOME\") ? 7 : 7; value = seven;"));
  CHECK(well.out == "[7 7 7 7]\n");
  CHECK(well.code == 0);
  const Result endless = run_on_cpu(with_constructor("puts(\"ready\"); fflush(stdout); for (;;) ;"),
                                    "4", {.interrupt_at_output = true});
  CHECK(endless.code == 130);
}

TEST_CASE("a function that nobody defines is told when the kernel is compiled") {
  const Result result = run_on_cpu(
      "kernel raw bad {\n    int nowhere(int);\n"
      "    extern \"C\" __global__ void bad(int* k) { k[0] = nowhere(k[1]); }\n}\n"
      "bad.bad[1, 1](gp.zeros(8, dtype=gp.int32))\n");
  CAPTURE(result.err);
  CHECK(holds(result.err, "CompileException: kernel 'bad' does not compile:\nundefined symbol: "));
}

TEST_CASE("a fault's signal from another process ends the program, before a kernel and after") {
  for (const char* before : {"", "gp.eval(gp.arange(3) + 1)\n",
                             "kernel raw fine(int* k) { k[threadIdx.x] = 1; }\n"
                             "fine[1, 4](gp.zeros(4, dtype=gp.int32))\n"}) {
    CAPTURE(before);
    const TemporaryFolder folder;
    const std::string endless = "print('ready', flush=True)\nwhile True: pass\n";
    Terminal gpy(gpy_path(), {"--device", "cpu", folder.write("script.gpy", before + endless)});
    REQUIRE(gpy.wait_for("ready\n"));
    gpy.send(SIGSEGV);
    CHECK(gpy.wait_for_end() == 128 + SIGSEGV);
  }
}

static void check_interrupted(const std::string& loop, const std::string& more,
                              const char* threads) {
  CAPTURE(loop);
  CAPTURE(more);
  const std::string ready = "    if (i == 0) { puts(\"ready\"); fflush(stdout); }\n    ";
  const Result result = run_on_cpu(raw(ready + loop, more), threads, {.interrupt_at_output = true});
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.code == 130);
  CHECK(holds(result.err, "KeyboardInterrupt"));
}

TEST_CASE("endless loops of every kind in a kernel are interrupted") {
  const std::string kLoops[] = {
      "while (n) { }",
      "for (;;) k[0] += 1;",
      "again: if (n > 0) goto again;",
      "do { f[i] += 1; } while (n == 8);",
      "for (long long t = 0; t < 1LL << 62; ++t) f[t & 63] = t;",
      "while (true) { try { throw 1; } catch (...) { } }",
      "void* to = &&top; top: k[0] += 1; goto *to;",
      "asm volatile(\"1: jmp 1b\");",
      "asm volatile(\"1: lea 1b(%%rip), %%rax; push %%rax; ret\" ::: \"rax\");",
      "asm volatile(\"call 2f; jmp 3f; 2: add $8, %%rsp; call 2b; 3:\" ::: \"memory\");",
      "void* place[5]; __builtin_setjmp(place); k[0] += 1; __builtin_longjmp(place, 1);",
      "asm volatile(\"1: subl $0, %0; jne 1b\" : \"+r\"(n));",
      "bool zero; do asm volatile(\"lock; subl $0, %1\" : \"=@ccz\"(zero), "
      "\"+m\"(k[1])); while (zero);"};
  for (const std::string& loop : kLoops) {
    for (const char* threads : {"1", "4"}) check_interrupted(loop, "", threads);
    check_interrupted(loop, kMeets, "1");
  }
}

TEST_CASE("threads that meet without end are interrupted") {
  for (const char* loop :
       {"for (;;) __syncthreads();", "while (n) k[0] = __syncthreads_count(i);",
        "for (;;) __syncwarp();", "for (;;) n += __shfl_down_sync(0xffffffff, n, 1);",
        "while (__any(n)) __syncthreads();", "while (__activemask()) ;",
        "while (atomicCAS(k, 1, 2) != 1) ;", "for (;;) __nanosleep(100);"}) {
    for (const char* threads : {"1", "4"}) check_interrupted(loop, kMeets, threads);
  }
}

TEST_CASE("a loop of setjmp and longjmp in a kernel is interrupted") {
  const Result result = run_on_cpu(
      "kernel raw bad {\n#include <setjmp.h>\n"
      "    extern \"C\" __global__ void bad(int* k) {\n"
      "        jmp_buf place;\n"
      "        if (setjmp(place) == 0) { puts(\"ready\"); fflush(stdout); }\n"
      "        k[0] += 1;\n        longjmp(place, 1);\n    }\n}\n"
      "bad.bad[1, 1](gp.zeros(4, dtype=gp.int32))\n",
      "1", {.interrupt_at_output = true});
  CAPTURE(result.err);
  CHECK(result.code == 130);
}

TEST_CASE("what a kernel that is left was doing is forgotten") {
  const std::string ready = "puts(\"ready\"); fflush(stdout);";
  const Result result = run_on_cpu(
      "kernel raw leaves(int n) {\n"
      "    int set_round(int) asm(\"fesetround\");\n"
      "    set_round(0x800);\n    " +
          ready +
          "\n    try { throw n; } catch (int x) { while (x) { } }\n"
          "}\n"
          "kernel raw look(int* k) {\n"
          "    void** handled() asm(\"__cxa_get_globals\");\n"
          "    k[0] = handled()[0] != nullptr;\n"
          "}\n"
          "x, y = 1.0, 3.0\nk = gp.ones(1, dtype=gp.int32)\n"
          "try:\n    leaves[1, 1](7)\nexcept KeyboardInterrupt:\n    pass\n"
          "look[1, 1](k)\nprint(k, x / y)\n",
      "1", {.interrupt_at_output = true});
  CAPTURE(result.err);
  CHECK(result.out == "ready\n[0] 0.3333333333333333\n");
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
  for (const char* statement : {"/* nothing */", ".byte 0x90", "jmp .+2", ".rept 2; nop; .endr"}) {
    const Result result = run_on_cpu(std::string("kernel raw odd(int* k) {\n"
                                                 "    asm volatile(\"") +
                                     statement +
                                     "\");\n    k[threadIdx.x] = 3;\n}\n"
                                     "k = gp.zeros(2, dtype=gp.int32)\n"
                                     "odd[1, 2](k)\n"
                                     "print(k)\n");
    CAPTURE(std::string(statement));
    CAPTURE(result.err);
    CHECK(result.out == "[3 3]\n");
    CHECK(holds(result.err, "gpy: warning: loops of kernel 'odd' cannot be interrupted"));
  }
}

}  // namespace gpy::test
