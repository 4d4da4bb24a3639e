// cupy.cuda.runtime's functions of memory: blocks by address, as CUDA has them.
#include "runtime/core/cuda_error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/device_control.h"
#include "src/array/read_arguments.h"
#include "src/array/typed_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

using Source = rt::RawMemory::Source;

rt::RawMemory& memory(Interpreter& vm) { return backend_of_device(vm, kEveryDevice).raw_memory(); }

// The memory of the current device, after its pending arrays are launched.
rt::RawMemory& launched_memory(Interpreter& vm) {
  rt::launch_pending(session(vm), place_of_device(vm, kEveryDevice));
  return memory(vm);
}

Value keep(Interpreter& vm, rt::RawBlock block) {
  const auto address = reinterpret_cast<uintptr_t>(block.address());
  if (address != 0) runtime_state(vm).blocks.insert_or_assign(address, std::move(block));
  return Value::integer(static_cast<int64_t>(address));
}

template <Source kSource> Value allocate(Interpreter& vm, const Value& size) {
  const size_t bytes = size_argument(vm, size);
  return keep(vm, rt::RawBlock(memory(vm), kSource, bytes, 0));
}

template <Source kSource>
Value allocate_with_flags(Interpreter& vm, const Value& size, const Value& flags) {
  const size_t bytes = size_argument(vm, size);
  const unsigned bits = flags_argument(vm, flags);
  return keep(vm, rt::RawBlock(memory(vm), kSource, bytes, bits));
}

rt::Ref<rt::Queue> queue_argument(Interpreter& vm, const Value& handle) {
  rt::Ref<rt::Queue> queue = queue_of_handle(vm, address_argument(vm, handle));
  return queue ? queue : rt::Ref<rt::Queue>(&backend_of_device(vm, kEveryDevice).own_queue());
}

// The queue of a call that may have a stream; null for a call without one, which waits.
rt::Ref<rt::Queue> optional_queue(Interpreter& vm, const Value& stream) {
  return stream.is_defined() ? queue_argument(vm, stream) : rt::Ref<rt::Queue>();
}

// Gives work(memory, queue) to a queue, once pending arrays are launched; where it captures, the
// work is recorded. Null: the device's own queue, which is waited for.
template <class Work> void give(Interpreter& vm, rt::Queue* queue, Work work) {
  rt::Backend& backend = backend_of_device(vm, kEveryDevice);
  launched_memory(vm);
  if (!queue || !queue->capture()) return work(backend.raw_memory(), queue);
  queue->capture()->add(*queue, [&backend, work] { work(backend.raw_memory(), &backend.queue()); });
}

Value allocate_async(Interpreter& vm, const Value& size, const Value& stream) {
  const size_t bytes = size_argument(vm, size);
  return keep(vm, rt::RawBlock(memory(vm), bytes, queue_argument(vm, stream)));
}

Value allocate_from_pool(Interpreter& vm, const Value& size, const Value& pool,
                         const Value& stream) {
  const size_t bytes = size_argument(vm, size);
  const uintptr_t from = address_argument(vm, pool);
  if (from == 0) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  return keep(vm, rt::RawBlock(memory(vm), bytes, queue_argument(vm, stream), from));
}

// Launches pending arrays before memory is freed, which happens even if they find no memory.
void launch_before_free(Interpreter& vm) {
  try {
    launched_memory(vm);
  } catch (const rt::Error& error) {
    if (error.kind() != rt::ErrorKind::kMemory) throw;
  }
}

// An interpreter can free only the blocks that it has taken.
using Blocks = std::map<uintptr_t, rt::RawBlock>;
Blocks::iterator block_argument(Interpreter& vm, const Value& address, bool pinned) {
  Blocks& blocks = runtime_state(vm).blocks;
  const auto block = blocks.find(address_argument(vm, address));
  if (block == blocks.end() || (block->second.source() == Source::kPinned) != pinned) {
    throw rt::CudaError(rt::CudaCode::kInvalidValue);
  }
  return block;
}

template <bool kPinned> Value free_block(Interpreter& vm, const Value& ptr) {
  if (address_argument(vm, ptr) == 0) return Value::none();
  const auto block = block_argument(vm, ptr, kPinned);
  launch_before_free(vm);
  block->second.free();
  runtime_state(vm).blocks.erase(block);
  return Value::none();
}

Value free_async(Interpreter& vm, const Value& ptr, const Value& stream) {
  if (address_argument(vm, ptr) == 0) return Value::none();
  const auto block = block_argument(vm, ptr, false);
  if (block->second.source() != Source::kOrdered) {
    throw rt::CudaError(rt::CudaCode::kInvalidValue);
  }
  const rt::Ref<rt::Queue> queue = queue_argument(vm, stream);
  launch_before_free(vm);
  block->second.free(*queue);
  runtime_state(vm).blocks.erase(block);
  return Value::none();
}

