#pragma once

// Room that a thread keeps from one call to the next.

#include <utility>

namespace gpy::rt {

// This thread's T, made when it first asks. It goes with the thread; whoever asks even later, as
// an interpreter in static storage does that ends after the main thread's variables, gets a new
// one, which stays. A thread_local T would be used after its end there.
template <class T> T& of_this_thread() {
  static thread_local T* one = nullptr;
  struct End {
    ~End() { delete std::exchange(one, nullptr); }
  };
  if (!one) {
    static thread_local End end;
    static_cast<void>(end);
    one = new T;
  }
  return *one;
}

}  // namespace gpy::rt
