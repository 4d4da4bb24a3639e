#pragma once
// Dicts, in order of insertion: entries in a row, and an open-addressed table of positions.
//
// The namespaces of modules and types are Dicts too: `keys_version` changes when a key is added or
// removed (not when a value changes), so a site that remembers (version, position) reads a global
// with one comparison.

#include <span>
#include <vector>

#include "src/value.h"

namespace gpy {

struct Str;

struct Dict : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::dict;
  struct Entry {
    int64_t hash;
    Value key;  // undefined: erased
    Value value;
  };

  explicit Dict(Type* type) : Object(type) {}
  ~Dict();

  size_t size() const { return used_; }
  // Null when absent. Raises TypeError for an unhashable key. Valid until the next change.
  Value* find(Interpreter& vm, const Value& key);
  Value* find(Str* key);  // runs no user code
  void set(Interpreter& vm, const Value& key, Value value);
  void set(Str* key, Value value);
  // The value of the key's entry, which is inserted with `initial` if the key is new.
  Value& find_or_insert(Interpreter& vm, const Value& key, Value initial);
  bool erase(Interpreter& vm, const Value& key, Value* erased = nullptr);
  bool erase(Str* key);
  void clear();
  void reserve(size_t entries);
  Ref<Dict> copy() const;

  // The entries in insertion order; skip undefined keys. Changing the dict may move the entries.
  std::span<Entry> entries() { return entries_; }
  // Marks globals and builtins: State::namespaces counts changes of their keys.
  void mark_as_namespace() { flags |= kIsNamespace; }
  bool is_namespace() const { return flags & kIsNamespace; }
  // Whether a text need only be compared with texts: a key of a class could be equal to it, too.
  bool compares_texts() const { return !(flags & kHasClassKeys); }
  // Position of an entry for Entry access through entries(), or -1.
  int64_t position_of(Str* key);
  uint64_t keys_version() const { return keys_version_; }
  size_t held_bytes() const {
    return entries_.capacity() * sizeof(Entry) + table_.capacity() * sizeof(int32_t);
  }

 private:
  static constexpr uint16_t kIsNamespace = 1;   // in the object's flags
  static constexpr uint16_t kHasClassKeys = 2;  // or once had
  int64_t locate(Interpreter& vm, const Value& key, int64_t hash);
  int64_t locate(Str* key, int64_t hash) const;
  template <class Matches> int64_t locate(int64_t hash, Matches&& matches) const;
  void append(int64_t hash, Value key, Value value);
  void erase_at(int64_t position);
  void rebuild(size_t capacity);
  void note_change();
  size_t slot_of(int64_t position, int64_t hash) const;

  std::vector<Entry> entries_;
  std::vector<int32_t> table_;  // -1 empty, -2 erased, else position in entries_; size 2^k or 0
  size_t used_ = 0;             // keys
  size_t filled_ = 0;           // slots of the table that are not empty
  uint32_t changes_ = 0;        // of keys; a comparison by user code may cause one
  uint64_t keys_version_ = 0;
};

struct DictView : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::dict_view;
  enum Kind { keys, values, items };
  DictView(Type* type, Ref<Dict> dict, Kind kind)
      : Object(type), dict(std::move(dict)), kind(kind) {}
  Ref<Dict> dict;
  Kind kind;
};

}  // namespace gpy
