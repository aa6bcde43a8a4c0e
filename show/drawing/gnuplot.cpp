// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/errors.hpp"
#include "show/drawing/picture_file.hpp"

namespace heddle::pictures {

namespace {

FilterResult spawn_gnuplot(std::string_view script) {
  return run_filter("gnuplot", {"-d"}, script, {"GNUTERM", "GNUPLOT_"});  // -d: nobody's settings
}

[[noreturn]] void refuse_missing_gnuplot() {
  throw InputError("gnuplot is not installed (Debian's gnuplot-nox); it draws the plots");
}

/// gnuplot repeats the line, points at the place and then says what is wrong, as in `line 3: undefined variable: x`.
std::string complaint_of(const std::string& err) {
  std::string last;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size());
    const std::string line = err.substr(begin, end - begin);
    if (line.find_first_not_of(" ^") != std::string::npos) last = line.substr(line.find_first_not_of(' '));
    begin = end + 1;
  }
  return last.empty() ? "it wrote nothing" : last;
}

}  // namespace

void require_gnuplot() {
  if (spawn_gnuplot("print 1\n").status == FilterResult::kNotFound) refuse_missing_gnuplot();
}

std::string run_gnuplot(std::string_view script) {
  const FilterResult ended = spawn_gnuplot(script);
  if (ended.status == FilterResult::kNotFound) refuse_missing_gnuplot();
  if (ended.status != 0 || ended.out.empty()) throw InputError(fmt::format("gnuplot failed: {}", complaint_of(ended.err)));
  return ended.out;
}

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
  }
  return quoted + "'";
}

}  // namespace heddle::pictures
