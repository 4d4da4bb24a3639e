#include "runtime/cpu/blas.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/cpu/instruction_set.h"

namespace gpy::rt {
namespace {

std::string program_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return ".";
  const std::string_view whole(path, static_cast<size_t>(length));
  return std::string(whole.substr(0, whole.rfind('/')));
}

void* open(const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); }

}  // namespace

void choose_openblas_core_type() {
  if (instruction_set() != InstructionSet::kAvx512) return;
  setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
}

Blas::Blas() {
  const std::string folder = program_folder();
  for (const std::string& name : {folder + "/lib/libopenblas.so.0", folder + "/libopenblas.so.0",
                                  std::string("libopenblas.so.0"), std::string("libopenblas.so")}) {
    if (void* library = open(name); library && dlsym(library, "dgemm_")) {
      blas_ = library;
      lapack_ = dlsym(library, "dgetrf_") ? library : nullptr;
      path_ = name;
      break;
    }
  }
  if (!blas_ && (blas_ = open("libblas.so.3"))) path_ = "libblas.so.3";
  if (!lapack_) lapack_ = open("liblapack.so.3");
  if (!lapack_) {
    missing_ =
        "LAPACK was not found; install OpenBLAS (on Debian and Ubuntu: apt-get install "
        "libopenblas0), or put libopenblas.so.0 beside the program";
  }
}

const Blas& Blas::get() {
  static const Blas blas;
  return blas;
}

void* Blas::symbol(DType dtype, std::string_view name) const {
  const char letter = dtype == DType::kFloat32     ? 's'
                      : dtype == DType::kFloat64   ? 'd'
                      : dtype == DType::kComplex64 ? 'c'
                                                   : 'z';
  const std::string full = letter + std::string(name) + "_";
  for (void* library : {blas_, lapack_}) {
    if (void* found = library ? dlsym(library, full.c_str()) : nullptr) return found;
  }
  fail(ErrorKind::kNotImplemented, "{} is not there: {}", full,
       missing_.empty() ? "the BLAS library lacks it" : missing_);
}

}  // namespace gpy::rt
