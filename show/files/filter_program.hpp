// SPDX-License-Identifier: Apache-2.0
// Another program that makes one text of another: gnuplot, rsvg-convert.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::pictures {

struct FilterResult {
  static constexpr int kNotFound = 127;

  int status = 0;   ///< its exit status; 1 if it was killed, kNotFound if there is no such program
  std::string out;  ///< what it wrote to standard output …
  std::string err;  ///< … and to standard error
};

/// Runs a program of PATH on `input` as its standard input, and waits until it ends. No shell is between; of the environment what
/// would change numbers is left out, and what begins with one of `without`. Throws InputError where there is no room for its
/// input and output.
FilterResult run_filter(const std::string& program, const std::vector<std::string>& arguments, std::string_view input,
                        const std::vector<std::string_view>& without = {});

}  // namespace heddle::pictures
