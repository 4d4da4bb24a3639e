#pragma once

// The run-time compiler, opened when it is first needed.

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gpy::rt::cuda {

class Nvrtc {
 public:
  // Null, with the reason in `why_not`, where no NVRTC is found. `driver_version` (13000: CUDA
  // 13.0, 0: any): a version no newer is preferred, since the driver loads its code.
  static std::unique_ptr<Nvrtc> open(int driver_version, std::string* why_not);
  ~Nvrtc();

  struct Result {
    bool ok = false;
    std::string code;  // a cubin; for an architecture "compute_90", PTX
    std::string log;
    std::vector<std::string> lowered_names;  // of the name expressions
  };
  // `name` is the text's name in messages where no #line gives one. May be called from any thread.
  Result compile(const std::string& source, const std::string& name,
                 std::span<const std::string> options,
                 std::span<const std::string> name_expressions = {});

  // "13.0", part of a cached kernel's identity.
  const std::string& version() const { return version_; }
  int cuda_version() const { return cuda_version_; }  // 13000
  bool supports(int compute_capability) const;

 private:
  struct Functions;
  Nvrtc();

  std::unique_ptr<const Functions> functions_;
  std::string version_;
  int cuda_version_ = 0;
  std::vector<int> architectures_;
};

}  // namespace gpy::rt::cuda
