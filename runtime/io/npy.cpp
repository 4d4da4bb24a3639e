#include "runtime/io/npy.h"

#include <algorithm>
#include <cmath>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/size_text.h"
#include "runtime/text/array_text.h"
#include "runtime/text/backslash_replace.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;
constexpr size_t kPiece = size_t{4} << 20;

// Headers are latin-1 text before version 3 of the format, UTF-8 from then on.
std::string from_latin1(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      text += c;
    } else {
      text += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    }
  }
  return text;
}

[[noreturn]] void fail_file(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::kValue, path + ": " + problem);
}

int64_t count_bytes(const std::string& path, const Dims& shape, int64_t bytes) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (int64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      fail_file(path, "shape " + shape_text(shape) + " is too large");
    }
  }
  return bytes;
}

// Reads the one dict that a header may hold; nothing else of Python.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path, bool takes_others)
      : text_(text), path_(path), takes_others_(takes_others) {}

  NpyHeader parse() {
    expect('{');
    while (!try_take('}')) {
      parse_entry();
      if (try_take(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail_syntax();
    if (!has_descr_ || !has_order_ || !has_shape_) {
      fail_file(path_, "the header lacks one of 'descr', 'fortran_order', 'shape'");
    }
    if (header_.other.empty()) {
      header_.byte_count = count_bytes(path_, header_.shape, item_size(header_.dtype));
    }
    return header_;
  }

 private:
  [[noreturn]] void fail_syntax() const {
    fail_file(path_, "cannot parse the header at its byte " + std::to_string(at_));
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos) ++at_;
  }
  bool try_take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!try_take(c)) fail_syntax();
  }
  bool try_take_word(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string_view parse_string() {
    const char quote = try_take('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const size_t end = text_.find(quote, at_);
    if (end == text_.npos) fail_syntax();
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }

  void parse_entry() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr" && !has_descr_) {
      has_descr_ = true;
      parse_descr();
    } else if (key == "fortran_order" && !has_order_) {
      has_order_ = true;
      header_.fortran_order = try_take_word("True");
      if (!header_.fortran_order && !try_take_word("False")) fail_syntax();
    } else if (key == "shape" && !has_shape_) {
      has_shape_ = true;
      parse_shape();
    } else {
      fail_file(path_, "the header has an unexpected key '" + std::string(key) + "'");
    }
  }

  void parse_descr() {
    skip_space();
    const size_t start = at_;
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      if (!takes_others_) fail_file(path_, "structured dtypes are not supported");
      skip_nested();
      header_.other = text_.substr(start, at_ - start);
      return;
    }
    const std::string descr(parse_string());
    const std::optional<DType> dtype = dtype_from_name(descr);
    if (!dtype && descr.find('O') != descr.npos) {
      fail_file(path_, "Object arrays cannot be loaded: gpy does not read pickled data");
    }
    if (!dtype && !takes_others_) fail_file(path_, "dtype '" + descr + "' is not supported");
    if (!dtype) header_.other = text_.substr(start, at_ - start);
    header_.dtype = dtype.value_or(DType::kUInt8);
  }

  // Brackets, and what is in them.
  void skip_nested() {
    for (int depth = 0;;) {
      skip_space();
      if (at_ >= text_.size()) fail_syntax();
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        parse_string();
        continue;
      }
      ++at_;
      if (c == '[' || c == '(') ++depth;
      if ((c == ']' || c == ')') && --depth == 0) return;
    }
  }

  int64_t parse_extent() {
    skip_space();
    const size_t start = at_;
    int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        fail_file(path_, "the shape is too large");
      }
    }
    if (at_ == start) fail_syntax();
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // a long of Python 2
    return value;
  }

  void parse_shape() {
    expect('(');
    bool needs_comma = false;
    while (!try_take(')')) {
      if (needs_comma) expect(',');
      if (needs_comma && try_take(')')) return;
      if (header_.shape.size() == kMaxRank) {
        fail_file(path_, "more than " + std::to_string(kMaxRank) + " dimensions");
      }
      header_.shape.push_back(parse_extent());
      needs_comma = true;
    }
    // "(3)" is a number in Python, not a tuple.
    if (header_.shape.size() == 1) fail_syntax();
  }

  std::string_view text_;
  const std::string& path_;
  const bool takes_others_;
  size_t at_ = 0;
  NpyHeader header_{DType::kFloat64, false, {}, 0};
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

size_t little_endian(std::string_view bytes) {
  size_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& path, bool takes_others) {
  return HeaderParser(text, path, takes_others).parse();
}

