#pragma once
// Frees what reference counts cannot: objects in cycles that nothing outside refers to. They are
// found by taking off every count what the objects themselves account for: an object with a count
// left is held from outside, and so is what it refers to; the rest is garbage.
//
// Collecting goes over all objects that can be part of a cycle, so it waits until these take
// three times what they took after the last time: its cost is then a constant for each object made.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpy {

class Heap;
class Interpreter;
struct Object;

class Collector {
 public:
  // Returns the number of objects freed. Garbage that has code for its end (__del__, a generator's
  // finally) runs it first, and may live on by that.
  size_t collect(Interpreter& vm);
  // Called by poll() when there are many new objects.
  void collect_if_enabled(Interpreter& vm) {
    if (enabled) collect(vm);
  }

  // Sets when the next collection is due.
  void plan(Heap& heap) const;
  // The approximate number of objects made since the last collection.
  size_t count(const Heap& heap) const;

  bool enabled = true;
  size_t threshold = 1 << 16;  // no fewer objects than these are made between two; 0: never collect

 private:
  class Cycles;
  bool find(Interpreter& vm, std::vector<Object*>& garbage);
  void end(Interpreter& vm);
  void give_up(Interpreter& vm);
  void plan(Heap& heap, size_t bytes) const;

  bool running_ = false;
  size_t left_ = 0;  // bytes of objects after the last collection
};

}  // namespace gpy
