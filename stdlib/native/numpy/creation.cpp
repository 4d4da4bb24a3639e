// Arrays from values: array, asarray, and arrays of one number.
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/errors.h"
#include "src/array/nested.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

enum class Copy { always, if_needed, never };

struct Request {
  std::optional<rt::DType> dtype;
  Copy copy = Copy::if_needed;
  char order = 'K';
  int64_t min_rank = 0;
};

[[noreturn]] void refuse_copy(Interpreter& vm) {
  vm.raise_value_error(
      "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, "
      "copy=False)` replace it with `np.asarray(obj)` to allow a copy when needed (no behavior "
      "change "
      "in NumPy 1.x).\nFor more details, see "
      "https://numpy.org/devdocs/"
      "numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword.");
}

rt::Array with_rank(const rt::Array& array, int64_t rank) {
  if (array.rank() >= rank) return array;
  std::vector<int64_t> axes(static_cast<size_t>(rank - array.rank()));
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  return rt::expand_dims(array, axes);
}

// An explicit conversion crosses from the host to a device, never silently back.
rt::Array moved(Interpreter& vm, const rt::Array& array, const Namespace& names) {
  const rt::Space space = names.space(session(vm));
  if (array.space() == space) return array;
  if (names.is_numpy() && array.space().is_device()) raise_implicit_conversion(vm);
  return rt::to_space(session(vm), array, space);
}

Value from_array(Interpreter& vm, const Value& value, const Request& request,
                 const Namespace& names) {
  rt::Session& state = session(vm);
  const rt::Array& source = as_ndarray(value)->array;
  rt::Array array = moved(vm, source, names);
  const bool must_copy =
      request.copy == Copy::always && array.storage_ref() == source.storage_ref();
  const rt::DType dtype = request.dtype.value_or(array.dtype());
  array = rt::astype(state, array, dtype, rt::Casting::kUnsafe, must_copy, request.order);
  const bool same = array.storage_ref() == source.storage_ref();
  if (request.copy == Copy::never && !same) refuse_copy(vm);
  array = with_rank(array, request.min_rank);
  const bool unchanged = same && array.space() == source.space() && array.rank() == source.rank();
  return unchanged ? value : wrap_view(vm, std::move(array), value);
}

Value make(Interpreter& vm, const Value& value, const Request& request, const Namespace& names) {
  if (as_ndarray(value)) return from_array(vm, value, request, names);
  if (request.copy == Copy::never) refuse_copy(vm);
  const rt::Space space = names.space(session(vm));
  rt::Array array;
  if (const Generic* scalar = as_generic(value)) {
    array = rt::to_space(session(vm), scalar->array(session(vm)), space);
    if (request.dtype) array = rt::astype(session(vm), array, *request.dtype);
  } else {
    array = array_from_nested(vm, value, request.dtype, space, request.order);
  }
  return wrap_array(vm, with_rank(array, request.min_rank));
}

// copy=True, False or None as NumPy 2 reads it.
Copy to_copy(Interpreter& vm, const Value& value, Copy otherwise) {
  if (value.is_undefined()) return otherwise;
  if (value.is_none()) return Copy::if_needed;
  return vm.truth(value) ? Copy::always : Copy::never;
}

Value array(Interpreter& vm, Args args) {
  const Namespace& names = namespace_or_numpy(args);
  Request request{to_optional_dtype(vm, args[1]), to_copy(vm, args[2], Copy::always),
                  to_order(vm, args[3], 'K'), is_given(args[5]) ? vm.to_index(args[5]) : 0};
  // CuPy still reads copy=False as NumPy 1 did.
  if (!names.is_numpy() && request.copy == Copy::never) request.copy = Copy::if_needed;
  return make(vm, args[0], request, names);
}

Value asarray(Interpreter& vm, Args args) {
  const Request request{to_optional_dtype(vm, args[1]), to_copy(vm, args[4], Copy::if_needed),
                        to_order(vm, args[2], 'K')};
  return make(vm, args[0], request, namespace_or_numpy(args));
}

template <char kOrder> Value as_ordered(Interpreter& vm, Args args) {
  const Request request{to_optional_dtype(vm, args[1]), Copy::if_needed, kOrder, 1};
  return make(vm, args[0], request, namespace_or_numpy(args));
}

