#include "runtime/kernel/raw_module.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/kernel/global_variables.h"
#include "runtime/kernel/own_headers.h"
#include "runtime/kernel/raw_parameters.h"
#include "runtime/kernel/texture_references.h"
#include "runtime/kernel/unclosed_brace.h"

namespace gpy::rt {

bool is_device_code(std::string_view content) {
  constexpr std::string_view kElf = "\177ELF", kFatBinary = "\x50\xed\x55\xba";
  if (content.starts_with(kElf) || content.starts_with(kFatBinary)) return true;
  const size_t version = content.find(".version ");
  return version != content.npos && content.find(".target ", version) != content.npos &&
         content.find("__global__") == content.npos;
}

RawModule::RawModule(RawSource source) : source_(std::move(source)) {}

const CheckedSource& RawModule::checked(Form form) {
  const auto [at, is_new] = checked_.try_emplace(form);
  if (is_new) {
    at->second = form == Form::kWatched ? watched_source(source_.code)
                                        : checked_source(source_.code, form == Form::kChecked);
  }
  return at->second;
}

std::shared_ptr<UserModule> RawModule::make(Session& session, Place place,
                                            std::span<const std::string> instances, Form form) {
  Backend& backend = session.backend(place);
  if (!source_.binary.empty()) return backend.user_kernels().load(source_.binary, source_.name);
  const std::string& code = form == Form::kPlain ? source_.code : checked(form).text;
  const std::string text =
      with_own_headers(with_texture_references(code), backend.is_host(), source_.translate_complex);
  try {
    return backend.user_kernels().compile(text, source_.name, source_.options, instances);
  } catch (const Error& error) {
    const std::string brace =
        error.kind() == ErrorKind::kCompile ? unclosed_brace(source_.code) : "";
    if (brace.empty()) throw;
    fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}: error: this brace is not closed",
         source_.name, brace);
  }
}

// An instance that was not named when the module was made has a module of its own.
std::shared_ptr<UserModule> RawModule::module(Session& session, Place place,
                                              const std::string& name, Form form) {
  const bool apart = source_.binary.empty() && is_instance_name(name) &&
                     std::ranges::find(source_.instances, name) == source_.instances.end();
  std::shared_ptr<UserModule>& known =
      modules_[fmt::format("{}:{}:{}", place, static_cast<int>(form), apart ? name : "")];
  if (!known) known = make(session, place, apart ? std::span(&name, 1) : source_.instances, form);
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

void RawModule::pair_variables(Session& session, Place place, const std::string& name, Form form,
                               CheckedKernel& kernel) {
  for (const GlobalDeclaration& each : find_globals(with_texture_references(source_.code))) {
    const auto plain = module(session, place, name)->global(each.name);
    const auto checked = module(session, place, name, form)->global(each.name);
    if (plain && checked && plain->bytes == checked->bytes)
      kernel.variables.push_back({*plain, *checked});
  }
}

// Not every text compiles with checked pointers: what cannot be checked is left out then.
std::shared_ptr<CheckedKernel> RawModule::make_checked(Session& session, Place place,
                                                       const std::string& name, Form form) {
  try {
    auto made = std::make_shared<CheckedKernel>();
    made->function = module(session, place, name, form)->function(name);
    made->names = checked(form).names;
    const auto& parameters = checked(form).parameters;
    const auto found = parameters.find(std::string(template_name(name)));
    if (found != parameters.end()) made->parameters = found->second;
    pair_variables(session, place, name, form, *made);
    return made;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCompile) throw;
  }
  if (form == Form::kChecked) {
    module(session, place, name);  // the user's own mistakes are told of the text as it is
    return make_checked(session, place, name, Form::kPassed);
  }
  note_warning(
      fmt::format("kernel '{}': the bounds of its arrays are not checked, since its text "
                  "does not compile with checked pointers",
                  name));
  const bool watch = form == Form::kPassed && session.backend(place).is_host();
  return watch ? make_checked(session, place, name, Form::kWatched) : nullptr;
}

std::shared_ptr<CheckedKernel> RawModule::checked_kernel(Session& session, Place place,
                                                         const std::string& name) {
  if (!source_.binary.empty()) return nullptr;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = checked_kernels_.try_emplace(fmt::format("{}:{}", place, name));
  if (is_new) {
    try {
      at->second = make_checked(session, place, name, Form::kChecked);
    } catch (...) {
      checked_kernels_.erase(at);
      throw;
    }
  }
  return at->second;
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
