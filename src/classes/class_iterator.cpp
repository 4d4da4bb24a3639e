#include "src/classes/class_iterator.h"

#include "src/exceptions/as_raised.h"
#include "src/interpreter.h"
#include "src/memory/traverse.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

namespace {

struct IndexIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  IndexIterator(Type* type, Value sequence) : Object(type), sequence(std::move(sequence)) {}
  Value sequence;  // undefined when exhausted
  int64_t index = 0;
};

}  // namespace

Value iterate_by_index(Interpreter& vm, const Value& sequence) {
  return vm.make<IndexIterator>(vm.types.index_iterator, sequence);
}

static Value index_iterator_next(Interpreter& vm, const Value& self) {
  auto* it = self.as<IndexIterator>();
  if (it->sequence.is_undefined()) return Value();
  Value sequence = it->sequence;
  try {
    const Value at = Value::integer(it->index++);
    return as_raised(vm, [&] { return vm.get_item(sequence, at); });
  } catch (const Raised& raised) {
    bool is_end = vm.is_instance(raised.exception, vm.types.index_error) ||
                  vm.is_instance(raised.exception, vm.types.stop_iteration);
    if (!is_end) throw;
  }
  it->sequence = Value();
  return Value();
}

void setup_index_iterator(Interpreter& vm) {
  vm.types.index_iterator =
      vm.make_type<IndexIterator>({.name = "iterator",
                                   .slots = {.iter = iterator_itself,
                                             .next = index_iterator_next,
                                             .traverse = traverse<&IndexIterator::sequence>}});
}

}  // namespace gpy
