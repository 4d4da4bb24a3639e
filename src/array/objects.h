#pragma once
// Arrays, NumPy's scalars and dtypes as objects of the language.

#include <memory>

#include "runtime/core/array.h"
#include "runtime/session.h"
#include "src/value.h"

namespace gpy {

inline constexpr ObjectLayout kNdarrayLayout = static_cast<ObjectLayout>(64);
inline constexpr ObjectLayout kGenericLayout = static_cast<ObjectLayout>(65);
inline constexpr ObjectLayout kDTypeLayout = static_cast<ObjectLayout>(66);
inline constexpr ObjectLayout kUfuncLayout = static_cast<ObjectLayout>(67);
inline constexpr ObjectLayout kArrayIteratorLayout = static_cast<ObjectLayout>(68);
inline constexpr ObjectLayout kFlatIteratorLayout = static_cast<ObjectLayout>(69);
inline constexpr ObjectLayout kFlagsLayout = static_cast<ObjectLayout>(70);
// User kernels (src/kernel).
inline constexpr ObjectLayout kElementwiseLayout = static_cast<ObjectLayout>(80);
inline constexpr ObjectLayout kReductionLayout = static_cast<ObjectLayout>(81);
inline constexpr ObjectLayout kRawKernelLayout = static_cast<ObjectLayout>(82);
inline constexpr ObjectLayout kRawModuleLayout = static_cast<ObjectLayout>(83);
inline constexpr ObjectLayout kRawLaunchLayout = static_cast<ObjectLayout>(84);
inline constexpr ObjectLayout kFusedLayout = static_cast<ObjectLayout>(85);
inline constexpr ObjectLayout kCompiledLayout = static_cast<ObjectLayout>(86);
inline constexpr ObjectLayout kGridFunctionLayout = static_cast<ObjectLayout>(87);
inline constexpr ObjectLayout kGridLaunchLayout = static_cast<ObjectLayout>(88);
inline constexpr ObjectLayout kIntrinsicLayout = static_cast<ObjectLayout>(89);
inline constexpr ObjectLayout kScanLayout = static_cast<ObjectLayout>(93);
inline constexpr ObjectLayout kStencilLayout = static_cast<ObjectLayout>(94);
inline constexpr ObjectLayout kKernelParameterLayout = static_cast<ObjectLayout>(95);
// Layouts from this one on are for the objects of a library above this floor.
inline constexpr ObjectLayout kFirstLibraryLayout = static_cast<ObjectLayout>(96);

// numpy.ndarray, cupy.ndarray and gpy.ndarray: the array's space says which.
struct Ndarray : Object {
  static constexpr ObjectLayout kLayout = kNdarrayLayout;
  Ndarray(Type* type, rt::Array array, Value owner = Value::none())
      : Object(type), array(std::move(array)), owner(std::move(owner)) {}
  rt::Array array;
  Value owner;          // of the memory, if this is a view: `.base`
  bool frozen = false;  // read-only because flags.writeable was set so, and may be set back
};

// A NumPy scalar: a number of one dtype. What a reduction gives may still be pending.
struct Generic : Object {
  static constexpr ObjectLayout kLayout = kGenericLayout;
  Generic(Type* type, const rt::Scalar& number) : Object(type), number_(number) {}
  Generic(Type* type, rt::Array pending)
      : Object(type), pending_(std::make_unique<rt::Array>(std::move(pending))) {}

  rt::DType dtype() const { return pending_ ? pending_->dtype() : number_.dtype(); }
  bool pending() const { return pending_ != nullptr; }
  // Waits for the number if it is pending.
  const rt::Scalar& number(rt::Session& session) {
    if (pending_) settle(session);
    return number_;
  }
  const rt::Scalar& ready_number() const { return number_; }  // of one that is not pending
  // The scalar as an operand: the pending array, or the number.
  rt::Operand operand() const;
  // The scalar as a 0-d array of the host.
  rt::Array array(rt::Session& session) const;

 private:
  void settle(rt::Session& session);

  rt::Scalar number_;
  std::unique_ptr<rt::Array> pending_;
};

struct DTypeObject : Object {
  static constexpr ObjectLayout kLayout = kDTypeLayout;
  DTypeObject(Type* type, rt::DType dtype) : Object(type), dtype(dtype) {}
  rt::DType dtype;
};

}  // namespace gpy