Value copy(Interpreter& vm, Args args) {
  const rt::Array source = array_argument(vm, args);
  return wrap_array(vm, rt::copy_here(session(vm), source, to_order(vm, args[1], 'K')));
}

// --- of one number -------------------------------------------------------------------------------

Value filled(Interpreter& vm, const Args& args, const rt::Dims& shape, const rt::Scalar& number,
             rt::DType dtype, char order) {
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  return wrap_array(vm, rt::full(session(vm), shape, number, dtype, space, order));
}

Value empty(Interpreter& vm, Args args) {
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  const char order = to_order(vm, args[2], 'C');
  return wrap_array(
      vm, rt::empty(session(vm), to_shape(vm, args[0]), to_dtype(vm, args[1]), space, order));
}

Value zeros(Interpreter& vm, Args args) {
  const rt::DType dtype = to_dtype(vm, args[1]);
  return filled(vm, args, to_shape(vm, args[0]), rt::Scalar(false), dtype,
                to_order(vm, args[2], 'C'));
}

Value ones(Interpreter& vm, Args args) {
  const rt::DType dtype = to_dtype(vm, args[1]);
  return filled(vm, args, to_shape(vm, args[0]), rt::Scalar(true), dtype,
                to_order(vm, args[2], 'C'));
}

Value full(Interpreter& vm, Args args) {
  const rt::Dims shape = to_shape(vm, args[0]);
  const char order = to_order(vm, args[3], 'C');
  const std::optional<rt::DType> wanted = to_optional_dtype(vm, args[2]);
  const auto number = wanted ? try_number_for(vm, args[1], *wanted) : try_number(vm, args[1]);
  if (number) {
    const rt::DType dtype = wanted.value_or(number->dtype());
    return filled(vm, args, shape, fill_number(vm, args[1], *number, dtype), dtype, order);
  }
  const rt::Array source = fill_array(vm, args[1], wanted, namespace_or_numpy(args));
  const auto seen_layout = rt::try_broadcast(source.layout(), shape);
  if (!seen_layout) {
    vm.raise_value_error("could not broadcast input array from shape {} into shape {}",
                         rt::shape_text(source.shape().span()), rt::shape_text(shape.span()));
  }
  return wrap_array(
      vm, rt::astype(session(vm), source.with_layout(*seen_layout), wanted.value_or(source.dtype()),
                     rt::Casting::kUnsafe, true, order));
}

// A diagonal of a matrix: one that is farther off than an int64 tells lies outside of it too.
int64_t to_diagonal(Interpreter& vm, const Value& value) {
  const Value exact = vm.to_index_value(value);
  if (exact.is_integer()) return std::clamp(exact.as_integer(), -INT64_MAX / 2, INT64_MAX / 2);
  return vm.less(exact, Value::integer(0)) ? -INT64_MAX / 2 : INT64_MAX / 2;
}

Value eye(Interpreter& vm, Args args) {
  const int64_t rows = to_extent(vm, args[0]);
  const int64_t cols = is_given(args[1]) ? to_extent(vm, args[1]) : rows;
  const int64_t diagonal = is_given(args[2]) ? to_diagonal(vm, args[2]) : 0;
  if (rows < 0 || cols < 0) vm.raise_value_error("negative dimensions are not allowed");
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  return wrap_array(vm, rt::eye(session(vm), rows, cols, diagonal, to_dtype(vm, args[3]), space));
}

Value identity(Interpreter& vm, Args args) {
  const int64_t rows = to_extent(vm, args[0]);
  if (rows < 0) vm.raise_value_error("negative dimensions are not allowed");
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  return wrap_array(vm, rt::eye(session(vm), rows, rows, 0, to_dtype(vm, args[1]), space));
}

// --- from other things ---------------------------------------------------------------------------

