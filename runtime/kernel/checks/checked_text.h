#pragma once

// Generated kernels in their checked form: the accesses of user text to raw parameters.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/generated.h"

namespace gpy::rt {

// A generated kernel for the arguments of one call and those like them.
struct GeneratedKernel {
  UserKernels& kernels;
  const std::string& name;
  std::span<const std::string> options;
  std::span<const Bound> bound;
  Place place;
  const char* reader = "";  // behind the name: of several entries, the one that reads the arguments
};
// The text, checked or not.
using TextOf = std::function<std::string(std::span<const Bound>, bool checked)>;
// Compiles it and notes it among the versions: one that is not checked takes the place of its
// checked form. In that one raw parameters are checked; a text that does not compile so is left as
// it is, but for what the host's compiler checks.
std::shared_ptr<UserModule> compile_version(const GeneratedKernel& kernel, bool checked,
                                            const TextOf& text_of,
                                            std::vector<CompiledVersion>& versions);

// Whether the session asks for the checks of generated kernels.
bool checks_generated(const Session& session, Place place);
// The checks of a generated kernel's launch, where the session asks for them. `kernel` is kept by
// the kernel of the script, null at first; `names` are those of its parameters and what else its
// text numbers, null where that is nothing.
std::optional<CheckedLaunch> checked_launch(const Session& session, Place place,
                                            std::shared_ptr<CheckedKernel>& kernel,
                                            std::span<const Bound> bound,
                                            std::span<const LentMemory> lent,
                                            std::shared_ptr<const ArrayNames> names = nullptr);

}  // namespace gpy::rt
