// _cuda_memory: memory pools for arrays of a device, and the source that a script's arrays take
// their memory from.
#include "runtime/backend.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/lent_memory.h"
#include "runtime/memory/ordered_source.h"
#include "runtime/memory/pool_limit.h"
#include "runtime/memory/pooled_source.h"
#include "runtime/memory/segment_watch.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/script_source.h"
#include "stdlib/native/cupy/stream.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/numpy/kept_type.h"

namespace gpy::lib {

namespace {

// --- blocks --------------------------------------------------------------------------------------

struct PooledMemory : Object {
  static constexpr ObjectLayout kLayout = kPooledMemoryLayout;
  PooledMemory(Type* type, int device, rt::Ref<rt::Buffer> buffer)
      : Object(type),
        runtime(session(*type->vm).shared_runtime()),
        device(device),
        buffer(std::move(buffer)) {}
  const std::shared_ptr<rt::Runtime> runtime;  // its memory must be freed before it
  const int device;
  rt::Ref<rt::Buffer> buffer;  // null once it was freed
};

PooledMemory& block_of(const Value& self) { return *self.as<PooledMemory>(); }

Value block_address(Interpreter&, const Value& self) {
  const rt::Ref<rt::Buffer>& buffer = block_of(self).buffer;
  return Value::integer(buffer ? static_cast<int64_t>(reinterpret_cast<uintptr_t>(buffer->data()))
                               : 0);
}

Value block_size(Interpreter&, const Value& self) {
  const rt::Ref<rt::Buffer>& buffer = block_of(self).buffer;
  return Value::integer(buffer ? static_cast<int64_t>(buffer->bytes()) : 0);
}

const NativeGetter kBlockGetters[] = {
    {"ptr", block_address, nullptr, "The address."},
    {"size", block_size, nullptr, "Its bytes."},
    {"device_id",
     [](Interpreter&, const Value& self) { return Value::integer(block_of(self).device); }, nullptr,
     "The number of the device."},
};

Value free_block(Interpreter&, PooledMemory& self) {
  self.buffer = {};
  return Value::none();
}

const Native kBlockMethods[] = {
    {"free", "(self)", typed<free_block>, "Gives it back to its pool."},
};

Type* block_type(Interpreter& vm) {
  return kept_type(vm, "_PooledMemory", [&] {
    return vm.make_type<PooledMemory>({.name = "PooledMemory",
                                       .module = "cupy.cuda.memory",
                                       .doc = "A block that goes back to its pool.",
                                       .methods = kBlockMethods,
                                       .getters = kBlockGetters});
  });
}

// --- pools ---------------------------------------------------------------------------------------

// A pool without a source stands for the devices' own pools. Its use is that of the current device.
struct MemoryPool : Object {
  static constexpr ObjectLayout kLayout = kMemoryPoolLayout;
  MemoryPool(Type* type, std::shared_ptr<rt::PooledSource> source, Value allocator = Value())
      : Object(type), source(std::move(source)), allocator(std::move(allocator)) {}
  ~MemoryPool() {
    if (segments) segments->end();
  }
  template <class F> void each_field(F&& f) { f(allocator); }

