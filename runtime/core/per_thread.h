#pragma once

// Objects that a thread keeps from one call to the next.

#include <utility>

namespace gpy::rt {

// This thread's T, made at its first use and destroyed with the thread. A later use, as by an
// interpreter in static storage that ends after the main thread's variables, makes a new one, which
// stays. A thread_local T would be used after its end there.
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
