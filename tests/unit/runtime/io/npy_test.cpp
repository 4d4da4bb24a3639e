#include "runtime/io/npy.h"

#include <doctest/doctest.h>

#include <random>

#include "io_cases.h"

namespace gpy::rt {
namespace {

using namespace io_test;

constexpr const char* kCases =
#include "npy_cases.inc"
    ;

std::string load_hex(const std::string& path, std::string& description) {
  NpyReader reader(path);
  const NpyHeader& header = reader.header();
  description = std::string(name(header.dtype)) + "|" + (header.fortran_order ? "1" : "0") + "|" +
                text_of(header.shape);
  std::string data(header.byte_count, '\0');
  reader.read(data.data());
  return hex_of(data.data(), data.size());
}

void check_case(const std::string& line, const TemporaryFolder& folder) {
  CAPTURE(line);
  const std::vector<std::string> fields = split(line, '|');
  const std::string path = folder / "case.npy";
  const std::string bytes = bytes_from_hex(fields[1]);
  write_file(path, bytes);
  std::string description;
  if (fields[0] == "refuse") {
    CHECK(error_of([&] { load_hex(path, description); }).starts_with(path + ": "));
    return;
  }
  CHECK(load_hex(path, description) == fields[5]);
  CHECK(description == fields[2] + "|" + fields[3] + "|" + fields[4]);
  if (fields[0] != "save") return;
  write_npy(path, *dtype_from_name(fields[2]), dims_from(fields[4]), fields[3] == "1",
            bytes_from_hex(fields[5]).data());
  CHECK(read_file(path) == bytes);
}

std::string problem_of(const TemporaryFolder& folder, const std::string& bytes) {
  const std::string path = folder / "data.npy";
  write_file(path, bytes);
  std::string description;
  const std::string error = error_of([&] { load_hex(path, description); });
  return error.starts_with(path + ": ") ? error.substr(path.size() + 2) : error;
}

std::string with_header(const std::string& header) {
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size() & 255) +
         static_cast<char>(header.size() >> 8) + header;
}

std::string entry(const std::string& descr, const std::string& shape) {
  return with_header("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + "}");
}

}  // namespace

TEST_CASE("npy: files of NumPy are read, and written byte for byte") {
  TemporaryFolder folder;
  for_each_case(kCases, [&](const std::string& line) { check_case(line, folder); });
}

TEST_CASE("npy: broken files are named, and what is wrong with them") {
  TemporaryFolder folder;
  auto problem = [&](const std::string& bytes) { return problem_of(folder, bytes); };
  CHECK(problem("") == "the file is empty");
  CHECK(problem("hello") == "not a .npy file (it does not start with \\x93NUMPY)");
  CHECK(problem("\x93NUMPY") == "the file ends within the header");
  CHECK(problem(std::string("\x93NUMPY\4\0", 8)) == "version 4.0 of the .npy format is not known");
  CHECK(problem(std::string("\x93NUMPY\1\0\xff\xff", 10)) ==
        "a header of 65,535 bytes is too long (at most 10,000)");
  CHECK(problem(std::string("\x93NUMPY\1\0\x20\0", 10)) == "the file ends within the header");
  CHECK(problem(entry("'<f8'", "(1000, 1000)")) ==
        "header promises 8,000,000 bytes, file holds 0 (truncated at 0.00 %)");
  CHECK(problem(entry("'<f8'", "(2,)") + "1234567") ==
        "header promises 16 bytes, file holds 7 (truncated at 43.75 %)");
  CHECK(problem(entry("'<f8'", "(4294967296, 4294967296)")) ==
        "shape (4294967296, 4294967296) is too large");
  CHECK(problem(entry("'<f8'", "(99999999999999999999,)")) == "the shape is too large");
  CHECK(problem(entry("'<f8'", "(3)")).starts_with("cannot parse the header at its byte"));
  CHECK(problem(entry("'<f8'", "(-3,)")).starts_with("cannot parse the header at its byte"));
  CHECK(problem(entry("'<f8'", "(3,) ) ")).starts_with("cannot parse the header at its byte"));
  CHECK(problem(with_header("{'descr': '<f8'}")) ==
        "the header lacks one of 'descr', 'fortran_order', 'shape'");
  CHECK(problem(with_header("{'x': 3}")) == "the header has an unexpected key 'x'");
  CHECK(problem(entry("'<f8', 'descr': '<f8'", "()")) ==
        "the header has an unexpected key 'descr'");
  CHECK(problem(entry("'|O'", "()")) ==
        "Object arrays cannot be loaded: gpy does not read pickled data");
  CHECK(problem(entry("'<U3'", "()")) == "dtype '<U3' is not supported");
  CHECK(problem(entry("[('a', '<f8')]", "()")) == "structured dtypes are not supported");
  std::string shape = "(";
  for (int i = 0; i < 65; ++i) shape += "1, ";
  CHECK(problem(entry("'<f8'", shape + ")")) == "more than 64 dimensions");
}

TEST_CASE("npy: what Python 2 and other writers leave in a header is read") {
  TemporaryFolder folder;
  CHECK(problem_of(folder, entry("\"<f8\"", "( 0L , 3 )")) == "none");
  CHECK(problem_of(folder, entry("'float64'", "(0,)")) == "none");
  CHECK(problem_of(folder, entry("'=f8'", "(0, 3, )") + "more") == "none");
}

TEST_CASE("npy: damaged files give an error or an array, never a crash") {
  TemporaryFolder folder;
  std::mt19937 dice(1);
  std::vector<std::string> files;
  for_each_case(kCases, [&](const std::string& line) {
    files.push_back(bytes_from_hex(split(line, '|')[1]));
  });
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = files[dice() % files.size()];
    for (unsigned n = dice() % 4; n > 0; --n) {
      bytes[dice() % bytes.size()] =
          static_cast<char>(dice() % 2 ? dice() : "0123(),' {}"[dice() % 11]);
    }
    if (dice() % 4 == 0) bytes.resize(dice() % bytes.size());
    CHECK(problem_of(folder, bytes) != "");
  }
}

}  // namespace gpy::rt
