#pragma once

// What a compiled function shares with its caller while it runs. support/owned.h reads the same
// bytes.

#include <cstdint>

namespace gpy::rt::typed {

// The memory of an array that a compiled function has made: a header, then the elements.
struct Block {
  Block *before, *after;  // among the blocks of the call
  int64_t references;
  int64_t bytes;
};

enum class FailureCode : int32_t {
  kNone,
  kZeroDivision,
  kNoMemory,
  kNegativeExtent,
  kTooLarge,
  kRaised = 16,  // and the number of the raise statement
};

struct CallFrame {
  Block* blocks = nullptr;
  int64_t room = INT64_MAX;  // bytes that may still be allocated
  FailureCode failure = FailureCode::kNone;
  int32_t line = 0;
};

}  // namespace gpy::rt::typed
