#include "src/array/namespace.h"

#include "src/objects/function.h"

namespace gpy {

const Namespace kNumpy{Namespace::Kind::numpy, "numpy"};
const Namespace kCupy{Namespace::Kind::cupy, "cupy"};
const Namespace kGp{Namespace::Kind::gp, "gpy"};

rt::Space Namespace::space(const rt::Session& session) const {
  switch (kind) {
    case Kind::numpy: return rt::Space::host();
    case Kind::cupy: return session.device_space();
    case Kind::gp: break;
  }
  return rt::Space::automatic();
}

const Namespace* namespace_of(const Args& args) {
  return static_cast<const Namespace*>(args.callee().context);
}

const Namespace& namespace_or_numpy(const Args& args) {
  const Namespace* found = namespace_of(args);
  return found ? *found : kNumpy;
}

}  // namespace gpy
