// Captures and graphs of the fake driver: launches of kernels alone are in a graph, and each launch
// of it launches them.
#include <cuda.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "fake_memory.h"

namespace {

using Graph = std::vector<std::function<void()>>;

struct State {
  std::mutex mutex;
  std::map<CUstream, Graph> captures;
  std::set<CUstream> invalidated;
  std::set<const void*> alive;  // graphs and what is launched of them
};

State& state() {
  static State& state = *new State;
  return state;
}

template <class Handle> Handle add(Graph graph) {
  auto* const made = new Graph(std::move(graph));
  state().alive.insert(made);
  return reinterpret_cast<Handle>(made);
}

template <class Handle> CUresult remove(Handle handle) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.alive.erase(handle) == 0) return CUDA_ERROR_INVALID_VALUE;
  delete reinterpret_cast<Graph*>(handle);
  return CUDA_SUCCESS;
}

CUresult begin(CUstream stream, CUstreamCaptureMode) {
  FAKE_ENTER("cuStreamBeginCapture");
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (!stream || stream == CU_STREAM_LEGACY) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return s.captures.try_emplace(stream).second ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_STATE;
}

CUresult end(CUstream stream, CUgraph* graph) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  auto capture = s.captures.extract(stream);
  *graph = nullptr;
  FAKE_ENTER("cuStreamEndCapture");
  if (capture.empty()) return CUDA_ERROR_ILLEGAL_STATE;
  if (s.invalidated.erase(stream) > 0) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  *graph = add<CUgraph>(std::move(capture.mapped()));
  return CUDA_SUCCESS;
}

CUresult instantiate(CUgraphExec* made, CUgraph graph, unsigned long long) {
  FAKE_ENTER("cuGraphInstantiateWithFlags");
  State& s = state();
  const std::lock_guard lock(s.mutex);
  *made = add<CUgraphExec>(*reinterpret_cast<Graph*>(graph));
  return CUDA_SUCCESS;
}

// Where they fail the graph is gone all the same, so that what is left behind is the caller's.
CUresult destroy(CUgraph graph) {
  const CUresult code = remove(graph);
  FAKE_ENTER("cuGraphDestroy");
  return code;
}

CUresult destroy_executable(CUgraphExec graph) {
  const CUresult code = remove(graph);
  FAKE_ENTER("cuGraphExecDestroy");
  return code;
}

CUresult upload(CUgraphExec, CUstream) {
  FAKE_ENTER("cuGraphUpload");
  return CUDA_SUCCESS;
}

CUresult launch(CUgraphExec graph, CUstream) {
  FAKE_ENTER("cuGraphLaunch");
  for (const auto& each : *reinterpret_cast<Graph*>(graph)) each();
  return CUDA_SUCCESS;
}

CUresult print(CUgraph graph, const char* path, unsigned) {
  FAKE_ENTER("cuGraphDebugDotPrint");
  std::FILE* const file = std::fopen(path, "w");
  if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
  std::fprintf(file, "digraph dot { /* %zu kernels */ }\n",
               reinterpret_cast<Graph*>(graph)->size());
  std::fclose(file);
  return CUDA_SUCCESS;
}

}  // namespace

bool fake_capture(CUstream stream, std::function<void()> work) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto capture = s.captures.find(stream);
  if (capture == s.captures.end()) return false;
  capture->second.push_back(std::move(work));
  return true;
}

bool fake_invalidates(CUstream stream) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (!s.captures.contains(stream)) return false;
  s.invalidated.insert(stream);
  return true;
}

std::map<std::string, void*> fake_graph_entries() {
  return {
      {"cuStreamBeginCapture",
       fake_address(begin, static_cast<decltype(&::cuStreamBeginCapture)>(nullptr))},
      FAKE_ENTRY(cuStreamEndCapture, end),
      FAKE_ENTRY(cuGraphInstantiateWithFlags, instantiate),
      FAKE_ENTRY(cuGraphDestroy, destroy),
      FAKE_ENTRY(cuGraphExecDestroy, destroy_executable),
      FAKE_ENTRY(cuGraphUpload, upload),
      FAKE_ENTRY(cuGraphLaunch, launch),
      FAKE_ENTRY(cuGraphDebugDotPrint, print),
  };
}
