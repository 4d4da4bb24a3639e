// The native part of heapq: heaps in lists, the smallest item first.
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

namespace {

// A list as a heap. Comparisons may run user code, which may change the list.
struct Heap {
  Interpreter& vm;
  List& list;
  bool largest_first = false;

  size_t size() const { return list.items.size(); }
  bool before(size_t i, size_t j) {
    Value a = list.items[i], b = list.items[j];
    const size_t had = size();
    bool result = largest_first ? vm.less(b, a) : vm.less(a, b);
    if (size() != had) vm.raise_runtime_error("list changed size during iteration");
    return result;
  }
  // Moves an item towards the root, while it is smaller than its parent.
  void rise(size_t start, size_t at) {
    while (at > start) {
      size_t parent = (at - 1) / 2;
      if (!before(at, parent)) return;
      list.items[at].swap(list.items[parent]);
      at = parent;
    }
  }
  // Moves the item at `start` down along the smaller children, then up to its place: as CPython
  // does it, with the fewest comparisons where the item is large.
  void sink(size_t start) {
    size_t at = start, end = size();
    for (size_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && !before(child, child + 1)) ++child;
      list.items[at].swap(list.items[child]);
      at = child;
    }
    rise(start, at);
  }
  void heapify() {
    for (size_t i = size() / 2; i-- > 0;) sink(i);
  }
  Value pop() {
    if (list.items.empty()) vm.raise_index_error("index out of range");
    Value last = std::move(list.items.back());
    list.items.pop_back();
    if (list.items.empty()) return last;
    list.items[0].swap(last);
    sink(0);
    return last;
  }
  Value replace(const Value& item) {
    if (list.items.empty()) vm.raise_index_error("index out of range");
    Value first = std::exchange(list.items[0], item);
    sink(0);
    return first;
  }
};

}  // namespace

static Heap heap_of(Interpreter& vm, const Args& call, const Value& list,
                    bool largest_first = false) {
  if (list.is<List>()) return {vm, *list.as<List>(), largest_first};
  vm.raise_type_error("{}() argument {}must be list, not {}", call.callee().row->name,
                      call.size() > 1 ? "1 " : "", vm.type_name(list));
}

static Value heappush(Interpreter& vm, const Args& call, const Value& list, const Value& item) {
  Heap heap = heap_of(vm, call, list);
  heap.list.items.push_back(item);
  heap.rise(0, heap.size() - 1);
  return Value::none();
}

static Value heappushpop(Interpreter& vm, const Args& call, const Value& list, const Value& item) {
  Heap heap = heap_of(vm, call, list);
  if (heap.size() == 0 || !vm.less(Value(heap.list.items[0]), item)) return item;
  return heap.replace(item);
}

template <bool largest_first>
static Value heapify(Interpreter& vm, const Args& call, const Value& list) {
  heap_of(vm, call, list, largest_first).heapify();
  return Value::none();
}
template <bool largest_first>
static Value heappop(Interpreter& vm, const Args& call, const Value& list) {
  return heap_of(vm, call, list, largest_first).pop();
}
template <bool largest_first>
static Value heapreplace(Interpreter& vm, const Args& call, const Value& list, const Value& item) {
  return heap_of(vm, call, list, largest_first).replace(item);
}

static const Native kRows[] = {
    {"_heapify_max", "(heap, /)", typed<heapify<true>>, "heapify with the largest item first."},
    {"_heappop_max", "(heap, /)", typed<heappop<true>>, "heappop of the largest item."},
    {"_heapreplace_max", "(heap, item, /)", typed<heapreplace<true>>,
     "heapreplace of the largest item."},
    {"heapify", "(heap, /)", typed<heapify<false>>, "Makes a list a heap."},
    {"heappop", "(heap, /)", typed<heappop<false>>, "Takes the smallest item out."},
    {"heappush", "(heap, item, /)", typed<heappush>, "Puts an item in."},
    {"heappushpop", "(heap, item, /)", typed<heappushpop>, "heappush, then heappop."},
    {"heapreplace", "(heap, item, /)", typed<heapreplace<false>>, "heappop, then heappush."},
};

Value open__heapq(Interpreter& vm) { return vm.make_module("_heapq", kRows); }

}  // namespace gpy::lib