Value frombuffer(Interpreter& vm, Args args) {
  const Bytes* bytes = args[0].try_as<Bytes>();
  if (!bytes)
    vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(args[0]));
  const rt::DType dtype = to_dtype(vm, args[1]);
  const int64_t size = rt::item_size(dtype);
  const int64_t offset = vm.to_index(args[3]);
  const int64_t have = static_cast<int64_t>(bytes->data.size());
  if (offset < 0 || offset > have) {
    vm.raise_value_error("offset must be non-negative and no greater than buffer length ({})",
                         have);
  }
  int64_t count = vm.to_index(args[2]);
  if (count < 0) {
    if ((have - offset) % size != 0) {
      vm.raise_value_error("buffer size must be a multiple of element size");
    }
    count = (have - offset) / size;
  }
  if (count > (have - offset) / size) {
    vm.raise_value_error("buffer is smaller than requested size");
  }
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  rt::Array numbers =
      rt::from_host(session(vm), dtype, {count}, bytes->data.data() + offset, space);
  return wrap_array(vm, space.is_host() ? numbers.read_only() : numbers);
}

Value fromiter(Interpreter& vm, Args args) {
  std::vector<Value> items;
  const int64_t count = vm.to_index(args[2]);
  const Value iterator = vm.iterate(args[0]);
  while (count < 0 || static_cast<int64_t>(items.size()) < count) {
    Value item = vm.next(iterator);
    if (item.is_undefined()) break;
    append_item(vm, items, std::move(item));
  }
  if (count > static_cast<int64_t>(items.size())) {
    vm.raise_value_error("iterator too short: Expected {} but iterator had only {} items.", count,
                         items.size());
  }
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  return wrap_array(vm,
                    array_from_nested(vm, vm.list(std::move(items)), to_dtype(vm, args[1]), space));
}

// f(i, j, ...) on the index arrays of a shape, all at once.
Value fromfunction(Interpreter& vm, Args args) {
  const rt::Dims shape = to_shape(vm, args[1]);
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  const rt::DType dtype = to_dtype(vm, args[2]);
  std::vector<Value> arguments;
  for (int axis = 0; axis < shape.size(); ++axis) {
    rt::Array index = rt::astype(session(vm), rt::iota(session(vm), {shape[axis]}, space), dtype);
    rt::Dims along(shape.size(), 1);
    along[axis] = shape[axis];
    const rt::Array seen = rt::broadcast_to(rt::reshape(session(vm), index, along), shape);
    arguments.push_back(wrap_array(vm, rt::copy(session(vm), seen, 'C')));
  }
  std::vector<Str*> names;
  for (auto& entry : args[3].as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    arguments.push_back(entry.value);
  }
  return vm.call(args[0], {arguments.data(), static_cast<uint32_t>(shape.size()), names});
}

const Native kFunctions[] = {
    {"array", "(object, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, like=None)",
     array, "An array of the numbers in (nested) sequences, or a copy of an array."},
    {"asarray", "(a, dtype=None, order=None, device=None, copy=<none>, *, like=None)", asarray,
     "The same array if it already is one, else a new one."},
    {"asanyarray", "(a, dtype=None, order=None, device=None, copy=<none>, *, like=None)", asarray,
     "As asarray."},
    {"ascontiguousarray", "(a, dtype=None, *, like=None)", as_ordered<'C'>,
     "The array with its rows one after another in memory."},
    {"asfortranarray", "(a, dtype=None, *, like=None)", as_ordered<'F'>,
     "The array with its columns one after another in memory."},
    {"copy", "(a, order='K', subok=False)", copy, "A copy of the array."},
    {"empty", "(shape, dtype=None, order='C', *, device=None, like=None)", empty,
     "An array with any content."},
    {"zeros", "(shape, dtype=None, order='C', *, device=None, like=None)", zeros, "An array of 0."},
    {"ones", "(shape, dtype=None, order='C', *, device=None, like=None)", ones, "An array of 1."},
    {"full", "(shape, fill_value, dtype=None, order='C', *, device=None, like=None)", full,
     "An array of one number."},
    {"eye", "(N, M=None, k=0, dtype=None, order='C', *, device=None, like=None)", eye,
     "A matrix with 1 on a diagonal."},
    {"identity", "(n, dtype=None, *, like=None)", identity,
     "The square matrix with 1 on the diagonal."},
    {"frombuffer", "(buffer, dtype=None, count=-1, offset=0, *, like=None)", frombuffer,
     "The numbers that bytes hold: a copy, and read-only on the host."},
    {"fromiter", "(iter, dtype, count=-1, *, like=None)", fromiter, "The numbers of an iterable."},
    {"fromfunction", "(function, shape, *, dtype=None, **kwargs)", fromfunction,
     "What a function gives for the indices of every element."},
};

}  // namespace

Family creation_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
