#pragma once
// `gpy info`: a description of this program and of the hardware that it finds on this machine.

namespace gpy::command {

void print_info();

}  // namespace gpy::command
