#include "runtime/cpu/blas.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/core/blocked_signals.h"
#include "runtime/core/environment.h"
#include "runtime/core/error.h"
#include "runtime/core/instruction_set.h"
#include "runtime/core/open_files.h"
#include "runtime/core/process.h"
#include "runtime/core/thread_pool.h"

namespace gpy::rt {
namespace {

std::string program_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return ".";
  const std::string_view whole(path, static_cast<size_t>(length));
  return std::string(whole.substr(0, whole.rfind('/')));
}

// Idle threads that end with the object.
class IdleThreads {
 public:
  IdleThreads() = default;
  ~IdleThreads() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  IdleThreads(const IdleThreads&) = delete;
  IdleThreads& operator=(const IdleThreads&) = delete;

  void start(int count) {
    threads_.reserve(count);
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { wait(); });
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    over_.wait(lock, [this] { return done_; });
  }

  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::vector<std::thread> threads_;
};

// The address space that OpenBLAS takes, most of which is never touched: work memory for each of
// its threads (128 MiB), with malloc's arena for a thread (64 MiB), and its text and tables.
// Measured with 0.3.21, rounded up.
constexpr size_t kWorkBytes = size_t{193} << 20, kLibraryBytes = size_t{128} << 20;

bool is_room_for(size_t bytes) {
  void* room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

// True if OpenBLAS can start `count` threads, the caller's among them. Where it gets no thread it
// raises SIGINT and waits for it forever; for memory it retries forever.
bool can_start(int count) {
  IdleThreads threads;
  try {
    threads.start(count - 1);
  } catch (const std::exception&) {
    return false;
  }
  return is_room_for(kLibraryBytes + static_cast<size_t>(count) * kWorkBytes);
}

constexpr const char* kThreadsName = "OPENBLAS_NUM_THREADS";
constexpr const char* kCoreName = "OPENBLAS_CORETYPE";

// OpenBLAS's own reading of its variables: the first positive one counts, up to the cores.
int openblas_threads() {
  for (const char* name : {kThreadsName, "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const int wished = std::atoi(environment_variable(name).c_str());
    if (wished > 0) return std::min(wished, usable_cores());
  }
  return usable_cores();
}

std::atomic<bool> environment_is_ours = false;

// An environment variable that has another value while the object lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name), before_(environment_variable(name)) {
    set_environment_variable(name, value);
  }
  ~Variable() {
    if (before_.empty()) unset_environment_variable(name_);
    else set_environment_variable(name_, before_.c_str());
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  const std::string before_;
};

// Runs a product on all threads: each keeps the work memory that it takes for it.
void take_work_memory(void* dgemm) {
  constexpr int n = 128;
  const std::vector<double> a(size_t{n} * n);
  std::vector<double> c(a.size());
  const double one = 1, zero = 0;
  const LibraryCall call(Library::kBlas);
  reinterpret_cast<void (*)(const char*, const char*, const int*, const int*, const int*,
                            const double*, const double*, const int*, const double*, const int*,
                            const double*, double*, const int*)>(dgemm)(
      "N", "N", &n, &n, &n, &one, a.data(), &n, a.data(), &n, &zero, c.data(), &n);
}

void* open(const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); }

// As SciPy's wheels name it (PyPI: scipy-openblas32), and as systems do. The former has a word
// before all its names, so that a process may hold both.
constexpr const char* kWheelFile = "libscipy_openblas.so";
constexpr const char* kSystemFile = "libopenblas.so.0";
constexpr const char* kPrefixes[] = {"", "scipy_"};

// The version it says it is, and what it takes the processor for.
std::string version_of(void* library, const std::string& prefix) {
  using Text = const char* (*)();
  const auto ask = [&](const char* name) {
    return reinterpret_cast<Text>(dlsym(library, (prefix + name).c_str()));
  };
  const Text config = ask("openblas_get_config"), core = ask("openblas_get_corename");
  if (!config || !core) return "";
  const std::string_view all = config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
  const std::string_view version = all.substr(0, all.find(' ', all.find(' ') + 1));
  return fmt::format("{}, {} kernels", version, core());
}

// Debian's OpenBLAS 0.3.21 takes some processors that have AVX-512 for Haswell's.
bool knows_processors(const std::string& file) { return file.ends_with(kWheelFile); }

}  // namespace

// The folder beside the program, of a build, in which scripts/setup puts what it fetches.
constexpr const char* kFetchedFolder = "/openblas/scipy_openblas32/lib";

