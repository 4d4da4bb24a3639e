#pragma once
// The layouts of the array library's own objects.

#include "src/array/objects.h"

namespace gpy::lib {

constexpr Layout library_layout(int i) {
  return static_cast<Layout>(static_cast<int>(kFirstLibraryLayout) + i);
}

inline constexpr Layout kGridLayout = library_layout(0);
inline constexpr Layout kInfoLayout = library_layout(1);
inline constexpr Layout kErrorStateLayout = library_layout(2);
inline constexpr Layout kPrintStateLayout = library_layout(3);
inline constexpr Layout kRandomStateLayout = library_layout(4);
inline constexpr Layout kGeneratorLayout = library_layout(5);
inline constexpr Layout kDeviceLayout = library_layout(6);
inline constexpr Layout kStreamLayout = library_layout(7);
inline constexpr Layout kMemoryPoolLayout = library_layout(8);
inline constexpr Layout kBenchmarkLayout = library_layout(9);
inline constexpr Layout kPhiloxLayout = library_layout(10);
inline constexpr Layout kImageLayout = library_layout(11);
inline constexpr Layout kJoinerLayout = library_layout(12);
inline constexpr Layout kEventLayout = library_layout(13);
inline constexpr Layout kGuardedFunctionLayout = library_layout(14);
inline constexpr Layout kIndexExpressionLayout = library_layout(15);
inline constexpr Layout kNoValueLayout = library_layout(16);
inline constexpr Layout kPairedUfuncLayout = library_layout(17);
inline constexpr Layout kPooledMemoryLayout = library_layout(18);
inline constexpr Layout kRuntimeStateLayout = library_layout(30);

}  // namespace gpy::lib
