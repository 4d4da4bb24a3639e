#include "runtime/io/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <climits>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/system_library.h"

namespace gpy::rt {
namespace {

constexpr size_t kBuffer = 256 << 10;
constexpr int kLevel = 6;  // what Python's zipfile takes

struct Zlib : SystemLibrary {
  decltype(&::inflateInit2_) inflate_init;
  decltype(&::inflate) inflate;
  decltype(&::inflateReset) inflate_reset;
  decltype(&::inflateEnd) inflate_end;
  decltype(&::deflateInit2_) deflate_init;
  decltype(&::deflate) deflate;
  decltype(&::deflateEnd) deflate_end;
  decltype(&::crc32_z) crc32;

  Zlib() : SystemLibrary("libz.so.1") {
    find("inflateInit2_", inflate_init);
    find("inflate", inflate);
    find("inflateReset", inflate_reset);
    find("inflateEnd", inflate_end);
    find("deflateInit2_", deflate_init);
    find("deflate", deflate);
    find("deflateEnd", deflate_end);
    find("crc32_z", crc32);
  }
};

const Zlib& zlib() {
  static const Zlib opened;
  if (!opened.is_whole()) {
    fail(ErrorKind::kNotImplemented,
         "compressed files need zlib (libz.so.1), which this system lacks");
  }
  return opened;
}

int window(Wrapping wrapping) { return wrapping == Wrapping::kGzip ? 16 + MAX_WBITS : -MAX_WBITS; }

uInt clipped(size_t bytes) { return static_cast<uInt>(std::min<size_t>(bytes, INT_MAX)); }

}  // namespace

uint32_t crc32_of(uint32_t before, const void* bytes, size_t size) {
  constexpr size_t kPiece = size_t{4} << 20;
  const auto* at = static_cast<const Bytef*>(bytes);
  uLong sum = before;
  for (; size > kPiece; at += kPiece, size -= kPiece) {
    poll_interrupt();
    sum = zlib().crc32(sum, at, kPiece);
  }
  return static_cast<uint32_t>(zlib().crc32(sum, at, size));
}

InflatedInput::InflatedInput(ByteInput& packed, Wrapping wrapping)
    : packed_(packed), wrapping_(wrapping), stream_(std::make_unique<z_stream>()) {
  if (zlib().inflate_init(stream_.get(), window(wrapping), ZLIB_VERSION, sizeof(z_stream)) !=
      Z_OK) {
    fail(ErrorKind::kMemory, "{}: no memory to unpack it", path());
  }
  buffer_.resize(kBuffer);
}

InflatedInput::~InflatedInput() { zlib().inflate_end(stream_.get()); }

void InflatedInput::fail_broken() const {
  fail(ErrorKind::kValue, "{}: the compressed data is damaged{}{}", path(),
       stream_->msg ? ": " : "", stream_->msg ? stream_->msg : "");
}

void InflatedInput::refill() {
  poll_interrupt();
  const size_t got = packed_.read(buffer_.data(), buffer_.size());
  if (got == 0) fail(ErrorKind::kValue, "{}: the compressed data ends early", path());
  stream_->next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream_->avail_in = static_cast<uInt>(got);
}

// Whether another member follows the one that is over. Zeros may fill a .gz file up.
bool InflatedInput::begin_next() {
  if (wrapping_ != Wrapping::kGzip) return false;
  while (true) {
    for (; stream_->avail_in > 0 && *stream_->next_in == 0; --stream_->avail_in) ++stream_->next_in;
    if (stream_->avail_in > 0) break;
    const size_t got = packed_.read(buffer_.data(), buffer_.size());
    if (got == 0) return false;
    stream_->next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_->avail_in = static_cast<uInt>(got);
  }
  zlib().inflate_reset(stream_.get());
  return true;
}

size_t InflatedInput::read(void* to, size_t bytes) {
  auto* at = static_cast<Bytef*>(to);
  size_t done = 0;
  while (done < bytes && !is_over_) {
    if (stream_->avail_in == 0) refill();
    stream_->next_out = at + done;
    stream_->avail_out = clipped(bytes - done);
    const int result = zlib().inflate(stream_.get(), Z_NO_FLUSH);
    done = static_cast<size_t>(stream_->next_out - at);
    if (result == Z_STREAM_END) {
      is_over_ = !begin_next();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail_broken();
    }
  }
  return done;
}

DeflatedOutput::DeflatedOutput(ByteOutput& to, Wrapping wrapping)
    : to_(to), stream_(std::make_unique<z_stream>()) {
  constexpr int kMemory = 8;
  if (zlib().deflate_init(stream_.get(), kLevel, Z_DEFLATED, window(wrapping), kMemory,
                          Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof(z_stream)) != Z_OK) {
    fail(ErrorKind::kMemory, "no memory to compress a file");
  }
  buffer_.resize(kBuffer);
}

DeflatedOutput::~DeflatedOutput() { zlib().deflate_end(stream_.get()); }

void DeflatedOutput::run(int flush) {
  int result = Z_OK;
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(buffer_.data());
    stream_->avail_out = static_cast<uInt>(buffer_.size());
    result = zlib().deflate(stream_.get(), flush);
    to_.write(buffer_.data(), buffer_.size() - stream_->avail_out);
  } while (stream_->avail_out == 0 || (flush == Z_FINISH && result != Z_STREAM_END));
}

void DeflatedOutput::write(const void* from, size_t bytes) {
  constexpr size_t kPiece = 1 << 20;
  const auto* at = static_cast<const Bytef*>(from);
  while (bytes > 0) {
    poll_interrupt();
    const size_t piece = std::min(bytes, kPiece);
    stream_->next_in = const_cast<Bytef*>(at);
    stream_->avail_in = static_cast<uInt>(piece);
    run(Z_NO_FLUSH);
    at += piece;
    bytes -= piece;
  }
}

void DeflatedOutput::finish() { run(Z_FINISH); }

}  // namespace gpy::rt
