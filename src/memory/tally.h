#pragma once
// A number for each tracked object of a heap, 0 at first. The numbers lie beside the objects, not
// in them: a search that gives up midway has nothing to restore.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "src/memory/heap.h"
#include "src/value.h"

namespace gpy {

// No object may be made or destroyed during its lifetime.
class Tally {
 public:
  explicit Tally(Heap& heap);
  ~Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  // Numbers an untracked object, too.
  void add(Object* object);
  // Null: the object has none.
  uint32_t* of(Object* object) {
    const uintptr_t slab = reinterpret_cast<uintptr_t>(object) & ~(Heap::kSlab - 1);
    for (size_t i = slot_of(slab); pages_[i].slab; i = (i + 1) & (pages_.size() - 1)) {
      if (pages_[i].slab == slab) return in_slab(pages_[i], object);
    }
    return object->collector == kInNone ? nullptr : elsewhere(object);
  }
  // f(object, number) for each.
  template <class F> void for_each(F&& f) {
    uint32_t* number = numbers_.get();
    auto visit = [&](Heap::Slot* slot) {
      if (!slot->is_free()) f(reinterpret_cast<Object*>(slot), *number);
      ++number;
    };
    for (Heap::Slab* slab : heap_.slabs_) Heap::for_each_slot(slab, visit);
    number = large_.data();
    for (Heap::Large* large : heap_.large_) visit(Heap::slot_of(large));
    for (auto& [object, other] : others_) f(object, other);
  }

 private:
  // The place of an object's number, if not with its slab's: kept in Object::collector.
  enum Home : uint8_t { kInNone = 0, kInLarge, kInOthers };
  struct Page {
    uintptr_t slab = 0;       // 0: free
    uint32_t reciprocal = 0;  // of the bytes of a slot, times 2^32
    uint32_t* numbers = nullptr;
  };
  void add_slabs();
  void add_large();
  uint32_t* elsewhere(Object* object);
  size_t slot_of(uintptr_t slab) const {
    return (slab / Heap::kSlab * 0x9E3779B97F4A7C15u >> 32) & (pages_.size() - 1);
  }
  static uint32_t* in_slab(const Page& page, Object* object) {
    const uint64_t offset = reinterpret_cast<uintptr_t>(object) - page.slab - Heap::kHeader;
    return page.numbers + (offset * page.reciprocal >> 32);
  }

  Heap& heap_;
  std::vector<Page> pages_;              // open-addressed; size 2^k
  std::unique_ptr<uint32_t[]> numbers_;  // of all slabs
  std::vector<uint32_t> large_;
  std::unordered_map<Object*, uint32_t> others_;
};

}  // namespace gpy
