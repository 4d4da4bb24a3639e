#pragma once
// The rules of src/diagnostics about arrays. A fix is suggested only where it fits the actual
// shapes and dtypes.

#include "src/array/arrays.h"
#include "src/diagnostics/failure.h"

namespace gpy {

// Registers the functions below with the interpreter's describers and advisors.
void setup_array_advice(Arrays& arrays);

// "float64 (3,4)", "float64 (3,4) on device 0", "float64 3.0"; empty for any other value.
std::string describe_array(Interpreter& vm, const Value& value);

// One function per family of mistakes; each returns empty advice for failures of another family.
Advice advise_broadcast(const Failure& failure);   // a + b
Advice advise_matmul(const Failure& failure);      // A @ B
Advice advise_reshape(const Failure& failure);     // x.reshape(7, -1)
Advice advise_join(const Failure& failure);        // concatenate
Advice advise_axis(const Failure& failure);        // x.sum(axis=2)
Advice advise_index(const Failure& failure);       // x[10], x[0, 0, 0]
Advice advise_precedence(const Failure& failure);  // a > 0 & b < 1
Advice advise_truth(const Failure& failure);       // if a > 0, and, or
Advice advise_sizes(const Failure& failure);       // zeros(3, 4)
Advice advise_in_place(const Failure& failure);    // a += 0.5
Advice advise_range(const Failure& failure);       // 300 in a uint8 array
Advice advise_cholesky(const Failure& failure);    // a matrix that is not positive definite
Advice advise_linalg(const Failure& failure);      // solve with a singular matrix
Advice advise_device(const Failure& failure);      // host with device, two devices
Advice advise_memory(const Failure& failure);      // out of memory

// --- shared by them ------------------------------------------------------------------------------

// The array of an operand, or null.
const rt::Array* array_of(const FailedOperand& operand);
// The object of a method, or else the first argument, where it is an array.
const FailedOperand* subject_of(const Failure& failure);
bool is_raised_as(const Failure& failure, const Type* type);
// The script's name for the namespace of an array's kind: "np", "cp", "gp".
const char* namespace_name(const rt::Array& array);
// The shape of two together; nullopt where they do not broadcast.
std::optional<rt::Dims> try_broadcast_shapes(const rt::Dims& a, const rt::Dims& b);
rt::Dims reversed(const rt::Dims& shape);  // of the transposed array
// The most axes of a shape that is shown in full; a longer one as code is no useful hint.
constexpr int kMostAxesTold = 8;
// A shape in a few words; one with many axes becomes "(2,3,4,...,5) of 60 axes".
std::string brief_shape(const rt::Dims& shape);
// An operand beside a tightly binding operator: in brackets unless it is a name, a call or an item.
std::string operand_text(const FailedOperand& operand);

}  // namespace gpy
