#include "runtime/graph/prepared.h"

#define XXH_INLINE_ALL  // no symbol of it in the library
#include <xxhash.h>

#include <algorithm>

namespace gpy::rt {

static uint64_t hash_of(std::span<const int64_t> key) {
  return XXH3_64bits(key.data(), key.size_bytes());
}

std::shared_ptr<const PreparedExpression> PreparedCache::find(std::span<const int64_t> key) {
  const uint64_t hash = hash_of(key);
  for (Generation* generation : {&young_, &old_}) {
    const auto found = generation->find(hash);
    if (found == generation->end()) continue;
    std::shared_ptr<const PreparedExpression> prepared = found->second;
    if (!std::ranges::equal(prepared->key, key)) continue;
    if (generation == &old_) add(hash, prepared);
    return prepared;
  }
  return nullptr;
}

void PreparedCache::Room::clear() {
  expression.clear();
  bindings.inputs.clear();
  bindings.scalars.clear();
  bindings.outputs.clear();
  results.clear();
}

PreparedCache::Lease::Lease(PreparedCache& cache) : cache_(cache), room_(std::move(cache.room_)) {
  if (!room_) room_ = std::make_unique<Room>();
}

PreparedCache::Lease::~Lease() {
  room_->clear();
  cache_.room_ = std::move(room_);
}

void PreparedCache::add(std::shared_ptr<const PreparedExpression> prepared) {
  const uint64_t hash = hash_of(prepared->key);
  add(hash, std::move(prepared));
}

void PreparedCache::add(uint64_t hash, std::shared_ptr<const PreparedExpression> prepared) {
  if (young_.size() >= kMostOfGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.insert_or_assign(hash, std::move(prepared));
}

}  // namespace gpy::rt
