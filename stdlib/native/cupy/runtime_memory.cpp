// cupy.cuda.runtime's functions of memory: blocks by address, as CUDA has them.
#include "runtime/core/cuda_error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/evaluate.h"
#include "runtime/device_control.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

using Source = rt::RawMemory::Source;

rt::RawMemory& memory(Interpreter& vm) { return backend_of_device(vm, kEveryDevice).raw_memory(); }

// What arrays of the current device wait with is given to it first.
rt::RawMemory& launched_memory(Interpreter& vm) {
  rt::launch_pending(session(vm), place_of_device(vm, kEveryDevice));
  return memory(vm);
}

Value keep(Interpreter& vm, rt::RawBlock block) {
  const auto address = reinterpret_cast<uintptr_t>(block.address());
  if (address != 0) runtime_state(vm).blocks.insert_or_assign(address, std::move(block));
  return Value::integer(static_cast<int64_t>(address));
}

template <Source kSource> Value allocate(Interpreter& vm, Args args) {
  const size_t bytes = size_argument(vm, args[0]);
  const unsigned flags = args.size() > 1 ? flags_argument(vm, args[1]) : 0;
  return keep(vm, rt::RawBlock(memory(vm), kSource, bytes, flags));
}

rt::Ref<rt::Queue> queue_argument(Interpreter& vm, const Value& handle) {
  rt::Ref<rt::Queue> queue = queue_of_handle(vm, address_argument(vm, handle));
  return queue ? queue : rt::Ref<rt::Queue>(&backend_of_device(vm, kEveryDevice).own_queue());
}

// (size, stream)
Value allocate_async(Interpreter& vm, Args args) {
  const size_t bytes = size_argument(vm, args[0]);
  return keep(vm, rt::RawBlock(memory(vm), bytes, queue_argument(vm, args[1])));
}

// (size, pool, stream)
Value allocate_from_pool(Interpreter& vm, Args args) {
  const size_t bytes = size_argument(vm, args[0]);
  const uintptr_t pool = address_argument(vm, args[1]);
  if (pool == 0) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  return keep(vm, rt::RawBlock(memory(vm), bytes, queue_argument(vm, args[2]), pool));
}

// The same before memory goes back; what finds no memory itself is no reason to keep it.
void launch_before_free(Interpreter& vm) {
  try {
    launched_memory(vm);
  } catch (const rt::Error& error) {
    if (error.kind() != rt::ErrorKind::kMemory) throw;
  }
}

// What an interpreter frees is what it has taken.
using Blocks = std::map<uintptr_t, rt::RawBlock>;
Blocks::iterator block_argument(Interpreter& vm, const Value& address, bool pinned) {
  Blocks& blocks = runtime_state(vm).blocks;
  const auto block = blocks.find(address_argument(vm, address));
  if (block == blocks.end() || (block->second.source() == Source::kPinned) != pinned) {
    throw rt::CudaError(rt::CudaCode::kInvalidValue);
  }
  return block;
}

template <bool kPinned> Value free_block(Interpreter& vm, Args args) {
  if (address_argument(vm, args[0]) == 0) return Value::none();
  const auto block = block_argument(vm, args[0], kPinned);
  launch_before_free(vm);
  block->second.free();
  runtime_state(vm).blocks.erase(block);
  return Value::none();
}

// (ptr, stream)
Value free_async(Interpreter& vm, Args args) {
  if (address_argument(vm, args[0]) == 0) return Value::none();
  const auto block = block_argument(vm, args[0], false);
  if (block->second.source() != Source::kOrdered) {
    throw rt::CudaError(rt::CudaCode::kInvalidValue);
  }
  const rt::Ref<rt::Queue> queue = queue_argument(vm, args[1]);
  launch_before_free(vm);
  block->second.free(*queue);
  runtime_state(vm).blocks.erase(block);
  return Value::none();
}

// (ptr, size, flags)
Value host_register(Interpreter& vm, Args args) {
  memory(vm).register_host(pointer_argument(vm, args[0]), size_argument(vm, args[1]),
                           flags_argument(vm, args[2]));
  return Value::none();
}

Value host_unregister(Interpreter& vm, Args args) {
  memory(vm).unregister_host(pointer_argument(vm, args[0]));
  return Value::none();
}

// cudaMemcpyHostToHost .. cudaMemcpyDefault
void check_kind(Interpreter& vm, const Value& kind) {
  const int64_t number = vm.to_index(kind);
  if (number < 0 || number > 4) throw rt::CudaError(rt::CudaCode::kInvalidMemcpyDirection);
}

