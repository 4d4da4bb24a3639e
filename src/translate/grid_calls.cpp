// Calls of intrinsics: positions on the grid, memory of blocks and threads, atomics, numbers.
#include "src/array/convert.h"
#include "src/translate/function_translator.h"
#include "src/translate/grid_table.h"
#include "src/translate/intrinsic.h"

namespace gpy {

using Kind = TypedExpression::Kind;

namespace {

using StorageKind = rt::typed::Storage::Kind;

constexpr std::string_view kAxes[] = {"x", "y", "z"};

}  // namespace

TypedExpression FunctionTranslator::intrinsic_value(const Intrinsic& intrinsic,
                                                    syntax::Span place) {
  if (program_.target != Target::kGrid)
    fail_translation(place, "'{}' has a value in kernels on a grid only", intrinsic.name);
  const bool is_weak = dialect_ == Dialect::kNumpy && rt::is_integer(intrinsic.dtype);
  return as_position(support_call(std::string(intrinsic.symbol),
                                  is_weak ? int_type(dialect_) : TypedType::number(intrinsic.dtype),
                                  {}));
}

// CUDA's own positions are unsigned, and cupyx.jit's are.
TypedExpression FunctionTranslator::as_position(TypedExpression value) const {
  return is_jit(dialect_) ? cast_to(std::move(value), TypedType::number(rt::DType::kUInt32))
                          : std::move(value);
}

TypedExpression FunctionTranslator::position_call(const Intrinsic& intrinsic, const syntax::Call&) {
  return intrinsic_value(intrinsic, {});
}

TypedExpression FunctionTranslator::call_intrinsic(std::string_view name,
                                                   const syntax::Call& node) {
  const Intrinsic* intrinsic = find_intrinsic(name);
  if (!intrinsic || !intrinsic->call)
    fail_translation(node.func->span, "'{}' cannot be called", name);
  if (program_.target != Target::kGrid)
    fail_translation(node.func->span, "'{}' is for kernels on a grid", name);
  if (intrinsic->arguments >= 0)
    check_count(node, static_cast<size_t>(intrinsic->arguments),
                static_cast<size_t>(intrinsic->arguments));
  return (this->*intrinsic->call)(*intrinsic, node);
}

// --- positions -----------------------------------------------------------------------------------

// grid(n), gridsize(n): an int, or a tuple of n.
TypedExpression FunctionTranslator::grid_position(const Intrinsic& intrinsic,
                                                  const syntax::Call& node) {
  const TypedExpression count = number(*node.args[0]);
  const int64_t axes = count.kind == Kind::kNumber ? count.number.as_int() : 0;
  if (axes < 1 || axes > 3)
    fail_translation(node.args[0]->span, "{}() takes the number of axes: 1, 2 or 3, as a literal",
                     intrinsic.name);
  std::vector<TypedExpression> out;
  for (int64_t axis = 0; axis < axes; ++axis) {
    out.push_back(as_position(
        support_call(fmt::format("{}_{}", intrinsic.symbol, kAxes[axis]), int_type(dialect_), {})));
  }
  return axes == 1 ? std::move(out[0]) : tuple_of(std::move(out));
}

// cupyx.jit.range, which loops go through.
TypedExpression FunctionTranslator::range_call(const Intrinsic&, const syntax::Call& node) {
  fail_translation(node.span, "range() has a place in loops only: for i in range(...)");
}

// --- memory --------------------------------------------------------------------------------------

std::optional<rt::DType> FunctionTranslator::try_dtype(const syntax::Expr& node) {
  const auto* text = syntax::try_as<syntax::Constant>(&node);
  if (text && text->constant_kind == syntax::ConstantKind::String)
    return rt::dtype_from_name(text->text);
  const Value value = static_value(node);
  if (value.is_undefined()) return std::nullopt;
  if (value.is<Type>()) {
    const Type* type = value.as<Type>();
    if (type == vm_.types.integer) return rt::DType::kInt64;
    if (type == vm_.types.real) return rt::DType::kFloat64;
    if (type == vm_.types.boolean) return rt::DType::kBool;
    if (type == vm_.types.complex) return rt::DType::kComplex128;
    return arrays(vm_).dtype_of(type);
  }
  if (const auto* dtype = value.try_as<DTypeObject>()) return dtype->dtype;
  // Collective operations have memory of their own: what is declared for them is not used.
  if (const auto* intrinsic = value.try_as<IntrinsicObject>();
      intrinsic && intrinsic->name.ends_with(".TempStorage"))
    return rt::DType::kUInt8;
  const Value inner = vm_.try_get_attribute(value, vm_.intern("dtype"));
  if (inner.is_undefined()) return std::nullopt;
  if (const auto* dtype = inner.try_as<DTypeObject>()) return dtype->dtype;
  return std::nullopt;
}

rt::DType FunctionTranslator::dtype_of(const syntax::Expr& node) {
  if (const auto dtype = try_dtype(node)) return *dtype;
  fail_translation(node.span, "this names no dtype");
}

// A variable that is given a literal once counts as the literal, as in Numba.
TypedExpression FunctionTranslator::extent(const syntax::Expr& node) {
  const auto* name = syntax::try_as<syntax::Name>(&node);
  const bool is_local = name && variables_.find(name->id) >= 0;
  const syntax::Expr* value = is_local ? only_value(source_.body, name->id) : nullptr;
  return expression(value ? *value : node);
}

std::vector<int64_t> FunctionTranslator::literal_extents(const syntax::Expr& node) {
  std::vector<TypedExpression> items;
  if (const auto* tuple = syntax::try_as<syntax::Tuple>(&node)) {
    for (const syntax::Expr* each : tuple->elts) items.push_back(extent(*each));
  } else {
    TypedExpression shape = extent(node);
    if (shape.type.is_tuple()) items = shape.args;
    else items.push_back(std::move(shape));
  }
  std::vector<int64_t> out;
  for (const TypedExpression& each : items) {
    if (each.kind != Kind::kNumber || !rt::is_integer(each.type.dtype) ||
        each.number.as_int() < 0) {
      fail_translation(node.span, "the shape of a kernel's own array is a literal, or a constant");
    }
    out.push_back(each.number.as_int());
  }
  return out;
}

const syntax::Expr* FunctionTranslator::argument(const syntax::Call& node, size_t place,
                                                 std::string_view name) {
  for (const syntax::Keyword& each : node.keywords) {
    if (each.name == name) return each.value;
  }
  return place < node.args.size() ? node.args[place] : nullptr;
}

TypedExpression FunctionTranslator::memory(rt::typed::Storage storage,
                                           const std::vector<int64_t>& extents) {
  TypedExpression out;
  out.kind = Kind::kMemory;
  out.index = static_cast<int>(storages_.size());
  out.type = TypedType::array(storage.dtype, static_cast<int>(extents.size()), true);
  for (const int64_t each : extents)
    out.args.push_back(TypedExpression::constant(rt::Scalar::weak(each)));
  storages_.push_back(std::move(storage));
  return out;
}

// shared.array(shape, dtype), local.array(shape, dtype)
TypedExpression FunctionTranslator::declared_array(const Intrinsic& intrinsic,
                                                   const syntax::Call& node) {
  const syntax::Expr *shape = argument(node, 0, "shape"), *dtype = argument(node, 1, "dtype");
  if (!shape || !dtype)
    fail_translation(node.span, "{}() takes a shape and a dtype", intrinsic.name);
  std::vector<int64_t> extents = literal_extents(*shape);
  rt::typed::Storage storage;
  storage.dtype = dtype_of(*dtype);
  storage.count = rt::element_count(extents);
  const bool shared = intrinsic.name == "shared.array";
  storage.kind = shared ? StorageKind::kShared : StorageKind::kLocal;
  if (shared && extents == std::vector<int64_t>{0}) {
    storage.kind = StorageKind::kDynamic;
    extents = {INT32_MAX};
  }
  return memory(std::move(storage), extents);
}

// shared_memory(dtype, size): `size` elements, or for None as many as the launch says.
TypedExpression FunctionTranslator::shared_memory(const Intrinsic&, const syntax::Call& node) {
  const syntax::Expr *dtype = argument(node, 0, "dtype"), *size = argument(node, 1, "size");
  if (!dtype || !size) fail_translation(node.span, "shared_memory() takes a dtype and a size");
  const auto* constant = syntax::try_as<syntax::Constant>(size);
  const bool is_dynamic = constant && constant->constant_kind == syntax::ConstantKind::None;
  rt::typed::Storage storage;
  storage.dtype = dtype_of(*dtype);
  storage.kind = is_dynamic ? StorageKind::kDynamic : StorageKind::kShared;
  std::vector<int64_t> extents = {INT32_MAX};
  if (!is_dynamic) extents = literal_extents(*size);
  if (!is_dynamic) storage.count = rt::element_count(extents);
  return memory(std::move(storage), extents);
}

// const.array_like(array): the content of an array of the module.
TypedExpression FunctionTranslator::constant_array(const Intrinsic&, const syntax::Call& node) {
  const Value value = static_value(*node.args[0]);
  const Ndarray* array = value.is_defined() ? as_ndarray(value) : nullptr;
  if (!array) fail_translation(node.args[0]->span, "this is no array of the module");
  return frozen_array(array->array);
}

// --- atomics -------------------------------------------------------------------------------------

// atomic.add(array, index, value), and of cas() also the value that is expected.
TypedExpression FunctionTranslator::atomic(const Intrinsic& intrinsic, const syntax::Call& node) {
  const TypedExpression array = expression(*node.args[0]);
  TypedExpression at = element(array, *node.args[1], node.args[1]->span);
  if (at.kind != Kind::kElement)
    fail_translation(node.args[1]->span, "{}() changes one element", intrinsic.name);
  return atomic_at(intrinsic, std::move(at), node, 2);
}

// compare_and_swap(array, expected, value): of the first element.
TypedExpression FunctionTranslator::first_atomic(const Intrinsic& intrinsic,
                                                 const syntax::Call& node) {
  const TypedExpression array = kept(expression(*node.args[0]), node.args[0]->span);
  if (!array.type.is_array())
    fail_translation(node.args[0]->span, "{}() changes an array", intrinsic.name);
  std::vector<TypedExpression> zeros(static_cast<size_t>(array.type.rank),
                                     literal(dialect_, rt::Scalar::weak(int64_t{0})));
  return atomic_at(intrinsic, element_at(array, std::move(zeros), node.span), node, 1);
}

TypedExpression FunctionTranslator::atomic_at(const Intrinsic& intrinsic, TypedExpression at,
                                              const syntax::Call& node, size_t first) {
  if (at.args[0].type.constant) fail_translation(node.span, "assignment destination is read-only");
  const TypedType type = at.type;
  if (rt::item_size(type.dtype) < 4)
    fail_translation(node.span, "{}() works on elements of 4 and 8 bytes", intrinsic.name);
  std::vector<TypedExpression> args = {std::move(at)};
  for (size_t i = first; i < node.args.size(); ++i)
    args.push_back(cast_to(number(*node.args[i]), type));
  effects_ = true;
  TypedExpression out =
      with_effects(support_call(std::string(intrinsic.symbol), type, std::move(args)));
  out.kind = Kind::kAtomic;
  return out;
}

// --- numbers -------------------------------------------------------------------------------------

TypedExpression FunctionTranslator::bit_count(const Intrinsic& intrinsic,
                                              const syntax::Call& node) {
  TypedExpression value = number(*node.args[0]);
  if (!rt::is_integer(value.type.dtype))
    fail_translation(node.args[0]->span, "{}() counts the bits of ints", intrinsic.name);
  const bool wide = rt::item_size(value.type.dtype) == 8;
  const TypedType type = TypedType::number(wide ? rt::DType::kUInt64 : rt::DType::kUInt32);
  const bool keeps = intrinsic.symbol == "bits_reversed";
  return support_call(std::string(intrinsic.symbol), keeps ? type : int_type(dialect_),
                      {cast_to(std::move(value), type)});
}

TypedExpression FunctionTranslator::fused(const Intrinsic& intrinsic, const syntax::Call& node) {
  std::vector<TypedExpression> args;
  bool narrow = true;
  for (const syntax::Expr* each : node.args) {
    args.push_back(number(*each));
    narrow = narrow && args.back().type.dtype == rt::DType::kFloat32;
  }
  const TypedType type = TypedType::number(narrow ? rt::DType::kFloat32 : rt::DType::kFloat64);
  for (TypedExpression& each : args) each = cast_to(std::move(each), type);
  return support_call(std::string(intrinsic.symbol), type, std::move(args));
}

TypedExpression FunctionTranslator::cube_root(const Intrinsic&, const syntax::Call& node) {
  return row(rt::ufunc(rt::Row::cbrt), {as_float(number(*node.args[0]))}, RowUse::kFunction,
             node.span);
}

TypedExpression FunctionTranslator::select(const Intrinsic&, const syntax::Call& node) {
  TypedExpression test = condition(*node.args[0]);
  TypedExpression yes = number(*node.args[1]);
  return choice(std::move(test), std::move(yes), number(*node.args[2]), node.span);
}

}  // namespace gpy
