#include "src/command/program_text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "runtime/core/error_facts.h"
#include "runtime/io/file.h"
#include "src/objects/utf8.h"

namespace gpy::command {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  try {
    return rt::read_file(path);
  } catch (const rt::OsError& error) {
    if (error.code() == EISDIR) throw std::runtime_error(path + " is a directory");
    throw std::runtime_error(
        fmt::format("can't open file '{}': {}", path, std::strerror(error.code())));
  } catch (const rt::Error& error) {
    throw std::runtime_error(fmt::format("can't open file: {}", error.message()));
  }
}

static std::string read_standard_input() {
  std::string text;
  std::vector<char> part(1 << 16);
  for (size_t count; (count = std::fread(part.data(), 1, part.size(), stdin)) > 0;) {
    text.append(part.data(), count);
  }
  if (!std::ferror(stdin)) return text;
  throw std::runtime_error(fmt::format("can't read the standard input: {}", std::strerror(errno)));
}

fs::path absolute_path(const fs::path& path) {
  std::error_code failed;
  fs::path found = fs::absolute(path, failed);
  return failed ? path : found;
}

// The folder that imports search first: that of the script itself, not of a link to it.
static std::string folder_of(const fs::path& script) {
  std::error_code failed;
  const fs::path file = fs::canonical(script, failed);
  return (failed ? absolute_path(script) : file).parent_path().string();
}

static std::string current_folder() {
  std::error_code failed;
  return fs::current_path(failed).string();
}

static bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// The program of a folder, as in Python: its __main__, with the folder in place of the script's.
static Program read_folder(const fs::path& folder) {
  for (const char* name : {"__main__.gpy", "__main__.py"}) {
    const fs::path file = folder / name;
    std::error_code failed;
    if (!fs::exists(file, failed)) continue;
    return {escape_bytes(file.string()), read_file(file.string()), folder.string()};
  }
  throw std::runtime_error("can't find '__main__' module in '" + folder.string() + "'");
}

Program read_program(const Options& options) {
  if (options.source == SourceKind::text) return {"<string>", options.operand, ""};
  const std::string name = escape_bytes(options.operand);
  if (options.source == SourceKind::module) return {name, "", current_folder(), true};
  if (options.source != SourceKind::file) return {"<stdin>", read_standard_input(), ""};
  if (is_folder(options.operand)) return read_folder(absolute_path(options.operand));
  return {name, read_file(options.operand), folder_of(options.operand)};
}

}  // namespace gpy::command
