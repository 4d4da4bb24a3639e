#pragma once

// What the environment says of compiled kernels: how long a compiler may take, and how much is kept
// on disk.

#include <cstddef>
#include <optional>

namespace gpy::rt {

constexpr size_t kDefaultCacheBytes = size_t{256} << 20;
constexpr double kDefaultCompileSeconds = 60;

// GPY_CACHE_BYTES: a whole number, with K, M or G behind it for KiB, MiB or GiB; 0 keeps nothing.
// nullopt where it is not set, or is no such number.
std::optional<size_t> wished_cache_bytes();
// GPY_COMPILE_SECONDS: a positive number. nullopt likewise.
std::optional<double> wished_compile_seconds();

inline size_t cache_bytes() { return wished_cache_bytes().value_or(kDefaultCacheBytes); }
inline double compile_seconds() {
  return wished_compile_seconds().value_or(kDefaultCompileSeconds);
}

}  // namespace gpy::rt
