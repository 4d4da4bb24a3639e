#pragma once

// Whole CUDA source with kernels and variables, or a device's code for them.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/user_kernel.h"
#include "runtime/session.h"

namespace gpy::rt {

struct RawSource {
  std::string code;    // CUDA C++; empty if there is `binary`
  std::string binary;  // of a .cubin, .fatbin or .ptx file
  std::string name;    // in messages
  std::vector<std::string> options;
  std::vector<std::string> instances;  // of templates: "f<float>"
  bool translate_complex = false;      // cuComplex.h is gpy's own
  bool cooperative = false;            // launches are: their blocks may wait for one another
};

// Whether the content of a file is a device's code, and not source text.
bool is_device_code(std::string_view content);

class RawModule : public std::enable_shared_from_this<RawModule> {
 public:
  explicit RawModule(RawSource source);

  const RawSource& source() const { return source_; }
  // These compile for the place at first use. Throw kCompile, or kValue if there is no such kernel.
  std::shared_ptr<UserFunction> function(Session& session, Place place, const std::string& name);
  // The same, checked while it runs. Null where there is no text that could be; a note tells why.
  std::shared_ptr<CheckedKernel> checked_kernel(Session& session, Place place,
                                                const std::string& name);
  // nullopt if there is no such variable. From here on a script may write it at any time.
  std::optional<GlobalVariable> global(Session& session, Place place, const std::string& name);
  // Compiles and gives the compiler's messages.
  std::string compile(Session& session, Place place);

  // Whether somebody has the address of a variable.
  bool is_shared() const { return shared_; }

 private:
  // kChecked: as far as may be; kPassed: what kernels are passed; kWatched: by the compiler alone.
  enum class Form : uint8_t { kPlain, kChecked, kPassed, kWatched };
  std::shared_ptr<UserModule> module(Session& session, Place place, const std::string& name,
                                     Form form = Form::kPlain);
  std::shared_ptr<CheckedKernel> make_checked(Session& session, Place place,
                                              const std::string& name, Form form);
  void pair_variables(Session& session, Place place, const std::string& name, Form form,
                      CheckedKernel& kernel);
  std::shared_ptr<UserModule> make(Session& session, Place place,
                                   std::span<const std::string> instances, Form form);
  const CheckedSource& checked(Form form);

  RawSource source_;
  std::map<Form, CheckedSource> checked_;
  ForkSafe<std::mutex> mutex_;
  // By the place, and by the instance where that has a module of its own.
  std::unordered_map<std::string, std::shared_ptr<UserModule>> modules_;
  std::unordered_map<std::string, std::shared_ptr<UserFunction>> functions_;
  std::unordered_map<std::string, std::shared_ptr<CheckedKernel>> checked_kernels_;
  std::atomic<bool> shared_{false};
};

}  // namespace gpy::rt
