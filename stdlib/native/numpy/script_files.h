#pragma once
// Open files of a script, whatever has the methods, as the runtime's readers and writers take them.

#include "runtime/io/byte_stream.h"
#include "src/interpreter.h"

namespace gpy::lib {

// The method of an open file that is given in place of a name; undefined for a name.
Value method_of_file(Interpreter& vm, const Value& file, const char* method);

// Reads by `read(size)`, which must give bytes.
class ScriptInput final : public rt::ByteInput {
 public:
  ScriptInput(Interpreter& vm, const Value& file);
  const std::string& path() const override { return name_; }
  int64_t left() const override { return -1; }
  size_t read(void* to, size_t bytes) override;

 private:
  Interpreter& vm_;
  Value read_;
  std::string name_;
};

// Writes by `write(bytes)`.
class ScriptOutput final : public rt::ByteOutput {
 public:
  ScriptOutput(Interpreter& vm, Value write) : vm_(vm), write_(std::move(write)) {}
  using ByteOutput::write;
  void write(const void* from, size_t bytes) override;

 private:
  Interpreter& vm_;
  Value write_;
};

// Reads at any place, by `seek` and `read`.
class ScriptSource final : public rt::ByteSource {
 public:
  ScriptSource(Interpreter& vm, const Value& file);
  const std::string& path() const override { return input_.path(); }
  int64_t size() const override { return size_; }
  size_t read_at(int64_t at, void* to, size_t bytes) override;

 private:
  Interpreter& vm_;
  ScriptInput input_;
  Value seek_;
  int64_t size_;
};

}  // namespace gpy::lib
