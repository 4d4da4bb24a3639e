#include "stdlib/native/cupy/runtime_state.h"

#include <algorithm>
#include <span>

#include "src/array/convert.h"
#include "stdlib/native/fields.h"

namespace gpy::lib {

RuntimeState::RuntimeState(Type* type)
    : Object(type), runtime(session(*type->vm).shared_runtime()), due(std::make_shared<Due>()) {
  due->vm = type->vm;
  type->vm->on_wake = call_due_functions;
}

// Ignores errors: a pool of a lost device cannot be given back.
static void end_pool(rt::RawMemory& memory, uintptr_t pool) noexcept {
  try {
    memory.destroy_pool(pool);
  } catch (...) {
  }
}

RuntimeState::~RuntimeState() {
  blocks.clear();
  for (const auto& [pool, memory] : pools) end_pool(*memory, pool);
  type->vm->on_wake = nullptr;
  const std::lock_guard lock(due->mutex);
  due->vm = nullptr;
}

RuntimeState& runtime_state(Interpreter& vm) {
  Str* key = vm.intern("_RuntimeState");
  Type* keeper = arrays(vm).generic;
  if (const Value* found = keeper->lookup(key)) return *found->as<RuntimeState>();
  Type* type = vm.make_type<RuntimeState>({.name = "_RuntimeState",
                                           .module = "cupy.cuda",
                                           .slots = {.traverse = traverse_fields<RuntimeState>}});
  Ref<RuntimeState> state = vm.make<RuntimeState>(type);
  keeper->set_attribute(key, state);
  return *state;
}

void call_after(Interpreter& vm, rt::Queue& queue, HostFunction function) {
  RuntimeState& state = runtime_state(vm);
  const uint64_t number = state.next_function++;
  state.functions.emplace(number, std::move(function));
  try {
    {
      const std::lock_guard lock(state.due->mutex);
      state.due->functions.reserve(state.due->functions.size() + state.functions.size());
    }
    queue.call([due = state.due, number] {
      const std::lock_guard lock(due->mutex);
      if (!due->vm) return;
      due->functions.push_back(number);
      due->vm->wake();
    });
  } catch (...) {
    state.functions.erase(number);
    throw;
  }
}

static std::vector<uint64_t> take_due(RuntimeState& state) {
  const std::lock_guard lock(state.due->mutex);
  // Copies the list, so that it keeps its capacity for functions still to come.
  std::vector<uint64_t> taken(state.due->functions);
  state.due->functions.clear();
  return taken;
}

static void call_one(Interpreter& vm, RuntimeState& state, uint64_t number) {
  const auto found = state.functions.find(number);
  if (found == state.functions.end()) return;
  const HostFunction function = std::move(found->second);
  state.functions.erase(found);
  try {
    vm.call(function.function,
            {function.arguments.data(), static_cast<uint32_t>(function.arguments.size()), {}});
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.exception)) throw;
    state.errors.emplace_back(function.queue, raised.exception);
  }
}

static void call_all(Interpreter& vm, RuntimeState& state, std::span<const uint64_t> taken) {
  for (size_t i = 0; i < taken.size(); ++i) {
    try {
      call_one(vm, state, taken[i]);
    } catch (...) {  // an interrupt: the rest stays due
      const std::lock_guard lock(state.due->mutex);
      auto& left = state.due->functions;
      left.insert(left.begin(), taken.begin() + static_cast<ptrdiff_t>(i) + 1, taken.end());
      if (!left.empty()) vm.wake();
      throw;
    }
  }
}

Value hooks_function(Interpreter& vm, const char* name) {
  return vm.get_attribute(vm.import_module("cupy.cuda._hooks"), name);
}

void tell_of_scratch(Interpreter& vm) {
  const std::shared_ptr<rt::ScratchLog> log = runtime_state(vm).scratch;
  if (!log || !log->has_events()) return;
  const rt::ScratchLog::Pause pause(log);
  vm.call(hooks_function(vm, "_tell_of_scratch"), {});
}

void call_due_functions(Interpreter& vm) {
  RuntimeState& state = runtime_state(vm);
  const Value keeps(static_cast<Object*>(&state));
  std::list<Value>(std::move(state.released)).clear();
  try {
    tell_of_scratch(vm);
  } catch (...) {  // functions that are due are called at the next poll
    vm.wake();
    throw;
  }
  if (state.calls_functions) return;
  struct Calls {
    bool& now;
    explicit Calls(bool& now) : now(now) { now = true; }
    ~Calls() { now = false; }
  } const calls(state.calls_functions);
  for (auto taken = take_due(state); !taken.empty(); taken = take_due(state)) {
    call_all(vm, state, taken);
  }
}

// Streams may be named by their handles. The handle of every device's own stream is 0.
static bool same_queue(const rt::Queue& a, const rt::Queue& b) {
  return &a == &b || (a.handle() != 0 && a.handle() == b.handle());
}

void synchronize_queue(Interpreter& vm, rt::Queue& queue) {
  queue.require_no_capture();
  queue.synchronize();
  RuntimeState& state = runtime_state(vm);
  call_due_functions(vm);
  const auto of_queue = [&](const auto& each) { return same_queue(*each.first, queue); };
  const auto found = std::ranges::find_if(state.errors, of_queue);
  if (found == state.errors.end()) return;
  Value error = std::move(found->second);
  state.errors.erase(found);
  vm.raise(std::move(error));
}

}  // namespace gpy::lib
