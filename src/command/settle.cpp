#include "src/command/settle.h"

#include "runtime/graph/evaluate.h"
#include "src/array/arrays.h"
#include "src/array/convert.h"
#include "src/memory/pieces.h"

namespace gpy::command {

void Settler::settle(const Value& value) {
  if (!value.is_object()) return;
  if (Generic* number = as_generic(value)) {
    seen_arrays_ = true;
    number->number(session(vm_));
  } else if (const Ndarray* array = as_ndarray(value)) {
    seen_arrays_ = true;
    rt::evaluate(session(vm_), *array->array.value());
    if (!array->array.space().is_host()) {
      devices_.insert(session(vm_).place_of(array->array.space()));
    }
  } else {
    settle_all(value);
  }
}

void Settler::settle_all(const Value& container) {
  vm_.check_stack();
  poll_interrupt(vm_);
  const Interpreter::Showing showing(vm_, container);
  if (showing.inside()) return;
  if (const List* list = container.try_as<List>()) {
    for (const Value& item : list->items) settle(item);
  } else if (Tuple* tuple = container.try_as<Tuple>()) {
    for (const Value& item : tuple->items()) settle(item);
  } else if (Dict* dict = container.try_as<Dict>()) {
    for (auto& entry : dict->entries()) settle(entry.value);
  }
}

void Settler::settle_module(Module& module) {
  for (auto& entry : module.names->entries()) settle(entry.value);
}

void Settler::wait() {
  for (int place : devices_) session(vm_).backend(static_cast<rt::Place>(place)).synchronize();
}

}  // namespace gpy::command
