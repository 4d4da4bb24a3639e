#pragma once

// Memory for short-lived objects: a thread keeps freed blocks for the next objects of their type.

#include <cstddef>
#include <new>

#include "runtime/core/sanitizer.h"

namespace gpy::rt {

// False under AddressSanitizer, which could not see a use after free. Code that must see each
// allocation sets it to false before a thread's first one.
inline bool recycles = !kAddressSanitizer;

// A base of T; nothing may derive from T.
template <class T> class Recycled {
 public:
  static void* operator new(size_t bytes) {
    if (List& list = kept; list.top) {
      --list.count;
      Block* block = list.top;
      list.top = block->below;
      return block;
    }
    if (recycles && kept.state == State::kUnused) open();
    return ::operator new(bytes);
  }
  static void operator delete(void* block) noexcept {
    List& list = kept;
    if (list.state != State::kOpen || list.count == kMost) return ::operator delete(block);
    list.top = new (block) Block{list.top};
    ++list.count;
  }

 private:
  static constexpr int kMost = 64;

  struct Block {
    Block* below;
  };
  // Threads also free objects after their thread-local variables have ended.
  enum class State : unsigned char { kUnused, kOpen, kEnded };
  struct List {
    Block* top;
    int count;
    State state;
  };
  struct End {
    ~End() {
      kept.state = State::kEnded;
      while (kept.top) {
        Block* block = kept.top;
        kept.top = block->below;
        ::operator delete(block);
      }
    }
  };

  static void open() {
    static thread_local End end;
    static_cast<void>(end);
    kept.state = State::kOpen;
  }

  static constinit inline thread_local List kept{};
};

}  // namespace gpy::rt
