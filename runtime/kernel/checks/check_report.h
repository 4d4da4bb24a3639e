#pragma once

// What checked launches found, as the one error that is raised behind them.

#include <string>

#include "runtime/kernel/checks/finding.h"

namespace gpy::rt {

// Throws kCheck where the launch did what it must not; the first finding decides the message. What
// is not checked is noted, once for each array of `told`.
void report_findings(const std::string& kernel, const LaunchChecks& checks, ToldArrays& told);

}  // namespace gpy::rt
