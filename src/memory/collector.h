#pragma once
// Frees what reference counts cannot: objects that refer to one another in a ring and that nothing
// outside refers to. They are found by taking off every count what the objects themselves account
// for: what keeps a count is held from outside, and holds what it refers to; the rest is garbage.
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
  // Gives the number of objects freed. Garbage that has something to say before it goes (__del__,
  // a generator's finally) says it first, and may live on by that.
  size_t collect(Interpreter& vm);
  // What poll() does when objects have become many.
  void collect_if_enabled(Interpreter& vm) {
    if (enabled) collect(vm);
  }

  // Says when the next collection is due.
  void plan(Heap& heap) const;
  // Objects made since the last one, about.
  size_t count(const Heap& heap) const;

  bool enabled = true;
  size_t threshold = 1 << 16;  // no fewer objects than these are made between two; 0: never collect

 private:
  class Rings;
  bool find(Interpreter& vm, std::vector<Object*>& garbage);
  void end(Interpreter& vm);
  void give_up(Interpreter& vm);
  void plan(Heap& heap, size_t bytes) const;

  bool running_ = false;
  size_t left_ = 0;  // bytes of objects after the last collection
};

}  // namespace gpy
