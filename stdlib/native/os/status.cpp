// os.stat and scandir: the properties of files.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/typed_native.h"
#include "src/types/sequence.h"
#include "stdlib/native/os/os.h"

namespace gpy::lib {

namespace {

struct DirEntry : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  Value name, path;
  std::string full;
  unsigned char kind = DT_UNKNOWN;
  uint64_t inode = 0;
  template <class F> void each_field(F&& f) { f(name), f(path); }
};

struct ScanDir : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  using Object::Object;
  ~ScanDir() { close(); }
  void close() {
    if (folder) closedir(std::exchange(folder, nullptr));
  }
  DIR* folder = nullptr;
  Value path;
  Type* entry_type = nullptr;
  template <class F> void each_field(F&& f) { f(path); }
};

}  // namespace

// --- stat ----------------------------------------------------------------------------------------

static const std::vector<std::string> kStatFields = {"st_mode",  "st_ino",  "st_dev",  "st_nlink",
                                                     "st_uid",   "st_gid",  "st_size", "st_atime",
                                                     "st_mtime", "st_ctime"};

// The times by name are exact; those by position are whole seconds.
static const std::vector<std::string> kStatExtras = {"st_atime",    "st_mtime",    "st_ctime",
                                                     "st_atime_ns", "st_mtime_ns", "st_ctime_ns",
                                                     "st_blksize",  "st_blocks"};

static double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

