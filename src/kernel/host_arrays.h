#pragma once
// Arrays of the host as arguments of a kernel.

#include <vector>

#include "runtime/graph/recording.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/typed/words.h"

namespace gpy {

// Arrays of the host beside a device are copied there, and back when the kernel has run.
class HostArrays {
 public:
  explicit HostArrays(rt::Session& session)
      : session_(session), space_(session.device_space()), place_(session.place_of(space_)) {}

  void send(rt::typed::Data& data) {
    for (rt::typed::Data& item : data.items) send(item);
    if (!data.array || !data.array.space().is_host()) return;
    rt::require_content(session_, space_);
    if (place_ == rt::kHostPlace) return;
    rt::Array copy = rt::to_space(session_, data.array, space_);
    sent_.push_back({data.array, copy});
    data.array = std::move(copy);
  }

  void fetch() {
    for (const Pair& each : sent_) {
      if (!each.home.writeable()) continue;
      rt::write(session_, each.home, rt::to_space(session_, each.copy, each.home.space()));
    }
  }

  rt::Space space() const { return space_; }

 private:
  struct Pair {
    rt::Array home, copy;
  };
  rt::Session& session_;
  rt::Space space_;
  rt::Place place_;
  std::vector<Pair> sent_;
};

}  // namespace gpy
