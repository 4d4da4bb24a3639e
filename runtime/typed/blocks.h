#pragma once

// The memory that a call of a compiled function has made.

#include <cstdlib>

#include "runtime/typed/call_frame.h"

namespace gpy::rt::typed {

// The blocks that a call has made and not given away.
class Blocks {
 public:
  explicit Blocks(CallFrame& frame) : frame_(frame) {}
  ~Blocks() {
    while (Block* block = frame_.blocks) {
      frame_.blocks = block->after;
      std::free(block);
    }
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  // The block is the caller's from now on.
  static void take(CallFrame& frame, Block* block) {
    (block->before ? block->before->after : frame.blocks) = block->after;
    if (block->after) block->after->before = block->before;
  }

 private:
  CallFrame& frame_;
};

}  // namespace gpy::rt::typed