std::vector<std::string> openblas_files(const std::string& wish) {
  std::vector<std::string> files, folders;
  if (!wish.empty()) {
    files.push_back(wish);
    folders.push_back(wish);
  }
  const std::string program = program_folder();
  for (const std::string& folder : {program + "/lib", program, program + kFetchedFolder}) {
    folders.push_back(folder);
  }
  for (const std::string& folder : folders) {
    for (const char* name : {kWheelFile, kSystemFile}) files.push_back(folder + "/" + name);
  }
  files.emplace_back(kSystemFile);
  files.emplace_back("libopenblas.so");
  return files;
}

void let_blas_use_environment() { environment_is_ours.store(true); }

Blas::Blas() {
  const int threads = openblas_threads();
  std::optional<Variable> few;
  if (!can_start(threads)) {
    if (!environment_is_ours || !can_start(1)) {
      lack_memory(threads);
      return;
    }
    few.emplace(kThreadsName, "1");
  }
  const BlockedSignals for_its_threads{SIGINT};
  find_libraries();
  install_blas_handlers();
  if (blas_) take_work_memory(symbol(DType::kFloat64, "gemm"));
  if (lapack_) return;
  require_room_for_file("libopenblas.so.0");  // the next call looks again
  missing_ =
      "LAPACK was not found; install OpenBLAS (on Debian and Ubuntu: apt-get install "
      "libopenblas0), or put libopenblas.so.0 beside the program, or name it in GPY_BLAS_PATH";
}

void Blas::lack_memory(int threads) {
  lacks_memory_ = true;
  missing_ = fmt::format(
      "OpenBLAS cannot start: {} threads and {} MiB of address space are more than this process "
      "may have",
      threads, (kLibraryBytes + static_cast<size_t>(threads) * kWorkBytes) >> 20);
}

void Blas::fail_missing() const {
  fail(lacks_memory_ ? ErrorKind::kMemory : ErrorKind::kNotImplemented,
       "linear algebra needs a library that is not there: {}", missing_);
}

bool Blas::open_openblas(const std::string& file) {
  std::optional<Variable> core;
  const bool is_free = environment_is_ours && environment_variable(kCoreName).empty();
  if (is_free && instruction_set() == InstructionSet::kAvx512 && !knows_processors(file)) {
    core.emplace(kCoreName, "SkylakeX");
  }
  void* const library = open(file);
  if (!library) return false;
  for (const char* prefix : kPrefixes) {
    const auto find = [&](const char* name) {
      return dlsym(library, (std::string(prefix) + name).c_str());
    };
    if (!find("dgemm_")) continue;
    blas_ = library;
    lapack_ = find("dgetrf_") ? library : nullptr;
    threads_ = reinterpret_cast<int (*)()>(find("openblas_get_num_threads"));
    prefix_ = prefix;
    path_ = file;
    version_ = version_of(library, prefix);
    return true;
  }
  return false;
}

void Blas::find_libraries() {
  for (const std::string& file : openblas_files(environment_variable("GPY_BLAS_PATH"))) {
    if (open_openblas(file)) break;
  }
  if (!blas_ && (blas_ = open("libblas.so.3"))) path_ = "libblas.so.3";
  if (!lapack_) lapack_ = open("liblapack.so.3");
}

// Never destroyed: threads may outlive the end of main. A static's guard would stay taken in the
// child of a fork during the construction.
const Blas& Blas::get() {
  static std::atomic<const Blas*> made{nullptr};
  static ForkSafe<std::mutex>& mutex = *new ForkSafe<std::mutex>;
  if (const Blas* blas = made.load(std::memory_order_acquire)) return *blas;
  const std::lock_guard lock(mutex);
  if (!made.load(std::memory_order_relaxed)) made.store(new Blas, std::memory_order_release);
  return *made.load(std::memory_order_relaxed);
}

void* Blas::symbol(DType dtype, std::string_view name) const {
  const char letter = dtype == DType::kFloat32     ? 's'
                      : dtype == DType::kFloat64   ? 'd'
                      : dtype == DType::kComplex64 ? 'c'
                                                   : 'z';
  const std::string full = letter + std::string(name) + "_";
  const auto find = [](void* library, const std::string& symbol) {
    return library ? dlsym(library, symbol.c_str()) : nullptr;
  };
  if (void* found = find(blas_, prefix_ + full)) return found;
  if (void* found = lapack_ == blas_ ? nullptr : find(lapack_, full)) return found;
  if (!missing_.empty()) fail_missing();
  fail(ErrorKind::kNotImplemented, "{} is not there: the BLAS library lacks it", full);
}

}  // namespace gpy::rt
