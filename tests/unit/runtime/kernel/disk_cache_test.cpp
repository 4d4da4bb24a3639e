#include <doctest/doctest.h>

#include "runtime/kernel/disk_cache.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/core/notes.h"
#include "runtime/kernel/cache_files.h"

namespace gpy::rt {
namespace {

namespace fs = std::filesystem;

// The notes of what runs while it lives.
struct Notes {
  std::string text;
  NoteSink sink = [this](const std::string& line) { text += line; };
  NoteScope scope{&sink};
};

bool can_be_used(const std::string& path) {
  DiskCache cache(path, "cpu");
  cache.store("source", "code");
  return cache.load("source") == "code";
}

// The exit status of a child that calls f; 0 where it gives true.
template <class F> int in_child(F&& f) {
  const pid_t child = fork();
  if (child == 0) _exit(f() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// A folder of its own, removed afterwards.
struct Folder {
  Folder() {
    char name[] = "/tmp/gpy-cache-test-XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() {
    fs::permissions(path, fs::perms::owner_all);
    fs::remove_all(path);
  }
  fs::path only_file() const {
    fs::path found;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) found = entry.path();
    }
    return found;
  }
  int files() const {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      count += entry.is_regular_file();
    return count;
  }
  std::string path;
};

}  // namespace

TEST_CASE("what is stored is found by another cache of the same folder, in two levels") {
  Folder folder;
  DiskCache(folder.path, "cpu").store("one source", "one cubin");
  CHECK(DiskCache(folder.path, "cpu").load("one source") == "one cubin");
  CHECK(DiskCache(folder.path, "cpu").load("another source") == std::nullopt);
  CHECK(folder.only_file().parent_path().parent_path() == folder.path);
}

TEST_CASE("damaged files are not used, and removed") {
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  for (int damage = 0; damage < 4; ++damage) {
    cache.store("source", std::string(5000, 'x'));
    const fs::path file = folder.only_file();
    if (damage == 0) fs::resize_file(file, 0);
    if (damage == 1) fs::resize_file(file, 100);
    if (damage == 2) std::ofstream(file, std::ios::app) << "more";
    if (damage == 3) std::fstream(file, std::ios::in | std::ios::out).seekp(1000) << 'y';
    CHECK(cache.load("source") == std::nullopt);
    CHECK(folder.files() == 0);
  }
}

TEST_CASE("a folder that cannot be written is no cache and no error") {
  for (const char* path : {"", "/proc/gpy", "/dev/null/gpy"}) {
    DiskCache cache(path, "cpu");
    cache.store("source", "cubin");
    CHECK(cache.load("source") == std::nullopt);
  }
  if (geteuid() == 0) return;  // root writes anywhere
  Folder folder;
  fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
  DiskCache cache(folder.path, "cpu");
  cache.store("source", "cubin");
  CHECK(cache.load("source") == std::nullopt);
}

TEST_CASE("a folder in the place of a file is no kernel and no error") {
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  cache.store("source", "cubin");
  const fs::path place = folder.only_file();
  fs::remove(place);
  fs::create_directories(place / "inside");
  CHECK(cache.load("source") == std::nullopt);
  cache.store("source", "cubin");
  CHECK(cache.load("source") == std::nullopt);
}

TEST_CASE("a full disk leaves nothing half-written") {
  if (access("/dev/full", W_OK) != 0) return;
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  cache.store("source", "cubin");
  // A full device takes the place of the folder of the next store's temporary file.
  const fs::path place = folder.only_file();
  const fs::path temporary_folder = place.parent_path();
  fs::remove(place);
  fs::remove(temporary_folder);
  fs::create_symlink("/dev/full", temporary_folder);
  cache.store("source", "cubin");
  CHECK(cache.load("source") == std::nullopt);
}

TEST_CASE("a disk that is full half-way leaves nothing half-written") {
  Folder folder;
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{8192, 8192};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    DiskCache cache(folder.path, "cpu");
    cache.store("large", std::string(100000, 'x'));
    cache.store("small", "code");
    return !cache.load("large") && cache.load("small") == "code";
  });
  CHECK(status == 0);
  CHECK(folder.files() == 1);
}

TEST_CASE("folders that it makes, above its own too, are this user's alone, whatever the mask") {
  Folder folder;
  const mode_t mask = umask(0);
  CHECK(can_be_used(folder.path + "/a/b"));
  umask(mask);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path)) {
    const auto others = fs::perms::group_all | fs::perms::others_all;
    CHECK((entry.status().permissions() & others) == fs::perms::none);
  }
}

TEST_CASE("a folder that others may write is not used, and told of once") {
  for (const mode_t mode : {0770, 0707, 0777, 01777}) {
    Folder folder;
    DiskCache cache(folder.path, "cpu");
    cache.store("kept before", "code");
    chmod(folder.path.c_str(), mode);
    const Notes notes;
    CHECK(cache.load("kept before") == std::nullopt);
    cache.store("another", "code");
    CHECK_FALSE(cache.turn("another").is_held());
    CHECK(folder.files() == 1);
    CHECK(notes.text == "gpy: warning: compiled kernels are not kept: " + folder.path +
                            " can be written by other users\n");
  }
}

TEST_CASE("a folder of another user is not used") {
  if (geteuid() != 0) return;  // only root can give one away
  Folder folder;
  REQUIRE(chown(folder.path.c_str(), 1, 1) == 0);
  const Notes notes;
  CHECK_FALSE(can_be_used(folder.path));
  CHECK(notes.text.ends_with(folder.path + " belongs to another user\n"));
}

