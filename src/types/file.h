#pragma once
// The files of open(), and sys.stdin, stdout, stderr.

#include <cstdio>
#include <string>

#include "src/interpreter.h"

namespace gpy {

struct Codec;

struct File : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::file;
  enum Kind { on_disk, standard_output, standard_error, standard_input };

  File(Type* type, Kind kind, Value name, std::string mode);
  ~File();
  // Takes over `opened`, a file on disk.
  void open(FILE* opened);

  bool is_text() const { return mode.find('b') == std::string::npos; }
  bool is_open() const { return stream != nullptr || (kind != on_disk && !was_closed); }

  Kind kind;
  Value name;
  std::string mode;
  bool readable = false, writable = false;
  bool was_closed = false;
  bool buffered = true;  // an unbuffered binary file reads to the end for any negative size
  bool translate_newlines = true;  // text: reads every line end as \n
  std::string newline;             // otherwise: the end of a line; empty: \n, \r or \r\n
  bool last_was_write = false;
  std::string encoding = "utf-8", errors = "strict";
  const Codec* codec = nullptr;  // of the encoding, once text was written
  FILE* stream = nullptr;        // null for the standard ones, and when closed
  std::string pending;           // text read from the stream and not yet returned
};

void setup_files(Interpreter& vm);
Value make_standard_file(Interpreter& vm, File::Kind kind);

// Raises io.UnsupportedOperation for an operation that this file is not open for.
[[noreturn]] void raise_unsupported(Interpreter& vm, std::string_view message);

// Reading and writing, shared by the methods. ValueError for a closed file, OSError for errors of
// the system.
void check_open(Interpreter& vm, const File& file);
std::string read_all(Interpreter& vm, File& file, int64_t most);
// The line with its end; empty at the end of the file.
std::string read_line(Interpreter& vm, File& file, int64_t most = -1);
void write_data(Interpreter& vm, File& file, std::string_view data);
void flush_file(Interpreter& vm, File& file);
void close_file(Interpreter& vm, File& file);
// Closes files that are open for writing when a program ends. Lost data is reported.
void close_left_files(Interpreter& vm) noexcept;
[[noreturn]] void raise_os_error(Interpreter& vm, int number, const Value& name = Value());

}  // namespace gpy
