#pragma once

// What is to be known of a user's text before it is compiled for the CPU.

#include <string>
#include <vector>

#include "runtime/host_kernel/thread_loops.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

struct UserSource {
  std::string before;  // what replaces CUDA's headers
  std::string own;     // the text itself, without what C++ does not have
  ThreadLoops looped;  // the same with second forms of kernels; empty where none has one
  bool meets = false;  // its threads wait for each other
  bool prints = false;
  bool checked = false;         // each thread is told apart
  bool own_names_only = false;  // kOwnNamesOnly
  bool includes = false;        // files of the system or of the user
  std::vector<KernelDeclaration> kernels;
  std::vector<std::string> options;    // whose macros the text sees
  std::vector<std::string> instances;  // of templates

  bool has_loops() const { return !looped.functions.empty(); }
  // The text for the compiler, with the shim around it. `stack_shift` as in host_shim.h.
  std::string whole_text(unsigned stack_shift, bool in_loops) const;
};

// `name` is the kernel's, for errors.
UserSource read_source(const std::string& source, const std::string& name);

}  // namespace gpy::rt
