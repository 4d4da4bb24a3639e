#include "emulator.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernel_batch.h"
#include "runtime/cuda/text/device_text.h"
#include "runtime/cuda/text/parameters.h"
#include "runtime/cpp_text/support_text.h"

namespace gpy::rt::test {
namespace {

constexpr int kKernelsAPart = 40;

constexpr const char* kShim = R"CPP(
#include <math.h>
#include <string.h>
#include <ucontext.h>
#define __global__ static
#define __shared__ static
#define __launch_bounds__(...)
#define __grid_constant__
  struct Index {
    unsigned x, y, z;
  };
  static unsigned all_blocks;
  static Index threadIdx, blockIdx, gridDim;
  static unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
  static unsigned __ldcg(const unsigned* p) { return *p; }
  static void __threadfence() {}
  static unsigned atomicAdd(unsigned* p, unsigned x) {
    const unsigned old = *p;
    *p += x;
    return old;
  }

  enum { kBlock = 256, kStack = 32768 };
  static int block_size;
  static ucontext_t scheduler, fibers[kBlock];
  static char stacks[kBlock][kStack];
  static bool done[kBlock];
  static void (*body)(const void*);
  static const void* body_argument;
  struct Barrier {
    int members, arrived;
    unsigned generation;
    void release() {
      if (arrived >= members) {
        arrived = 0;
        ++generation;
      }
    }
    void wait() {
      const unsigned mine = generation;
      ++arrived;
      release();
      while (generation == mine) {
        const unsigned me = threadIdx.x;
        swapcontext(&fibers[me], &scheduler);
      }
    }
    void leave() {
      --members;
      release();
    }
  };
  static Barrier block_barrier, warp_barriers[kBlock / 32];
  static void __syncthreads() { block_barrier.wait(); }
  static unsigned exchanged[kBlock];
  static unsigned exchange(unsigned v, int from) {
    const unsigned me = threadIdx.x, warp = me / 32;
    exchanged[me] = v;
    warp_barriers[warp].wait();
    const unsigned r = from < 0 || from > 31 ? v : exchanged[warp * 32 + from];
    warp_barriers[warp].wait();
    return r;
  }
  static unsigned __shfl_up_sync(unsigned, unsigned v, int d) {
    return exchange(v, (int)(threadIdx.x % 32) - d);
  }
  static unsigned __shfl_down_sync(unsigned, unsigned v, int d) {
    return exchange(v, (int)(threadIdx.x % 32) + d);
  }
  static void fiber_main() {
    body(body_argument);
    const unsigned me = threadIdx.x;
    done[me] = true;
    warp_barriers[me / 32].leave();
    block_barrier.leave();
    swapcontext(&fibers[me], &scheduler);
  }
  static void run_block_of_fibers() {
    block_barrier = {block_size, 0, 0};
    for (Barrier& barrier : warp_barriers) barrier = {32, 0, 0};
    for (int t = 0; t < block_size; ++t) {
      getcontext(&fibers[t]);
      fibers[t].uc_stack.ss_sp = stacks[t];
      fibers[t].uc_stack.ss_size = kStack;
      fibers[t].uc_link = 0;
      makecontext(&fibers[t], fiber_main, 0);
      done[t] = false;
    }
    for (int left = block_size; left > 0;) {
      left = 0;
      for (int t = 0; t < block_size; ++t) {
        if (done[t]) continue;
        threadIdx.x = t;
        swapcontext(&scheduler, &fibers[t]);
        left += !done[t];
      }
    }
  }
  static void run_grid(unsigned grid, unsigned threads, bool meets, void (*f)(const void*),
                       const void* argument) {
    gridDim.x = grid;
    block_size = threads;
    body = f;
    body_argument = argument;
    for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x) {
      if (meets) {
        run_block_of_fibers();
        continue;
      }
      for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) f(argument);
    }
  }
)CPP";

