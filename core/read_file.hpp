// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace heddle {

/// All of a file that a user named. Throws InputError if it cannot be read, has more than `most` bytes, is no regular file, or has
/// control characters in its name. The error ("cannot be read: it is a directory") lacks the name: the caller puts it before.
/// A pipe that is open already is read too (/dev/stdin, and /dev/fd/63 of a shell's <(…)).
std::string read_file(const std::string& path, std::size_t most = std::size_t{1} << 30);

/// The same; the error has the name: "'x.json': cannot be read: …".
std::string read_named_file(const std::string& path);

}  // namespace heddle
