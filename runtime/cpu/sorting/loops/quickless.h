#pragma once

// What quicksort.h has, for machines without wide vectors.

#include "runtime/cpu/sorting/loops.h"

namespace gpy::rt {
namespace {

template <class Key> void sort(Key* keys, int64_t count) { sort_by_comparing(keys, count); }

template <class Key> Split split(Key* keys, int64_t count) {
  select_by_comparing(keys, count, count / 2);
  return {count / 2, count / 2 + 1};
}

template <class Key> void select(Key* keys, int64_t count, int64_t kth) {
  select_by_comparing(keys, count, kth);
}

}  // namespace
}  // namespace gpy::rt
