#pragma once
// The parameter types of natives for arrays: see src/typed_native.h.

#include <vector>

#include "src/array/convert.h"
#include "src/array/namespace.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"

namespace gpy {

// The namespace whose function was called, numpy for methods.
template <> struct Argument<Namespace> {
  static constexpr bool kIsGiven = false;
  static const Namespace& from(Interpreter&, const Args& args, size_t) {
    return namespace_or_numpy(args);
  }
};

// Whatever numpy.asarray takes.
template <> struct Argument<rt::Array> : GivenArgument {
  static rt::Array from(Interpreter& vm, const Args& args, size_t at) {
    return array_argument(vm, args, at);
  }
};

// An array, or a number alone.
template <> struct Argument<rt::Operand> : GivenArgument {
  static rt::Operand from(Interpreter& vm, const Args& args, size_t at) {
    return to_operand(vm, args[at], namespace_or_numpy(args));
  }
};

template <> struct Argument<rt::DType> : GivenArgument {
  static rt::DType from(Interpreter& vm, const Args& args, size_t at) {
    return to_dtype(vm, args[at]);
  }
};

// `axis`; nullopt for None and an omitted one.
struct Axis : std::optional<int64_t> {};
template <> struct Argument<Axis> : GivenArgument {
  static Axis from(Interpreter& vm, const Args& args, size_t at) {
    return {to_strict_axis(vm, args[at])};
  }
};

// `axis` of functions that take several.
struct Axes : std::optional<std::vector<int64_t>> {};
template <> struct Argument<Axes> : GivenArgument {
  static Axes from(Interpreter& vm, const Args& args, size_t at) { return {to_axes(vm, args[at])}; }
};

// `axis` of functions that take any sequence.
struct AxisList : std::optional<std::vector<int64_t>> {};
template <> struct Argument<AxisList> : GivenArgument {
  static AxisList from(Interpreter& vm, const Args& args, size_t at) {
    return {to_axis_list(vm, args[at])};
  }
};

struct KeepDims {
  bool kept;
};
template <> struct Argument<KeepDims> : GivenArgument {
  static KeepDims from(Interpreter& vm, const Args& args, size_t at) {
    return {to_keepdims(vm, args[at])};
  }
};

// An int or a sequence of ints, of any sign.
template <> struct Argument<rt::Dims> : GivenArgument {
  static rt::Dims from(Interpreter& vm, const Args& args, size_t at) {
    return to_dims(vm, args[at]);
  }
};

// The shape of a new array: an int or a sequence of ints, none negative.
struct Shape : rt::Dims {};
template <> struct Argument<Shape> : GivenArgument {
  static Shape from(Interpreter& vm, const Args& args, size_t at) {
    return {to_shape(vm, args[at])};
  }
};

// An int, or a sequence of ints.
template <> struct Argument<std::vector<int64_t>> : GivenArgument {
  static std::vector<int64_t> from(Interpreter& vm, const Args& args, size_t at) {
    return to_ints(vm, args[at]);
  }
};

// `like`, whose class decides what is made (NEP 35): it is asked before the native runs, so all
// that is left to do is to refuse what has no __array_function__.
struct Like {};
template <> struct Argument<Like> : GivenArgument {
  static Like from(Interpreter& vm, const Args& args, size_t at) {
    check_like(vm, args[at]);
    return {};
  }
};

// `device`: an array lies where its namespace puts it, so that NumPy's is all that can be asked
// for.
struct Device {};
template <> struct Argument<Device> : GivenArgument {
  static Device from(Interpreter& vm, const Args& args, size_t at) {
    if (namespace_or_numpy(args).is_numpy()) check_device(vm, args[at]);
    return {};
  }
};

}  // namespace gpy
