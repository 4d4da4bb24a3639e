// Class statements: names in the body, and the class made from them.
#include "src/classes/make_class.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

// The dict for the names of a class body.
static Dict& class_names(const Step& step) { return *step.reg(0).as<Dict>(); }

void op_load_name(const Step& step) {
  if (const Value* found = class_names(step).find(step.site(step.i.c).name)) {
    step.reg(step.i.a) = *found;
  } else {
    load_global_or_throw(step);
  }
}

void op_store_name(const Step& step) {
  class_names(step).set(step.site(step.i.c).name, step.b());
  step.drop();
}

void op_delete_name(const Step& step) {
  Str* name = step.site(step.i.c).name;
  if (class_names(step).erase(name)) return;
  step.vm.raise(step.vm.types.name_error, fmt::format("name '{}' is not defined", name->view()));
}

void op_annotate(const Step& step) {
  Dict& names = class_names(step);
  Str* key = step.names().__annotations__;
  Value* found = names.find(key);
  Ref<Dict> annotations =
      found && found->is<Dict>() ? Ref<Dict>(found->as<Dict>()) : step.vm.dict();
  annotations->set(step.reg(step.i.c).as<Str>(), step.b());
  names.set(key, annotations);
  if (step.i.d & kDropB) step.reg(step.i.b) = Value();
}

static Ref<Dict> names_at_start(const Step& step, Function& body) {
  Ref<Dict> names = step.vm.dict();
  names->set(step.names().__module__, body.module);
  names->set(step.names().__qualname__, body.qualified_name);
  if (!body.doc.is_none()) names->set(step.names().__doc__, body.doc);
  return names;
}

void op_build_class(const Step& step) {
  Interpreter& vm = step.vm;
  Value body = std::move(step.reg(step.i.b));
  Value bases = std::move(step.reg(step.i.b + 1));
  Value keywords = std::move(step.reg(step.i.b + 2));
  Ref<Dict> names = names_at_start(step, *body.as<Function>());
  Value cell = call_function(vm, body.as<Function>(), Value(names), {});
  Ref<Type> made = make_class(vm, body.as<Function>()->code->name, bases.as<List>()->items, names,
                              keywords.as<Dict>());
  if (cell.is<Cell>()) cell.as<Cell>()->value = made;
  step.reg(step.i.a) = made;
}

}  // namespace gpy
