#include "runtime/cuda/code_texts.h"

#include "runtime/core/error.h"
#include "runtime/cuda/libraries.h"
#include "runtime/kernel/fixed_text.h"
#include "runtime/kernel/run_program.h"

namespace gpy::rt::cuda {
namespace {

constexpr const char* kCubin = "kernel.cubin";

bool is_machine_code(std::string_view code) {
  return code.starts_with(
      "\x7f"
      "ELF");
}

// nvdisasm of the path, else of a toolkit.
std::vector<std::string> disassemblers() {
  std::vector<std::string> found = {"nvdisasm"};
  for (const std::string& folder : cuda_program_folders()) found.push_back(folder + "/nvdisasm");
  return found;
}

std::string disassembled(const std::string& code) {
  const WorkFolder folder;
  write_file(folder / kCubin, code);
  for (const std::string& program : disassemblers()) {
    const ProgramEnding ending =
        run_program({program, "--print-code", (folder / kCubin).string()}, folder);
    if (ending.is_good()) return program_output(folder);
    if (ending.missing) continue;
    fail(ErrorKind::kRuntime, "{} cannot show this code: {}", program,
         ending.timed_out ? "it did not end in time" : program_messages(folder));
  }
  fail(ErrorKind::kNotImplemented,
       "machine code is shown by CUDA's nvdisasm, and none was found: put it on PATH, or name the "
       "toolkit's folder in GPY_CUDA_PATH");
}

}  // namespace

Compiler::Unit UserText::unit(std::span<const std::string> name_expressions) const {
  return {source, name, options, name_expressions, is_fixed_text(source)};
}

std::string CodeTexts::ptx() const {
  if (compiler_) return compiler_->ptx(text_.unit(text_.instances));
  if (code_.find(".version") != code_.npos && !is_machine_code(code_)) return code_;
  fail(ErrorKind::kNotImplemented, "a file of machine code has no PTX");
}

std::string CodeTexts::sass() const {
  if (compiler_) return disassembled(compiler_->cubin(text_.unit(text_.instances)));
  if (is_machine_code(code_)) return disassembled(code_);
  fail(ErrorKind::kNotImplemented,
       "the driver makes this file's machine code, and does not show it");
}

}  // namespace gpy::rt::cuda
