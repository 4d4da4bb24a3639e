#pragma once

// LAPACK's eigenvalues of one column-major matrix after another. Routines are asked for their work
// memory once; each thread that calls them brings its own.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// The memory that a call works in.
struct Room {
  std::vector<std::byte> elements, reals;
  std::vector<int> integers;
};

// What a routine for n x n matrices asks for, in elements of each kind.
struct RoomSize {
  DType dtype;
  int64_t elements, reals, integers;

  size_t bytes() const;
  Room make() const;
};

// syevd and heevd: hermitian matrices, of which one triangle is read. a becomes the vectors.
class HermitianEigen {
 public:
  HermitianEigen(DType dtype, int64_t n, bool upper, bool vectors);

  int64_t order() const { return n_; }
  const RoomSize& room() const { return room_; }
  // w: n reals, ascending.
  void run(void* a, void* w, Room& room, int* info) const;

 private:
  struct Work;
  void call(void* a, void* w, const Work& work, int* info) const;

  DType dtype_;
  int n_;
  char triangle_, job_;
  RoomSize room_;
};

// geev: any matrices, which are destroyed.
class GeneralEigen {
 public:
  GeneralEigen(DType dtype, int64_t n, bool vectors);

  int64_t order() const { return n_; }
  const RoomSize& room() const { return room_; }
  // w: n complex numbers; v: the right vectors as geev gives them, in the type of a.
  void run(void* a, void* w, void* v, Room& room, int* info) const;

 private:
  void call(void* a, void* w, void* v, void* elements, int size, void* reals, int* info) const;

  DType dtype_;
  int n_;
  char job_;
  RoomSize room_;
};

}  // namespace gpy::rt
