#pragma once

// numpy.savetxt.

#include <string>
#include <vector>

#include "runtime/core/host_view.h"

namespace gpy::rt {

struct SaveTextOptions {
  std::vector<std::string> fmt = {"%.18e"};
  bool fmt_is_list = false;  // one format for each column, also where there is but one
  std::string delimiter = " ";
  std::string newline = "\n";
  std::string header = "";
  std::string footer = "";
  std::string comments = "# ";
};

// Arrays of one axis are a column. Throws in NumPy's words.
std::string save_text(const HostView& view, const SaveTextOptions& options);

}  // namespace gpy::rt
