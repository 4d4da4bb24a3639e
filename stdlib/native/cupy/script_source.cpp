#include "stdlib/native/cupy/script_source.h"

#include <list>

#include "runtime/graph/make_node.h"
#include "runtime/backend.h"
#include "runtime/memory/buffer_end.h"
#include "runtime/memory/raw_memory.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

// Releases objects of the script at its next poll, since that may run code of the script.
void release_later(RuntimeState::Due& due, std::list<Value>& objects) noexcept {
  Interpreter* const vm = due.vm;
  if (!vm) return;
  auto& released = runtime_state(*vm).released;
  released.splice(released.end(), objects);
  vm->wake();
}

// Memory that an object of the script owns. The object is released after the last array in the
// memory has ended.
class KeptMemory final : public rt::Allocator {
 public:
  static rt::Ref<rt::Buffer> make(Interpreter& vm, rt::Backend& backend, Value owner, void* data,
                                  size_t bytes) {
    auto self = std::unique_ptr<KeptMemory>(new KeptMemory(vm, backend, std::move(owner)));
    rt::Queue* const queue = rt::current_queue(backend.place());
    rt::Ref<rt::Buffer> buffer =
        rt::make_ref<rt::Buffer>(*self, data, bytes, nullptr, rt::Charge(), queue);
    self.release();
    rt::share_if_managed(backend, *buffer);
    return buffer;
  }

  // The next user of the memory knows no queue but the device's own.
  void release(rt::Buffer& buffer) noexcept override {
    const std::unique_ptr<KeptMemory> self(this);
    rt::order_after_use(backend_, buffer);
    release_later(*due_, owner_);
  }

 private:
  KeptMemory(Interpreter& vm, rt::Backend& backend, Value owner)
      : runtime_(session(vm).shared_runtime()), backend_(backend), due_(runtime_state(vm).due) {
    owner_.push_back(std::move(owner));
  }

  const std::shared_ptr<rt::Runtime> runtime_;
  rt::Backend& backend_;
  const std::shared_ptr<RuntimeState::Due> due_;
  std::list<Value> owner_;  // one value: moving the list node takes no memory
};

int device_of(Interpreter& vm, const rt::Backend& backend) {
  const int current = session(vm).current_device;
  return backend.is_host() ? current : backend.place() - 1;
}

// Makes a device the current one while it lives.
class DeviceScope {
 public:
  DeviceScope(Interpreter& vm, int device)
      : vm_(vm), before_(std::exchange(session(vm).current_device, device)) {}
  ~DeviceScope() { session(vm_).current_device = before_; }

 private:
  Interpreter& vm_;
  const int before_;
};

class ScriptSource final : public rt::ArraySource {
 public:
  ScriptSource(Interpreter& vm, Value allocator) : vm_(vm), allocator_(std::move(allocator)) {}

  rt::Ref<rt::Buffer> allocate(rt::Backend& backend, size_t bytes) override {
    if (asking_) return backend.allocate(bytes);
    asking_ = true;
    try {
      rt::Ref<rt::Buffer> buffer = ask(backend, bytes);
      asking_ = false;
      return buffer;
    } catch (...) {
      asking_ = false;
      throw;
    }
  }

 private:
  rt::Ref<rt::Buffer> ask(rt::Backend& backend, size_t bytes) {
    const DeviceScope scope(vm_, device_of(vm_, backend));
    const rt::ScratchLog::Pause arrays(runtime_state(vm_).scratch);
    const Value room = vm_.get_attribute(vm_.import_module("cupy.cuda._array_source"), "_room");
    const Value given = vm_.call(room, {allocator_, Value::integer(static_cast<int64_t>(bytes))});
    Tuple& pair = *given.as<Tuple>();
    return KeptMemory::make(vm_, backend, pair[0], pointer_argument(vm_, pair[1]), bytes);
  }

  Interpreter& vm_;
  const Value allocator_;
  bool asking_ = false;
};

class SegmentsOfFunction final : public ScriptSegments {
 public:
  SegmentsOfFunction(Interpreter& vm, const Value& allocator)
      : vm_(vm), allocator_(&allocator), due_(runtime_state(vm).due) {}

  void end() override { allocator_ = nullptr; }

  void* allocate(rt::Backend& backend, size_t bytes) override {
    if (!allocator_) return nullptr;
    const DeviceScope scope(vm_, device_of(vm_, backend));
    const Value segment =
        vm_.get_attribute(vm_.import_module("cupy.cuda._array_source"), "_segment");
    const Value given =
        vm_.call(segment, {*allocator_, Value::integer(static_cast<int64_t>(bytes))});
    if (given.is_none()) return nullptr;
    Tuple& pair = *given.as<Tuple>();
    return keep(pair[0], pointer_argument(vm_, pair[1]), bytes);
  }

  void release(rt::Backend&, void* segment) noexcept override {
    const auto kept = kept_.find(reinterpret_cast<uintptr_t>(segment));
    release_later(*due_, kept->second.owner);
    kept_.erase(kept);
  }

  bool may_be_managed() const override { return true; }