static int64_t nanoseconds(const timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

static Value make_stat(Interpreter& vm, Type* type, const struct stat& s) {
  auto number = [](auto n) { return Value::integer(static_cast<int64_t>(n)); };
  return make_record(
      vm, type,
      {number(s.st_mode), number(s.st_ino), number(s.st_dev), number(s.st_nlink), number(s.st_uid),
       number(s.st_gid), number(s.st_size), number(s.st_atim.tv_sec), number(s.st_mtim.tv_sec),
       number(s.st_ctim.tv_sec), Value::real(seconds(s.st_atim)), Value::real(seconds(s.st_mtim)),
       Value::real(seconds(s.st_ctim)), number(nanoseconds(s.st_atim)),
       number(nanoseconds(s.st_mtim)), number(nanoseconds(s.st_ctim)), number(s.st_blksize),
       number(s.st_blocks)});
}

static Value stat_of(Interpreter& vm, Type* type, const Value& path, bool follow) {
  struct stat found;
  int result;
  if (vm.has_index(path)) {
    result = ::fstat(static_cast<int>(vm.to_index(path)), &found);
  } else {
    std::string text = path_text(vm, path);
    result = follow ? ::stat(text.c_str(), &found) : ::lstat(text.c_str(), &found);
  }
  check_call(vm, result, path);
  return make_stat(vm, type, found);
}

static Value stat(Interpreter& vm, const Args& call, const Value& path, bool follow) {
  return stat_of(vm, static_cast<Type*>(call.callee().context), path, follow);
}

static Value lstat(Interpreter& vm, const Args& call, const Value& path) {
  return stat_of(vm, static_cast<Type*>(call.callee().context), path, false);
}

// The kind of a file for os.path; None instead of an exception.
static Value kind(Interpreter& vm, const Value& path, bool follow) {
  struct stat found;
  std::string text = path_text(vm, path);
  int result = follow ? ::stat(text.c_str(), &found) : ::lstat(text.c_str(), &found);
  if (result < 0) return Value::none();
  return Value::integer(found.st_mode & S_IFMT);
}

// --- scandir -------------------------------------------------------------------------------------

static DirEntry& entry_of(const Value& v) { return *v.as<DirEntry>(); }

static mode_t mode_of(const DirEntry& entry, bool follow) {
  struct stat found;
  const char* path = entry.full.c_str();
  int result = follow ? ::stat(path, &found) : ::lstat(path, &found);
  return result < 0 ? 0 : found.st_mode;
}

template <unsigned char kind, mode_t mode>
static Value is_kind(Interpreter&, DirEntry& entry, bool follow) {
  const bool unsure = entry.kind == DT_UNKNOWN || (follow && entry.kind == DT_LNK);
  if (!unsure) return Value::boolean(entry.kind == kind);
  return Value::boolean((mode_of(entry, follow) & S_IFMT) == mode);
}

static Value is_symlink(Interpreter&, DirEntry& entry) {
  if (entry.kind != DT_UNKNOWN) return Value::boolean(entry.kind == DT_LNK);
  return Value::boolean(S_ISLNK(mode_of(entry, false)));
}

static Value entry_stat(Interpreter& vm, DirEntry& entry, bool follow) {
  const Value* type = entry.type->lookup(vm.intern("_stat_result"));
  return stat_of(vm, type->as<Type>(), entry.path, follow);
}

static Value entry_inode(Interpreter&, DirEntry& entry) {
  return Value::integer(static_cast<int64_t>(entry.inode));
}
static Value entry_fspath(Interpreter&, DirEntry& entry) { return entry.path; }

static Value get_name(Interpreter&, const Value& self) { return entry_of(self).name; }
static Value get_path(Interpreter&, const Value& self) { return entry_of(self).path; }

static std::string entry_repr(Interpreter& vm, const Value& self) {
  return fmt::format("<DirEntry {}>", vm.repr(entry_of(self).name));
}

static const NativeGetter kEntryGetters[] = {{"name", get_name}, {"path", get_path}};
static const Native kEntryMethods[] = {
    {"__fspath__", "(self, /)", typed<entry_fspath>, "The path."},
    {"inode", "(self, /)", typed<entry_inode>, "The number of the file."},
    {"is_dir", "(self, /, *, follow_symlinks=True)", typed<is_kind<DT_DIR, S_IFDIR>>,
     "Whether it is a folder."},
    {"is_file", "(self, /, *, follow_symlinks=True)", typed<is_kind<DT_REG, S_IFREG>>,
     "Whether it is a file."},
    {"is_symlink", "(self, /)", typed<is_symlink>, "Whether it is a symbolic link."},
    {"stat", "(self, /, *, follow_symlinks=True)", typed<entry_stat>, "What is known of it."},
};

static Value scandir(Interpreter& vm, const Args& call, const Value& given) {
  auto* type = static_cast<Type*>(call.callee().context);
  Value path = given.is_none() ? vm.str(".") : fs_path(vm, given);
  auto scan = vm.make<ScanDir>(type);
  scan->folder = opendir(path_text(vm, path).c_str());
  if (!scan->folder) raise_os_error(vm, errno, given);
  scan->path = path;
  scan->entry_type = type->lookup(vm.intern("_entry"))->as<Type>();
  return scan;
}

static Value scandir_next(Interpreter& vm, const Value& self) {
  auto& scan = *self.as<ScanDir>();
  while (scan.folder) {
    dirent* found = readdir(scan.folder);
    if (!found) break;
    std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    auto entry = vm.make<DirEntry>(scan.entry_type);
    entry->full = path_text(vm, scan.path);
    if (!entry->full.empty() && entry->full.back() != '/') entry->full += '/';
    entry->full += name;
    entry->name = text_from_system(vm, name);
    entry->path = text_from_system(vm, entry->full);
    entry->kind = found->d_type;
    entry->inode = found->d_ino;
    return entry;
  }
  scan.close();
  return Value();
}

static bool scandir_exit(Interpreter&, const Value& self, const Value&) {
  self.as<ScanDir>()->close();
  return false;
}

static Value scandir_close(Interpreter&, ScanDir& scan) {
  scan.close();
  return Value::none();
}

static const Native kScanMethods[] = {{"close", "(self, /)", typed<scandir_close>, "Ends it."}};
static const Native kStat = {"stat", "(path, follow_symlinks=True)", typed<stat>,
                             "What is known of a file: size, times, mode and others."};
static const Native kLstat = {"lstat", "(path)", typed<lstat>, "stat of a link itself."};
static const Native kKind = {"_kind", "(path, follow_symlinks=True)", typed<kind>,
                             "The kind bits of a file's mode; None if there is none."};
static const Native kScandir = {"scandir", "(path=None)", typed<scandir>,
                                "The entries of a folder, with their kinds."};

void add_status(Interpreter& vm, Module& module) {
  Type* result = make_record_type(
      vm, {.name = "stat_result", .module = "os", .fields = kStatFields, .extras = kStatExtras});
  module.set(vm, "stat_result", Value(result));
  module.set(vm, "stat", vm.function(kStat, "os", result));
  module.set(vm, "lstat", vm.function(kLstat, "os", result));
  module.set(vm, "_kind", vm.function(kKind, "os"));
  Type* entry =
      vm.make_type<DirEntry>({.name = "DirEntry",
                              .module = "posix",
                              .slots = {.repr = entry_repr, .traverse = traverse_fields<DirEntry>},
                              .methods = kEntryMethods,
                              .getters = kEntryGetters});
  entry->set_attribute(vm.intern("_stat_result"), Value(result));
  Type* scan = vm.make_type<ScanDir>({.name = "ScandirIterator",
                                      .module = "posix",
                                      .slots = {.iter = iterator_itself,
                                                .next = scandir_next,
                                                .enter = iterator_itself,
                                                .exit = scandir_exit,
                                                .traverse = traverse_fields<ScanDir>},
                                      .methods = kScanMethods});
  scan->set_attribute(vm.intern("_entry"), Value(entry));
  module.set(vm, "DirEntry", Value(entry));
  module.set(vm, "scandir", vm.function(kScandir, "os", scan));
}

}  // namespace gpy::lib
