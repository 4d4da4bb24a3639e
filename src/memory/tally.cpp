#include "src/memory/tally.h"

#include <bit>

namespace gpy {

Tally::Tally(Heap& heap) : heap_(heap) {
  add_slabs();
  add_large();
}

Tally::~Tally() {
  for (Heap::Large* large : heap_.large_) reinterpret_cast<Object*>(large + 1)->collector = kInNone;
  for (auto& [object, number] : others_) object->collector = kInNone;
}

void Tally::add_slabs() {
  size_t count = 0;
  for (Heap::Slab* slab : heap_.slabs_) count += slab->carved;
  numbers_ = std::make_unique<uint32_t[]>(count);
  pages_.resize(std::bit_ceil(2 * heap_.slabs_.size() + 1));
  uint32_t* numbers = numbers_.get();
  for (Heap::Slab* slab : heap_.slabs_) {
    const auto address = reinterpret_cast<uintptr_t>(slab);
    size_t i = slot_of(address);
    while (pages_[i].slab) i = (i + 1) & (pages_.size() - 1);
    const auto reciprocal = static_cast<uint32_t>((uint64_t{1} << 32) / slab->slot_bytes + 1);
    pages_[i] = {address, reciprocal, numbers};
    numbers += slab->carved;
  }
}

void Tally::add_large() {
  large_.resize(heap_.large_.size());
  for (Heap::Large* large : heap_.large_) {
    reinterpret_cast<Object*>(large + 1)->collector = kInLarge;
  }
}

void Tally::add(Object* object) {
  if (of(object)) return;
  others_.emplace(object, 0);
  object->collector = kInOthers;
}

uint32_t* Tally::elsewhere(Object* object) {
  if (object->collector == kInOthers) return &others_.find(object)->second;
  return &large_[(reinterpret_cast<Heap::Large*>(object) - 1)->index];
}

}  // namespace gpy
