#pragma once
// Tuples whose items have names: those of namedtuple, and records of the library such as
// time.struct_time and sys.version_info.

#include <span>
#include <string>
#include <vector>

#include "src/objects/builtin.h"
#include "src/interpreter.h"

namespace gpy::lib {

struct RecordSpec {
  std::string name, module;
  std::vector<std::string> fields = {};
  std::vector<std::string> extras = {};  // attributes that are no items; may hide fields
  bool full_name_shown = true;   // repr: "time.struct_time(tm_year=...", not "struct_time(..."
  bool is_constructible = true;  // TYPE(items), where items may say some of the extras too
};

// A tuple type that lives as long as the interpreter; its attribute `_fields` holds the names.
Type* make_record_type(Interpreter& vm, const RecordSpec& spec);
// The values of the fields, then of the extras. `type` may be a class over tuple.
Value make_record(Interpreter& vm, Type* type, std::span<const Value> items);
Value make_record(Interpreter& vm, Type* type, std::initializer_list<Value> items);
// An attribute of a type: item `index` of an instance.
Value make_record_field(Interpreter& vm, size_t index);
// The value of a name such as _fields in a record type, whatever classes over it set under that
// name; a class over typing.NamedTuple has its own. Null: there is none.
const Value* record_attribute(Type* type, Str* name);
// The names of a record's items; held, since a script may set _fields while they are looked at.
// TypeError where a class has set something else.
Ref<Tuple> record_fields(Interpreter& vm, Type* type);
// "Point(x=1, y=2)"
std::string record_repr(Interpreter& vm, const Value& self);
std::string_view field_name(Interpreter& vm, const Value& field);

}  // namespace gpy::lib