Value host_register(Interpreter& vm, const Value& ptr, const Value& size, const Value& flags) {
  memory(vm).register_host(pointer_argument(vm, ptr), size_argument(vm, size),
                           flags_argument(vm, flags));
  return Value::none();
}

Value host_unregister(Interpreter& vm, const Value& ptr) {
  memory(vm).unregister_host(pointer_argument(vm, ptr));
  return Value::none();
}

// cudaMemcpyHostToHost .. cudaMemcpyDefault
void check_kind(Interpreter& vm, const Value& kind) {
  const int64_t number = vm.to_index(kind);
  if (number < 0 || number > 4) throw rt::CudaError(rt::CudaCode::kInvalidMemcpyDirection);
}

Value copy_async(Interpreter& vm, const Value& dst, const Value& src, const Value& size,
                 const Value& kind, const Value& stream) {
  const rt::InterruptScope scope(session(vm).interrupt);
  check_kind(vm, kind);
  const rt::Ref<rt::Queue> queue = optional_queue(vm, stream);
  give(vm, queue.get(),
       [to = pointer_argument(vm, dst), from = pointer_argument(vm, src),
        bytes = size_argument(vm, size)](rt::RawMemory& memory, rt::Queue* given) {
         memory.copy(to, from, bytes, given);
       });
  return Value::none();
}

Value copy(Interpreter& vm, const Value& dst, const Value& src, const Value& size,
           const Value& kind) {
  return copy_async(vm, dst, src, size, kind, Value());
}

// An address of the current device with so many bytes, once pending arrays are launched.
void* reached(Interpreter& vm, const Value& ptr, size_t bytes) {
  void* const address = pointer_argument(vm, ptr);
  if (!launched_memory(vm).reaches(address, bytes))
    throw rt::CudaError(rt::CudaCode::kInvalidValue);
  return address;
}

size_t dense_bytes(Interpreter& vm, const rt::Array& array) {
  if (!array.space().is_host() || !rt::is_c_contiguous(array.layout())) {
    vm.raise_value_error("a dense array of the host is expected");
  }
  return static_cast<size_t>(array.bytes());
}

// The bytes of an array of the host go to an address, in the order of the current stream. Nobody
// gets the array's own address.
Value copy_from_array(Interpreter& vm, const Value& dst, const rt::Array& src) {
  const rt::InterruptScope scope(session(vm).interrupt);
  const size_t bytes = dense_bytes(vm, src);
  void* const address = reached(vm, dst, bytes);
  const rt::HostRead read(session(vm), src);
  backend_of_device(vm, kEveryDevice).upload(address, read.data(), bytes);
  return Value::none();
}

Value copy_to_array(Interpreter& vm, const rt::Array& dst, const Value& src) {
  const rt::InterruptScope scope(session(vm).interrupt);
  const size_t bytes = dense_bytes(vm, dst);
  if (!dst.writeable()) vm.raise_value_error("the array is read-only");
  const void* const address = reached(vm, src, bytes);
  rt::WriteAccess target(session(vm), dst, rt::kHostPlace);
  backend_of_device(vm, kEveryDevice).download(target.data(), address, bytes);
  return Value::none();
}

Value copy_rows_async(Interpreter& vm, const Value& dst, const Value& dpitch, const Value& src,
                      const Value& spitch, const Value& width, const Value& height,
                      const Value& kind, const Value& stream) {
  const rt::InterruptScope scope(session(vm).interrupt);
  check_kind(vm, kind);
  const rt::Ref<rt::Queue> queue = optional_queue(vm, stream);
  const rt::Rows2D rows{size_argument(vm, dpitch), size_argument(vm, spitch),
                        size_argument(vm, width), size_argument(vm, height)};
  give(vm, queue.get(),
       [to = pointer_argument(vm, dst), from = pointer_argument(vm, src), rows](
           rt::RawMemory& memory, rt::Queue* given) { memory.copy_rows(to, from, rows, given); });
  return Value::none();
}

Value copy_rows(Interpreter& vm, const Value& dst, const Value& dpitch, const Value& src,
                const Value& spitch, const Value& width, const Value& height, const Value& kind) {
  return copy_rows_async(vm, dst, dpitch, src, spitch, width, height, kind, Value());
}