TEST_CASE("a file that others may have written is not used, and made again") {
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  cache.store("source", "code");
  chmod(folder.only_file().c_str(), 0666);
  const Notes notes;
  CHECK(cache.load("source") == std::nullopt);
  CHECK(notes.text.find("may be another user's and will be made again") != std::string::npos);
  cache.store("source", "code");
  CHECK(cache.load("source") == "code");
}

TEST_CASE("a file under another kernel's name is damaged") {
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  cache.store("one", "code");
  const fs::path one = folder.only_file();
  cache.store("another", "other code");
  const auto other = cache_path(folder.path, KernelKey::of("another"), "cpu");
  fs::copy_file(one, other, fs::copy_options::overwrite_existing);
  fs::permissions(other, fs::perms::owner_all);
  const Notes notes;
  CHECK(cache.load("another") == std::nullopt);
  CHECK(cache.load("one") == "code");
  CHECK(notes.text.find("is damaged") != std::string::npos);
}

TEST_CASE("links and pipes in the place of a file are neither followed nor waited for") {
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  cache.store("source", "code");
  const fs::path file = folder.only_file(), elsewhere = folder.path + "/elsewhere";
  const Notes notes;
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  CHECK(cache.load("source") == std::nullopt);
  CHECK(fs::exists(elsewhere));
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK(cache.load("source") == std::nullopt);
}

TEST_CASE("where no more files can be opened, what is kept stays") {
  Folder folder;
  DiskCache cache(folder.path, "cpu");
  cache.store("source", "code");
  const int status = in_child([&] {
    const rlimit none{0, 0};
    return setrlimit(RLIMIT_NOFILE, &none) == 0 && !cache.load("source");
  });
  CHECK(status == 0);
  CHECK(cache.load("source") == "code");
}

TEST_CASE("a kernel that would take most of the room is not kept, and drives no other out") {
  Folder folder;
  DiskCache cache(folder.path, "cpu", 10000);
  cache.store("small", "code");
  cache.store("large", std::string(9000, 'c'));
  CHECK(cache.load("small") == "code");
  CHECK(cache.load("large") == std::nullopt);
  DiskCache none(folder.path, "cpu", 0);
  CHECK(none.load("small") == std::nullopt);
}

TEST_CASE("the folder stays within its bound, the least recently used go") {
  Folder folder;
  DiskCache cache(folder.path, "cpu", 10000);
  const std::string content(1000, 'c');
  for (int i = 0; i < 64; ++i) {
    cache.store(std::to_string(i), content);
    if (const auto found = cache.load("0"); !found && i > 0) FAIL("used, and gone");
  }
  cache.store("the 65th looks at the whole", content);
  CHECK(folder.files() < 10);
  CHECK(cache.load("the 65th looks at the whole") == content);
}

TEST_CASE("processes that store and load the same keys never see half of one") {
  Folder folder;
  constexpr int kProcesses = 4;
  for (int child = 0; child < kProcesses; ++child) {
    if (fork() != 0) continue;
    DiskCache cache(folder.path, "cpu", 200000);
    bool good = true;
    for (int i = 0; i < 150; ++i) {
      const std::string key = std::to_string(i % 20);
      const std::string content(10000 + i % 20, key[0]);
      cache.store(key, content);
      const auto found = cache.load(key);
      good = good && (!found || *found == content);
    }
    _exit(good ? 0 : 1);
  }
  for (int child = 0; child < kProcesses; ++child) {
    int status = 0;
    wait(&status);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder.path)) {
    CHECK(entry.path().extension() != ".tmp");
  }
}

TEST_CASE("settings that are no sizes and no times are not read") {
  const auto bytes_of = [](const char* text) {
    setenv("GPY_CACHE_BYTES", text, 1);
    return wished_cache_bytes();
  };
  CHECK(bytes_of("0") == 0);
  CHECK(bytes_of("1000") == 1000);
  CHECK(bytes_of("2K") == 2048);
  CHECK(bytes_of("3M") == 3 << 20);
  CHECK(bytes_of("5G") == size_t{5} << 30);
  for (const char* text :
       {"", "K", "-1", "1.5M", "1 M", "1MB", "99999999999999999999", "99999999999999G", "1m"}) {
    CHECK(bytes_of(text) == std::nullopt);
  }
  unsetenv("GPY_CACHE_BYTES");
  const auto seconds_of = [](const char* text) {
    setenv("GPY_COMPILE_SECONDS", text, 1);
    return wished_compile_seconds();
  };
  CHECK(seconds_of("0.5") == 0.5);
  CHECK(seconds_of("120") == 120);
  for (const char* text : {"", "0", "-1", "nan", "inf", "1e999", "5s"}) {
    CHECK(seconds_of(text) == std::nullopt);
  }
  unsetenv("GPY_COMPILE_SECONDS");
  CHECK(cache_bytes() == kDefaultCacheBytes);
  CHECK(compile_seconds() == kDefaultCompileSeconds);
}

TEST_CASE("the folder's name comes from the environment") {
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  setenv("XDG_CACHE_HOME", "/x/cache", 1);
  CHECK(DiskCache::default_folder() == "/x/cache/gpy");
  setenv("GPY_CACHE_DIR", "/y", 1);
  CHECK(DiskCache::default_folder() == "/y");
  unsetenv("GPY_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  CHECK(DiskCache::default_folder() == (home.empty() ? "" : home + "/.cache/gpy"));
}

}  // namespace gpy::rt
