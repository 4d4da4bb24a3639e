#pragma once

// NumPy's .npy files, versions 1 to 3.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/io/file.h"

namespace gpy::rt {

struct NpyHeader {
  DType dtype;
  bool fortran_order = false;
  Dims shape;
  int64_t byte_count = 0;  // of the elements
  // The text of a dtype that is none of numbers, as it stands in the file; dtype and byte_count
  // mean nothing until set_item_size.
  std::string other = {};
};

constexpr size_t kMaxNpyHeader = 10000;  // NumPy's max_header_size

// A file whose header has been read and checked, its size included. Errors name the file and say
// what is wrong with it.
class NpyReader {
 public:
  explicit NpyReader(const std::string& path);
  // `takes_others`: a header may have a dtype that is none of numbers.
  explicit NpyReader(ByteInput& input, size_t max_header = kMaxNpyHeader,
                     bool takes_others = false);

  const NpyHeader& header() const { return header_; }
  // The size of an element of `header().other`.
  void set_item_size(int64_t bytes);
  // Fills header().byte_count bytes: the elements in the file's order (C or Fortran).
  void read(void* to);

 private:
  void read_header(size_t max_header, bool takes_others);
  std::string read_header_text(size_t max_header);
  std::string read_exactly(size_t bytes, std::string_view what);
  void check_held(int64_t held) const;

  std::unique_ptr<ByteInput> own_;
  ByteInput& file_;
  NpyHeader header_;
};

// The dict of a header: "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }".
NpyHeader parse_npy_header(std::string_view text, const std::string& path,
                           bool takes_others = false);

// The bytes of a file before its elements.
std::string npy_header(DType dtype, const Dims& shape, bool fortran_order);

// `data` is contiguous in the order that `fortran_order` names.
void write_npy(const std::string& path, DType dtype, const Dims& shape, bool fortran_order,
               const void* data);

}  // namespace gpy::rt
