#pragma once

// Folders and files that this user alone can change: what others could have written is not run.

#include <sys/stat.h>

#include <string>

namespace gpy::rt {

// Whether it belongs to this user and nobody else may write it.
bool is_users_alone(const struct stat& about);

// Why a folder that is there must not be trusted: "belongs to another user"; empty where it may be,
// or is not there.
std::string why_untrusted(const std::string& folder);

// Makes the folder and those above it that are missing, for this user alone. False if it cannot.
bool make_private_folder(const std::string& folder);

}  // namespace gpy::rt