NpyReader::NpyReader(const std::string& path)
    : own_(std::make_unique<InputFile>(path)), file_(*own_) {
  read_header(kMaxNpyHeader, false);
}

NpyReader::NpyReader(ByteInput& input, size_t max_header, bool takes_others) : file_(input) {
  read_header(max_header, takes_others);
}

void NpyReader::set_item_size(int64_t bytes) {
  header_.byte_count = count_bytes(file_.path(), header_.shape, bytes);
  if (const int64_t left = file_.left(); left >= 0) check_held(left);
}

void NpyReader::read_header(size_t max_header, bool takes_others) {
  header_ = parse_npy_header(read_header_text(max_header), file_.path(), takes_others);
  if (const int64_t left = file_.left(); left >= 0) check_held(left);
}

void NpyReader::check_held(int64_t held) const {
  if (held >= header_.byte_count) return;
  const auto promised = static_cast<double>(header_.byte_count);
  const double percent = std::floor(1e4 * static_cast<double>(held) / promised) / 100;
  fail_file(file_.path(),
            fmt::format("header promises {} bytes, file holds {} (truncated at {:.2f} %)",
                        with_commas(header_.byte_count), with_commas(held), percent));
}

std::string NpyReader::read_exactly(size_t bytes, std::string_view what) {
  std::string data(bytes, '\0');
  data.resize(file_.read(data.data(), bytes));
  if (data.size() < bytes) {
    fail_file(file_.path(), "the file ends within the " + std::string(what));
  }
  return data;
}

std::string NpyReader::read_header_text(size_t max_header) {
  std::string start(kMagic.size() + 2, '\0');
  start.resize(file_.read(start.data(), start.size()));
  if (start.empty()) fail_file(file_.path(), "the file is empty");
  if (start.substr(0, kMagic.size()) != kMagic) {
    fail_file(file_.path(), "not a .npy file (it does not start with \\x93NUMPY)");
  }
  if (start.size() < kMagic.size() + 2) fail_file(file_.path(), "the file ends within the header");
  const int major = static_cast<unsigned char>(start[6]);
  const int minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    fail_file(file_.path(),
              fmt::format("version {}.{} of the .npy format is not known", major, minor));
  }
  const size_t length_size = major == 1 ? 2 : 4;
  const size_t size = little_endian(read_exactly(length_size, "header"));
  if (size > max_header) {
    fail_file(file_.path(), fmt::format("a header of {} bytes is too long (at most {})",
                                        with_commas(static_cast<int64_t>(size)),
                                        with_commas(static_cast<int64_t>(max_header))));
  }
  const std::string header = read_exactly(size, "header");
  return major < 3 ? from_latin1(header) : backslash_replace(header);
}

void NpyReader::read(void* to) {
  const auto bytes = static_cast<size_t>(header_.byte_count);
  size_t done = 0;
  while (done < bytes) {
    poll_interrupt();
    const size_t wanted = std::min(kPiece, bytes - done);
    const size_t got = file_.read(static_cast<char*>(to) + done, wanted);
    done += got;
    if (got < wanted) break;
  }
  check_held(static_cast<int64_t>(done));
}

namespace {

// NumPy leaves room for the axis that may grow.
constexpr size_t kGrowthDigits = 21;

std::string header_text(DType dtype, const Dims& shape, bool fortran_order) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", dtype_descr(dtype),
                  fortran_order ? "True" : "False", shape_text(shape));
  if (shape.empty()) return text;
  const int64_t growing = fortran_order ? shape.back() : shape[0];
  return text + std::string(kGrowthDigits - std::to_string(growing).size(), ' ');
}

// Magic, version 1.0, length, text; the elements start at a multiple of 64.
std::string whole_header(const std::string& text) {
  constexpr size_t kPrefix = 10;
  const size_t used = kPrefix + text.size() + 1;
  const size_t length = text.size() + 1 + kAlignment - used % kAlignment;
  std::string header(kMagic);
  header += {'\1', '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  header += text;
  return header + std::string(length - text.size() - 1, ' ') + "\n";
}

int64_t byte_count(DType dtype, const Dims& shape) {
  int64_t bytes = item_size(dtype);
  for (int64_t extent : shape) bytes *= extent;
  return bytes;
}

}  // namespace

std::string npy_header(DType dtype, const Dims& shape, bool fortran_order) {
  return whole_header(header_text(dtype, shape, fortran_order));
}

void write_npy(const std::string& path, DType dtype, const Dims& shape, bool fortran_order,
               const void* data) {
  OutputFile file(path);
  file.write(npy_header(dtype, shape, fortran_order));
  file.write(data, byte_count(dtype, shape));
  file.commit();
}

}  // namespace gpy::rt
