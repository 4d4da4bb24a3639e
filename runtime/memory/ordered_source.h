#pragma once

// Arrays' memory by the driver's own pools: each block is taken and given back in the order of the
// queue that uses it, and nothing waits.

#include <memory>

#include "runtime/backend.h"
#include "runtime/memory/array_source.h"

namespace gpy::rt {

class Runtime;

class OrderedSource final : public ArraySource {
 public:
  explicit OrderedSource(std::shared_ptr<Runtime> runtime) : runtime_(std::move(runtime)) {}

  Ref<Buffer> allocate(Backend& backend, size_t bytes) override;

 private:
  const std::shared_ptr<Runtime> runtime_;  // whose devices have the memory
};

}  // namespace gpy::rt
