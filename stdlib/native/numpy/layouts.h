#pragma once
// The layouts of the array library's own objects.

#include "src/array/objects.h"

namespace gpy::lib {

constexpr ObjectLayout library_layout(int i) {
  return static_cast<ObjectLayout>(static_cast<int>(kFirstLibraryLayout) + i);
}

inline constexpr ObjectLayout kGridLayout = library_layout(0);
inline constexpr ObjectLayout kInfoLayout = library_layout(1);
inline constexpr ObjectLayout kErrorStateLayout = library_layout(2);
inline constexpr ObjectLayout kPrintStateLayout = library_layout(3);
inline constexpr ObjectLayout kRandomStateLayout = library_layout(4);
inline constexpr ObjectLayout kGeneratorLayout = library_layout(5);
inline constexpr ObjectLayout kDeviceLayout = library_layout(6);
inline constexpr ObjectLayout kStreamLayout = library_layout(7);
inline constexpr ObjectLayout kMemoryPoolLayout = library_layout(8);
inline constexpr ObjectLayout kBenchmarkLayout = library_layout(9);
inline constexpr ObjectLayout kPhiloxLayout = library_layout(10);
inline constexpr ObjectLayout kCanvasLayout = library_layout(11);
inline constexpr ObjectLayout kEventLayout = library_layout(13);
inline constexpr ObjectLayout kGuardedFunctionLayout = library_layout(14);
inline constexpr ObjectLayout kIndexExpressionLayout = library_layout(15);
inline constexpr ObjectLayout kNoValueLayout = library_layout(16);
inline constexpr ObjectLayout kPairedUfuncLayout = library_layout(17);
inline constexpr ObjectLayout kPooledMemoryLayout = library_layout(18);
inline constexpr ObjectLayout kBitEngineLayout = library_layout(19);
inline constexpr ObjectLayout kGraphLayout = library_layout(20);
inline constexpr ObjectLayout kCheckScopeLayout = library_layout(21);
inline constexpr ObjectLayout kRuntimeStateLayout = library_layout(30);

}  // namespace gpy::lib
