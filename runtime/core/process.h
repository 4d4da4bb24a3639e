#pragma once

// Events of the process as a whole: it forks, it ends, and a host closes the library. The runtime's
// threads, locks and library calls are made to survive them.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace gpy::rt {

// The number of forks between this process and the one in which gpy was first used.
extern std::atomic<uint32_t> forks;
inline uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

// The first call installs handlers for forks and the process's end, and keeps the library in
// memory: dlclose would unmap code that threads, and destructors at their ends, still run.
void install_process_handlers();

// A lock that is free in the child of a fork, where it is made anew. fork waits a moment until it
// holds all of them, so that the data they guard is consistent, but not for a long call (of a
// compiler) under one.
class ForkLock {
 public:
  virtual bool try_to_lock() = 0;
  virtual void release() = 0;
  virtual void make_anew() = 0;

 protected:
  ForkLock() = default;
  ~ForkLock() = default;
  // Forks handle the lock between the two calls: the derived class calls them first and last.
  void add_to_list();
  void remove_from_list() noexcept;
  ForkLock(const ForkLock&) = delete;
  ForkLock& operator=(const ForkLock&) = delete;

 private:
  friend struct Process;
  ForkLock *before_ = nullptr, *after_ = nullptr;
  bool held_ = false;  // by the thread that forks
};

template <class Mutex> class ForkSafe final : public Mutex, private ForkLock {
 public:
  ForkSafe() { add_to_list(); }
  ~ForkSafe() { remove_from_list(); }

 private:
  bool try_to_lock() override { return this->try_lock(); }
  void release() override { this->unlock(); }
  void make_anew() override { new (static_cast<Mutex*>(this)) Mutex; }
};

// An object that belongs to one process, such as threads with their waiters. In the child of a fork
// a new one replaces it; the old one is left as it is, since its threads cannot be joined.
template <class T> class PerProcess {
 public:
  PerProcess() : one_(std::make_unique<T>().release()) {}
  ~PerProcess() {
    if (made_in_.load() == fork_count()) delete one_.load();
  }
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  T& get() {
    if (made_in_.load(std::memory_order_acquire) != fork_count()) make_anew();
    return *one_.load(std::memory_order_relaxed);
  }

 private:
  void make_anew() {
    const std::lock_guard lock(mutex_);
    if (made_in_.load() == fork_count()) return;
    one_.store(std::make_unique<T>().release());
    made_in_.store(fork_count(), std::memory_order_release);
  }

  ForkSafe<std::mutex> mutex_;
  std::atomic<T*> one_;
  std::atomic<uint32_t> made_in_{fork_count()};
};

// Libraries that shut down when the process ends; OpenBLAS ends its threads and frees their memory
// when it forks, too.
enum class Library : uint8_t { kBlas, kGpu };

// While one lives, this thread is inside a library. exit() waits for such calls for a second; where
// one takes longer the process ends without shutting libraries down. Once exit() waits, other
// threads than its own get a kRuntime error here. fork() waits for those of OpenBLAS.
class LibraryCall {
 public:
  explicit LibraryCall(Library library);
  // The same without an exception: converts to false where the call must not be made.
  LibraryCall(Library library, std::nothrow_t) noexcept;
  ~LibraryCall();
  explicit operator bool() const { return may_call_; }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  std::atomic<int>& calls_;
  bool may_call_ = true;
};

// Called after a library has been opened, and after its use: exit handlers run in reverse order,
// and ours must run before those that the library has registered by then.
void install_exit_handler();
// The same for OpenBLAS, with handlers for forks.
void install_blas_handlers();

// Whether this thread ends the process, or works for one that does.
bool ends_process() noexcept;
void work_for_end(bool ends) noexcept;

}  // namespace gpy::rt
