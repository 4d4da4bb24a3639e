#include "src/objects/dict.h"

#include <algorithm>

#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/state.h"

namespace gpy {

static constexpr int32_t kEmpty = -1;
static constexpr int32_t kErased = -2;

static bool is_plain_text(const Interpreter& vm, const Value& key) {
  return key.is_object() && key.as_object()->type == vm.types.str;
}

static bool is_of_class(const Value& key) {
  return key.is_object() && key.as_object()->type->is_class;
}

// Interpreter::hash, at once for small ints and texts.
static int64_t hash_of(Interpreter& vm, const Value& key) {
  constexpr int64_t kOwnHash = int64_t{1} << 60;  // non-negative ints up to here are their hash
  if (key.is_integer() && static_cast<uint64_t>(key.as_integer()) < kOwnHash) {
    return key.as_integer();
  }
  return is_plain_text(vm, key) ? key.as<Str>()->hash() : vm.hash(key);
}

// Equality of keys with equal hashes. May run user code.
static bool keys_equal(Interpreter& vm, const Value& a, const Value& b) {
  if (a.same(b)) return true;
  if (is_plain_text(vm, a) && is_plain_text(vm, b)) {
    return a.as<Str>()->view() == b.as<Str>()->view();
  }
  if (a.is_integer() && b.is_integer()) return false;
  return vm.equal(a, b);
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

int64_t Dict::locate(Interpreter& vm, const Value& key, int64_t hash) {
  if (table_.empty()) return -1;
  for (Probe probe(hash, table_.size() - 1);; probe.advance()) {
    int32_t position = table_[probe.slot];
    if (position == kEmpty) return -1;
    if (position == kErased) continue;
    const Entry& entry = entries_[position];
    if (entry.hash != hash) continue;
    if (entry.key.same(key)) return position;
    uint32_t before = changes_;
    Value held = entry.key;
    if (keys_equal(vm, held, key)) return position;
    if (changes_ != before) return locate(vm, key, hash);
  }
}

int64_t Dict::locate(Str* key, int64_t hash) {
  if (table_.empty()) return -1;
  for (Probe probe(hash, table_.size() - 1);; probe.advance()) {
    int32_t position = table_[probe.slot];
    if (position == kEmpty) return -1;
    if (position == kErased) continue;
    const Entry& entry = entries_[position];
    if (entry.hash != hash || !entry.key.is_object()) continue;
    if (entry.key.as_object() == key) return position;
    if (entry.key.is<Str>() && entry.key.as<Str>()->view() == key->view()) return position;
  }
}

int64_t Dict::position_of(Str* key) { return locate(key, key->hash()); }

Value* Dict::find(Interpreter& vm, const Value& key) {
  if (is_plain_text(vm, key) && compares_texts()) return find(key.as<Str>());
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
  // At most three quarters full, what was erased from either row included.
  if ((std::max(filled_, entries_.size()) + 1) * 4 > table_.size() * 3) rebuild(used_ + 1);
  Probe probe(hash, table_.size() - 1);
  while (table_[probe.slot] >= 0) probe.advance();
  filled_ += table_[probe.slot] == kEmpty;
  table_[probe.slot] = static_cast<int32_t>(entries_.size());
  if (is_of_class(key)) flags |= kHasClassKeys;
  entries_.push_back({hash, std::move(key), std::move(value)});
  ++used_;
  note_change();
}

void Dict::rebuild(size_t capacity) {
  size_t size = 8;
  while (size * 3 < capacity * 4 + size) size *= 2;
  if (entries_.size() != used_) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.key.is_undefined(); });
  }
  entries_.reserve(size * 3 / 4);
  table_.assign(size, kEmpty);
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
  if (is_plain_text(vm, key) && compares_texts()) return set(key.as<Str>(), std::move(value));
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
  // The last entries go for good, so that popping from the end leaves no trail.
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

