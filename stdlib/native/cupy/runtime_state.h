#pragma once
// CUDA objects of an interpreter, by number: memory, streams and events that scripts made through
// cupy.cuda.runtime, the events that they may name, and functions that streams are to call. All of
// it ends with the interpreter.

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "runtime/core/process.h"
#include "runtime/graph/launch_graph.h"
#include "runtime/memory/raw_memory.h"
#include "runtime/memory/scratch_log.h"
#include "src/array/arrays.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

// A function of a script that is called when a queue's work gets to it.
struct HostFunction {
  rt::Ref<rt::Queue> queue;
  Value function;
  std::vector<Value> arguments;

  template <class F> void each_field(F&& f) {
    f(function);
    for (Value& each : arguments) f(each);
  }
};

// A graph of a device, and the functions that each launch of it calls on the host.
struct CapturedGraph {
  int device;
  std::shared_ptr<rt::LaunchGraph> graph;
  std::vector<HostFunction> functions;

  template <class F> void each_field(F&& f) {
    for (HostFunction& each : functions) each.each_field(f);
  }
};

// A capture that goes on, and the functions that each launch is to call on the host.
struct CaptureInProgress {
  std::shared_ptr<rt::Capture> capture;
  std::vector<HostFunction> functions;

  template <class F> void each_field(F&& f) {
    for (HostFunction& each : functions) each.each_field(f);
  }
};

// The events that scripts can name, by handle.
struct KnownEvent {
  int device;
  rt::Event* event;
  rt::Ref<rt::Event> owned;  // set where the event was made by number
};
using KnownEvents = std::map<uintptr_t, KnownEvent>;

struct RuntimeState : Object {
  static constexpr ObjectLayout kLayout = kRuntimeStateLayout;
  explicit RuntimeState(Type* type);
  ~RuntimeState();

  struct RawStream {
    int device;
    rt::Ref<rt::Queue> queue;
  };
  // The part that the driver's threads see.
  struct Due {
    rt::ForkSafe<std::mutex> mutex;
    Interpreter* vm;  // null: the interpreter has ended
    std::vector<uint64_t> functions;
  };

  template <class F> void each_field(F&& f) {
    for (auto& [number, each] : functions) each.each_field(f);
    for (auto& [capture, each] : captures) each.each_field(f);
    for (auto* several : {&graphs, &executables}) {
      for (auto& [handle, each] : *several) each.each_field(f);
    }
    for (auto& [queue, error] : errors) f(error);
    for (Value& each : released) f(each);
  }

  const std::shared_ptr<rt::Runtime> runtime;  // its memory and queues must end before it
  std::map<uintptr_t, rt::RawMemory*> pools;   // pools made here, and the memory of each
  std::map<uintptr_t, rt::RawBlock> blocks;
  std::map<uintptr_t, RawStream> streams;
  std::set<uintptr_t> ended_streams;
  std::map<uintptr_t, CapturedGraph> graphs, executables;
  std::map<const rt::Capture*, CaptureInProgress> captures;
  const std::shared_ptr<KnownEvents> events = std::make_shared<KnownEvents>();

  std::map<uint64_t, HostFunction> functions;  // not called yet
  uint64_t next_function = 0;
  std::deque<std::pair<rt::Ref<rt::Queue>, Value>> errors;  // raised by functions, not reported yet
  bool calls_functions = false;  // due functions are being called: others are called after them
  std::list<Value> released;     // owners of arrays' memory, kept until the next poll
  const std::shared_ptr<Due> due;
  std::shared_ptr<rt::ScratchLog> scratch;  // while there are hooks that want to be told
};

RuntimeState& runtime_state(Interpreter& vm);

// `function` is called on this thread, at the next poll after the queue's work so far is done.
void call_after(Interpreter& vm, rt::Queue& queue, HostFunction function);
// Waits for the queue's work and calls due functions. Raises the error of a function of the queue.
void synchronize_queue(Interpreter& vm, rt::Queue& queue);
// Calls due functions; errors are kept for their queue's next synchronise. Tells memory hooks of
// scratch memory, and raises what they raise.
void call_due_functions(Interpreter& vm);
// A function of cupy.cuda._hooks.
Value hooks_function(Interpreter& vm, const char* name);
// Tells memory hooks of scratch memory; what the hooks take themselves is not noted.
void tell_of_scratch(Interpreter& vm);

}  // namespace gpy::lib
