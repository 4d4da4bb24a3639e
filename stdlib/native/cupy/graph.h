#pragma once
// Captures of streams and the graphs that they become, for the files that begin, end and launch
// them.

#include <memory>

#include "runtime/graph/launch_graph.h"
#include "stdlib/native/cupy/runtime_state.h"

namespace gpy::lib {

// Begins and ends a capture of a queue of the current device; null: of its own, which is refused.
// `mode`: cudaStreamCaptureMode..., which make no difference: calls that are no work of a capturing
// stream do not disturb it.
void begin_capture(Interpreter& vm, rt::Queue* queue, int64_t mode);
CapturedGraph end_capture(Interpreter& vm, rt::Queue* queue);

void launch_graph(Interpreter& vm, const CapturedGraph& graph, int device, rt::Queue* queue);
void upload_graph(Interpreter& vm, const CapturedGraph& graph, int device, rt::Queue* queue);

// A function for the host that `queue` is given: called at each launch where the queue captures.
void call_on_host(Interpreter& vm, rt::Queue& queue, HostFunction function);

Value make_graph(Interpreter& vm, CapturedGraph graph);

}  // namespace gpy::lib
