#pragma once
// Sets: one open-addressed table that probes, grows and merges as CPython's does, so that sets of
// ints print in the same order.

#include <cstdint>
#include <span>
#include <vector>

#include "src/value.h"

namespace gpy {

// The object of both set and frozenset.
struct Set : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::set;
  struct Entry {
    int64_t hash;
    Value key;  // undefined: free (hash 0) or erased (hash -1)
  };
  explicit Set(Type* type) : Object(type), table_(8) {}
  ~Set();

  size_t size() const { return used_; }
  bool contains(Interpreter& vm, const Value& key);
  bool add(Interpreter& vm, const Value& key);    // false: was there
  bool erase(Interpreter& vm, const Value& key);  // false: was not
  Value pop();                                    // any key; undefined: there is none
  void clear();
  // Adds the keys of `other`.
  void merge(Interpreter& vm, Set& other);
  void swap_items(Set& other);
  // Grows once for `keys` more, unless there is room.
  void make_room(size_t keys);
  // Called after many were erased.
  void drop_erased();

  std::span<Entry> entries() { return table_; }  // skip those whose key is undefined
  uint32_t changes() const { return changes_; }
  size_t held_bytes() const { return table_.capacity() * sizeof(Entry); }
  int64_t cached_hash = -1;  // of a frozenset

 private:
  // The entry of a key; or, if there is none, the one to use: the last erased one on the way.
  struct Spot {
    Entry* held = nullptr;
    Entry* vacant = nullptr;
  };
  Spot spot_of(Interpreter& vm, const Value& key, int64_t hash);
  bool add(Interpreter& vm, const Value& key, int64_t hash);
  void make_ample(Entry& added);
  void erase_entry(Entry& entry);
  void resize(size_t minimum);
  size_t ample() const { return used_ > 50000 ? used_ * 2 : used_ * 4; }
  bool is_crowded(size_t filled) const { return filled * 5 >= (table_.size() - 1) * 3; }

  std::vector<Entry> table_;
  size_t fill_ = 0;  // used and erased entries
  size_t used_ = 0;
  size_t next_pop_ = 0;  // the first place that pop searches
  uint32_t changes_ = 0;
};

}  // namespace gpy
