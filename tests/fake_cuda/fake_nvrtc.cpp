// A compiler that makes no code: its cubin is an ELF header and the names of the kernels, its PTX a
// version and the kernels' entries, which is what the fake driver looks for.
#include <elf.h>
#include <nvrtc.h>

#include <cctype>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "fake_cuda.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#define ENTER(function) \
  if (fake_cuda_enter(function)) return NVRTC_ERROR_OUT_OF_MEMORY

struct _nvrtcProgram {
  std::string source, image, ptx;
  std::map<std::string, std::string> lowered;  // of name expressions
};

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The word before the parameters of the kernel that is declared at `at`.
std::string kernel_name(const std::string& source, size_t at) {
  size_t open = source.find('(', at);
  const size_t bounds = source.find("__launch_bounds__", at);
  if (bounds < open) open = source.find('(', source.find(')', open));
  if (open == source.npos) return "";
  size_t end = open;
  while (end > at && !is_word(source[end - 1])) --end;
  size_t begin = end;
  while (begin > at && is_word(source[begin - 1])) --begin;
  return source.substr(begin, end - begin);
}

std::vector<std::string> kernel_names(const _nvrtcProgram& program) {
  std::vector<std::string> names;
  for (size_t at = program.source.find("__global__"); at != std::string::npos;
       at = program.source.find("__global__", at + 1)) {
    names.push_back(kernel_name(program.source, at + 10));
  }
  for (const auto& [expression, name] : program.lowered) names.push_back(name);
  return names;
}

std::string make_ptx(const std::vector<std::string>& kernels) {
  std::string text = "//\n.version 9.0\n.target sm_90\n";
  for (const std::string& name : kernels) text += ".visible .entry " + name + "()\n";
  return text;
}

std::string make_image(const std::vector<std::string>& kernels) {
  std::string names(1, '\0');
  for (const std::string& name : kernels) names += name + '\0';
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_shoff = sizeof header + names.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + names;
}

}  // namespace

EXPORT const char* nvrtcGetErrorString(nvrtcResult) { return "as the test asked"; }

EXPORT nvrtcResult nvrtcVersion(int* major, int* minor) {
  ENTER("nvrtcVersion");
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  ENTER("nvrtcGetNumSupportedArchs");
  *count = 1;
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetSupportedArchs(int* all) {
  ENTER("nvrtcGetSupportedArchs");
  all[0] = 90;
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char*, int,
                                      const char* const*, const char* const*) {
  ENTER("nvrtcCreateProgram");
  *program = new _nvrtcProgram{source, {}, {}, {}};
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  delete *program;
  ENTER("nvrtcDestroyProgram");
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count,
                                       const char* const* options) {
  ENTER("nvrtcCompileProgram");
  const std::vector<std::string> kernels = kernel_names(*program);
  bool of_a_device = true;  // false: there is PTX alone
  for (int i = 0; i < count; ++i) of_a_device &= !std::strstr(options[i], "=compute_");
  program->image = of_a_device ? make_image(kernels) : "";
  program->ptx = make_ptx(kernels);
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  ENTER("nvrtcAddNameExpression");
  program->lowered[expression] = "lowered_" + std::to_string(program->lowered.size());
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression,
                                       const char** name) {
  ENTER("nvrtcGetLoweredName");
  *name = program->lowered[expression].c_str();
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, size_t* bytes) {
  ENTER("nvrtcGetProgramLogSize");
  *bytes = 1;
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char* log) {
  ENTER("nvrtcGetProgramLog");
  *log = 0;
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  ENTER("nvrtcGetCUBINSize");
  *bytes = program->image.size();
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) {
  ENTER("nvrtcGetCUBIN");
  std::memcpy(image, program->image.data(), program->image.size());
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  ENTER("nvrtcGetPTXSize");
  *bytes = program->ptx.size() + 1;
  return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
  ENTER("nvrtcGetPTX");
  std::memcpy(text, program->ptx.c_str(), program->ptx.size() + 1);
  return NVRTC_SUCCESS;
}
