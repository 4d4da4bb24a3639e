#pragma once
// `gpy info`: what this program is, and what it found on this machine.

namespace gpy::command {

void print_info();

}  // namespace gpy::command
