#include <doctest/doctest.h>

#include "runtime/kernel/cache_files.h"

#include <unistd.h>

#include <fstream>
#include <map>
#include <string>

#include "runtime/kernel/disk_cache.h"

namespace gpy::rt {
namespace {

namespace fs = std::filesystem;

// A folder with kernels of both kinds, a store and a compilation in progress, and other files.
struct Folder {
  Folder() {
    char name[] = "/tmp/gpy-files-test-XXXXXX";
    path = mkdtemp(name);
    DiskCache cpu(path, "cpu"), cuda(path, "cuda");
    for (const char* source : {"one", "two", "three"}) cpu.store(source, "some code");
    cuda.store("one", "a cubin");
    const std::string kernel = cache_path(path, KernelKey::of("one"), "cpu");
    for (const char* end : {".Ab12Cd.tmp", ".lock"}) write(kernel + end);
    write(kernel.substr(0, kernel.size() - 4));  // as another version names it
    fs::create_directories(path + "/ab/0123456789abcdef0123456789abcd");
    fs::create_directory(path + "/xy");
    for (const char* other : foreign) write(path + other);
    fs::create_directory_symlink(path + "/ab", path + "/cd");
  }
  ~Folder() { fs::remove_all(path); }
  static void write(const std::string& file) { std::ofstream(file) << "text"; }
  bool has_foreign() const {
    for (const char* other : foreign) {
      if (!fs::exists(path + other)) return false;
    }
    return fs::is_symlink(path + "/cd");
  }

  static constexpr const char* foreign[] = {"/notes.txt", "/ab/notes.txt", "/ab/0123.cpu",
                                            "/xy/0123456789abcdef0123456789abcd.cpu",
                                            "/ab/0123456789abcdef0123456789abcd.txt"};
  std::string path;
};

void set_age(const fs::path& file, std::chrono::hours age) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - age);
}

}  // namespace

TEST_CASE("the cache's files are told from others, and kernels by kind") {
  Folder folder;
  std::map<std::string, int> kernels;
  int others = 0;
  for (const CacheFile& file : cache_files(folder.path)) {
    if (file.is_kernel) ++kernels[file.kind];
    else ++others;
  }
  CHECK(kernels == std::map<std::string, int>{{"cpu", 3}, {"cuda", 1}, {"other", 1}});
  CHECK(others == 2);
}

TEST_CASE("clearing removes the cache's files and subfolders, and nothing else") {
  Folder folder;
  const Cleared cleared = clear_cache(folder.path, std::nullopt);
  CHECK(cleared.kernels == 5);
  CHECK(cleared.bytes == 4 * kKernelFileHeader + 3 * 9 + 7 + 4);
  CHECK(cleared.left == 0);
  CHECK(cache_files(folder.path).empty());
  CHECK(folder.has_foreign());
  fs::remove_all(folder.path + "/ab");
  fs::remove_all(folder.path + "/xy");
  fs::remove(folder.path + "/cd");
  fs::remove(folder.path + "/notes.txt");
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("clearing by age leaves what was used since, and what is being made") {
  Folder folder;
  set_age(cache_path(folder.path, KernelKey::of("two"), "cpu"), std::chrono::hours(49));
  set_age(cache_path(folder.path, KernelKey::of("three"), "cpu"), std::chrono::hours(49));
  DiskCache(folder.path, "cpu").load("three");  // a use
  CHECK(clear_cache(folder.path, std::chrono::hours(48)).kernels == 1);
  DiskCache cache(folder.path, "cpu");
  CHECK(cache.load("two") == std::nullopt);
  CHECK(cache.load("three") == "some code");
  CHECK(cache_files(folder.path).size() == 6);
}

TEST_CASE("a folder that is not there is an empty one") {
  CHECK(cache_files("/no/such/folder").empty());
  CHECK(clear_cache("/no/such/folder", std::nullopt).kernels == 0);
  shrink_cache("/no/such/folder", 1);
}

TEST_CASE("shrinking removes what was used longest ago, and what killed processes left") {
  Folder folder;
  const auto place = [&](const char* source) {
    return cache_path(folder.path, KernelKey::of(source), "cpu");
  };
  set_age(place("three"), std::chrono::hours(3));
  set_age(place("two"), std::chrono::hours(2));
  set_age(place("one") + ".lock", std::chrono::hours(2));
  size_t total = 0;
  for (const CacheFile& file : cache_files(folder.path)) total += file.is_kernel ? file.bytes : 0;
  shrink_cache(folder.path, total);
  CHECK(fs::exists(place("three")));
  CHECK_FALSE(fs::exists(place("one") + ".lock"));
  CHECK(fs::exists(place("one") + ".Ab12Cd.tmp"));
  shrink_cache(folder.path, total - 1);
  CHECK_FALSE(fs::exists(place("three")));
  CHECK(fs::exists(place("one")));
}

}  // namespace gpy::rt
