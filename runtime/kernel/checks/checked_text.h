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

// Compiles the text that `text_of` makes, checked or not, with raw parameters that are checked. A
// text that does not compile so is left as it is, but for what the host's compiler checks.
using TextOf = std::function<std::string(std::span<const Bound>, bool checked)>;
std::shared_ptr<UserModule> compile_checked(UserKernels& kernels, const std::string& name,
                                            std::span<const std::string> options,
                                            std::span<const Bound> bound, const TextOf& text_of);

// The checks of a generated kernel's launch, where the session asks for them. `kernel` is kept by
// the kernel of the script, null at first; `names` are those of its parameters and what else its
// text numbers, null where that is nothing.
std::optional<CheckedLaunch> checked_launch(const Session& session, Place place,
                                            std::shared_ptr<CheckedKernel>& kernel,
                                            std::span<const Bound> bound,
                                            std::span<const LentMemory> lent,
                                            std::shared_ptr<const ArrayNames> names = nullptr);

}  // namespace gpy::rt
