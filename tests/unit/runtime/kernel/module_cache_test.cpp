#include <doctest/doctest.h>

#include "runtime/kernel/module_cache.h"

#include <thread>
#include <vector>

namespace gpy::rt {
namespace {

class CountedModule final : public SharedModule {
 public:
  explicit CountedModule(int& alive, bool used = false) : alive_(alive), used_(used) { ++alive_; }
  ~CountedModule() override { --alive_; }
  std::shared_ptr<UserFunction> function(const std::string&) override { return nullptr; }
  std::optional<GlobalVariable> global(const std::string&) override { return std::nullopt; }
  bool is_used() override { return used_; }

 private:
  int& alive_;
  bool used_;
};

std::shared_ptr<SharedModule> module_of(ModuleCache& cache, int key, int& alive,
                                        bool used = false) {
  const auto entry = cache.entry(std::to_string(key));
  const std::lock_guard lock(entry->compiling);
  if (!entry->module) entry->module = std::make_shared<CountedModule>(alive, used);
  return entry->module;
}

}  // namespace

TEST_CASE("a thousand different modules that nobody uses do not all stay") {
  int alive = 0;
  ModuleCache cache(16);
  for (int i = 0; i < 1000; ++i) {
    module_of(cache, i, alive);
    CHECK(alive <= 16);
  }
  CHECK(alive > 0);
}

TEST_CASE("of modules that nobody uses the least recently asked for go") {
  int alive = 0;
  ModuleCache cache(4);
  for (int i = 0; i < 4; ++i) module_of(cache, i, alive);
  const SharedModule* first = module_of(cache, 0, alive).get();
  module_of(cache, 4, alive);
  CHECK(alive == 3);
  CHECK(cache.entry("0")->module.get() == first);
  CHECK_FALSE(cache.entry("1")->module);
}

TEST_CASE("modules in use stay, by themselves or by a function of theirs") {
  int alive = 0;
  ModuleCache cache(4);
  std::vector<std::shared_ptr<SharedModule>> held;
  for (int i = 0; i < 20; ++i) held.push_back(module_of(cache, i, alive));
  for (int i = 20; i < 40; ++i) module_of(cache, i, alive, true);
  for (int i = 40; i < 60; ++i) module_of(cache, i, alive);
  for (int i = 0; i < 20; ++i) CHECK(module_of(cache, i, alive) == held[static_cast<size_t>(i)]);
  CHECK(alive >= 40);
  CHECK(alive <= 42);
  held.clear();
  module_of(cache, 60, alive);
  CHECK(alive == 21);
}

TEST_CASE("what is being compiled on another thread stays") {
  int alive = 0;
  ModuleCache cache(2);
  const auto entry = cache.entry("slow");
  const std::lock_guard lock(entry->compiling);
  std::thread([&] {
    for (int i = 0; i < 10; ++i) module_of(cache, i, alive);
  }).join();
  CHECK(cache.entry("slow") == entry);
}

}  // namespace gpy::rt