  std::shared_ptr<rt::PooledSource> source;
  Value allocator;  // a script's function that it is over, or nothing
  ScriptSegments* segments = nullptr;
};

rt::Backend& current(Interpreter& vm) { return session(vm).backend_of(session(vm).device_space()); }

// Pending arrays have not taken memory yet.
rt::MemoryUse use_of(Interpreter& vm, const MemoryPool& pool) {
  rt::PooledSource* const source = pool.source.get();
  return source ? source->use(current(vm)) : current(vm).memory_use();
}

template <size_t rt::MemoryUse::*kField> Value count(Interpreter& vm, const MemoryPool& self) {
  return Value::integer(static_cast<int64_t>(use_of(vm, self).*kField));
}

Value free_bytes(Interpreter& vm, const MemoryPool& self) {
  const rt::MemoryUse use = use_of(vm, self);
  return Value::integer(static_cast<int64_t>(use.total - use.used));
}

Value free_all_blocks(Interpreter& vm, const MemoryPool& self, const Value&) {
  if (self.source) self.source->free_all_blocks(current(vm));
  else current(vm).free_all_blocks();
  return Value::none();
}

Value free_all_free(Interpreter& vm, const MemoryPool& self) {
  vm.warn(vm.types.deprecation_warning,
          "free_all_free is deprecated. Use free_all_blocks instead.");
  return free_all_blocks(vm, self, Value::none());
}

int64_t limit_of_size(Interpreter& vm, int64_t size) {
  if (size < 0) vm.raise_value_error("memory limit size out of range: {}", size);
  return size;
}

int64_t limit_of_fraction(Interpreter& vm, double fraction) {
  if (!(fraction >= 0 && fraction <= 1)) {
    vm.raise_value_error("memory limit fraction out of range: {}", fraction);
  }
  return static_cast<int64_t>(fraction *
                              static_cast<double>(current(vm).device_info().memory_total));
}

size_t limit_argument(Interpreter& vm, const Value& size, const Value& fraction) {
  if (is_given(size) && is_given(fraction)) {
    vm.raise_value_error("size and fraction cannot be specified at one time");
  }
  if (!is_given(size) && !is_given(fraction)) return 0;
  return static_cast<size_t>(is_given(size) ? limit_of_size(vm, vm.to_index(size))
                                            : limit_of_fraction(vm, vm.to_real(fraction)));
}

Value set_limit(Interpreter& vm, const MemoryPool& self, const Value& size, const Value& fraction) {
  const size_t bytes = limit_argument(vm, size, fraction);
  if (self.source) self.source->set_limit(current(vm), bytes);
  else current(vm).set_memory_limit(bytes);
  return Value::none();
}

Value pointer_to(Interpreter& vm, const Value& block, int64_t offset) {
  const Value pointer = vm.get_attribute(vm.import_module("cupy.cuda.memory"), "MemoryPointer");
  return vm.call(pointer, {block, Value::integer(offset)});
}

Value no_bytes(Interpreter& vm) {
  const Value memory = vm.get_attribute(vm.import_module("cupy.cuda.memory"), "Memory");
  return pointer_to(vm, vm.call(memory, {Value::integer(0)}), 0);
}

// Tells memory hooks of what a pool takes from its device.
class HookedSegments final : public rt::SegmentWatch {
 public:
  explicit HookedSegments(Interpreter& vm) : vm_(vm) {}

  void before_segment(size_t bytes) override {
    tell("_before_segment", {Value::integer(static_cast<int64_t>(bytes))});
  }
  void after_segment(size_t bytes, const void* segment) override {
    tell("_after_segment",
         {Value::integer(static_cast<int64_t>(bytes)),
          Value::integer(static_cast<int64_t>(reinterpret_cast<uintptr_t>(segment)))});
  }

 private:
  void tell(const char* function, std::initializer_list<Value> facts) {
    vm_.call(hooks_function(vm_, function), facts);
  }

