#include "runtime/kernel/module_cache.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/core/interrupt.h"

namespace gpy::rt {

void LongLock::lock() {
  Holding& holding = holding_.get();
  std::unique_lock lock(holding.mutex);
  while (holding.held) {
    holding.freed.wait_for(lock, std::chrono::milliseconds(5));
    poll_interrupt();
  }
  holding.held = true;
}

void LongLock::unlock() {
  Holding& holding = holding_.get();
  {
    const std::lock_guard lock(holding.mutex);
    holding.held = false;
  }
  holding.freed.notify_one();
}

// What nobody else refers to is not being compiled: its lock is free.
static bool is_unused(const std::shared_ptr<ModuleCache::Entry>& entry) {
  if (entry.use_count() > 1) return false;
  const std::lock_guard lock(entry->compiling);
  return !entry->module || (entry->module.use_count() == 1 && !entry->module->is_used());
}

std::shared_ptr<ModuleCache::Entry> ModuleCache::entry(const std::string& key) {
  std::vector<std::shared_ptr<Entry>> unused;  // unloaded once the lock is free
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= most_ && !entries_.contains(key)) unused = take_unused();
  std::shared_ptr<Entry>& entry = entries_[key];
  if (!entry) entry = std::make_shared<Entry>();
  entry->asked = ++asked_;
  return entry;
}

// Takes so many that half the room is free, where that many are unused: the next new modules need
// no search.
std::vector<std::shared_ptr<ModuleCache::Entry>> ModuleCache::take_unused() {
  std::vector<Entries::iterator> unused;
  for (auto at = entries_.begin(); at != entries_.end(); ++at) {
    if (is_unused(at->second)) unused.push_back(at);
  }
  std::ranges::sort(unused, {}, [](const auto& at) { return at->second->asked; });
  unused.resize(std::min(unused.size(), entries_.size() - most_ / 2));
  std::vector<std::shared_ptr<Entry>> taken;
  taken.reserve(unused.size());
  for (const auto& at : unused) {
    taken.push_back(std::move(at->second));
    entries_.erase(at);
  }
  return taken;
}

}  // namespace gpy::rt
