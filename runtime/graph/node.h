#pragma once

// A node is an operation that has been checked and not run. It reads values, never storages, so
// nothing that is written later can change what it computes.

#include <array>
#include <bitset>
#include <cstdint>

#include "runtime/core/error_state.h"
#include "runtime/core/layout.h"
#include "runtime/core/origin.h"
#include "runtime/core/recycled.h"
#include "runtime/core/scalar.h"
#include "runtime/core/space.h"
#include "runtime/graph/value.h"

namespace gpy::rt {

// One argument of a node: a view of a value, or a number.
struct NodeInput {
  Ref<Value> value;  // null for a number
  Layout layout;     // broadcast to the node's domain
  Scalar scalar;

  bool is_scalar() const { return !value; }
  DType dtype() const { return is_scalar() ? scalar.dtype() : layout.dtype; }
};

// A ring of nodes that have not run, in the order in which they were made, with a session between
// the last and the first.
class PendingRing {
 public:
  PendingRing() = default;
  ~PendingRing() { leave(); }
  PendingRing(const PendingRing&) = delete;
  PendingRing& operator=(const PendingRing&) = delete;

  void enter_before(PendingRing& other) {
    leave();
    before_ = other.before_;
    after_ = &other;
    before_->after_ = other.before_ = this;
  }
  PendingRing* after() const { return after_; }

 private:
  void leave() {
    before_->after_ = after_;
    after_->before_ = before_;
    before_ = after_ = this;
  }
  PendingRing *before_ = this, *after_ = this;
};

class Node final : public PendingRing, public Recycled<Node> {
 public:
  Node() {}  // not defaulted: that would zero the whole node first
  enum class Kind : uint8_t {
    kUfunc,  // loop `loop` of ufunc `op`, inputs cast to its types
    kCast,
    kIota,    // int64 index of each element in C order
    kGather,  // inputs[0] at its layout, moved by inputs[1] (int64, in elements)
    kReduce,  // reduction `op`, loop `loop`, over the axes of the domain in `reduced`
    kScan,
  };

  Kind kind = Kind::kUfunc;
  Place place = kHostPlace;
  uint16_t op = 0;
  uint16_t loop = 0;
  int input_count = 0;
  std::array<NodeInput, 3> inputs;

  Layout out;   // dense; for maps and scans its shape is the domain
  Dims domain;  // kReduce, kScan: the shape that is read
  std::bitset<kMaxRank> reduced;

  Origin origin;
  ErrorState errors;       // where it was made
  bool alone = false;      // never part of another node's plan
  bool of_device = false;  // of a device array, even if the CPU stands in for the device
  bool queued = false;     // its work is the current queue's: not of an array of the host
  uint32_t depth = 1;      // of pending nodes below, this one included
  uint32_t size = 1;  // the same in number: never too low; exact once it would pass kMaxGraphSize
  Value* owner = nullptr;

  const Dims& loop_shape() const { return is_map() ? out.shape : domain; }
  bool is_map() const { return kind != Kind::kReduce && kind != Kind::kScan; }

  // Enters and leaves the reader lists of the inputs.
  void attach();
  ~Node();
};

}  // namespace gpy::rt