  Interpreter& vm_;
};

rt::Ref<rt::Buffer> take_block(rt::Backend& backend, rt::PooledSource* source, size_t bytes) {
  return source ? source->allocate(backend, bytes) : backend.allocate(bytes);
}

// The host's own memory has no segments: what it takes more of the system for a block counts as
// one.
rt::Ref<rt::Buffer> take_watched_block(Interpreter& vm, rt::Backend& backend,
                                       rt::PooledSource* source, size_t bytes) {
  HookedSegments watch(vm);
  if (source || !backend.is_host()) return take_block(backend, source, bytes);
  const size_t before = backend.memory_use().total;
  rt::Ref<rt::Buffer> buffer = backend.allocate(bytes);
  const size_t after = backend.memory_use().total;
  if (after <= before) return buffer;
  watch.before_segment(after - before);
  watch.after_segment(after - before, buffer->data());
  return buffer;
}

bool has_hooks(Interpreter& vm) { return runtime_state(vm).scratch != nullptr; }

// Gives a MemoryPointer.
Value pool_take(Interpreter& vm, const MemoryPool& self, const Value& size) {
  constexpr size_t kGranule = rt::MemoryPool::kGranule;
  const size_t wanted = std::min<size_t>(size_argument(vm, size), PTRDIFF_MAX);
  if (wanted == 0) return no_bytes(vm);
  const size_t bytes = (wanted + kGranule - 1) / kGranule * kGranule;
  rt::Backend& backend = current(vm);
  rt::PooledSource* const source = self.source.get();
  rt::Ref<rt::Buffer> buffer = has_hooks(vm) ? take_watched_block(vm, backend, source, bytes)
                                             : take_block(backend, source, bytes);
  const Value block =
      vm.make<PooledMemory>(block_type(vm), session(vm).current_device, std::move(buffer));
  return pointer_to(vm, block, 0);
}

Value pool_malloc(Interpreter& vm, const Value& self, const Value& size) {
  if (!has_hooks(vm)) return pool_take(vm, *self.as<MemoryPool>(), size);
  return vm.call(hooks_function(vm, "_malloc"), {vm.get_attribute(self, "_take"), size});
}

using Source = rt::RawMemory::Source;

// The source of the function of cupy.cuda.memory that a pool takes its segments by; nothing for a
// function of the script's.
std::optional<Source> kind_of(Interpreter& vm, const Value& allocator) {
  const Value memory = vm.import_module("cupy.cuda.memory");
  for (const auto& [name, kind] : {std::pair{"_malloc", Source::kDevice},
                                   {"malloc_managed", Source::kManaged},
                                   {"malloc_system", Source::kSystem},
                                   {"malloc_async", Source::kOrdered}}) {
    const Value known = vm.get_attribute(memory, name);
    if (known.same(allocator)) return kind;
  }
  return std::nullopt;
}

const Native kMethods[] = {
    {"malloc", "(self, size)", typed<pool_malloc>,
     "Memory of the current device, as a MemoryPointer."},
    {"_take", "(self, size)", typed<pool_take>, ""},
    {"used_bytes", "(self)", typed<count<&rt::MemoryUse::used>>, "Bytes that arrays hold."},
    {"total_bytes", "(self)", typed<count<&rt::MemoryUse::total>>, "Bytes taken from the device."},
    {"free_bytes", "(self)", typed<free_bytes>, "Bytes taken from the device that no array holds."},
    {"n_free_blocks", "(self)", typed<count<&rt::MemoryUse::free_blocks>>,
     "How many free blocks there are."},
    {"free_all_blocks", "(self, stream=None)", typed<free_all_blocks>,
     "Gives free blocks back to the device."},
    {"free_all_free", "(self)", typed<free_all_free>, "free_all_blocks, by its former name."},
    {"set_limit", "(self, size=None, fraction=None)", typed<set_limit>,
     "Limits the memory; 0 takes the limit off."},
    {"get_limit", "(self)", typed<count<&rt::MemoryUse::limit>>, "The limit in bytes; 0 for none."},
};

Value pool_of_kind(Interpreter& vm, Type& cls, Source kind) {
  return vm.make<MemoryPool>(&cls, std::make_shared<rt::PooledSource>(
                                       session(vm).shared_runtime(), rt::make_raw_segments(kind),
                                       rt::MemoryPool::Growth::kChunks));
}

// The function is asked for just as much as a block needs, as CuPy asks.
Value pool_of_function(Interpreter& vm, Type& cls, const Value& allocator) {
  const Ref<MemoryPool> pool = vm.make<MemoryPool>(&cls, nullptr, allocator);
  auto segments = make_script_segments(vm, pool->allocator);
  ScriptSegments* const known = segments.get();
  pool->source = std::make_shared<rt::PooledSource>(
      session(vm).shared_runtime(), std::move(segments), rt::MemoryPool::Growth::kExact);
  pool->segments = known;
  return pool;
}

Value construct_pool(Interpreter& vm, Type& cls, const Value& allocator) {
  const auto kind = is_given(allocator) ? kind_of(vm, allocator) : Source::kDevice;
  return kind ? pool_of_kind(vm, cls, *kind) : pool_of_function(vm, cls, allocator);
}

const Native kConstructor = {"MemoryPool", "(cls, allocator=None)", typed<construct_pool>,
                             "A pool of memory that arrays may take theirs from."};

Type* pool_type(Interpreter& vm) {
  return kept_type(vm, "_MemoryPool", [&] {
    return vm.make_type<MemoryPool>({.name = "MemoryPool",
                                     .module = "cupy.cuda.memory",
                                     .doc = "A pool of memory.",
                                     .slots = {.traverse = traverse_fields<MemoryPool>},
                                     .methods = kMethods,
                                     .constructor = &kConstructor});
  });
}

// The devices' own pools as one object.
Value own_pools(Interpreter& vm) { return vm.make<MemoryPool>(pool_type(vm), nullptr); }

// --- the source of arrays' memory ----------------------------------------------------------------

Value take_from(Interpreter& vm, const MemoryPool& pool) {
  rt::use_source(session(vm), pool.source);
  return Value::none();
}

// By CuPy's own allocators each array is a block of its own.
std::shared_ptr<rt::ArraySource> make_source(Interpreter& vm, const Value& allocator) {
  const std::optional<Source> kind = kind_of(vm, allocator);
  if (!kind) return make_script_source(vm, allocator);
  const std::shared_ptr<rt::Runtime>& runtime = session(vm).shared_runtime();
  if (*kind == Source::kOrdered) return std::make_shared<rt::OrderedSource>(runtime);
  return std::make_shared<rt::PooledSource>(runtime, rt::make_raw_segments(*kind),
                                            rt::MemoryPool::Growth::kUnpooled);
}

// `allocator` is a function of a size that gives a MemoryPointer.
Value take_by(Interpreter& vm, const Value& allocator) {
  rt::use_source(session(vm), make_source(vm, allocator));
  return Value::none();
}

// --- by the addresses of C functions ------------------------------------------------------------

using MallocFunction = void* (*)(void* param, size_t size, int device);
using FreeFunction = void (*)(void* param, void* address, int device);

Value call_malloc(Interpreter& vm, const Value& param, const Value& function, const Value& size,
                  int64_t device) {
  const auto malloc = reinterpret_cast<MallocFunction>(address_argument(vm, function));
  if (!malloc) vm.raise_value_error("the address of a function is 0");
  void* const address =
      malloc(pointer_argument(vm, param), size_argument(vm, size), static_cast<int>(device));
  return Value::integer(static_cast<int64_t>(reinterpret_cast<uintptr_t>(address)));
}

Value call_free(Interpreter& vm, const Value& param, const Value& function, const Value& address,
                int64_t device) {
  const auto free = reinterpret_cast<FreeFunction>(address_argument(vm, function));
  if (!free) vm.raise_value_error("the address of a function is 0");
  free(pointer_argument(vm, param), pointer_argument(vm, address), static_cast<int>(device));
  return Value::none();
}

// Bytes for the current device; None where the environment says nothing.
Value environment_limit(Interpreter& vm) {
  const auto limit = rt::memory_limit_of_environment(current(vm).device_info().memory_total);
  return limit ? Value::integer(static_cast<int64_t>(*limit)) : Value::none();
}

// --- scratch memory ------------------------------------------------------------------------------

Value watch_memory(Interpreter& vm, bool on) {
  RuntimeState& state = runtime_state(vm);
  if (!on) state.scratch = nullptr;
  if (!on || state.scratch) return Value::none();
  const auto wake = [due = state.due] {
    if (due->vm) due->vm->wake();
  };
  auto log = std::make_shared<rt::ScratchLog>(session(vm).queues, wake);
  rt::ScratchLog::install(log);
  state.scratch = std::move(log);
  return Value::none();
}

// (taken, device, address, bytes) of each.
Value scratch_events(Interpreter& vm) {
  const std::shared_ptr<rt::ScratchLog> log = runtime_state(vm).scratch;
  std::vector<Value> told;
  if (!log) return vm.list({});
  for (const rt::ScratchLog::Event& each : log->take_events()) {
    told.push_back(vm.tuple({Value::boolean(each.taken), Value::integer(each.place - 1),
                             Value::integer(static_cast<int64_t>(each.address)),
                             Value::integer(static_cast<int64_t>(each.bytes))}));
  }
  return vm.list(std::move(told));
}

Value tell_now(Interpreter& vm) {
  tell_of_scratch(vm);
  return Value::none();
}

const Native kFunctions[] = {
    {"_watch", "(on)", typed<watch_memory>, ""},
    {"_scratch_events", "()", typed<scratch_events>, ""},
    {"_tell_now", "()", typed<tell_now>, ""},
    {"_environment_limit", "()", typed<environment_limit>, ""},
    {"_call_malloc", "(param, function, size, device)", typed<call_malloc>, ""},
    {"_call_free", "(param, function, address, device)", typed<call_free>, ""},
    {"_own_pools", "()", typed<own_pools>, ""},
    {"_take_from", "(pool)", typed<take_from>, ""},
    {"_take_by", "(allocator)", typed<take_by>, ""},
    {"_array_at", "(pointer, shape, dtype, strides, order)", typed<array_at_pointer>, ""},
    {"_host_array_at", "(pointer, shape, dtype, order)", typed<host_array_at_pointer>, ""},
};

Value open_memory(Interpreter& vm) {
  Ref<Module> memory = vm.make_module("_cuda_memory", kFunctions, kCupy.context());
  const Arrays& state = arrays(vm);
  for (Type* error :
       {state.out_of_memory_error, state.kernel_fault_error, state.device_lost_error}) {
    memory->set(vm, error->name, Value(static_cast<Object*>(error)));
  }
  memory->set(vm, "MemoryPool", Value(static_cast<Object*>(pool_type(vm))));
  memory->set(vm, "PooledMemory", Value(static_cast<Object*>(block_type(vm))));
  return memory;
}

}  // namespace

void register_cuda_memory(Interpreter& vm) { vm.register_module("_cuda_memory", open_memory); }

Value data_of(Interpreter& vm, const Value& self) {
  const rt::Array& array = as_ndarray(self)->array;
  const rt::Space space = array.space();
  rt::Session& owner = session(vm);
  rt::Ref<rt::Buffer> memory = rt::lend_for_good(owner, array, owner.place_of(space));
  const int device = space.is_device() ? space.device : owner.current_device;
  const Value block = vm.make<PooledMemory>(block_type(vm), device, std::move(memory));
  return pointer_to(vm, block, array.offset());
}

}  // namespace gpy::lib
