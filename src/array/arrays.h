#pragma once
// The state of one interpreter for arrays: its session with the runtime, and the types of arrays,
// of NumPy's scalars and of dtypes.

#include <array>
#include <memory>
#include <string>

#include "runtime/session.h"
#include "runtime/text/print_options.h"
#include "src/array/objects.h"
#include "src/array/told_addresses.h"
#include "src/interpreter.h"

namespace gpy {

class Arrays : public rt::Session {
 public:
  Arrays(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime);

  Interpreter& vm;

  Type *numpy_array, *cupy_array, *gp_array;
  Type* generic;                              // numpy.generic, above all scalars
  std::vector<Type*> abstract_scalars;        // number, integer, ... down to the dtypes' own
  std::array<Type*, rt::kTypeCodes> scalars;  // float32, ...
  Type* dtype;                                // and a type of each: numpy.dtypes.Int64DType
  std::array<Type*, rt::kTypeCodes> dtype_types;
  std::array<DTypeObject*, rt::kTypeCodes> dtypes;  // kept by the scalar types
  std::array<Generic*, 2> booleans;                 // np.False_, np.True_: kept by their type
  Type *array_iterator, *flat_iterator, *flags;
  const Type* memory_view = nullptr;  // of ndarray.data, once a script has asked for one
  Type *elementwise_kernel, *reduction_kernel, *raw_kernel, *raw_module, *raw_launch, *fused,
      *compiled, *grid_function, *grid_launch, *intrinsic;
  Type *scan_kernel, *stencil_kernel, *kernel_parameter;

  int64_t parallel_threads = 0;  // of loops of compiled functions; 0: as many as there are

  std::vector<uint64_t> compiled_random;  // the random numbers' state of compiled functions

  rt::PrintOptions print_options;
  ToldAddresses told_addresses;

  // The library's object that answers, by `__array_function__`, for arrays of what no DType is:
  // text, dates, records, objects, long doubles. Its `dtype` reads what names their dtypes.
  Value (*other_kinds)(Interpreter&) = nullptr;

  Type *axis_error, *ufunc_type_error, *linalg_error, *out_of_memory_error, *cuda_error,
      *compile_error, *translation_error, *kernel_fault_error, *check_error, *device_lost_error;

  Type* array_type(rt::Space space) const;
  bool is_array_type(const Type* type) const;
  // The dtype that a scalar type stands for; nullopt for others.
  std::optional<rt::DType> dtype_of(const Type* scalar_type) const;
};

// The array state of an interpreter that has arrays (install_arrays has run).
inline Arrays& arrays(Interpreter& vm) { return *static_cast<Arrays*>(vm.session.get()); }
inline rt::Session& session(Interpreter& vm) { return arrays(vm); }

// Gives an interpreter arrays on the devices of `runtime`: sets vm.session and the hook that turns
// rt::Error into exceptions, and makes the types. It is called once per interpreter.
void install_arrays(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime);

// One function per group of types, called by install_arrays in this order.
void setup_array_errors(Arrays& arrays);
void setup_dtypes(Arrays& arrays);   // numpy.dtype
void setup_scalars(Arrays& arrays);  // numpy.generic and below, the dtypes' objects
void setup_ndarrays(Arrays& arrays);
void setup_array_iterators(Arrays& arrays);

}  // namespace gpy
