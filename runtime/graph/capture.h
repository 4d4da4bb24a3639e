#pragma once

#include <map>

#include "runtime/core/capture.h"
#include "runtime/graph/launch_graph.h"

namespace gpy::rt {

// A capture of a session's work on arrays.
class ArrayCapture final : public Capture {
 public:
  ArrayCapture(Session& session, const Queue& first) : Capture(first), session_(session) {}

  void use(const Buffer& memory, bool writes) override {
    UsedMemory& used = memory_[&memory];
    used.buffer = &memory;
    used.written |= writes;
  }
  std::vector<UsedMemory> memory() const {
    std::vector<UsedMemory> all;
    for (const auto& [buffer, used] : memory_) all.push_back(used);
    return all;
  }
  Session& session() { return session_; }

 private:
  Session& session_;
  std::map<const Buffer*, UsedMemory> memory_;
};

}  // namespace gpy::rt
