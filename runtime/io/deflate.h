#pragma once

// DEFLATE, bare as in .zip files or wrapped as in .gz files, by the system's zlib: it is opened
// when it is first needed, and an error says so where there is none.

#include <memory>

#include "runtime/io/byte_stream.h"

struct z_stream_s;

namespace gpy::rt {

enum class Wrapping : uint8_t { kNone, kGzip };

uint32_t crc32_of(uint32_t before, const void* bytes, size_t size);

// What `packed` holds, unpacked. A .gz file may be several, one after another.
class InflatedInput final : public ByteInput {
 public:
  InflatedInput(ByteInput& packed, Wrapping wrapping);
  InflatedInput(const InflatedInput&) = delete;
  InflatedInput& operator=(const InflatedInput&) = delete;
  ~InflatedInput() override;

  const std::string& path() const override { return packed_.path(); }
  int64_t left() const override { return -1; }
  size_t read(void* to, size_t bytes) override;

 private:
  void refill();
  bool begin_next();
  [[noreturn]] void fail_broken() const;

  ByteInput& packed_;
  const Wrapping wrapping_;
  std::string buffer_;
  std::unique_ptr<z_stream_s> stream_;
  bool is_over_ = false;
};

// Packs what is written. Nothing is complete before finish().
class DeflatedOutput final : public ByteOutput {
 public:
  DeflatedOutput(ByteOutput& to, Wrapping wrapping);
  DeflatedOutput(const DeflatedOutput&) = delete;
  DeflatedOutput& operator=(const DeflatedOutput&) = delete;
  ~DeflatedOutput() override;

  using ByteOutput::write;
  void write(const void* from, size_t bytes) override;
  void finish();

 private:
  void run(int flush);

  ByteOutput& to_;
  std::string buffer_;
  std::unique_ptr<z_stream_s> stream_;
};

}  // namespace gpy::rt
