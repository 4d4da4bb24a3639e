// cupy.cuda.Graph: what a stream was given while it captured.
#include "stdlib/native/cupy/graph.h"

#include "runtime/core/cuda_error.h"
#include "runtime/graph/evaluate.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/stream.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/numpy/kept_type.h"

namespace gpy::lib {

void begin_capture(Interpreter& vm, rt::Queue* queue, int64_t mode) {
  constexpr int64_t kRelaxed = 2;
  if (mode < 0 || mode > kRelaxed) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  if (!queue) throw rt::CudaError(rt::CudaCode::kStreamCaptureUnsupported);
  auto capture = rt::begin_capture(session(vm), *queue);
  auto& captures = runtime_state(vm).captures;
  std::erase_if(captures, [](const auto& each) { return !each.second.capture->active(); });
  captures[capture.get()].capture = capture;
}

CapturedGraph end_capture(Interpreter& vm, rt::Queue* queue) {
  if (!queue) throw rt::CudaError(rt::CudaCode::kIllegalState, "the stream is not capturing");
  CapturedGraph graph{session(vm).current_device, nullptr, {}};
  auto& captures = runtime_state(vm).captures;
  const auto known = captures.find(queue->capture());
  if (known == captures.end() || !known->first->began_on(*queue)) {
    queue->end_capture();  // says what is wrong
    throw rt::CudaError(rt::CudaCode::kIllegalState, "somebody else began the capture");
  }
  const auto ended = captures.extract(known);  // keeps it to the end
  graph.graph =
      rt::LaunchGraph::end_capture(session(vm), place_of_device(vm, kEveryDevice), *queue);
  graph.functions = ended.mapped().functions;
  return graph;
}

namespace {

void check_device(Interpreter& vm, const CapturedGraph& graph, int device) {
  if (graph.device == device) return;
  vm.raise_runtime_error(
      "The device that the graph was captured on ({}) does not match with the device that it is "
      "launched on ({})",
      graph.device, device);
}

}  // namespace

void launch_graph(Interpreter& vm, const CapturedGraph& graph, int device, rt::Queue* queue) {
  check_device(vm, graph, device);
  graph.graph->launch(session(vm), queue);
  rt::Queue& given = queue ? *queue : backend_of_device(vm, device).own_queue();
  for (const HostFunction& each : graph.functions) {
    call_on_host(vm, given, {&given, each.function, each.arguments});
  }
}

void upload_graph(Interpreter& vm, const CapturedGraph& graph, int device, rt::Queue* queue) {
  check_device(vm, graph, device);
  graph.graph->upload(session(vm), queue);
}

void call_on_host(Interpreter& vm, rt::Queue& queue, HostFunction function) {
  rt::Capture* const capture = queue.capture();
  if (!capture) return call_after(vm, queue, std::move(function));
  auto& captures = runtime_state(vm).captures;
  const auto known = captures.find(capture);
  if (known == captures.end()) {
    throw rt::CudaError(rt::CudaCode::kStreamCaptureUnsupported, "somebody else began the capture");
  }
  known->second.functions.push_back(std::move(function));
}

namespace {

struct Graph : Object {
  static constexpr ObjectLayout kLayout = kGraphLayout;
  Graph(Type* type, CapturedGraph captured)
      : Object(type), runtime(session(*type->vm).shared_runtime()), captured(std::move(captured)) {}
  template <class F> void each_field(F&& f) { captured.each_field(f); }

  const std::shared_ptr<rt::Runtime> runtime;  // its memory must be freed before it
  CapturedGraph captured;
};

// The queue of a stream, or the current one, and its device.
struct Target {
  Target(Interpreter& vm, const Value& stream) : device(session(vm).current_device) {
    if (!is_given(stream)) {
      queue = session(vm).queues[place_of_device(vm, device)];
      return;
    }
    if (!stream.is<Stream>())
      vm.raise_type_error("a Stream is expected, not '{}'", vm.type_name(stream));
    const Stream& given = *stream.as<Stream>();
    if (given.device != kEveryDevice) device = given.device;
    queue = queue_of_stream(vm, *stream.as<Stream>());
  }
  int device;
  rt::Ref<rt::Queue> queue;
};

Value launch(Interpreter& vm, Graph& self, const Value& stream) {
  const Target target(vm, stream);
  launch_graph(vm, self.captured, target.device, target.queue.get());
  return Value::none();
}

Value upload(Interpreter& vm, Graph& self, const Value& stream) {
  const Target target(vm, stream);
  upload_graph(vm, self.captured, target.device, target.queue.get());
  return Value::none();
}

Value debug_dot_str(Interpreter& vm, Graph& self, const Value& flags) {
  const int64_t given = is_given(flags) ? vm.to_index(flags) : 0;
  return vm.str(self.captured.graph->exec().describe(static_cast<unsigned>(given)));
}

const Native kMethods[] = {
    {"launch", "(self, stream=None)", typed<launch>,
     "Does all that was captured, on a stream or on the current one: arrays that it was captured "
     "with are read and written where they are."},
    {"upload", "(self, stream=None)", typed<upload>,
     "Brings to the device what the first launch needs."},
    {"debug_dot_str", "(self, flags=None)", typed<debug_dot_str>,
     "The graph in DOT's language; `flags` are runtime.cudaGraphDebugDotFlags..."},
};

Value handle_value(uintptr_t handle) { return Value::integer(static_cast<int64_t>(handle)); }

Value graph_handle(Interpreter&, const Value& self) {
  return handle_value(self.as<Graph>()->captured.graph->exec().graph());
}

Value exec_handle(Interpreter&, const Value& self) {
  return handle_value(self.as<Graph>()->captured.graph->exec().handle());
}

Value host_functions(Interpreter& vm, const Value& self) {
  std::vector<Value> pairs;
  for (const HostFunction& each : self.as<Graph>()->captured.functions) {
    pairs.push_back(vm.tuple({each.function, each.arguments.front()}));
  }
  return vm.list(std::move(pairs));
}

const NativeGetter kGetters[] = {
    {"graph", graph_handle, nullptr, "The driver's handle of the graph."},
    {"graphExec", exec_handle, nullptr, "The driver's handle of what is launched."},
    {"host_funcargs", host_functions, nullptr,
     "The functions that each launch calls on the host, with their arguments."},
};

Value refuse_construction(Interpreter& vm, Args) {
  vm.raise_not_implemented_error(
      "currently this class cannot be initiated by the user and must be created via stream "
      "capture");
}

const Native kConstructor = {"Graph", "(cls, *args, **kwargs)", refuse_construction,
                             "What a stream was given between begin_capture() and end_capture(), "
                             "to be launched as often as one likes."};

Type* graph_type(Interpreter& vm) {
  return kept_type(vm, "_Graph", [&] {
    return vm.make_type<Graph>({.name = "Graph",
                                .module = "cupy.cuda.graph",
                                .doc = "Work that a stream captured.",
                                .slots = {.traverse = traverse_fields<Graph>},
                                .methods = kMethods,
                                .getters = kGetters,
                                .constructor = &kConstructor});
  });
}

}  // namespace

Value make_graph(Interpreter& vm, CapturedGraph graph) {
  return vm.make<Graph>(graph_type(vm), std::move(graph));
}

void add_graph_class(Interpreter& vm, Module& module) {
  module.set(vm, "Graph", Value(static_cast<Object*>(graph_type(vm))));
}

}  // namespace gpy::lib
