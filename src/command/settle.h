#pragma once
// Makes timings honest: computes what a statement left pending, and waits for the devices.

#include <set>

#include "src/interpreter.h"

namespace gpy::command {

class Settler {
 public:
  explicit Settler(Interpreter& vm) : vm_(vm) {}

  // Starts the pending work of an array, or of the arrays in a list, tuple or dict.
  void settle(const Value& value);
  void settle_module(Module& module);
  // Waits until the devices of the arrays settled so far are done.
  void wait();
  bool has_seen_arrays() const { return seen_arrays_; }

 private:
  void settle_all(const Value& container);

  Interpreter& vm_;
  std::set<int> devices_;
  bool seen_arrays_ = false;
};

}  // namespace gpy::command
