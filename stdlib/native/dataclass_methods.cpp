#include "stdlib/native/dataclass_methods.h"

#include <array>
#include <optional>

#include "src/objects/builtin.h"
#include "src/calls/call_errors.h"
#include "src/classes/instance.h"
#include "src/classes/property.h"
#include "src/typed_native.h"
#include "stdlib/native/attributes.h"
#include "stdlib/native/fields.h"

namespace gpy::lib {

namespace {

constexpr size_t kFew = 8;

struct FieldMethod : DataclassMethod {
  using Base = DataclassMethod;
  using DataclassMethod::DataclassMethod;
  std::optional<CompareOp> compares;  // none: the method is __hash__
  std::vector<Str*> fields;
  // The fields' positions in instances of `shape`, while the class is as it was at `version`.
  const Shape* shape = nullptr;
  uint64_t version = 0;
  std::vector<int32_t> positions;
  template <class F> void each_field(F&&) {}
};

// The fields of one object, as tuple() would hold them.
class Row {
 public:
  Row(Interpreter& vm, FieldMethod& method, const Value& object);
  const Value& operator[](size_t i) const { return values_[i]; }
  std::span<const Value> all() const { return values_; }

 private:
  std::array<Value, kFew> few_;
  std::vector<Value> many_;
  std::span<Value> values_;
};

}  // namespace

// --- reading fields ------------------------------------------------------------------------------

// Whether the class has no property or the like, which would take precedence over the instance.
static bool is_plain(Type* type, Str* field) {
  const Value* found = type->lookup(field);
  return !found || !(found->is<Property>() || found->is<Getter>());
}

// Whether all fields stand in the instance's shape; fills `positions`.
static bool find_positions(FieldMethod& method, const Value& object) {
  const auto* instance = object.try_as<Instance>();
  if (!instance || !instance->shape) return false;
  Type* type = instance->type;
  if (method.shape == instance->shape && method.version == type->version) return true;
  method.shape = nullptr;
  method.positions.clear();
  for (Str* field : method.fields) {
    const int32_t position = instance->shape->position_of(field);
    if (position < 0 || !is_plain(type, field)) return false;
    method.positions.push_back(position);
  }
  method.shape = instance->shape;
  method.version = type->version;
  return true;
}

Row::Row(Interpreter& vm, FieldMethod& method, const Value& object) {
  const size_t count = method.fields.size();
  if (count > kFew) many_.resize(count);
  values_ = count > kFew ? std::span<Value>(many_) : std::span<Value>(few_).first(count);
  if (find_positions(method, object)) {
    const Value* values = object.as<Instance>()->values;
    for (size_t i = 0; i < count; ++i) values_[i] = values[method.positions[i]];
    return;
  }
  for (size_t i = 0; i < count; ++i) values_[i] = vm.get_attribute(object, method.fields[i]);
}

// --- the methods ---------------------------------------------------------------------------------

// Compares like tuples of the fields.
static Value compare_rows(Interpreter& vm, FieldMethod& method, const Value& a, const Value& b) {
  if (vm.type_of(a) != vm.type_of(b)) return Value::not_implemented();
  const CompareOp op = *method.compares;
  const Row left(vm, method, a), right(vm, method, b);
  for (size_t i = 0; i < left.all().size(); ++i) {
    if (left[i].same(right[i]) || vm.equal(left[i], right[i])) continue;
    if (op == CompareOp::equal) return Value::boolean(false);
    return vm.compare(op, left[i], right[i]);
  }
  return Value::boolean(op != CompareOp::less && op != CompareOp::greater);
}

// Checks the arguments: self, and other if the method compares.
static void check_arguments(Interpreter& vm, const FieldMethod& method, const CallArgs& arguments) {
  const size_t wanted = method.compares ? 2 : 1;
  const NameList names = {"self", "other"};
  const NameList known(names.begin(), names.begin() + static_cast<int>(wanted));
  if (!arguments.names.empty()) {
    raise_unexpected_keyword(vm, method.name, arguments.names[0]->view(), {});
  }
  if (arguments.positional < wanted) {
    raise_missing_arguments(vm, method.name, "positional",
                            {known.begin() + static_cast<int>(arguments.positional), known.end()});
  }
  if (arguments.positional > wanted) {
    raise_too_many_arguments(vm, method.name, {wanted, wanted, arguments.positional, 0});
  }
}

static Value call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  auto& method = *self.as<FieldMethod>();
  check_arguments(vm, method, arguments);
  vm.check_stack();
  if (method.compares) {
    return compare_rows(vm, method, arguments.values[0], arguments.values[1]);
  }
  const Row row(vm, method, arguments.values[0]);
  return Value::integer(vm.hash(vm.tuple(row.all())));
}

// --- names ---------------------------------------------------------------------------------------

std::string method_repr(Interpreter&, const Value& self) {
  return fmt::format("<function {} at {}>", self.as<DataclassMethod>()->name,
                     static_cast<void*>(self.as_object()));
}

static std::string_view last_name(const Value& self) {
  const std::string_view name = self.as<DataclassMethod>()->name;
  return name.substr(name.rfind('.') + 1);
}

static Value get_name(Interpreter& vm, const Value& self) { return vm.str(last_name(self)); }
static Value get_qualified_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<DataclassMethod>()->name);
}
static Value get_doc(Interpreter&, const Value&) { return Value::none(); }

const NativeGetter kMethodGetters[3] = {
    {"__name__", get_name}, {"__qualname__", get_qualified_name}, {"__doc__", get_doc}};

// --- the type ------------------------------------------------------------------------------------

static std::optional<CompareOp> comparison_named(std::string_view name) {
  if (name == "__eq__") return CompareOp::equal;
  if (name == "__lt__") return CompareOp::less;
  if (name == "__le__") return CompareOp::less_equal;
  if (name == "__gt__") return CompareOp::greater;
  if (name == "__ge__") return CompareOp::greater_equal;
  return std::nullopt;
}

static Value make_method(Interpreter& vm, Type& cls, const Value& name, const Value& fields) {
  auto made = vm.make<FieldMethod>(&cls);
  made->name = vm.to_text(name);
  made->compares = comparison_named(last_name(Value(made)));
  vm.for_each(fields,
              [&](const Value& field) { made->fields.push_back(vm.intern(vm.to_text(field))); });
  return made;
}

static const Native kConstructor = {"field_method", "(cls, name, fields, /)", typed<make_method>,
                                    "A method that looks at the fields of a dataclass."};

Type* make_field_method_type(Interpreter& vm) {
  return vm.make_type<FieldMethod>({.name = "field_method",
                                    .module = "dataclasses",
                                    .slots = {.repr = method_repr,
                                              .call = call,
                                              .bind = bind_as_method,
                                              .traverse = traverse_fields<FieldMethod>},
                                    .getters = kMethodGetters,
                                    .constructor = &kConstructor});
}

}  // namespace gpy::lib