Value copy_peer_async(Interpreter& vm, const Value& dst, const Value& dst_device, const Value& src,
                      const Value& src_device, const Value& size, const Value& stream) {
  const int to = device_argument(vm, dst_device), from = device_argument(vm, src_device);
  const rt::Ref<rt::Queue> queue = optional_queue(vm, stream);
  if (to != from) backend_of_device(vm, to).control().open_way(from);
  for (const int device : {to, from}) rt::launch_pending(session(vm), place_of_device(vm, device));
  memory(vm).copy(pointer_argument(vm, dst), pointer_argument(vm, src), size_argument(vm, size),
                  queue.get());
  return Value::none();
}

Value copy_peer(Interpreter& vm, const Value& dst, const Value& dst_device, const Value& src,
                const Value& src_device, const Value& size) {
  return copy_peer_async(vm, dst, dst_device, src, src_device, size, Value());
}

Value fill_async(Interpreter& vm, const Value& ptr, const Value& value, const Value& size,
                 const Value& stream) {
  const rt::InterruptScope scope(session(vm).interrupt);
  const rt::Ref<rt::Queue> queue = optional_queue(vm, stream);
  give(vm, queue.get(),
       [at = pointer_argument(vm, ptr), byte = static_cast<uint8_t>(vm.to_index(value)),
        bytes = size_argument(vm, size)](rt::RawMemory& memory, rt::Queue* given) {
         memory.fill(at, byte, bytes, given);
       });
  return Value::none();
}

Value fill(Interpreter& vm, const Value& ptr, const Value& value, const Value& size) {
  return fill_async(vm, ptr, value, size, Value());
}

Value prefetch(Interpreter& vm, const Value& ptr, const Value& count, const Value& device,
               const Value& stream) {
  const rt::Ref<rt::Queue> queue = queue_argument(vm, stream);
  launched_memory(vm).prefetch(pointer_argument(vm, ptr), size_argument(vm, count),
                               static_cast<int>(vm.to_index(device)), *queue);
  return Value::none();
}

Value advise(Interpreter& vm, const Value& ptr, const Value& count, const Value& advice,
             const Value& device) {
  memory(vm).advise(pointer_argument(vm, ptr), size_argument(vm, count),
                    static_cast<int>(vm.to_index(advice)), static_cast<int>(vm.to_index(device)));
  return Value::none();
}

Value facts(Interpreter& vm, const Value& ptr) {
  const rt::PointerFacts facts = memory(vm).facts(pointer_argument(vm, ptr));
  return vm.tuple({Value::integer(facts.device),
                   Value::integer(static_cast<int64_t>(facts.device_address)),
                   Value::integer(static_cast<int64_t>(facts.host_address)),
                   Value::integer(static_cast<int>(facts.kind))});
}

Value info(Interpreter& vm) { return free_and_total(vm, session(vm).current_device); }

// --- pools ---------------------------------------------------------------------------------------

Value make_pool(Interpreter& vm, const Value& allocation, const Value& handle,
                const Value& location, const Value& device) {
  const auto number = [&](const Value& value) { return static_cast<int>(vm.to_index(value)); };
  rt::RawMemory& owner = memory(vm);
  auto& pools = runtime_state(vm).pools;
  auto node = pools.extract(pools.try_emplace(0).first);  // allocated before the pool is made
  node.key() =
      owner.make_pool({number(allocation), number(handle), number(location), number(device)});
  node.mapped() = &owner;
  return Value::integer(static_cast<int64_t>(pools.insert(std::move(node)).position->first));
}

// An interpreter can destroy only the pools that it has made.
Value destroy_pool(Interpreter& vm, const Value& pool) {
  auto& pools = runtime_state(vm).pools;
  const auto found = pools.find(address_argument(vm, pool));
  if (found == pools.end()) throw rt::CudaError(rt::CudaCode::kInvalidValue);
  found->second->destroy_pool(found->first);
  pools.erase(found);
  return Value::none();
}

Value trim_pool(Interpreter& vm, const Value& pool, const Value& size) {
  memory(vm).trim_pool(address_argument(vm, pool), size_argument(vm, size));
  return Value::none();
}

Value pool_attribute(Interpreter& vm, const Value& pool, const Value& attr) {
  return vm.unsigned_integer(
      memory(vm).pool_attribute(address_argument(vm, pool), static_cast<int>(vm.to_index(attr))));
}

Value set_pool_attribute(Interpreter& vm, const Value& pool, const Value& attr,
                         const Value& value) {
  memory(vm).set_pool_attribute(address_argument(vm, pool), static_cast<int>(vm.to_index(attr)),
                                size_argument(vm, value));
  return Value::none();
}

rt::RawMemory& memory_of(Interpreter& vm, const Value& device) {
  return backend_of_device(vm, device_argument(vm, device)).raw_memory();
}

