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
  kWholeQuotient,  // of ints, by 0
  kWholeModulo,
  kWholeDivmod,
  kModulo,
  kNoMemory,
  kNegativeExtent,
  kTooLarge,
  kShapes,      // that do not broadcast
  kAssigned,    // more or fewer elements than the place has
  kEmptyLeast,  // the least of no elements
  kEmptyGreatest,
  kEmptyPlaceOfLeast,
  kEmptyPlaceOfGreatest,
  kNewShape,  // reshape to another number of elements
  kProduct,   // matrices that do not fit each other
  kStep,      // a step of 0
  kIndex,     // outside of an array, where that is looked at
  kListIndex,
  kEmptyList,  // pop of one
  kNotSquare,
  kEmptyRange,   // of a random int
  kLargeSample,  // of more items than there are, each once
  kRangeStep,    // of 0
  kZeroPower,    // 0 to a negative power
  kUnset,        // a field without a value
  kNoKey,        // of a dictionary
  kWiderItems,   // elements of another size, whose number is no whole one
  kApartItems,   // the same, of an axis whose elements do not follow one another
  kNotInList,    // an item that is looked for
  kJoined,       // arrays whose other extents differ
  kAxis,         // that an array does not have
  kAxisTwice,    // of transpose
  kMask,         // of another size than its axis
  kRows,         // lists of several sizes as rows of an array
  kParallel,     // a part of a parallel loop failed: the caller knows how
  kRaised = 64,  // and the number of the raise statement
};

// What a function prints, in the order in which it does.
enum class PrintedKind : uint64_t {
  kText,  // the number of a text that the translator knows
  kEnd,   // of a line
  kBool,
  kInt,
  kUnsigned,
  kFloat,
  kComplex,
};
struct Printed {
  PrintedKind kind;
  uint64_t words[2];
};

constexpr int64_t kMostParts = 512;
constexpr size_t kRandomBytes = 4096;

struct CallFrame {
  Block* blocks = nullptr;
  int64_t room = INT64_MAX;  // bytes that may still be allocated
  FailureCode failure = FailureCode::kNone;
  int32_t line = 0;
  Printed* printed = nullptr;  // from malloc
  int64_t printed_count = 0, printed_room = 0;
  // Runs parts of a loop on several threads; false: a part failed. Null: there is one thread.
  bool (*run_parts)(void* runner, void* call, void* part, int64_t rounds, int64_t parts) = nullptr;
  void* runner = nullptr;
  // The state of random numbers, which the function knows; null: it makes one from `seed`.
  void* random = nullptr;
  uint64_t seed = 0;
  int64_t parts = 1;        // at most kMostParts
  void* records = nullptr;  // the lists and instances of the caller that have been read (words.h)
  void* way_out[5] = {};    // where the function goes when it fails
};

}  // namespace gpy::rt::typed
