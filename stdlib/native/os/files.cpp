// os: names in folders, made, moved, listed and removed.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "src/typed_native.h"
#include "stdlib/native/os/os.h"

namespace gpy::lib {

void raise_two_paths(Interpreter& vm, const Value& from, const Value& to) {
  int number = errno;
  vm.raise(vm.call(
      Value(vm.types.os_error),
      {Value::integer(number), text_from_system(vm, strerror(number)), from, Value::none(), to}));
}

static Value fspath(Interpreter& vm, const Value& path) { return fs_path(vm, path); }

// --- the working folder --------------------------------------------------------------------------

static Value getcwd(Interpreter& vm) {
  const std::unique_ptr<char, decltype(&std::free)> name(::getcwd(nullptr, 0), std::free);
  if (!name) raise_os_error(vm, errno);
  return text_from_system(vm, name.get());
}

static Value chdir(Interpreter& vm, const Value& path) {
  check_call(vm, ::chdir(path_text(vm, path).c_str()), path);
  return Value::none();
}

// --- names ---------------------------------------------------------------------------------------

static Value mkdir(Interpreter& vm, const Value& path, int64_t mode) {
  check_call(vm, ::mkdir(path_text(vm, path).c_str(), static_cast<mode_t>(mode)), path);
  return Value::none();
}

static Value rmdir(Interpreter& vm, const Value& path) {
  check_call(vm, ::rmdir(path_text(vm, path).c_str()), path);
  return Value::none();
}

static Value remove(Interpreter& vm, const Value& path) {
  check_call(vm, ::unlink(path_text(vm, path).c_str()), path);
  return Value::none();
}

template <int (*call)(const char*, const char*)>
static Value two_paths(Interpreter& vm, const Value& from, const Value& to) {
  std::string from_text = path_text(vm, from), to_text = path_text(vm, to);
  if (call(from_text.c_str(), to_text.c_str()) < 0) raise_two_paths(vm, from, to);
  return Value::none();
}

static Value readlink(Interpreter& vm, const Value& path) {
  std::string target(4096, '\0');
  ssize_t length = ::readlink(path_text(vm, path).c_str(), target.data(), target.size());
  if (length < 0) raise_os_error(vm, errno, path);
  return text_from_system(vm, std::string_view(target).substr(0, static_cast<size_t>(length)));
}

static Value chmod(Interpreter& vm, const Value& path, int64_t mode) {
  check_call(vm, ::chmod(path_text(vm, path).c_str(), static_cast<mode_t>(mode)), path);
  return Value::none();
}

static Value truncate(Interpreter& vm, const Value& path, int64_t length) {
  check_call(vm, ::truncate(path_text(vm, path).c_str(), length), path);
  return Value::none();
}

static Value access(Interpreter& vm, const Value& path, int64_t mode) {
  return Value::boolean(::access(path_text(vm, path).c_str(), static_cast<int>(mode)) == 0);
}

static timespec time_from(double seconds) {
  double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
}

static Value utime(Interpreter& vm, const Value& path, const Value& given) {
  timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
  if (!given.is_none()) {
    auto parts = vm.collect(given);
    if (parts.size() != 2) {
      vm.raise_type_error("utime: 'times' must be either a tuple of two ints or None");
    }
    for (size_t i = 0; i < 2; ++i) times[i] = time_from(vm.to_real(parts[i]));
  }
  check_call(vm, utimensat(AT_FDCWD, path_text(vm, path).c_str(), times, 0), path);
  return Value::none();
}

// --- listing -------------------------------------------------------------------------------------

static Value listdir(Interpreter& vm, const Value& given) {
  Value path = given.is_none() ? vm.str(".") : given;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path_text(vm, path).c_str()), closedir);
  if (!folder) raise_os_error(vm, errno, path);
  const bool as_bytes = fs_path(vm, path).is<Bytes>();
  std::vector<Value> names;
  while (dirent* entry = readdir(folder.get())) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    names.push_back(as_bytes ? vm.bytes(name) : text_from_system(vm, name));
  }
  return vm.list(std::move(names));
}

static const Native kRows[] = {
    {"access", "(path, mode)", typed<access>, "Whether this program may do that with a path."},
    {"chdir", "(path)", typed<chdir>, "Makes a folder the current one."},
    {"chmod", "(path, mode)", typed<chmod>, "Sets who may do what."},
    {"fspath", "(path)", typed<fspath>, "A path as str or bytes."},
    {"getcwd", "()", typed<getcwd>, "The current folder."},
    {"link", "(src, dst)", typed<two_paths<::link>>, "Another name for a file."},
    {"listdir", "(path=None)", typed<listdir>, "The names in a folder, in no order."},
    {"mkdir", "(path, mode=511)", typed<mkdir>, "Makes a folder."},
    {"readlink", "(path)", typed<readlink>, "Where a symbolic link points."},
    {"remove", "(path)", typed<remove>, "Removes a file."},
    {"rename", "(src, dst)", typed<two_paths<::rename>>, "Gives a file or folder another name."},
    {"replace", "(src, dst)", typed<two_paths<::rename>>, "rename that replaces what is there."},
    {"rmdir", "(path)", typed<rmdir>, "Removes an empty folder."},
    {"symlink", "(src, dst)", typed<two_paths<::symlink>>, "Makes dst a link that points to src."},
    {"truncate", "(path, length)", typed<truncate>, "Cuts a file off, or fills it with zeros."},
    {"unlink", "(path)", typed<remove>, "Removes a file."},
    {"utime", "(path, times=None)", typed<utime>, "Sets the times of last use and change."},
};

void add_files(Interpreter&, Module& module) { module.rows.push_back(kRows); }

}  // namespace gpy::lib
