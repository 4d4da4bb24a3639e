#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/cuda/queues.h"

namespace gpy::rt::cuda {

// Recorded work as the driver's graph: it is given once to a stream of its own that captures.
std::unique_ptr<GraphExec> make_cuda_graph(Context& context, QueueTable& queues,
                                           const RecordedWork& work);

}  // namespace gpy::rt::cuda
