#pragma once

// Compiles source text to code that the driver loads: from the disk cache, else by NVRTC. The same
// for generated kernels and for users'.

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/backend.h"
#include "runtime/kernel/disk_cache.h"
#include "runtime/cuda/nvrtc.h"

namespace gpy::rt::cuda {

// The form in which code is handed to the driver. A driver older than NVRTC may refuse its cubins;
// it translates PTX itself, once that is labelled with a version that it knows. Kernels here need
// nothing that is newer than CUDA 12.
struct CodeForm {
  int ptx_version = 0;  // 83: PTX 8.3; 0: a cubin
};
// NVRTC's option for a form, and NVRTC's code in that form.
std::string option_of(const CodeForm& form, int target);
std::string in_form(const CodeForm& form, std::string code);

class Compiler {
 public:
  // Counts what it compiles and loads in `counters`.
  Compiler(std::unique_ptr<Nvrtc> nvrtc, int compute_capability, CodeForm form,
           std::string cache_folder, Counters& counters);

  struct Unit {
    const std::string& source;
    std::string name;  // of the text, in messages
    std::span<const std::string> options;
    std::span<const std::string> name_expressions = {};
    bool keep = true;  // in the disk cache
  };
  struct Binary {
    std::string code;
    std::vector<std::string> lowered_names;  // of the name expressions
    bool from_cache = false;
    std::string log = {};  // the compiler's messages, if it was asked
  };
  // Throws kCompile with the compiler's log.
  Binary compile(const Unit& unit);
  // Compiles a cached binary that does not load again, with one warning.
  Binary recompile(const Unit& unit);

  // For people to read. Throw kCompile as compile() does.
  std::string ptx(const Unit& unit) const;
  std::string cubin(const Unit& unit) const;

  // 90: the highest architecture of the device's generation that `nvrtc` makes code for; 0 if none.
  static int target_of(const Nvrtc& nvrtc, int compute_capability);

 private:
  std::string identity_of(const Unit& unit) const;
  std::optional<Binary> try_kept(const std::string& identity);
  Binary build(const Unit& unit, const std::string& identity);
  Nvrtc::Result run(const Unit& unit, const CodeForm& form) const;

  std::unique_ptr<Nvrtc> nvrtc_;
  CodeForm form_;
  int target_;  // 90: the newest that NVRTC and the device both know
  DiskCache cache_;
  Counters& counters_;
  std::atomic<bool> warned_{false};  // generated and users' kernels are compiled side by side
};

}  // namespace gpy::rt::cuda
