#pragma once
// Natives whose bodies take C++ types instead of Args:
//
//   Value isin(Interpreter& vm, const rt::Array& element, const rt::Array& set, bool, bool invert);
//   {"isin", "(element, test_elements, assume_unique=False, invert=False)", typed<isin>, "..."}
//
// The body's parameters stand for the signature's, one for each; Argument<T> converts a Value to a
// T. They are converted from left to right, before the body begins. `const Args&` and other
// parameters that the call itself provides have no place in the signature.

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "src/interpreter.h"
#include "src/native.h"
#include "src/objects/containers.h"
#include "src/objects/function.h"

namespace gpy {

// The conversion of the argument at a place to a T:
//   static constexpr bool kIsGiven;   // false: of the call, not of an argument
//   static T from(Interpreter& vm, const Args& args, size_t at);
template <class T> struct Argument;

struct GivenArgument {
  static constexpr bool kIsGiven = true;
};

// The value itself; undefined where it was omitted and has no default.
template <> struct Argument<Value> : GivenArgument {
  static const Value& from(Interpreter&, const Args& args, size_t at) { return args[at]; }
};

template <> struct Argument<bool> : GivenArgument {
  static bool from(Interpreter& vm, const Args& args, size_t at) { return vm.truth(args[at]); }
};

template <> struct Argument<int64_t> : GivenArgument {
  static int64_t from(Interpreter& vm, const Args& args, size_t at) {
    return vm.to_index(args[at]);
  }
};

template <> struct Argument<double> : GivenArgument {
  static double from(Interpreter& vm, const Args& args, size_t at) { return vm.to_real(args[at]); }
};

// TypeError "side must be str, not int": it names the parameter.
template <> struct Argument<std::string_view> : GivenArgument {
  static std::string_view from(Interpreter& vm, const Args& args, size_t at) {
    return vm.to_text(args[at], args.callee().parameter_name(at));
  }
};

// None and an omitted argument are nullopt.
template <class T> struct Argument<std::optional<T>> : GivenArgument {
  static std::optional<T> from(Interpreter& vm, const Args& args, size_t at) {
    if (args[at].is_undefined() || args[at].is_none()) return std::nullopt;
    return Argument<T>::from(vm, args, at);
  }
};

// An object whose type the call has checked: `self` of a type's methods.
template <std::derived_from<Object> T> struct Argument<T> : GivenArgument {
  static T& from(Interpreter&, const Args& args, size_t at) { return *args[at].as<T>(); }
};

// The arguments of `*args`.
template <> struct Argument<std::span<const Value>> : GivenArgument {
  static std::span<const Value> from(Interpreter&, const Args& args, size_t at) {
    return args[at].as<Tuple>()->items();
  }
};

template <> struct Argument<Args> {
  static constexpr bool kIsGiven = false;
  static const Args& from(Interpreter&, const Args& args, size_t) { return args; }
};

template <auto body> struct TypedBody;

template <class... P, Value (*body)(Interpreter&, P...)> struct TypedBody<body> {
  template <class T> using Of = Argument<std::remove_cvref_t<T>>;

  static constexpr int kParameters = (0 + ... + int{Of<P>::kIsGiven});

  // The number of the body's parameters before `i` that take an argument.
  static constexpr size_t place(size_t i) {
    constexpr bool given[] = {Of<P>::kIsGiven..., false};
    size_t count = 0;
    for (size_t k = 0; k < i; ++k) count += given[k];
    return count;
  }

  template <size_t... i>
  static Value run(Interpreter& vm, const Args& args, std::index_sequence<i...>) {
    // Braces convert from left to right.
    const std::tuple<decltype(Of<P>::from(vm, args, 0))...> values{
        Of<P>::from(vm, args, place(i))...};
    return body(vm, std::get<i>(values)...);
  }

  static Value call(Interpreter& vm, Args args) {
    return run(vm, args, std::index_sequence_for<P...>());
  }
};

template <auto body>
inline constexpr NativeBody typed = {TypedBody<body>::call, TypedBody<body>::kParameters};

}  // namespace gpy
