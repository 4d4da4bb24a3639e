#pragma once

// What checked kernels report: accesses and meetings of threads that went wrong. A kernel's text
// writes these (check_text.cpp declares the same layout), the launch turns them into one error.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/dtype.h"

namespace gpy::rt {

struct Finding {
  enum class Kind : int32_t {
    kOutside = 1,    // beyond the array
    kNull,           // through a null pointer
    kMisaligned,     // at an address that the type cannot have
    kUninitialised,  // of shared memory that nobody has written
    kSharedRace,     // two threads, no barrier between
    kGlobalRace,     // two threads of a launch
    kDivergent,      // threads of a block at different barriers, or some of them at none
    kNan,            // a NaN is stored that was not read
    kHandedOn,       // no error: accesses through this pointer are not checked from here on
  };
  Kind kind;
  int32_t array;          // the number of its name (ArrayNames); -1: none
  int32_t line;           // 0: `where` tells it
  int32_t detail;         // kDivergent: the other's line; kOutside: the axis, from 1; else 0
  int64_t index, extent;  // of an access in elements; `extent`: of a misaligned one the bytes
  uint64_t file;          // its name's address on the host, its hash on a GPU
  const void* where;      // on the host, the return address of the call that reported it
  uint32_t block[3], thread[3], other[3];
};

// Where it was, in the script's terms.
struct PlacedFinding : Finding {
  std::string file_name;
  int64_t element = -1;  // of a generated kernel
  uint32_t other_block[3] = {};
  int64_t other_element = -1;
  std::string name;  // of the array
};

// A checked pointer as the text's _gpy_checked<T>: what a launch passes for an array.
struct CheckedPointer {
  const void* at;
  uint64_t low, high;  // the bytes that it may reach
  int32_t array, line;
  const char* file;
};

// Memory that a launch lends: where its races and NaNs are looked for.
struct CheckedMemory {
  std::string name;
  const std::byte* address;
  int64_t bytes;
  DType dtype;
};

// The arrays of a kernel of which has been said that they are not checked.
using ToldArrays = std::set<int>;

struct LaunchChecks {
  // Adds a finding, unless there is one of its kind, array and line; gives it its array's name.
  void keep(PlacedFinding finding);

  bool nan = false;
  bool combines = false;  // elements: a NaN that one has read comes out of others
  bool has_read_nan = false;
  std::shared_ptr<const std::vector<std::string>> names;  // of arrays in the text, by number
  std::vector<CheckedMemory> memory;
  std::vector<PlacedFinding> found;  // the first of each kind and place, in the order of their time
};

// The most that one launch keeps.
constexpr size_t kMostFindings = 32;

// Where a GPU's findings are: the variable kFindingsVariable of their module.
struct FindingTable {
  uint64_t keys[kMostFindings];  // 0: there is none
  Finding items[kMostFindings];
};
// The hash of a file's name there.
uint64_t file_key(std::string_view file);

}  // namespace gpy::rt