void Dict::clear() {
  std::vector<Entry> gone = std::move(entries_);
  entries_.clear();
  table_.clear();
  filled_ = used_ = 0;
  note_change();
}

Ref<Dict> Dict::copy() const {
  Ref<Dict> copied = type->vm->dict();
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

// --- Set ---------------------------------------------------------------------------------------

static constexpr size_t kLinearProbes = 9;
static constexpr int kPerturbShift = 5;

// Walks the slots where a key of that hash may be, in CPython's order, until visit says stop.
template <class Visit> static void probe(int64_t hash, size_t mask, Visit&& visit) {
  auto perturb = static_cast<uint64_t>(hash);
  size_t i = perturb & mask;
  for (;;) {
    size_t last = i + kLinearProbes <= mask ? i + kLinearProbes : i;
    for (size_t slot = i; slot <= last; ++slot) {
      if (visit(slot)) return;
    }
    perturb >>= kPerturbShift;
    i = (i * 5 + 1 + perturb) & mask;
  }
}

Set::Entry* Set::locate(Interpreter& vm, const Value& key, int64_t hash) {
  Entry* found = nullptr;
  bool moved = false;
  probe(hash, table_.size() - 1, [&](size_t slot) {
    Entry& entry = table_[slot];
    if (entry.key.is_undefined()) return entry.hash == 0;
    if (entry.hash != hash) return false;
    uint32_t before = changes_;
    Value held = entry.key;
    bool equal = keys_equal(vm, held, key);
    moved = changes_ != before;
    if (equal && !moved) found = &entry;
    return equal || moved;
  });
  return moved ? locate(vm, key, hash) : found;
}

bool Set::contains(Interpreter& vm, const Value& key) {
  return locate(vm, key, hash_of(vm, key)) != nullptr;
}

static void put_clean(std::vector<Set::Entry>& table, int64_t hash, Value key) {
  probe(hash, table.size() - 1, [&](size_t slot) {
    if (table[slot].key.is_defined() || table[slot].hash != 0) return false;
    table[slot] = {hash, std::move(key)};
    return true;
  });
}

void Set::insert_clean(int64_t hash, Value key) { put_clean(table_, hash, std::move(key)); }

// The table stays as it is when this is interrupted.
static std::vector<Set::Entry> copy_to_table(Interpreter& vm, std::span<const Set::Entry> entries,
                                             size_t size) {
  std::vector<Set::Entry> table;
  table.reserve(size);
  in_pieces(vm, size, [&](size_t, size_t to) { table.resize(to); });
  Heed heed(vm);
  for (const Set::Entry& entry : entries) {
    heed.step();
    if (entry.key.is_defined()) put_clean(table, entry.hash, entry.key);
  }
  return table;
}

void Set::resize(size_t minimum) {
  size_t size = 8;
  while (size <= minimum) size *= 2;
  if (table_.size() > kPiece) {
    table_ = copy_to_table(*type->vm, table_, size);
  } else {
    std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(size));
    for (Entry& entry : old) {
      if (entry.key.is_defined()) insert_clean(entry.hash, std::move(entry.key));
    }
  }
  fill_ = used_;
}

bool Set::add(Interpreter& vm, const Value& key) {
  int64_t hash = hash_of(vm, key);
  if (locate(vm, key, hash)) return false;
  insert_clean(hash, key);
  ++fill_;
  ++used_;
  ++changes_;
  if (fill_ * 5 >= (table_.size() - 1) * 3) resize(used_ > 50000 ? used_ * 2 : used_ * 4);
  return true;
}

bool Set::erase(Interpreter& vm, const Value& key) {
  Entry* entry = locate(vm, key, hash_of(vm, key));
  if (!entry) return false;
  Value gone = std::exchange(entry->key, Value());
  entry->hash = -1;
  --used_;
  ++changes_;
  return true;
}

void Set::clear() {
  std::vector<Entry> gone = std::exchange(table_, std::vector<Entry>(8));
  fill_ = used_ = 0;
  ++changes_;
}

}  // namespace gpy
