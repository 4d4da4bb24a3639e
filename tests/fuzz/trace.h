#pragma once

// A random array program, as the statements it ran: what the fuzzer plays to the reference model
// and to the engine, lazily and eagerly. Control flow is unrolled into the trace; a branch that the
// engine would take another way is a difference like any other.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"

namespace gpy::fuzz {

enum class Verb : uint8_t {
  kCreate,      // dst = dense random array of dtype, shape; contents from `seed`
  kAlias,       // dst = a: the same handle
  kCopy,        // dst = a.copy()
  kCast,        // dst = a.astype(dtype)
  kView,        // dst = a.view(dtype)
  kSlice,       // dst = a[start:stop:step on each axis]
  kTranspose,   // dst = a.transpose(list)
  kReshape,     // dst = a.reshape(list)
  kBroadcast,   // dst = broadcast_to(a, list)
  kUnary,       // dst = op(a)
  kBinary,      // dst = op(a, b or number)
  kReduce,      // dst = op.reduce(a, axes in list)
  kScan,        // dst = op.accumulate(a, axis list[0])
  kGather,      // dst = a[index array b] on axis 0, or an IndexError
  kGatherHalf,  // the same with b.view(int32), b of int64
  kLend,        // dst = memory of a host; contents from `seed`
  kHostWrite,   // the host fills the memory that it lent as a with contents from `seed`
  kEndLoan,     // the host takes the memory that it lent as a back, and scribbles over it
  kAssign,      // a[...] = b or number
  kInPlace,     // the host takes the memory that it lent as a back, and overwrites it
  kScatter,     // a[index array b] = number
  kMaskAssign,  // a[b] = number, b of bools
  kForce,       // print(a)
  kBranch,      // if a.flat[list[0]] > number: taken or not
  kDelete,      // del a
};

struct Slice {
  int64_t start, stop, step;
};

struct Statement {
  Verb verb = Verb::kForce;
  int dst = -1, a = -1, b = -1;  // variables; b < 0: `number`
  std::string op;
  rt::DType dtype = rt::DType::kFloat64;
  rt::Dims list;
  std::vector<Slice> slices;
  double number = 0;
  uint64_t seed = 0;
  bool taken = false;
};

std::string to_text(const Statement& statement);

// The content of a variable, bit by bit.
struct Content {
  rt::DType dtype = rt::DType::kFloat64;
  rt::Dims shape;
  std::vector<std::byte> bytes;  // C order
  friend bool operator==(const Content&, const Content&) = default;
};

// Plays statements. `run` is false where a branch went another way or an index was refused.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual bool run(const Statement& statement) = 0;
  virtual Content content(int variable) = 0;
};

// Deterministic contents for kCreate, the same for every machine: small numbers, some of them
// repeated; whole ones for integers. The imaginary part of `x` is imaginary_beside(x).
std::vector<double> contents(uint64_t seed, int64_t count, rt::DType dtype);
inline double imaginary_beside(double x) { return x / 2 - 1; }

}  // namespace gpy::fuzz
