#include "src/builtins/rows.h"
#include "src/state.h"
#include "src/types/bytearray.h"
#include "src/types/file.h"
#include "src/types/iterators.h"
#include "src/types/setup.h"
#include "src/types/generic_alias.h"
#include "src/types/union.h"

namespace gpy {

static void add_types(Interpreter& vm) {
  Types& t = vm.types;
  for (Type* type : {t.object,    t.type,          t.boolean,      t.integer, t.real,
                     t.complex,   t.str,           t.bytes,        t.list,    t.tuple,
                     t.dict,      t.set,           t.frozenset,    t.slice,   t.range,
                     t.enumerate, t.zip,           t.map,          t.filter,  t.reversed,
                     t.property,  t.static_method, t.class_method, t.super,   t.base_exception}) {
    if (type) vm.builtins->set(vm.intern(type->name), Value(type));
  }
#define GPY_ADD(member, name, base) vm.builtins->set(vm.intern(name), Value(t.member));
  GPY_EXCEPTION_TREE(GPY_ADD)
#undef GPY_ADD
  for (const char* old_name : {"IOError", "EnvironmentError"}) {
    vm.builtins->set(vm.intern(old_name), Value(t.os_error));
  }
}

static void add_constants(Interpreter& vm) {
  vm.builtins->set(vm.intern("NotImplemented"), Value::not_implemented());
  vm.builtins->set(vm.intern("Ellipsis"), Value::ellipsis());
  vm.builtins->set(vm.intern("__debug__"), Value::boolean(true));
}

static Value open_builtins(Interpreter& vm) {
  vm.builtins->set(vm.state().names.__name__, vm.str("builtins"));
  vm.builtins->set(vm.state().names.__doc__, Value::none());
  return vm.make<Module>(vm.types.module, "builtins", vm.builtins);
}

void setup_builtins(Interpreter& vm) {
  setup_iterators(vm);
  setup_files(vm);
  setup_bytearray(vm);
  setup_generic_alias(vm);
  setup_union(vm);
  add_types(vm);
  add_constants(vm);
  for (auto rows : {output_rows(), introspection_rows(), help_rows(), iteration_rows(),
                    number_rows(), text_rows(), namespace_rows(), file_rows()}) {
    vm.add_builtins(rows);
  }
  setup_quitters(vm);
  vm.register_module("builtins", open_builtins);
}

}  // namespace gpy
