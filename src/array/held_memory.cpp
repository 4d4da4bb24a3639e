#include "src/array/held_memory.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "runtime/core/size_text.h"
#include "runtime/graph/value.h"
#include "src/array/convert.h"

namespace gpy {

namespace {

// Whether an object is a script's data; functions and modules, whose names are apart, are not.
bool is_data(const Object* object) {
  switch (object->layout) {
    case ObjectLayout::list:
    case ObjectLayout::tuple:
    case ObjectLayout::dict:
    case ObjectLayout::set:
    case ObjectLayout::instance: return true;
    default: return false;
  }
}

// Adds up the memory of the arrays that are reached from one value after another.
class Reached {
 public:
  explicit Reached(bool on_device) : on_device_(on_device) {}

  double bytes_from(const Value& value) {
    bytes_ = 0;
    if (value.is_object()) come(value.as_object());
    while (!waiting_.empty()) {
      Object* object = waiting_.back();
      waiting_.pop_back();
      auto come_on = [](Object* child, void* self) { static_cast<Reached*>(self)->come(child); };
      if (auto traverse = object->type->slots.traverse) traverse(object, come_on, this);
    }
    return bytes_;
  }

 private:
  static constexpr size_t kMostObjects = 1'000'000;

  void come(Object* object) {
    const Ndarray* array = as_ndarray(Value(object));
    if (!array && !is_data(object)) return;
    if (seen_.size() >= kMostObjects || !seen_.insert(object).second) return;
    if (!array) return waiting_.push_back(object);
    if (on_device_ && array->array.space().is_host()) return;
    const auto& value = array->array.value();
    if (seen_.insert(&*value).second) bytes_ += static_cast<double>(value->bytes());
  }

  bool on_device_;
  double bytes_ = 0;
  std::vector<Object*> waiting_;
  std::unordered_set<const void*> seen_;
};

struct Holder {
  std::string_view name;
  double bytes;
};

std::vector<Holder> holders(Interpreter& vm, bool on_device) {
  Reached reached(on_device);
  std::vector<Holder> found;
  auto add = [&](std::string_view name, const Value& value) {
    constexpr double kSmallest = 1 << 20;
    const double bytes = reached.bytes_from(value);
    if (bytes >= kSmallest) found.push_back({name, bytes});
  };
  for (auto& entry : vm.main_module().names->entries()) {
    if (entry.key.is<Str>()) add(entry.key.as<Str>()->view(), entry.value);
  }
  if (const Value* last = vm.builtins->find(vm.intern("_"))) add("_", *last);
  return found;
}

}  // namespace

std::string largest_holders(Interpreter& vm, bool on_device) {
  constexpr size_t kShown = 3;
  std::vector<Holder> found = holders(vm, on_device);
  std::ranges::stable_sort(found, std::ranges::greater(), &Holder::bytes);
  std::string text;
  for (size_t i = 0; i < std::min(kShown, found.size()); ++i) {
    text +=
        fmt::format("{}`{}` {}", i == 0 ? "" : ", ", found[i].name, rt::size_text(found[i].bytes));
  }
  return text;
}

bool forget_hidden_arrays(Interpreter& vm) {
  std::vector<Exception*> exceptions;
  vm.heap.for_each_tracked([&](Object* object) {
    if (object->layout == ObjectLayout::exception)
      exceptions.push_back(static_cast<Exception*>(object));
  });
  bool any = false;
  for (Exception* exception : exceptions) {
    for (Value& operand : exception->operands) {
      if (!operand.is_object()) continue;
      if (!as_ndarray(operand) && !is_data(operand.as_object())) continue;
      operand = Value();
      any = true;
    }
  }
  return any;
}

}  // namespace gpy
