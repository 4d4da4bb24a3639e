#include "runtime/cuda/cuda_graph.h"

#include <algorithm>
#include <vector>

#include "runtime/kernel/work_folder.h"

namespace gpy::rt::cuda {
namespace {

using Graph = Owned<CUgraph, &Driver::cuGraphDestroy>;
using Executable = Owned<CUgraphExec, &Driver::cuGraphExecDestroy>;

// This thread's work of the place goes to `queue`.
class OnQueue {
 public:
  OnQueue(Place place, Ref<Queue> queue) { queues_[place] = std::move(queue); }

 private:
  QueueSet queues_;
  const QueueScope scope_{&queues_};
};

// Relaxed: what other threads do meanwhile concerns nobody, and modules may be loaded.
Graph capture(Context& context, const Ref<Queue>& queue, const RecordedWork& work) {
  const CUstream stream = stream_of(*queue);
  const OnQueue scope(context.place(), queue);
  GPY_CU(context, cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CUgraph graph = nullptr;
  try {
    for (const auto& each : work) each();
  } catch (...) {
    context.driver().cuStreamEndCapture(stream, &graph);
    const Graph half(context, graph);
    throw;
  }
  GPY_CU(context, cuStreamEndCapture(stream, &graph));
  return {context, graph};
}

Executable instantiate(Context& context, CUgraph graph) {
  CUgraphExec executable = nullptr;
  GPY_CU(context, cuGraphInstantiateWithFlags(&executable, graph, 0));
  return {context, executable};
}

class CudaGraph final : public GraphExec {
 public:
  CudaGraph(Context& context, QueueTable& queues, const RecordedWork& work)
      : context_(context),
        queue_(queues.make_for_graph()),
        graph_(capture(context, queue_, work)),
        executable_(instantiate(context, graph_.get())) {}
  ~CudaGraph() override;

  void launch() override {
    const Context::Scope scope(context_);
    note_launch(current_queue(context_.place()));
    GPY_CU(context_, cuGraphLaunch(executable_.get(), context_.stream()));
  }
  void upload() override {
    const Context::Scope scope(context_);
    GPY_CU(context_, cuGraphUpload(executable_.get(), context_.stream()));
  }
  std::string describe(unsigned flags) override;
  uintptr_t graph() const override { return reinterpret_cast<uintptr_t>(graph_.get()); }
  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(executable_.get()); }

 private:
  // Queues that have done what they were given are let go.
  void note_launch(Queue* queue) {
    if (std::ranges::find(launched_on_, Ref<Queue>(queue)) != launched_on_.end()) return;
    std::erase_if(launched_on_, [](const Ref<Queue>& each) { return each && each->done(); });
    launched_on_.emplace_back(queue);
  }

  Context& context_;
  const Ref<Queue> queue_;               // it captured the work, whose workspaces are its memory
  std::vector<Ref<Queue>> launched_on_;  // null: the device's own
  Graph graph_;
  Executable executable_;
};

// Its memory is used again behind its launches. What they went to may be gone: then all is waited
// for.
CudaGraph::~CudaGraph() {
  const Context::Ending ending(context_);
  if (!ending) return;
  try {
    for (const Ref<Queue>& each : launched_on_) {
      if (each) queue_->follow(*each);
    }
  } catch (...) {
    context_.driver().cuCtxSynchronize();
  }
}

// The driver writes to files only.
std::string CudaGraph::describe(unsigned flags) {
  const Context::Scope scope(context_);
  const WorkFolder folder;
  const std::filesystem::path file = folder / "graph.dot";
  GPY_CU(context_, cuGraphDebugDotPrint(graph_.get(), file.c_str(), flags));
  return read_file(file);
}

}  // namespace

std::unique_ptr<GraphExec> make_cuda_graph(Context& context, QueueTable& queues,
                                           const RecordedWork& work) {
  const Context::Scope scope(context);
  return std::make_unique<CudaGraph>(context, queues, work);
}

}  // namespace gpy::rt::cuda