Value default_pool(Interpreter& vm, const Value& device) {
  return Value::integer(static_cast<int64_t>(memory_of(vm, device).default_pool()));
}

Value current_pool(Interpreter& vm, const Value& device) {
  return Value::integer(static_cast<int64_t>(memory_of(vm, device).current_pool()));
}

Value set_current_pool(Interpreter& vm, const Value& device, const Value& pool) {
  memory_of(vm, device).set_current_pool(address_argument(vm, pool));
  return Value::none();
}

const Native kFunctions[] = {
    {"malloc", "(size)", typed<allocate<Source::kDevice>>, "Takes memory of the current device."},
    {"_malloc_system", "(size)", typed<allocate<Source::kSystem>>, ""},
    {"mallocManaged", "(size, flags=1)", typed<allocate_with_flags<Source::kManaged>>,
     "Takes memory that the host and all devices reach."},
    {"hostAlloc", "(size, flags)", typed<allocate_with_flags<Source::kPinned>>,
     "Takes pinned memory of the host."},
    {"mallocAsync", "(size, stream)", typed<allocate_async>,
     "Takes memory in the order of a stream."},
    {"mallocFromPoolAsync", "(size, pool, stream)", typed<allocate_from_pool>,
     "The same, from a pool of the driver's."},
    {"free", "(ptr)", typed<free_block<false>>, "Gives memory back, after the device's work."},
    {"freeHost", "(ptr)", typed<free_block<true>>, "Gives pinned memory back."},
    {"freeAsync", "(ptr, stream)", typed<free_async>,
     "Gives memory back in the order of a stream."},
    {"hostRegister", "(ptr, size, flags)", typed<host_register>, "Pins memory of the host."},
    {"hostUnregister", "(ptr)", typed<host_unregister>, "Ends what hostRegister began."},
    {"memcpy", "(dst, src, size, kind)", typed<copy>, "Copies bytes, and waits."},
    {"memcpyAsync", "(dst, src, size, kind, stream)", typed<copy_async>,
     "Copies bytes in the order of a stream."},
    {"_copy_from_array", "(dst, src)", typed<copy_from_array>, ""},
    {"_copy_to_array", "(dst, src)", typed<copy_to_array>, ""},
    {"memcpy2D", "(dst, dpitch, src, spitch, width, height, kind)", typed<copy_rows>,
     "Copies rows of bytes, each a pitch after the one before."},
    {"memcpy2DAsync", "(dst, dpitch, src, spitch, width, height, kind, stream)",
     typed<copy_rows_async>, "The same in the order of a stream."},
    {"memcpyPeer", "(dst, dstDevice, src, srcDevice, size)", typed<copy_peer>,
     "Copies bytes from one device to another."},
    {"memcpyPeerAsync", "(dst, dstDevice, src, srcDevice, size, stream)", typed<copy_peer_async>,
     "The same in the order of a stream."},
    {"memset", "(ptr, value, size)", typed<fill>, "Sets bytes, and waits."},
    {"memsetAsync", "(ptr, value, size, stream)", typed<fill_async>,
     "Sets bytes in the order of a stream."},
    {"memPrefetchAsync", "(devPtr, count, dstDevice, stream)", typed<prefetch>,
     "Moves managed memory to a device; -1 is the host."},
    {"memAdvise", "(devPtr, count, advice, device)", typed<advise>,
     "Says how managed memory will be used."},
    {"_pointer_facts", "(ptr)", typed<facts>, "Device, its address, the host's address, type."},
    {"memGetInfo", "()", typed<info>, "Free and total bytes of the current device's memory."},
    {"_make_pool", "(allocType, handleType, locationType, devId)", typed<make_pool>, ""},
    {"memPoolDestroy", "(pool)", typed<destroy_pool>, "Ends a pool."},
    {"memPoolTrimTo", "(pool, size)", typed<trim_pool>,
     "Gives back what a pool holds above a size."},
    {"memPoolGetAttribute", "(pool, attr)", typed<pool_attribute>, "What a pool holds and does."},
    {"memPoolSetAttribute", "(pool, attr, value)", typed<set_pool_attribute>,
     "Says what a pool does."},
    {"deviceGetDefaultMemPool", "(device)", typed<default_pool>, "A device's own pool."},
    {"deviceGetMemPool", "(device)", typed<current_pool>, "The pool that mallocAsync takes from."},
    {"deviceSetMemPool", "(device, pool)", typed<set_current_pool>,
     "Says which pool mallocAsync takes from."},
};

}  // namespace

std::span<const Native> runtime_memory_rows() { return kFunctions; }

}  // namespace gpy::lib
