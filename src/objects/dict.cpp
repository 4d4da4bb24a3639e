#include "src/objects/dict.h"

#include <algorithm>

#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/objects/keys.h"
#include "src/state.h"

namespace gpy {

static constexpr int32_t kEmpty = -1;
static constexpr int32_t kErased = -2;

static bool is_of_class(const Value& key) {
  return key.is_object() && key.as_object()->type->is_class;
}

namespace {

// The slots where a key of that hash may be, one after the other. Stretches of neighbouring ints
// are common, so a step depends on all bits of the hash and soon leaves them.
struct Probe {
  Probe(int64_t hash, size_t mask)
      : mask(mask), perturb(static_cast<uint64_t>(hash)), slot(perturb & mask) {}
  void advance() {
    perturb >>= 5;
    slot = (slot * 5 + perturb + 1) & mask;
  }
  size_t mask;
  uint64_t perturb;
  size_t slot;
};

}  // namespace

// The position of the entry of that hash that `matches`, or -1.
template <class Matches> int64_t Dict::locate(int64_t hash, Matches&& matches) const {
  if (table_.empty()) return -1;
  for (Probe probe(hash, table_.size() - 1);; probe.advance()) {
    const int32_t position = table_[probe.slot];
    if (position == kEmpty) return -1;
    if (position != kErased && entries_[position].hash == hash && matches(entries_[position].key)) {
      return position;
    }
  }
}

int64_t Dict::locate(Interpreter& vm, const Value& key, int64_t hash) {
  for (;;) {
    const uint32_t before = changes_;
    const int64_t position = locate(hash, [&](const Value& held) {
      if (held.same(key)) return true;
      const Value kept = held;
      return keys_equal(vm, kept, key) || changes_ != before;  // the table may be another
    });
    if (changes_ == before) return position;
  }
}

int64_t Dict::locate(Str* key, int64_t hash) const {
  return locate(hash, [&](const Value& held) {
    return held.is_object() &&
           (held.as_object() == key || (held.is<Str>() && held.as<Str>()->view() == key->view()));
  });
}

int64_t Dict::position_of(Str* key) { return locate(key, key->hash()); }

Value* Dict::find(Interpreter& vm, const Value& key) {
  if (vm.is_text(key) && compares_texts()) return find(key.as<Str>());
  int64_t position = locate(vm, key, hash_of(vm, key));
  return position < 0 ? nullptr : &entries_[position].value;
}

Value* Dict::find(Str* key) {
  int64_t position = locate(key, key->hash());
  return position < 0 ? nullptr : &entries_[position].value;
}

void Dict::note_change() {
  ++changes_;
  Interpreter::State& state = type->vm->state();
  keys_version_ = ++state.versions;
  if (flags & kIsNamespace) ++state.namespaces;
}

void Dict::append(int64_t hash, Value key, Value value) {
  // The table is at most three quarters full, erased entries and slots included.
  if ((std::max(filled_, entries_.size()) + 1) * 4 > table_.size() * 3) rebuild(used_ + 1);
  Probe probe(hash, table_.size() - 1);
  while (table_[probe.slot] >= 0) probe.advance();
  const bool was_empty = table_[probe.slot] == kEmpty;
  const bool has_class = is_of_class(key);
  entries_.push_back({hash, std::move(key), std::move(value)});  // there may be no memory for it
  table_[probe.slot] = static_cast<int32_t>(entries_.size()) - 1;
  if (has_class) flags |= kHasClassKeys;
  filled_ += was_empty;
  ++used_;
  note_change();
}

void Dict::rebuild(size_t capacity) {
  size_t size = 8;
  while (size * 3 < capacity * 4 + size) size *= 2;
  type->vm->claim(size, sizeof(Entry) * 3 / 4 + sizeof(int32_t));
  std::vector<int32_t> table(size, kEmpty);
  entries_.reserve(size * 3 / 4);
  if (entries_.size() != used_) {  // from here on nothing fails
    std::erase_if(entries_, [](const Entry& entry) { return entry.key.is_undefined(); });
  }
  table_.swap(table);
  for (size_t i = 0; i < entries_.size(); ++i) {
    Probe probe(entries_[i].hash, size - 1);
    while (table_[probe.slot] >= 0) probe.advance();
    table_[probe.slot] = static_cast<int32_t>(i);
  }
  filled_ = used_;
}

void Dict::reserve(size_t entries) {
  if (entries * 4 <= table_.size() * 3) return;
  rebuild(entries);
  note_change();
}

void Dict::set(Interpreter& vm, const Value& key, Value value) {
  if (vm.is_text(key) && compares_texts()) return set(key.as<Str>(), std::move(value));
  int64_t hash = hash_of(vm, key);
  int64_t position = locate(vm, key, hash);
  if (position < 0) return append(hash, key, std::move(value));
  entries_[position].value.swap(value);
}

void Dict::set(Str* key, Value value) {
  int64_t hash = key->hash();
  int64_t position = locate(key, hash);
  if (position < 0) return append(hash, Value(key), std::move(value));
  entries_[position].value.swap(value);
}

Value& Dict::find_or_insert(Interpreter& vm, const Value& key, Value initial) {
  int64_t hash = hash_of(vm, key);
  int64_t position = locate(vm, key, hash);
  if (position < 0) {
    append(hash, key, std::move(initial));
    position = static_cast<int64_t>(entries_.size()) - 1;
  }
  return entries_[position].value;
}

size_t Dict::slot_of(int64_t position, int64_t hash) const {
  Probe probe(hash, table_.size() - 1);
  while (table_[probe.slot] != position) probe.advance();
  return probe.slot;
}

void Dict::erase_at(int64_t position) {
  table_[slot_of(position, entries_[position].hash)] = kErased;
  Entry gone = std::exchange(entries_[position], Entry{0, Value(), Value()});
  --used_;
  // Erased entries at the end are removed, so that popping from the end leaves no gaps.
  while (!entries_.empty() && entries_.back().key.is_undefined()) entries_.pop_back();
  if (used_ == 0) {
    table_.assign(table_.size(), kEmpty);
    filled_ = 0;
  }
  note_change();
}

bool Dict::erase(Interpreter& vm, const Value& key, Value* erased) {
  int64_t position = locate(vm, key, hash_of(vm, key));
  if (position < 0) return false;
  if (erased) *erased = entries_[position].value;
  erase_at(position);
  return true;
}

bool Dict::erase(Str* key) {
  int64_t position = locate(key, key->hash());
  if (position >= 0) erase_at(position);
  return position >= 0;
}

Dict::~Dict() { destroy_items(*type->vm, entries_); }

void Dict::clear() {
  std::vector<Entry> gone = std::exchange(entries_, {});
  table_.clear();
  filled_ = used_ = 0;
  note_change();
  destroy_items(*type->vm, gone);
}

Ref<Dict> Dict::copy() const {
  Ref<Dict> copied = type->vm->dict();
  type->vm->claim(entries_.size(), sizeof(Entry));
  type->vm->claim(table_.size(), sizeof(int32_t));
  copied->entries_.reserve(entries_.size());
  in_pieces(*type->vm, entries_.size(), [&](size_t from, size_t to) {
    copied->entries_.insert(copied->entries_.end(), entries_.begin() + from, entries_.begin() + to);
  });
  copied->table_ = table_;
  copied->flags |= flags & kHasClassKeys;
  copied->used_ = used_;
  copied->filled_ = filled_;
  copied->note_change();
  return copied;
}

}  // namespace gpy
