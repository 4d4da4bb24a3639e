#pragma once

// Errors that keep the facts behind their message, for callers that word it anew.

#include <cstring>

#include "runtime/core/error.h"
#include "runtime/core/layout.h"
#include "runtime/core/origin.h"

namespace gpy::rt {

// "[Errno 2] No such file or directory: 'x.npy'"
class OsError : public Error {
 public:
  OsError(int code, std::string path)
      : Error(ErrorKind::kOs, fmt::format("[Errno {}] {}: '{}'", code, std::strerror(code), path)),
        code_(code),
        path_(std::move(path)) {}
  int code() const { return code_; }
  const std::string& path() const { return path_; }

 private:
  int code_;
  std::string path_;
};

// "axis 2 is out of bounds for array of dimension 1"
class AxisError : public Error {
 public:
  AxisError(int64_t axis, int rank)
      : Error(ErrorKind::kAxis,
              fmt::format("axis {} is out of bounds for array of dimension {}", axis, rank)),
        axis_(axis),
        rank_(rank) {}
  int64_t axis() const { return axis_; }
  int rank() const { return rank_; }

 private:
  int64_t axis_;
  int rank_;
};

// The host has no more memory; a plain kMemory error means a device's.
class HostMemoryError : public Error {
 public:
  explicit HostMemoryError(const std::string& message) : Error(ErrorKind::kMemory, message) {}
};

// A user's kernel on the host did something that would end the process.
class KernelFaultError : public Error {
 public:
  KernelFaultError(const std::string& message, std::string doubt)
      : Error(ErrorKind::kKernelFault, message), doubt_(std::move(doubt)) {}
  const std::string& doubt() const { return doubt_; }  // what cannot be trusted any more

 private:
  std::string doubt_;
};

// There is no memory for an array; callers that know its purpose word the message anew.
class ArrayMemoryError : public Error {
 public:
  ArrayMemoryError(const std::string& message, bool on_host, const Layout& layout, Origin origin)
      : Error(ErrorKind::kMemory, message),
        on_host_(on_host),
        layout_(layout),
        origin_(std::move(origin)) {}
  bool on_host() const { return on_host_; }
  const Layout& layout() const { return layout_; }
  const Origin& origin() const { return origin_; }  // unknown: the array was made where it failed

 private:
  bool on_host_;
  Layout layout_;
  Origin origin_;
};

// An error about one matrix, numbered from 0, of a stack of `count`.
class MatrixError : public Error {
 public:
  MatrixError(const std::string& message, int64_t matrix, int64_t count)
      : Error(ErrorKind::kLinAlg, message), matrix_(matrix), count_(count) {}
  int64_t matrix() const { return matrix_; }
  int64_t count() const { return count_; }

 private:
  int64_t matrix_, count_;
};

// The matrix has a zero pivot in row `pivot`, counted from 0.
class SingularError : public MatrixError {
 public:
  SingularError(int64_t matrix, int64_t count, int64_t pivot)
      : MatrixError("Singular matrix", matrix, count), pivot_(pivot) {}
  int64_t pivot() const { return pivot_; }

 private:
  int64_t pivot_;
};

// The matrix has no Cholesky factor: its leading minor of order `minor` is not positive.
// `asymmetry`: its largest difference from its adjoint.
class NotPositiveError : public MatrixError {
 public:
  NotPositiveError(int64_t matrix, int64_t count, int64_t minor, double asymmetry)
      : MatrixError("Matrix is not positive definite", matrix, count),
        minor_(minor),
        asymmetry_(asymmetry) {}
  int64_t minor() const { return minor_; }
  double asymmetry() const { return asymmetry_; }

 private:
  int64_t minor_;
  double asymmetry_;
};

}  // namespace gpy::rt
