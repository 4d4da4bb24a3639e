#pragma once
// The builtin types of one interpreter.

#include "src/exceptions/tree.h"
#include "src/type.h"

namespace gpy {

struct Types {
  Type *object, *type;
  Type *none, *not_implemented, *ellipsis;
  Type *boolean, *integer, *real, *complex;
  Type *str, *bytes, *list, *tuple, *dict, *set, *frozenset, *slice, *range;
  Type *dict_keys, *dict_values, *dict_items;
  Type *range_iterator, *long_range_iterator, *list_iterator, *tuple_iterator;
  Type *dict_iterator, *set_iterator, *str_iterator, *bytes_iterator, *callable_iterator;
  Type *enumerate, *zip, *map, *filter, *reversed, *file;
  Type *function, *native_function, *bound_method, *getter, *module, *cell, *code, *generator;
  Type *traceback, *property, *static_method, *class_method, *super, *index_iterator;
  Type* base_exception;
  Type* stopped;  // the exception that ends a run and is never caught; scripts have no name for it
#define GPY_MEMBER(member, name, base) Type* member;
  GPY_EXCEPTION_TREE(GPY_MEMBER)
#undef GPY_MEMBER
};

}  // namespace gpy
