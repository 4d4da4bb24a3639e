#include "runtime/core/process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "runtime/core/error.h"

namespace gpy::rt {

std::atomic<uint32_t> forks{0};

namespace {

// The longest waits: of fork for locks, and of exit for calls of libraries.
constexpr auto kForkWaits = std::chrono::milliseconds(100);
constexpr auto kEndWaits = std::chrono::seconds(1);
constexpr auto kPollInterval = std::chrono::microseconds(100);

std::atomic<int> blas_calls{0}, gpu_calls{0};
std::atomic<int> forking{0};  // threads that wait for calls of BLAS to fork
std::atomic<bool> ending{false};
thread_local bool this_thread_ends = false;

// Waits until `done` returns true; false when time is up before.
template <class Done, class Time> bool wait_until(Done&& done, Time time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kPollInterval);
  }
  return true;
}

// Flushes on a thread of its own: a stream that another thread reads from stays locked meanwhile.
void flush_streams() {
  static std::atomic<bool> flushed{false};
  try {
    std::thread([] {
      std::fflush(nullptr);
      flushed.store(true);
    }).detach();
  } catch (const std::exception&) {
    return;
  }
  wait_until([] { return flushed.load(); }, kEndWaits);
}

// Keeps the object file of this code loaded: libgpy.so, a host's plugin, or the program, which
// stays anyway.
void stay_in_memory() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&stay_in_memory), &here) == 0) return;
  dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace

// Never destroyed: threads may outlive the end of main.
struct Process {
  std::mutex mutex;  // of the list
  ForkLock* first = nullptr;

  static Process& get() {
    static Process& process = *new Process;
    return process;
  }

  Process() {
    stay_in_memory();
    pthread_atfork([] { get().before_fork(); }, [] { get().in_parent(); },
                   [] { get().in_child(); });
    install_exit_handler();
  }

  template <class Act> void for_each(Act&& act) {
    for (ForkLock* each = first; each; each = each->after_) act(*each);
  }

  // Takes all locks or none: others may wait for one of them while they hold another.
  bool take_all() {
    bool all = true;
    for_each([&](ForkLock& each) { all = all && (each.held_ = each.try_to_lock()); });
    if (!all) release_held();
    return all;
  }
  bool take_more() {
    bool all = true;
    for_each([&](ForkLock& each) {
      each.held_ = each.held_ || each.try_to_lock();
      all = all && each.held_;
    });
    return all;
  }
  void release_held() {
    for_each([](ForkLock& each) {
      if (std::exchange(each.held_, false)) each.release();
    });
  }

  void before_fork() {
    mutex.lock();
    if (wait_until([this] { return take_all(); }, kForkWaits)) return;
    // Some locks are held for long. The others are taken one by one and kept: the C library's own
    // lock of the environment would stay locked in the child.
    wait_until([this] { return take_more(); }, kForkWaits);
  }
  void in_parent() {
    release_held();
    mutex.unlock();
  }
  void in_child() {
    forks.fetch_add(1);
    gpu_calls.store(0);  // of threads that are not here
    // No owner of a lock exists here: even the thread that forked has another number.
    for_each([](ForkLock& each) {
      each.held_ = false;
      each.make_anew();
    });
    mutex.unlock();
  }

  static void end_libraries(int status) {
    this_thread_ends = true;
    ending.store(true);
    if (wait_until([] { return blas_calls.load() + gpu_calls.load() == 0; }, kEndWaits)) return;
    flush_streams();
    _exit(status);
  }
};

void install_process_handlers() { Process::get(); }

void install_exit_handler() {
  on_exit([](int status, void*) { Process::end_libraries(status); }, nullptr);
}

void install_blas_handlers() {
  install_exit_handler();
  pthread_atfork(
      [] {
        forking.fetch_add(1);
        while (blas_calls.load() != 0) std::this_thread::sleep_for(kPollInterval);
      },
      [] { forking.fetch_sub(1); },
      [] {
        forking.store(0);
        blas_calls.store(0);  // of threads that are not here
      });
}

void ForkLock::add_to_list() {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  after_ = process.first;
  if (after_) after_->before_ = this;
  process.first = this;
}

void ForkLock::remove_from_list() noexcept {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  (before_ ? before_->after_ : process.first) = after_;
  if (after_) after_->before_ = before_;
}

LibraryCall::LibraryCall(Library library) : LibraryCall(library, std::nothrow) {
  if (!may_call_) fail(ErrorKind::kRuntime, "the process is ending: libraries cannot be called");
}

LibraryCall::LibraryCall(Library library, std::nothrow_t) noexcept
    : calls_(library == Library::kBlas ? blas_calls : gpu_calls) {
  while (may_call_) {
    calls_.fetch_add(1);
    const bool ended = ending.load() && !this_thread_ends;
    const bool waits = library == Library::kBlas && forking.load();
    if (!ended && !waits) return;
    calls_.fetch_sub(1);
    may_call_ = !ended;
    if (waits) std::this_thread::sleep_for(kPollInterval);
  }
}

LibraryCall::~LibraryCall() {
  if (may_call_) calls_.fetch_sub(1);
}

bool ends_process() noexcept { return this_thread_ends; }
void work_for_end(bool ends) noexcept { this_thread_ends = ends; }

}  // namespace gpy::rt
