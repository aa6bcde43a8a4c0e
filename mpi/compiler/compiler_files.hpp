// SPDX-License-Identifier: Apache-2.0
// Which compiler `heddle mpicc` runs, and where the headers and the archive are that it adds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "mpi/compiler/compiler_call.hpp"

namespace heddle::mpi {

enum class CompilerLanguage : std::uint8_t { c, cxx };

/// The settings of a heddle whose command is the file `command`: installed, in a build folder, or copied from one.
/// `chosen` is what HEDDLE_CC or HEDDLE_CXX says: the compiler and words before its arguments, with blanks between them; none or
/// empty: cc or c++. Throws InputError if the archive or the headers are nowhere.
CompilerSettings installed_compiler(CompilerLanguage language, const std::filesystem::path& command,
                                    const std::optional<std::string>& chosen);

}  // namespace heddle::mpi
