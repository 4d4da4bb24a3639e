// Arrays from values: array, asarray, and arrays of one number.
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/array_classes.h"
#include "src/array/buffer_array.h"
#include "src/array/errors.h"
#include "src/array/nested.h"
#include "src/array/object_arrays.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Request {
  std::optional<rt::DType> dtype;
  Copy copy = Copy::if_needed;
  char order = 'K';
  int64_t min_rank = 0;
  bool keeps_class = false;  // of what an object's __array__ gives
};

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
  warn_of_lost_parts(vm, array.dtype(), dtype);
  // Of arrays that need no copy "A" asks nothing.
  const char order =
      request.order == 'A' && !must_copy && dtype == array.dtype() ? 'K' : request.order;
  array = rt::astype(state, array, dtype, rt::Casting::kUnsafe, must_copy, order);
  const bool same = array.storage_ref() == source.storage_ref();
  if (request.copy == Copy::never && !same) refuse_copy(vm);
  array = with_rank(array, request.min_rank);
  const bool unchanged = same && array.space() == source.space() && array.rank() == source.rank();
  return unchanged ? value : wrap_view(vm, std::move(array), value);
}

Value made_of_other_kind(Interpreter& vm, const Value& array, const Request& request) {
  const Value copy = request.copy == Copy::if_needed ? Value::none()
                                                     : Value::boolean(request.copy == Copy::always);
  const Value dtype = request.dtype ? wrap_dtype(vm, *request.dtype) : Value::none();
  return vm.call(vm.get_attribute(vm.import_module("numpy"), "array"), {array, dtype},
                 {{"copy", copy}, {"ndmin", Value::integer(request.min_rank)}});
}

Value from_given(Interpreter& vm, const GivenArray& given, Request request,
                 const Namespace& names) {
  if (!as_ndarray(given.array)) return made_of_other_kind(vm, given.array, request);
  if (given.is_new && request.copy == Copy::always) request.copy = Copy::if_needed;
  const bool keeps = request.keeps_class;
  const Value array = keeps ? given.array : without_array_class(vm, given.array);
  return from_array(vm, array, request, names);
}

Value make(Interpreter& vm, const Value& value, const Request& request, const Namespace& names) {
  if (as_ndarray(value)) return from_array(vm, value, request, names);
  if (value.is_object()) leave_to(vm, value);
  const GivenArray given = array_given_by(vm, value, request.dtype, request.copy);
  if (given.array.is_defined()) return from_given(vm, given, request, names);
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
  return copy_flag(vm, value) ? Copy::always : Copy::never;
}

void check_ranks(Interpreter& vm, int64_t min_rank, int64_t max_rank) {
  if (max_rank < 0 || max_rank > rt::kMaxRank) {
    vm.raise_value_error("ndmax must be in the range [0, NPY_MAXDIMS ({})] ", rt::kMaxRank);
  }
  if (min_rank > max_rank) vm.raise_value_error("ndmin must be <= ndmax ({})", max_rank);
}

Value array(Interpreter& vm, const Namespace& names, const Value& object,
            std::optional<rt::DType> dtype, const Value& copy, const Value& order,
            const Value& keeps_class, int64_t min_rank, int64_t max_rank, Like) {
  Request request{dtype, to_copy(vm, copy, Copy::always), to_order(vm, order, 'K'), min_rank,
                  truth_or(vm, keeps_class, false)};
  check_ranks(vm, request.min_rank, max_rank);
  // CuPy still reads copy=False as NumPy 1 did.
  if (!names.is_numpy() && request.copy == Copy::never) request.copy = Copy::if_needed;
  Value made = make(vm, object, request, names);
  const Ndarray* array = as_ndarray(object) ? nullptr : as_ndarray(made);
  if (array && max_rank < rt::kMaxRank && array->array.rank() > max_rank) {
    vm.raise_value_error(
        "setting an array element with a sequence. The requested array would exceed the maximum "
        "number of dimension of {}.",
        max_rank);
  }
  return made;
}

template <bool kKeepsClass>
Value asarray(Interpreter& vm, const Namespace& names, const Value& object,
              std::optional<rt::DType> dtype, const Value& order, Device, const Value& copy, Like) {
  const Request request{dtype, to_copy(vm, copy, Copy::if_needed), to_order(vm, order, 'K'), 0,
                        kKeepsClass};
  return make(vm, object, request, names);
}

template <char kOrder>
Value as_ordered(Interpreter& vm, const Namespace& names, const Value& object,
                 std::optional<rt::DType> dtype, Like) {
  return make(vm, object, {dtype, Copy::if_needed, kOrder, 1}, names);
}

Value copy(Interpreter& vm, const rt::Array& source, const Value& order, const Value&) {
  return wrap_array(vm, rt::copy_here(session(vm), source, to_order(vm, order, 'K')));
}

// --- of one number -------------------------------------------------------------------------------

Value filled(Interpreter& vm, const Namespace& names, const rt::Dims& shape,
             const rt::Scalar& number, rt::DType dtype, char order) {
  const rt::Space space = names.space(session(vm));
  return wrap_array(vm, rt::full(session(vm), shape, number, dtype, space, order));
}

