#pragma once
// numpy, cupy and gp are one set of functions under three policies: where an array is made when
// nothing else decides. A module's natives find theirs in args.callee().context.

#include <cstdint>

#include "runtime/session.h"
#include "src/native.h"

namespace gpy {

struct Namespace {
  enum class Kind : uint8_t { numpy, cupy, gp };
  Kind kind;
  const char* name;

  bool is_numpy() const { return kind == Kind::numpy; }
  bool is_cupy() const { return kind == Kind::cupy; }
  // The space in which this namespace makes its arrays now.
  rt::Space space(const rt::Session& session) const;
  // The context for make_module; natives only read it.
  void* context() const { return const_cast<Namespace*>(this); }
};

extern const Namespace kNumpy, kCupy, kGp;

// The namespace whose function was called; null for a method.
const Namespace* namespace_of(const Args& args);
// The same, with numpy for methods: arrays in the arguments decide anyway.
const Namespace& namespace_or_numpy(const Args& args);

}  // namespace gpy