// (dst, src, size, kind), and a stream
template <bool kAsync> Value copy(Interpreter& vm, Args args) {
  const rt::InterruptScope scope(session(vm).interrupt);
  check_kind(vm, args[3]);
  rt::Ref<rt::Queue> queue;
  if (kAsync) queue = queue_argument(vm, args[4]);
  launched_memory(vm).copy(pointer_argument(vm, args[0]), pointer_argument(vm, args[1]),
                           size_argument(vm, args[2]), queue.get());
  return Value::none();
}

// (dst, dpitch, src, spitch, width, height, kind), and a stream
template <bool kAsync> Value copy_rows(Interpreter& vm, Args args) {
  const rt::InterruptScope scope(session(vm).interrupt);
  check_kind(vm, args[6]);
  rt::Ref<rt::Queue> queue;
  if (kAsync) queue = queue_argument(vm, args[7]);
  const rt::Rows2D rows{size_argument(vm, args[1]), size_argument(vm, args[3]),
                        size_argument(vm, args[4]), size_argument(vm, args[5])};
  launched_memory(vm).copy_rows(pointer_argument(vm, args[0]), pointer_argument(vm, args[2]), rows,
                                queue.get());
  return Value::none();
}

// (dst, dstDevice, src, srcDevice, size), and a stream
template <bool kAsync> Value copy_peer(Interpreter& vm, Args args) {
  const int to = device_argument(vm, args[1]), from = device_argument(vm, args[3]);
  rt::Ref<rt::Queue> queue;
  if (kAsync) queue = queue_argument(vm, args[5]);
  if (to != from) backend_of_device(vm, to).control().open_way(from);
  for (const int device : {to, from}) rt::launch_pending(session(vm), place_of_device(vm, device));
  memory(vm).copy(pointer_argument(vm, args[0]), pointer_argument(vm, args[2]),
                  size_argument(vm, args[4]), queue.get());
  return Value::none();
}

// (ptr, value, size), and a stream
template <bool kAsync> Value fill(Interpreter& vm, Args args) {
  const rt::InterruptScope scope(session(vm).interrupt);
  rt::Ref<rt::Queue> queue;
  if (kAsync) queue = queue_argument(vm, args[3]);
  launched_memory(vm).fill(pointer_argument(vm, args[0]),
                           static_cast<uint8_t>(vm.to_index(args[1])), size_argument(vm, args[2]),
                           queue.get());
  return Value::none();
}

// (devPtr, count, dstDevice, stream)
Value prefetch(Interpreter& vm, Args args) {
  const rt::Ref<rt::Queue> queue = queue_argument(vm, args[3]);
  launched_memory(vm).prefetch(pointer_argument(vm, args[0]), size_argument(vm, args[1]),
                               static_cast<int>(vm.to_index(args[2])), *queue);
  return Value::none();
}

// (devPtr, count, advice, device)
Value advise(Interpreter& vm, Args args) {
  memory(vm).advise(pointer_argument(vm, args[0]), size_argument(vm, args[1]),
                    static_cast<int>(vm.to_index(args[2])), static_cast<int>(vm.to_index(args[3])));
  return Value::none();
}

Value facts(Interpreter& vm, Args args) {
  const rt::PointerFacts facts = memory(vm).facts(pointer_argument(vm, args[0]));
  return vm.tuple({Value::integer(facts.device),
                   Value::integer(static_cast<int64_t>(facts.device_address)),
                   Value::integer(static_cast<int64_t>(facts.host_address)),
                   Value::integer(static_cast<int>(facts.kind))});
}

Value info(Interpreter& vm, Args) { return free_and_total(vm, session(vm).current_device); }

// --- pools ---------------------------------------------------------------------------------------

// (allocType, handleType, locationType, devId)
Value make_pool(Interpreter& vm, Args args) {
  const auto number = [&](size_t i) { return static_cast<int>(vm.to_index(args[i])); };
  auto& pools = runtime_state(vm).pools;
  const auto room = pools.try_emplace(0).first;  // taken before the pool is made
  rt::RawMemory& owner = memory(vm);
  auto node = pools.extract(room);
  node.key() = owner.make_pool({number(0), number(1), number(2), number(3)});
  node.mapped() = &owner;
  return Value::integer(static_cast<int64_t>(pools.insert(std::move(node)).position->first));
}

// What an interpreter ends is what it has made.
Value destroy_pool(Interpreter& vm, Args args) {
  auto& pools = runtime_state(vm).pools;
  const auto pool = pools.find(address_argument(vm, args[0]));
  if (pool == pools.end()) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  pool->second->destroy_pool(pool->first);
  pools.erase(pool);
  return Value::none();
}

Value trim_pool(Interpreter& vm, Args args) {
  memory(vm).trim_pool(address_argument(vm, args[0]), size_argument(vm, args[1]));
  return Value::none();
}

