#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

namespace gpy::rt {

// The kind of an error, in NumPy's terms. The language maps each kind to its exception type.
enum class ErrorKind : uint8_t {
  kType,
  kNoLoop,  // numpy's UFuncTypeError, a TypeError
  kValue,
  kAxis,  // numpy's AxisError: a ValueError and an IndexError
  kIndex,
  kOverflow,
  kZeroDivision,
  kFloatingPoint,
  kMemory,  // only when the device or the allocator said so
  kLinAlg,
  kOs,
  kNotImplemented,
  kCompile,      // a user kernel's text was refused
  kTranslation,  // a body in the language cannot be a kernel
  kKernelFault,  // a user kernel on the host did what would end a process
  kCheck,        // a checked kernel did what it must not
  kDeviceLost,
  kInterrupt,
  kRuntime,
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
};

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(kind, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace gpy::rt
