#pragma once

// The content of a storage at one moment. A value never changes: it is pending (a node will
// produce it) or ready (bytes in one place or several, all the same).

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/backend.h"
#include "runtime/core/space.h"

namespace gpy::rt {

class Node;

class Value final : public RefCounted<Value, PlainCount>, public Recycled<Value> {
 public:
  explicit Value(size_t bytes);
  Value(std::unique_ptr<Node> node, size_t bytes);
  ~Value();
  static void destroy(Value* value);

  size_t bytes() const { return bytes_; }
  bool pending() const { return node_ != nullptr; }
  Node* node() const { return node_.get(); }

  // Ready values: the buffer in a place, null where there is no copy.
  const Buffer* at(Place place) const { return copies_[place].get(); }
  bool valid_at(Place place) const { return copies_[place] != nullptr; }
  Place any_place() const;  // a place with a copy; the host first

  void add_copy(Place place, Ref<Buffer> buffer) { copies_[place] = std::move(buffer); }
  // Managed memory is the same bytes for its device and the host. Where the other one of the two
  // has it, `place` does from now on: what the device has written is waited for, and nothing is
  // copied. False for all other memory.
  bool try_share(Place place);
  void drop_copy(Place place) { copies_[place] = nullptr; }
  void drop_copies_except(Place place);

  // The node has run (or was never needed): the value is its buffer from now on.
  void become_ready(Place place, Ref<Buffer> buffer);

  // Nodes that read this value and have not run. Kept by the nodes themselves.
  std::vector<Node*>& readers() { return readers_; }
  // The work of a graph (launch_graph.h) reads its memory or writes to it, at each launch.
  bool captured() const { return captured_; }
  void set_captured() { captured_ = true; }

  // Storages that point here. A pending value that one holds is stored when it is computed.
  int holders() const { return holders_; }
  void add_holder(int change) { holders_ += change; }

 private:
  friend class Storage;
  friend class WriteAccess;
  friend class Facts;

  Buffer& memory_at(Place place) const { return *copies_[place]; }
  // The buffer in a place, which leaves the value: managed memory leaves both places.
  Ref<Buffer> take(Place place);
  void forget_integers() {
    range_.reset();
    distinct_ = rising_ = false;
  }
  void forget_facts() {
    forget_integers();
    content_ = 0;
  }

  size_t bytes_;
  Charge node_charge_;
  std::unique_ptr<Node> node_;
  std::array<Ref<Buffer>, kMaxPlaces> copies_;
  std::vector<Node*> readers_;
  int holders_ = 0;
  bool captured_ = false;
  // graph/facts.h
  DType fact_dtype_ = DType::kInt64;
  bool distinct_ = false;
  bool rising_ = false;
  uint64_t content_ = 0;
  std::optional<std::pair<int64_t, int64_t>> range_;
  Value* next_dying_ = nullptr;
};

}  // namespace gpy::rt
