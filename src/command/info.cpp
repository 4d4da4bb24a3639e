#include "src/command/info.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "runtime/core/environment.h"
#include "runtime/core/instruction_set.h"
#include "runtime/cpu/blas.h"
#include "runtime/cuda/inventory.h"
#include "runtime/cuda/make_backend.h"
#include "runtime/kernel/disk_cache.h"
#include "runtime/kernel/private_folder.h"
#include "runtime/session.h"
#include "src/command/print_row.h"

namespace gpy::command {

namespace {

// "model name : AMD EPYC 9654"
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

const char* loops_name() {
  switch (rt::instruction_set()) {
    case rt::InstructionSet::kAvx512: return "AVX-512";
    case rt::InstructionSet::kAvx2: return "AVX2";
    case rt::InstructionSet::kBase: break;
  }
  return "SSE2";
}

std::string gibibytes(size_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

std::string blas_text(const rt::Blas& blas) {
  if (!blas.has_blas()) return "not found";
  if (blas.version().empty()) return blas.path();
  return fmt::format("{}, {} threads ({})", blas.version(), blas.threads(), blas.path());
}

void print_cpu(rt::Runtime& runtime) {
  const rt::DeviceInfo cpu = runtime.backend(rt::kHostPlace).device_info();
  print_row("cpu", fmt::format("{}, {} threads, {} loops, {}", processor_name(),
                               cpu.multiprocessors, loops_name(), gibibytes(cpu.memory_total)));
  const rt::Blas& blas = rt::Blas::get();
  if (blas.lacks_memory()) return print_row("BLAS", blas.missing());
  print_row("BLAS", blas_text(blas));
  if (!blas.missing().empty()) print_row("LAPACK", blas.missing());
  const std::string wish = rt::environment_variable("GPY_BLAS_PATH");
  if (!blas.path().starts_with(wish)) {
    print_row("",
              fmt::format("GPY_BLAS_PATH, {}, is no BLAS that opens, nor a folder of one", wish));
  }
}

void print_gpu(rt::Runtime& runtime, int index) {
  const rt::DeviceInfo gpu = runtime.backend(static_cast<rt::Place>(1 + index)).device_info();
  print_row(
      fmt::format("cuda:{}", index),
      fmt::format("{}, {} of {} free, compute capability {}.{}, {} multiprocessors", gpu.name,
                  gibibytes(gpu.memory_free), gibibytes(gpu.memory_total),
                  gpu.compute_capability / 10, gpu.compute_capability % 10, gpu.multiprocessors));
}

void print_gpus(rt::Runtime& runtime) {
  const int count = runtime.gpu_count();
  for (int index = 0; index < count; ++index) print_gpu(runtime, index);
  if (count == 0)
    print_row("GPU", "none: " + runtime.no_gpu_reason() + "; cupy's device 0 is the CPU");
}

std::string kernels_text() {
  const std::string cache = rt::DiskCache::default_folder();
  if (cache.empty() || rt::cache_bytes() == 0) return "not kept between processes";
  const std::string why_not = rt::why_untrusted(cache);
  return why_not.empty() ? "kept in " + cache : fmt::format("not kept: {} {}", cache, why_not);
}

}  // namespace

void print_info() {
  print_row("gpy", GPY_VERSION);
  rt::Runtime runtime;
  print_cpu(runtime);
  for (const rt::CudaPart& part : rt::cuda_inventory()) print_row(part.name, part.found);
  print_gpus(runtime);
  print_row("kernels", kernels_text());
}

}  // namespace gpy::command
