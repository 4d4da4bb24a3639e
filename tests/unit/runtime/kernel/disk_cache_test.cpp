#include <doctest/doctest.h>

#include "runtime/kernel/disk_cache.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gpy::rt {
namespace {

namespace fs = std::filesystem;

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
  DiskCache(folder.path).store("one source", "one cubin");
  CHECK(DiskCache(folder.path).load("one source") == "one cubin");
  CHECK(DiskCache(folder.path).load("another source") == std::nullopt);
  CHECK(folder.only_file().parent_path().parent_path() == folder.path);
}

TEST_CASE("damaged files are not used, and removed") {
  Folder folder;
  DiskCache cache(folder.path);
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
    DiskCache cache(path);
    cache.store("source", "cubin");
    CHECK(cache.load("source") == std::nullopt);
  }
  if (geteuid() == 0) return;  // root writes anywhere
  Folder folder;
  fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
  DiskCache cache(folder.path);
  cache.store("source", "cubin");
  CHECK(cache.load("source") == std::nullopt);
}

TEST_CASE("a folder in the place of a file is no kernel and no error") {
  Folder folder;
  DiskCache cache(folder.path);
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
  DiskCache cache(folder.path);
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

TEST_CASE("the folder stays within its bound, the least recently used go") {
  Folder folder;
  DiskCache cache(folder.path, 10000);
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
    DiskCache cache(folder.path, 200000);
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