Value pool_attribute(Interpreter& vm, Args args) {
  return vm.unsigned_integer(memory(vm).pool_attribute(address_argument(vm, args[0]),
                                                       static_cast<int>(vm.to_index(args[1]))));
}

Value set_pool_attribute(Interpreter& vm, Args args) {
  memory(vm).set_pool_attribute(address_argument(vm, args[0]),
                                static_cast<int>(vm.to_index(args[1])), size_argument(vm, args[2]));
  return Value::none();
}

rt::RawMemory& memory_of(Interpreter& vm, const Value& device) {
  return backend_of_device(vm, device_argument(vm, device)).raw_memory();
}

Value default_pool(Interpreter& vm, Args args) {
  return Value::integer(static_cast<int64_t>(memory_of(vm, args[0]).default_pool()));
}

Value current_pool(Interpreter& vm, Args args) {
  return Value::integer(static_cast<int64_t>(memory_of(vm, args[0]).current_pool()));
}

Value set_current_pool(Interpreter& vm, Args args) {
  memory_of(vm, args[0]).set_current_pool(address_argument(vm, args[1]));
  return Value::none();
}

const Native kFunctions[] = {
    {"malloc", "(size)", allocate<Source::kDevice>, "Takes memory of the current device."},
    {"mallocManaged", "(size, flags=1)", allocate<Source::kManaged>,
     "Takes memory that the host and all devices reach."},
    {"hostAlloc", "(size, flags)", allocate<Source::kPinned>, "Takes pinned memory of the host."},
    {"mallocAsync", "(size, stream)", allocate_async, "Takes memory in the order of a stream."},
    {"mallocFromPoolAsync", "(size, pool, stream)", allocate_from_pool,
     "The same, from a pool of the driver's."},
    {"free", "(ptr)", free_block<false>, "Gives memory back, after the device's work."},
    {"freeHost", "(ptr)", free_block<true>, "Gives pinned memory back."},
    {"freeAsync", "(ptr, stream)", free_async, "Gives memory back in the order of a stream."},
    {"hostRegister", "(ptr, size, flags)", host_register, "Pins memory of the host."},
    {"hostUnregister", "(ptr)", host_unregister, "Ends what hostRegister began."},
    {"memcpy", "(dst, src, size, kind)", copy<false>, "Copies bytes, and waits."},
    {"memcpyAsync", "(dst, src, size, kind, stream)", copy<true>,
     "Copies bytes in the order of a stream."},
    {"memcpy2D", "(dst, dpitch, src, spitch, width, height, kind)", copy_rows<false>,
     "Copies rows of bytes, each a pitch after the one before."},
    {"memcpy2DAsync", "(dst, dpitch, src, spitch, width, height, kind, stream)", copy_rows<true>,
     "The same in the order of a stream."},
    {"memcpyPeer", "(dst, dstDevice, src, srcDevice, size)", copy_peer<false>,
     "Copies bytes from one device to another."},
    {"memcpyPeerAsync", "(dst, dstDevice, src, srcDevice, size, stream)", copy_peer<true>,
     "The same in the order of a stream."},
    {"memset", "(ptr, value, size)", fill<false>, "Sets bytes, and waits."},
    {"memsetAsync", "(ptr, value, size, stream)", fill<true>,
     "Sets bytes in the order of a stream."},
    {"memPrefetchAsync", "(devPtr, count, dstDevice, stream)", prefetch,
     "Moves managed memory to a device; -1 is the host."},
    {"memAdvise", "(devPtr, count, advice, device)", advise,
     "Says how managed memory will be used."},
    {"_pointer_facts", "(ptr)", facts, "Device, its address, the host's address, type."},
    {"memGetInfo", "()", info, "Free and total bytes of the current device's memory."},
    {"_make_pool", "(allocType, handleType, locationType, devId)", make_pool, ""},
    {"memPoolDestroy", "(pool)", destroy_pool, "Ends a pool."},
    {"memPoolTrimTo", "(pool, size)", trim_pool, "Gives back what a pool holds above a size."},
    {"memPoolGetAttribute", "(pool, attr)", pool_attribute, "What a pool holds and does."},
    {"memPoolSetAttribute", "(pool, attr, value)", set_pool_attribute, "Says what a pool does."},
    {"deviceGetDefaultMemPool", "(device)", default_pool, "A device's own pool."},
    {"deviceGetMemPool", "(device)", current_pool, "The pool that mallocAsync takes from."},
    {"deviceSetMemPool", "(device, pool)", set_current_pool,
     "Says which pool mallocAsync takes from."},
};

}  // namespace

std::span<const Native> runtime_memory_rows() { return kFunctions; }

}  // namespace gpy::lib