// Calls a kernel's entries with the bytes of its parameters.
std::string caller(int number, const std::string& text) {
  const bool meets = text.find("__syncthreads") != std::string::npos;
  const bool two = text.find(cuda::kEntries[1]) != std::string::npos;
  const bool walks = text.find("const u32 blocks") != std::string::npos;
  auto call = [&](const char* entry) {
    return fmt::format("[](const void* p) {{ {}(*(const Params*)p{}); }}", entry,
                       walks ? ", all_blocks" : "");
  };
  return fmt::format(
      "extern \"C\" void run_{0}(const void* bytes, int entry, unsigned blocks, unsigned grid,\n"
      "                         unsigned threads) {{\n"
      "  using namespace gpy::k{0};\n"
      "  Params p;\n"
      "  memcpy((void*)&p, bytes, sizeof(p));\n"
      "  all_blocks = blocks;\n"
      "  run_grid(grid, threads, {1}, entry == 0 ? {2} : {3}, &p);\n"
      "}}\n",
      number, meets, call(cuda::kEntries[0]), call(cuda::kEntries[two ? 1 : 0]));
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

KernelEmulator::~KernelEmulator() = default;

void KernelEmulator::add(const Plan& plan, const Bindings& bindings) {
  cuda::Schedule schedule;
  cuda::make_schedule(plan, bindings, schedule, hostile_);
  std::string key;
  cuda::append_key(plan, schedule, key);
  if (!numbers_.emplace(key, static_cast<int>(texts_.size())).second) return;
  texts_.push_back(cuda::kernel_text(plan, schedule));
}

bool KernelEmulator::compile(std::string* log) {
  char folder[] = "/tmp/gpy-emulator-XXXXXX";
  if (!mkdtemp(folder)) return false;
  bool good = true;
  entries_.resize(texts_.size());
  const int count = static_cast<int>(texts_.size());
  for (int first = 0; good && first < count; first += kKernelsAPart) {
    std::string kernels, callers;
    for (int i = first; i < std::min(first + kKernelsAPart, count); ++i) {
      kernels += in_namespace(i, texts_[i]);
      callers += caller(i, texts_[i]);
    }
    good = compile_part(folder, kShim + cuda::with_support(kernels) + callers, first, log);
  }
  std::filesystem::remove_all(folder);
  return good;
}

bool KernelEmulator::compile_part(const std::string& folder, const std::string& text, int first,
                                  std::string* log) {
  const std::string path = fmt::format("{}/part{}", folder, first);
  std::ofstream(path + ".cpp") << text;
  const std::string command = fmt::format(
      "${{CXX:-c++}} -std=c++17 -O1 -w -fPIC -shared -ffp-contract=off -fno-strict-aliasing -o "
      "{0}.so {0}.cpp > {0}.log 2>&1",
      path);
  if (std::system(command.c_str()) != 0) {
    *log = read_file(path + ".log").substr(0, 4000);
    if (std::getenv("GPY_KEEP_EMULATED"))
      std::filesystem::copy_file(path + ".cpp", std::getenv("GPY_KEEP_EMULATED"),
                                 std::filesystem::copy_options::overwrite_existing);
    return false;
  }
  void* library = dlopen((path + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  for (size_t i = first; i < entries_.size() && i < size_t(first + kKernelsAPart); ++i) {
    entries_[i] = reinterpret_cast<Entry>(dlsym(library, fmt::format("run_{}", i).c_str()));
  }
  return library != nullptr;
}

void KernelEmulator::run(const Plan& plan, const Bindings& bindings) {
  cuda::Schedule schedule;
  cuda::make_schedule(plan, bindings, schedule, hostile_);
  std::string key;
  cuda::append_key(plan, schedule, key);
  const cuda::Workspace need = cuda::workspace_of(plan, schedule);
  std::vector<std::byte> partials(need.partial_bytes);
  std::vector<uint32_t> counters(need.counters);
  cuda::ParameterBlock block;
  const auto parameters = block.pack(plan, schedule, bindings, partials.data(), counters.data());
  const cuda::LaunchList steps = cuda::launches_of(plan, schedule);
  for (int i = 0; i < steps.count; ++i) {
    const cuda::KernelLaunch& step = steps.steps[i];
    const uint32_t grid = hostile_.grid ? std::min(step.blocks_x, hostile_.grid) : step.blocks_x;
    entries_.at(numbers_.at(key))(parameters.data(), step.entry, step.blocks_x, grid, step.threads);
  }
  for (uint32_t counter : counters) {
    if (counter != 0) throw std::runtime_error("a kernel left its counter set");
  }
}

}  // namespace gpy::rt::test
