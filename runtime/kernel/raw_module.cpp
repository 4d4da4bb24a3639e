#include "runtime/kernel/raw_module.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/kernel/own_headers.h"
#include "runtime/kernel/raw_parameters.h"
#include "runtime/kernel/texture_references.h"

namespace gpy::rt {

bool is_device_code(std::string_view content) {
  constexpr std::string_view kElf = "\177ELF", kFatBinary = "\x50\xed\x55\xba";
  if (content.starts_with(kElf) || content.starts_with(kFatBinary)) return true;
  const size_t version = content.find(".version ");
  return version != content.npos && content.find(".target ", version) != content.npos &&
         content.find("__global__") == content.npos;
}

RawModule::RawModule(RawSource source) : source_(std::move(source)) {}

std::shared_ptr<UserModule> RawModule::make(Session& session, Place place,
                                            std::span<const std::string> instances) const {
  Backend& backend = session.backend(place);
  if (!source_.binary.empty()) return backend.user_kernels().load(source_.binary, source_.name);
  const std::string text = with_own_headers(with_texture_references(source_.code),
                                            backend.is_host(), source_.translate_complex);
  return backend.user_kernels().compile(text, source_.name, source_.options, instances);
}

// An instance that was not named when the module was made has a module of its own.
std::shared_ptr<UserModule> RawModule::module(Session& session, Place place,
                                              const std::string& name) {
  const bool apart = source_.binary.empty() && is_instance_name(name) &&
                     std::ranges::find(source_.instances, name) == source_.instances.end();
  std::shared_ptr<UserModule>& known = modules_[fmt::format("{}:{}", place, apart ? name : "")];
  if (!known) known = make(session, place, apart ? std::span(&name, 1) : source_.instances);
  return known;
}

std::shared_ptr<UserFunction> RawModule::function(Session& session, Place place,
                                                  const std::string& name) {
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<UserFunction>& function = functions_[fmt::format("{}:{}", place, name)];
  if (!function) function = module(session, place, name)->function(name);
  return function;
}

std::optional<GlobalVariable> RawModule::global(Session& session, Place place,
                                                const std::string& name) {
  const InterruptScope scope(session.interrupt);
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const auto found = module(session, place, "")->global(name);
  if (found) shared_ = true;
  return found;
}

std::string RawModule::compile(Session& session, Place place) {
  const InterruptScope scope(session.interrupt);
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  return module(session, place, "")->log();
}

}  // namespace gpy::rt
