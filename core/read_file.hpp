// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace heddle {

/// All of a file that a user named. Throws InputError ("cannot be read: it is a directory", without the name, which whoever asked
/// puts before it) if it cannot be read or has more than `most` bytes, as a device without end has.
std::string read_file(const std::string& path, std::size_t most = std::size_t{1} << 30);

}  // namespace heddle