Value empty(Interpreter& vm, const Namespace& names, const Value& shape, const Value& dtype,
            const Value& order, Device, Like) {
  const rt::Space space = names.space(session(vm));
  const char layout = to_order(vm, order, 'C');
  return wrap_array(
      vm, rt::empty(session(vm), to_shape(vm, shape), to_dtype(vm, dtype), space, layout));
}

Value zeros(Interpreter& vm, const Namespace& names, const Value& shape, rt::DType dtype,
            const Value& order, Device, Like) {
  return filled(vm, names, to_shape(vm, shape), rt::Scalar(false), dtype, to_order(vm, order, 'C'));
}

Value ones(Interpreter& vm, const Namespace& names, const Value& shape, rt::DType dtype,
           const Value& order, Device, Like) {
  return filled(vm, names, to_shape(vm, shape), rt::Scalar(true), dtype, to_order(vm, order, 'C'));
}

Value full(Interpreter& vm, const Namespace& names, const Shape& shape, const Value& value,
           const Value& dtype, const Value& order, Device, Like) {
  const char layout = to_order(vm, order, 'C');
  const std::optional<rt::DType> wanted = to_optional_dtype(vm, dtype);
  if (!wanted && is_beyond_64_bits(value) && !names.is_cupy()) leave_to_other_kinds(vm);
  const auto number = wanted ? try_number_for(vm, value, *wanted) : try_number(vm, value);
  if (number) {
    const rt::DType own = wanted.value_or(number->dtype());
    return filled(vm, names, shape, fill_number(vm, value, *number, own), own, layout);
  }
  const rt::Array source = fill_array(vm, value, wanted, names);
  const auto seen_layout = rt::try_broadcast(source.layout(), shape);
  if (!seen_layout) {
    vm.raise_value_error("could not broadcast input array from shape {} into shape {}",
                         rt::shape_text(source.shape().span()), rt::shape_text(shape.span()));
  }
  return wrap_array(
      vm, rt::astype(session(vm), source.with_layout(*seen_layout), wanted.value_or(source.dtype()),
                     rt::Casting::kUnsafe, true, layout));
}

// The number of a diagonal. One beyond int64 lies outside of any matrix, too.
int64_t to_diagonal(Interpreter& vm, const Value& value) {
  const Value exact = vm.to_index_value(value);
  if (exact.is_integer()) return std::clamp(exact.as_integer(), -INT64_MAX / 2, INT64_MAX / 2);
  return vm.less(exact, Value::integer(0)) ? -INT64_MAX / 2 : INT64_MAX / 2;
}

Value eye(Interpreter& vm, const Namespace& names, const Value& height, const Value& width,
          const Value& offset, const Value& dtype, const Value& order, Device, Like) {
  const int64_t rows = to_extent(vm, height);
  const int64_t cols = is_given(width) ? to_extent(vm, width) : rows;
  const int64_t diagonal = offset.is_defined() ? to_diagonal(vm, offset) : 0;
  if (rows < 0 || cols < 0) vm.raise_value_error("negative dimensions are not allowed");
  const rt::Space space = names.space(session(vm));
  const rt::Array made = rt::eye(session(vm), rows, cols, diagonal, to_dtype(vm, dtype), space);
  return wrap_array(vm, rt::astype(session(vm), made, made.dtype(), rt::Casting::kUnsafe, false,
                                   to_order(vm, order, 'C')));
}

Value identity(Interpreter& vm, const Namespace& names, const Value& size, const Value& dtype,
               Like) {
  const int64_t rows = to_extent(vm, size);
  if (rows < 0) vm.raise_value_error("negative dimensions are not allowed");
  const rt::Space space = names.space(session(vm));
  return wrap_array(vm, rt::eye(session(vm), rows, rows, 0, to_dtype(vm, dtype), space));
}

// --- from other things ---------------------------------------------------------------------------

// The number of items of `size` to read from so many bytes.
int64_t items_in(Interpreter& vm, int64_t bytes, int64_t size, const Value& wanted) {
  const int64_t count = vm.to_index(wanted);
  if (count < 0 && bytes % size != 0) {
    vm.raise_value_error("buffer size must be a multiple of element size");
  }
  if (count > bytes / size) vm.raise_value_error("buffer is smaller than requested size");
  return count < 0 ? bytes / size : count;
}

