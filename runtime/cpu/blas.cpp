#include "runtime/cpu/blas.h"

#include <dlfcn.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/cpu/instruction_set.h"
#include "runtime/cpu/thread_pool.h"

namespace gpy::rt {
namespace {

std::string program_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return ".";
  const std::string_view whole(path, static_cast<size_t>(length));
  return std::string(whole.substr(0, whole.rfind('/')));
}

// True where the system lets this process have `count` threads more.
bool can_start(int count) {
  std::mutex mutex;
  std::condition_variable over;
  bool done = false;
  auto wait = [&] {
    std::unique_lock lock(mutex);
    over.wait(lock, [&] { return done; });
  };
  std::vector<std::thread> threads;
  try {
    while (static_cast<int>(threads.size()) < count) threads.emplace_back(wait);
  } catch (const std::system_error&) {
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  over.notify_all();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size()) == count;
}

// While OpenBLAS is opened: where it cannot start its threads it raises SIGINT, and waits for them
// ever after. It is told beforehand to do without.
class FewThreads {
 public:
  FewThreads() : set_(!std::getenv(kName) && !can_start(usable_cores() - 1)) {
    if (set_) setenv(kName, "1", 1);
  }
  ~FewThreads() {
    if (set_) unsetenv(kName);
  }
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;

 private:
  static constexpr const char* kName = "OPENBLAS_NUM_THREADS";
  const bool set_;
};

void* open(const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); }

}  // namespace

void choose_openblas_core_type() {
  if (instruction_set() != InstructionSet::kAvx512) return;
  setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
}

Blas::Blas() {
  const FewThreads few;
  const std::string folder = program_folder();
  for (const std::string& name : {folder + "/lib/libopenblas.so.0", folder + "/libopenblas.so.0",
                                  std::string("libopenblas.so.0"), std::string("libopenblas.so")}) {
    if (void* library = open(name); library && dlsym(library, "dgemm_")) {
      blas_ = library;
      lapack_ = dlsym(library, "dgetrf_") ? library : nullptr;
      path_ = name;
      break;
    }
  }
  if (!blas_ && (blas_ = open("libblas.so.3"))) path_ = "libblas.so.3";
  if (!lapack_) lapack_ = open("liblapack.so.3");
  if (!lapack_) {
    missing_ =
        "LAPACK was not found; install OpenBLAS (on Debian and Ubuntu: apt-get install "
        "libopenblas0), or put libopenblas.so.0 beside the program";
  }
}

const Blas& Blas::get() {
  static const Blas blas;
  return blas;
}

void* Blas::symbol(DType dtype, std::string_view name) const {
  const char letter = dtype == DType::kFloat32     ? 's'
                      : dtype == DType::kFloat64   ? 'd'
                      : dtype == DType::kComplex64 ? 'c'
                                                   : 'z';
  const std::string full = letter + std::string(name) + "_";
  for (void* library : {blas_, lapack_}) {
    if (void* found = library ? dlsym(library, full.c_str()) : nullptr) return found;
  }
  fail(ErrorKind::kNotImplemented, "{} is not there: {}", full,
       missing_.empty() ? "the BLAS library lacks it" : missing_);
}

}  // namespace gpy::rt
