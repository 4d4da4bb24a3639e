#pragma once
// `gpy cache`: what is kept of compiled kernels, and `gpy cache clear`, which removes it.

#include <string>
#include <vector>

namespace gpy::command {

// `words` follow "cache". Returns an exit code; throws std::invalid_argument for words that it does
// not know.
int run_cache(const std::vector<std::string>& words);

}  // namespace gpy::command