Value frombuffer(Interpreter& vm, const Namespace& names, const Value& given, const Value& dtype,
                 const Value& count, const Value& offset, Like) {
  const Value buffer = behind_memory_view(vm, given);
  const Bytes* bytes = buffer.try_as<Bytes>();
  const Ndarray* array = as_ndarray(buffer);
  if (!bytes && !(array && array->array.space().is_host()))
    vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(buffer));
  if (array && !rt::is_c_contiguous(array->array.layout())) {
    vm.raise_value_error("ndarray is not C-contiguous");
  }
  const rt::DType type = to_dtype(vm, dtype);
  const int64_t start = vm.to_index(offset);
  const int64_t have = array ? array->array.bytes() : static_cast<int64_t>(bytes->data.size());
  if (start < 0 || start > have) {
    vm.raise_value_error("offset must be non-negative and no greater than buffer length ({})",
                         have);
  }
  const int64_t items = items_in(vm, have - start, rt::item_size(type), count);
  const rt::Space space = names.space(session(vm));
  if (array) {
    const Value none = Value::none();
    return make_buffer_array(vm, buffer,
                             {Value::integer(items), wrap_dtype(vm, type), start, none, none});
  }
  rt::Array numbers = rt::from_host(session(vm), type, {items}, bytes->data.data() + start, space);
  return wrap_array(vm, space.is_host() ? numbers.read_only() : numbers);
}

Value fromiter(Interpreter& vm, const Namespace& names, const Value& iterable, const Value& dtype,
               int64_t count, Like) {
  const rt::DType wanted = to_dtype(vm, dtype);  // first: what has another dtype iterates by itself
  std::vector<Value> items;
  const Value iterator = vm.iterate(iterable);
  while (count < 0 || static_cast<int64_t>(items.size()) < count) {
    Value item = vm.next(iterator);
    if (item.is_undefined()) break;
    append_item(vm, items, std::move(item));
  }
  if (count > static_cast<int64_t>(items.size())) {
    vm.raise_value_error("iterator too short: Expected {} but iterator had only {} items.", count,
                         items.size());
  }
  const rt::Space space = names.space(session(vm));
  const rt::Array made = array_from_nested(vm, vm.list(std::move(items)), wanted, space);
  if (made.rank() != 1) vm.raise_value_error("setting an array element with a sequence.");
  return wrap_array(vm, made);
}

// f(i, j, ...) on the index arrays of a shape, all at once.
Value fromfunction(Interpreter& vm, const Namespace& names, const Value& function,
                   const Shape& shape, rt::DType dtype, Like, const Value& more) {
  const rt::Space space = names.space(session(vm));
  std::vector<Value> arguments;
  for (int axis = 0; axis < shape.size(); ++axis) {
    rt::Array index = rt::astype(session(vm), rt::iota(session(vm), {shape[axis]}, space), dtype);
    rt::Dims along(shape.size(), 1);
    along[axis] = shape[axis];
    const rt::Array seen = rt::broadcast_to(rt::reshape(session(vm), index, along), shape);
    arguments.push_back(wrap_array(vm, rt::copy(session(vm), seen, 'C')));
  }
  std::vector<Str*> keywords;
  for (auto& entry : more.as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    keywords.push_back(entry.key.as<Str>());
    arguments.push_back(entry.value);
  }
  return vm.call(function, {arguments.data(), static_cast<uint32_t>(shape.size()), keywords});
}

const Native kFunctions[] = {
    {"array",
     "(object, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, ndmax=64, like=None)",
     typed<array>, "An array of the numbers in (nested) sequences, or a copy of an array."},
    {"asarray", "(a, dtype=None, order=None, device=None, copy=<none>, *, like=None)",
     typed<asarray<false>>, "The same array if it already is one, else a new one."},
    {"asanyarray", "(a, dtype=None, order=None, device=None, copy=<none>, *, like=None)",
     typed<asarray<true>>, "As asarray."},
    {"ascontiguousarray", "(a, dtype=None, *, like=None)", typed<as_ordered<'C'>>,
     "The array with its rows one after another in memory."},
    {"asfortranarray", "(a, dtype=None, *, like=None)", typed<as_ordered<'F'>>,
     "The array with its columns one after another in memory."},
    {"copy", "(a, order='K', subok=False)", typed<copy>, "A copy of the array."},
    {"empty", "(shape, dtype=None, order='C', *, device=None, like=None)", typed<empty>,
     "An array with any content."},
    {"zeros", "(shape, dtype=None, order='C', *, device=None, like=None)", typed<zeros>,
     "An array of 0."},
    {"ones", "(shape, dtype=None, order='C', *, device=None, like=None)", typed<ones>,
     "An array of 1."},
    {"full", "(shape, fill_value, dtype=None, order='C', *, device=None, like=None)", typed<full>,
     "An array of one number."},
    {"eye", "(N, M=None, k=0, dtype=None, order='C', *, device=None, like=None)", typed<eye>,
     "A matrix with 1 on a diagonal."},
    {"identity", "(n, dtype=None, *, like=None)", typed<identity>,
     "The square matrix with 1 on the diagonal."},
    {"frombuffer", "(buffer, dtype=None, count=-1, offset=0, *, like=None)", typed<frombuffer>,
     "The numbers that bytes hold: a copy, and read-only on the host."},
    {"fromiter", "(iter, dtype, count=-1, *, like=None)", typed<fromiter>,
     "The numbers of an iterable."},
    {"fromfunction", "(function, shape, *, dtype=None, like=None, **kwargs)", typed<fromfunction>,
     "What a function gives for the indices of every element."},
};

}  // namespace

Family creation_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
