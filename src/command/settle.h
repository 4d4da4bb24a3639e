#pragma once
// Makes timings honest: what a statement left pending is computed, and the devices are waited for.

#include <set>

#include "src/interpreter.h"

namespace gpy::command {

class Settler {
 public:
  explicit Settler(Interpreter& vm) : vm_(vm) {}

  // Starts what is pending of an array, or of the arrays in a list, tuple or dict.
  void settle(const Value& value);
  void settle_module(Module& module);
  // Until the devices of the arrays settled so far are done.
  void wait();
  bool has_seen_arrays() const { return seen_arrays_; }

 private:
  void settle_all(const Value& container);

  Interpreter& vm_;
  std::set<int> devices_;
  bool seen_arrays_ = false;
};

}  // namespace gpy::command
