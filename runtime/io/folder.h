#pragma once

// The entries of a folder. std::filesystem's iterator allocates where it must not throw.

#include <string>
#include <vector>

namespace gpy::rt {

// Names of files and folders, "." and ".." left out, at most `most`, in no order; none where the
// folder cannot be read.
std::vector<std::string> names_in_folder(const std::string& path, size_t most);

}  // namespace gpy::rt
