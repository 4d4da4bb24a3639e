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
  ThreadLoops looped;  // the same, and the options' macros, with second forms of kernels
  bool meets = false;  // its threads wait for each other
  bool prints = false;
  bool checked = false;         // each thread is told apart
  bool own_names_only = false;  // kOwnNamesOnly
  bool includes = false;        // files of the system or of the user
  std::vector<KernelDeclaration> kernels;
  std::vector<std::string> options;    // the macros of which the text sees
  std::vector<std::string> instances;  // of templates

  bool has_loops() const { return !looped.functions.empty(); }
  // The text for the compiler, with the shim around it. `stack_shift` as in host_shim.h.
  std::string whole_text(unsigned stack_shift, bool in_loops) const;
};

// `name` is the kernel's, for errors. `options` are a C++ compiler's.
UserSource read_source(const std::string& source, const std::string& name,
                       std::vector<std::string> options = {});

}  // namespace gpy::rt
