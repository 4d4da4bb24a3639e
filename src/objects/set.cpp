#include "src/objects/set.h"

#include "src/memory/pieces.h"
#include "src/objects/keys.h"

namespace gpy {

static constexpr size_t kLinearProbes = 9;
static constexpr int kPerturbShift = 5;

// Visits the slots where a key of that hash may be, in CPython's order, until `visit` returns true.
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

Set::Spot Set::spot_of(Interpreter& vm, const Value& key, int64_t hash) {
  for (;;) {
    Spot spot;
    bool moved = false;
    probe(hash, table_.size() - 1, [&](size_t slot) {
      Entry& entry = table_[slot];
      if (entry.key.is_undefined()) {
        const bool is_free = entry.hash == 0;
        if (!is_free || !spot.vacant) spot.vacant = &entry;
        return is_free;
      }
      if (entry.hash != hash) return false;
      const uint32_t before = changes_;
      const Value kept = entry.key;
      const bool equal = keys_equal(vm, kept, key);
      moved = changes_ != before;
      if (equal && !moved) spot.held = &entry;
      return equal || moved;
    });
    if (!moved) return spot;
  }
}

bool Set::contains(Interpreter& vm, const Value& key) {
  return spot_of(vm, key, hash_of(vm, key)).held != nullptr;
}

static void put_clean(std::vector<Set::Entry>& table, int64_t hash, Value key) {
  probe(hash, table.size() - 1, [&](size_t slot) {
    if (table[slot].key.is_defined() || table[slot].hash != 0) return false;
    table[slot] = {hash, std::move(key)};
    return true;
  });
}

// The table stays as it is if an interrupt ends this.
static std::vector<Set::Entry> copy_to_table(Interpreter& vm, std::span<const Set::Entry> entries,
                                             size_t size) {
  std::vector<Set::Entry> table;
  table.reserve(size);
  in_pieces(vm, size, [&](size_t, size_t to) { table.resize(to); });
  InterruptPoll poll(vm);
  for (const Set::Entry& entry : entries) {
    poll.step();
    if (entry.key.is_defined()) put_clean(table, entry.hash, entry.key);
  }
  return table;
}

void Set::resize(size_t minimum) {
  size_t size = 8;
  while (size <= minimum) size *= 2;
  type->vm->claim(size, sizeof(Entry));
  if (table_.size() > kPiece) {
    table_ = copy_to_table(*type->vm, table_, size);
  } else {
    std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(size));
    for (Entry& entry : old) {
      if (entry.key.is_defined()) put_clean(table_, entry.hash, std::move(entry.key));
    }
  }
  fill_ = used_;
  ++changes_;
}

bool Set::add(Interpreter& vm, const Value& key, int64_t hash) {
  const Spot spot = spot_of(vm, key, hash);
  if (spot.held) return false;
  const bool was_free = spot.vacant->hash == 0;
  *spot.vacant = {hash, key};
  ++used_;
  ++changes_;
  fill_ += was_free;
  if (was_free && is_crowded(fill_)) make_ample(*spot.vacant);
  return true;
}

// If there is no memory for it the set loses `added` again: a table must not fill up.
void Set::make_ample(Entry& added) {
  try {
    resize(ample());
  } catch (...) {
    added = {};
    --used_;
    --fill_;
    ++changes_;
    throw;
  }
}

bool Set::add(Interpreter& vm, const Value& key) { return add(vm, key, hash_of(vm, key)); }

void Set::make_room(size_t keys) {
  if (is_crowded(fill_ + keys)) resize((used_ + keys) * 2);
}

void Set::merge(Interpreter& vm, Set& other) {
  if (&other == this || other.used_ == 0) return;
  make_room(other.used_);
  if (fill_ == 0) {
    const bool alike = table_.size() == other.table_.size() && other.fill_ == other.used_;
    table_ = alike ? other.table_ : copy_to_table(vm, other.table_, table_.size());
    fill_ = used_ = other.used_;
    ++changes_;
    return;
  }
  InterruptPoll poll(vm);
  for (size_t i = 0; i < other.table_.size(); ++i) {
    poll.step();
    const Entry each = other.table_[i];
    if (each.key.is_defined()) add(vm, each.key, each.hash);
  }
}

void Set::erase_entry(Entry& entry) {
  Value gone = std::exchange(entry.key, Value());
  entry.hash = -1;
  --used_;
  ++changes_;
}

bool Set::erase(Interpreter& vm, const Value& key) {
  Entry* held = spot_of(vm, key, hash_of(vm, key)).held;
  if (held) erase_entry(*held);
  return held != nullptr;
}

void Set::drop_erased() {
  if (fill_ - used_ > (table_.size() - 1) / 4) resize(ample());
}

Value Set::pop() {
  if (used_ == 0) return Value();
  size_t at = next_pop_ & (table_.size() - 1);
  while (table_[at].key.is_undefined()) at = at + 1 < table_.size() ? at + 1 : 0;
  Value taken = table_[at].key;
  erase_entry(table_[at]);
  next_pop_ = at + 1;
  return taken;
}

Set::~Set() { destroy_items(*type->vm, table_); }

void Set::clear() {
  std::vector<Entry> gone = std::exchange(table_, std::vector<Entry>(8));
  fill_ = used_ = 0;
  ++changes_;
  destroy_items(*type->vm, gone);
}

void Set::swap_items(Set& other) {
  table_.swap(other.table_);
  std::swap(fill_, other.fill_);
  std::swap(used_, other.used_);
  ++changes_;
  ++other.changes_;
}

}  // namespace gpy
