#pragma once

// What happens to a process as a whole: it forks, it ends, and a host closes the library. Threads
// of ours, locks and calls of libraries have to live with that.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace gpy::rt {

// How many forks lie between this process and the one in which gpy was first used.
extern std::atomic<uint32_t> forks;
inline uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

// From the first call on forks and the process's end are looked after, and the library stays in
// memory: dlclose would take the code away from threads, and from the ends of threads.
void look_after_process();

// A lock that is free in the child of a fork, where it is made anew. fork waits a moment until it
// has all of them, so that what they guard is whole, but not for a long call (of a compiler) under
// one.
class ForkLock {
 public:
  virtual bool try_to_lock() = 0;
  virtual void let_go() = 0;
  virtual void make_anew() = 0;

 protected:
  ForkLock() = default;
  ~ForkLock() = default;
  // Between the two, forks respect it: its own class calls them, as its first and last act.
  void enlist();
  void delist() noexcept;
  ForkLock(const ForkLock&) = delete;
  ForkLock& operator=(const ForkLock&) = delete;

 private:
  friend struct Process;
  ForkLock *before_ = nullptr, *after_ = nullptr;
  bool held_ = false;  // by the thread that forks
};

template <class Mutex> class ForkSafe final : public Mutex, private ForkLock {
 public:
  ForkSafe() { enlist(); }
  ~ForkSafe() { delist(); }

 private:
  bool try_to_lock() override { return this->try_lock(); }
  void let_go() override { this->unlock(); }
  void make_anew() override { new (static_cast<Mutex*>(this)) Mutex; }
};

// What belongs to one process, such as threads and those who wait for them. In the child of a fork
// a new one stands in its place; the old one is left as it is, since its threads cannot be joined.
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

// Libraries that take themselves apart when the process ends; OpenBLAS ends its threads and frees
// their memory when it forks, too.
enum class Library : uint8_t { kBlas, kGpu };

// While one lives, this thread is inside a library. exit() waits for such calls for a second; where
// one takes longer the process ends without taking libraries apart. Once exit() has come so far,
// other threads than its own get a kRuntime error here. fork() waits for those of OpenBLAS.
class LibraryCall {
 public:
  explicit LibraryCall(Library library);
  // For those who cannot throw: false where the call must not be made.
  LibraryCall(Library library, std::nothrow_t) noexcept;
  ~LibraryCall();
  explicit operator bool() const { return may_call_; }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  std::atomic<int>& calls_;
  bool may_call_ = true;
};

// To be called when a library has been opened, and when it has been used: what was asked for last
// comes first at the end of the process, and the library asked for its own end then.
void look_after_library();
// The same for OpenBLAS, and for forks.
void look_after_blas();

// Whether this thread ends the process, or works for one that does.
bool ends_process() noexcept;
void work_for_end(bool ends) noexcept;

}  // namespace gpy::rt
