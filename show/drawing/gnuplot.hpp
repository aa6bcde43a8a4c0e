// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heddle::pictures {

/// Throws InputError, a line that says what to install, unless a gnuplot is found that runs.
void require_gnuplot();

/// Runs gnuplot on a script and returns what it writes to standard output (a picture, if the script sets no output). No shell
/// is between, no file of the user's is read. Blocks until it ends. Throws InputError: gnuplot is missing, or its first
/// complaint.
std::string run_gnuplot(std::string_view script);

/// A text as gnuplot's scripts write it: in single quotes, where nothing is replaced. What would end a line becomes a blank.
std::string gnuplot_text(std::string_view text);

}  // namespace heddle::pictures