 private:
  struct Kept {
    size_t bytes;
    std::list<Value> owner;  // one, which can be handed on without taking memory
  };

  // Two blocks of a pool would be the same memory.
  bool has(uintptr_t address, size_t bytes) const {
    const auto next = kept_.lower_bound(address + bytes);
    if (next == kept_.begin()) return false;
    const auto& [start, last] = *std::prev(next);
    return start + last.bytes > address;
  }

  void* keep(const Value& owner, void* segment, size_t bytes) {
    const auto address = reinterpret_cast<uintptr_t>(segment);
    if (has(address, bytes)) {
      vm_.raise_value_error("an allocator gave memory at {:#x} that its pool still has", address);
    }
    Kept kept{bytes, {}};
    kept.owner.push_back(owner);
    kept_.emplace(address, std::move(kept));
    return segment;
  }

  Interpreter& vm_;
  const Value* allocator_;
  const std::shared_ptr<RuntimeState::Due> due_;
  std::map<uintptr_t, Kept> kept_;
};

}  // namespace

std::unique_ptr<ScriptSegments> make_script_segments(Interpreter& vm, const Value& allocator) {
  return std::make_unique<SegmentsOfFunction>(vm, allocator);
}

std::shared_ptr<rt::ArraySource> make_script_source(Interpreter& vm, Value allocator) {
  return std::make_shared<ScriptSource>(vm, std::move(allocator));
}

namespace {

// The end of the array's bytes. Raises unless all of them are in the block of `pointer`, and
// elements begin at multiples of their size.
size_t end_in_block(Interpreter& vm, const Value& pointer, uintptr_t address,
                    const rt::Layout& layout) {
  const Value block = vm.get_attribute(pointer, "mem");
  const uintptr_t start = address_argument(vm, vm.get_attribute(block, "ptr"));
  const size_t size = size_argument(vm, vm.get_attribute(block, "size"));
  const auto [first, end] = rt::byte_range(layout);
  if (rt::element_count(layout.shape) == 0) return 1;
  const bool begins_inside = address >= start && address - start <= size && first >= 0;
  if (!begins_inside || static_cast<size_t>(end) > size - (address - start)) {
    vm.raise_value_error("an array of {} bytes does not fit into a block of {}", end, size);
  }
  if (address % static_cast<uintptr_t>(rt::item_size(layout.dtype)) != 0) {
    vm.raise_value_error("an array of {} at {:#x}, which is no multiple of its elements' size",
                         rt::name(layout.dtype), address);
  }
  return static_cast<size_t>(end);
}

Value array_at(Interpreter& vm, const Value& pointer, rt::Layout layout, rt::Space space) {
  const uintptr_t address = address_argument(vm, vm.get_attribute(pointer, "ptr"));
  const size_t end = end_in_block(vm, pointer, address, layout);
  rt::Backend& backend = session(vm).backend_of(space);
  void* const data = reinterpret_cast<void*>(address);
  if (rt::element_count(layout.shape) > 0 && !backend.raw_memory().reaches(data, end)) {
    vm.raise_value_error("there is no memory of {} bytes at {:#x}", end, address);
  }
  rt::Ref<rt::Buffer> buffer = KeptMemory::make(vm, backend, pointer, data, end);
  const rt::Array made =
      rt::make_ready(session(vm), std::move(buffer), backend.place(), std::move(layout), space);
  made.storage().lend();  // for good: the script has the address
  return wrap_array(vm, made);
}

// The dense layout of a shape and a dtype in C or Fortran order.
rt::Layout dense_layout(Interpreter& vm, const Value& shape, const Value& dtype,
                        const Value& order) {
  rt::Layout layout{to_dtype(vm, dtype), to_shape(vm, shape), {}, 0};
  const int64_t size = rt::item_size(layout.dtype);
  rt::element_count(layout.shape, size);
  layout.strides = to_order(vm, order, 'C') == 'F' ? rt::f_strides(layout.shape, size)
                                                   : rt::c_strides(layout.shape, size);
  return layout;
}

}  // namespace

Value array_at_pointer(Interpreter& vm, const Value& pointer, const Value& shape,
                       const Value& dtype, const Value& strides, const Value& order) {
  rt::Layout layout = dense_layout(vm, shape, dtype, order);
  if (is_given(strides)) {
    const int rank = layout.rank();
    layout.strides = to_shape(vm, strides);
    if (layout.strides.size() != rank) {
      vm.raise_value_error("strides of {} axes for a shape of {}", layout.strides.size(), rank);
    }
  }
  const int64_t device = vm.to_index(vm.get_attribute(pointer, "device_id"));
  return array_at(vm, pointer, std::move(layout), rt::Space::on_device(static_cast<int>(device)));
}

Value host_array_at_pointer(Interpreter& vm, const Value& pointer, const Value& shape,
                            const Value& dtype, const Value& order) {
  const Value made =
      array_at(vm, pointer, dense_layout(vm, shape, dtype, order), rt::Space::host());
  as_ndarray(made)->owner = pointer;
  return made;
}

}  // namespace gpy::lib
