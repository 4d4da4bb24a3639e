#include "runtime/io/file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_cases.h"

namespace gpy::rt {
namespace {

using io_test::error_of;
using io_test::TemporaryFolder;
namespace fs = std::filesystem;

int files_in(const TemporaryFolder& folder) {
  return static_cast<int>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("file: what is written is read back, in a pipe's pieces too") {
  TemporaryFolder folder;
  const std::string text(200000, 'x');
  write_file(folder / "a", text);
  CHECK(read_file(folder / "a") == text);
  write_file(folder / "a", "");
  CHECK(read_file(folder / "a").empty());
  CHECK(files_in(folder) == 1);
}

TEST_CASE("file: nothing half-written is left") {
  TemporaryFolder folder;
  write_file(folder / "a", "old");
  {
    OutputFile file(folder / "a");
    file.write("new, but never committed");
  }
  CHECK(read_file(folder / "a") == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("file: links and permissions stay") {
  TemporaryFolder folder;
  write_file(folder / "a", "old");
  ::chmod((folder / "a").c_str(), 0640);
  fs::create_symlink("a", folder / "link");
  write_file(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "a") == "new");
  struct stat status;
  ::stat((folder / "a").c_str(), &status);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("file: errors are Python's") {
  TemporaryFolder folder;
  const std::string missing = folder / "none/b";
  const std::string no_such = "[Errno 2] No such file or directory: '" + missing + "'";
  CHECK(error_of([&] { read_file(missing); }) == no_such);
  CHECK(error_of([&] { write_file(missing, "x"); }) == no_such);
  CHECK(error_of([&] { read_file(folder.path()); }) ==
        "[Errno 21] Is a directory: '" + folder.path().string() + "'");
  CHECK(error_of([&] { write_file(folder.path(), "x"); }) ==
        "[Errno 21] Is a directory: '" + folder.path().string() + "'");
  CHECK(error_of([&] { read_file(std::string("a\0b", 3)); }) == "embedded null byte");
  CHECK(error_of([&] { write_file("/dev/full", "x"); }) ==
        "[Errno 28] No space left on device: '/dev/full'");
}

}  // namespace gpy::rt
