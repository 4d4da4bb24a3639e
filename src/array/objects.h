#pragma once
// What arrays, NumPy's scalars and dtypes are as objects of the language.

#include <memory>

#include "runtime/core/array.h"
#include "runtime/session.h"
#include "src/value.h"

namespace gpy {

inline constexpr Layout kNdarrayLayout = static_cast<Layout>(64);
inline constexpr Layout kGenericLayout = static_cast<Layout>(65);
inline constexpr Layout kDTypeLayout = static_cast<Layout>(66);
inline constexpr Layout kUfuncLayout = static_cast<Layout>(67);
inline constexpr Layout kArrayIteratorLayout = static_cast<Layout>(68);
inline constexpr Layout kFlatIteratorLayout = static_cast<Layout>(69);
inline constexpr Layout kFlagsLayout = static_cast<Layout>(70);
// User kernels (src/kernel).
inline constexpr Layout kElementwiseLayout = static_cast<Layout>(80);
inline constexpr Layout kReductionLayout = static_cast<Layout>(81);
inline constexpr Layout kRawKernelLayout = static_cast<Layout>(82);
inline constexpr Layout kRawModuleLayout = static_cast<Layout>(83);
inline constexpr Layout kRawLaunchLayout = static_cast<Layout>(84);
inline constexpr Layout kFusedLayout = static_cast<Layout>(85);
// What a library above this floor may take for its own objects.
inline constexpr Layout kFirstLibraryLayout = static_cast<Layout>(96);

// numpy.ndarray, cupy.ndarray and gpy.ndarray: the array's space says which.
struct Ndarray : Object {
  static constexpr Layout kLayout = kNdarrayLayout;
  Ndarray(Type* type, rt::Array array, Value owner = Value::none())
      : Object(type), array(std::move(array)), owner(std::move(owner)) {}
  rt::Array array;
  Value owner;          // of the memory, if this is a view: `.base`
  bool frozen = false;  // read-only because flags.writeable was set so, and may be set back
};

// A NumPy scalar: a number of one dtype. What a reduction gives may still be pending.
struct Generic : Object {
  static constexpr Layout kLayout = kGenericLayout;
  Generic(Type* type, const rt::Scalar& number) : Object(type), number_(number) {}
  Generic(Type* type, rt::Array pending)
      : Object(type), pending_(std::make_unique<rt::Array>(std::move(pending))) {}

  rt::DType dtype() const { return pending_ ? pending_->dtype() : number_.dtype(); }
  bool pending() const { return pending_ != nullptr; }
  // Waits for a pending one.
  const rt::Scalar& number(rt::Session& session) {
    if (pending_) settle(session);
    return number_;
  }
  const rt::Scalar& ready_number() const { return number_; }  // of one that is not pending
  // As an argument: the pending array, or the number.
  rt::Operand operand() const;
  // A 0-d array of the host.
  rt::Array array(rt::Session& session) const;

 private:
  void settle(rt::Session& session);

  rt::Scalar number_;
  std::unique_ptr<rt::Array> pending_;
};

struct DTypeObject : Object {
  static constexpr Layout kLayout = kDTypeLayout;
  DTypeObject(Type* type, rt::DType dtype) : Object(type), dtype(dtype) {}
  rt::DType dtype;
};

}  // namespace gpy
