// cupy.cuda.runtime's functions of captures and graphs, which are named by their handles.
#include "runtime/core/cuda_error.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/graph.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

Value handle_value(uintptr_t handle) { return Value::integer(static_cast<int64_t>(handle)); }

using Graphs = std::map<uintptr_t, CapturedGraph>;

Graphs::iterator find(Interpreter& vm, Graphs& graphs, const Value& handle) {
  const auto found = graphs.find(address_argument(vm, handle));
  if (found == graphs.end()) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  return found;
}

Value stream_begin_capture(Interpreter& vm, const Value& stream, int64_t mode) {
  begin_capture(vm, queue_of_handle(vm, address_argument(vm, stream)).get(), mode);
  return Value::none();
}

Value stream_end_capture(Interpreter& vm, const Value& stream) {
  CapturedGraph graph = end_capture(vm, queue_of_handle(vm, address_argument(vm, stream)).get());
  const uintptr_t handle = graph.graph->exec().graph();
  runtime_state(vm).graphs.insert_or_assign(handle, std::move(graph));
  return handle_value(handle);
}

Value stream_is_capturing(Interpreter& vm, const Value& stream) {
  const rt::Ref<rt::Queue> queue = queue_of_handle(vm, address_argument(vm, stream));
  return Value::boolean(queue && queue->capture());
}

// Graphs are made as they are launched: this gives the other name of one.
Value graph_instantiate(Interpreter& vm, const Value& graph) {
  RuntimeState& state = runtime_state(vm);
  const CapturedGraph& known = find(vm, state.graphs, graph)->second;
  const uintptr_t handle = known.graph->exec().handle();
  state.executables.insert_or_assign(handle, known);
  return handle_value(handle);
}

Value graph_launch(Interpreter& vm, const Value& executable, const Value& stream) {
  const auto known = find(vm, runtime_state(vm).executables, executable);
  launch_graph(vm, known->second, session(vm).current_device,
               queue_of_handle(vm, address_argument(vm, stream)).get());
  return Value::none();
}

Value graph_upload(Interpreter& vm, const Value& executable, const Value& stream) {
  const auto known = find(vm, runtime_state(vm).executables, executable);
  upload_graph(vm, known->second, session(vm).current_device,
               queue_of_handle(vm, address_argument(vm, stream)).get());
  return Value::none();
}

Value graph_destroy(Interpreter& vm, const Value& graph) {
  RuntimeState& state = runtime_state(vm);
  state.graphs.erase(find(vm, state.graphs, graph));
  return Value::none();
}

Value executable_destroy(Interpreter& vm, const Value& executable) {
  RuntimeState& state = runtime_state(vm);
  state.executables.erase(find(vm, state.executables, executable));
  return Value::none();
}

Value graph_text(Interpreter& vm, const Value& graph, const Value& flags) {
  const auto known = find(vm, runtime_state(vm).graphs, graph);
  return vm.str(known->second.graph->exec().describe(flags_argument(vm, flags)));
}

const Native kFunctions[] = {
    {"streamBeginCapture", "(stream, mode=2)", typed<stream_begin_capture>,
     "What the stream is given from now on is recorded."},
    {"streamEndCapture", "(stream)", typed<stream_end_capture>,
     "Ends a capture, and gives its graph."},
    {"streamIsCapturing", "(stream)", typed<stream_is_capturing>,
     "Whether the stream's work is recorded."},
    {"graphInstantiate", "(graph)", typed<graph_instantiate>,
     "Gives the form of a graph that is launched."},
    {"graphLaunch", "(graphExec, stream)", typed<graph_launch>, "Gives a graph to a stream."},
    {"graphUpload", "(graphExec, stream)", typed<graph_upload>,
     "Brings to the device what a graph's first launch needs."},
    {"graphDestroy", "(graph)", typed<graph_destroy>, "Ends a graph."},
    {"graphExecDestroy", "(graphExec)", typed<executable_destroy>,
     "Ends the form of a graph that is launched."},
    {"_graph_text", "(graph, flags)", typed<graph_text>, "A graph in DOT's language."},
};

}  // namespace

std::span<const Native> runtime_graph_rows() { return kFunctions; }

}  // namespace gpy::lib
