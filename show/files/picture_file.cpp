// SPDX-License-Identifier: Apache-2.0
#include "show/files/picture_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/errors.hpp"
#include "show/files/filter_program.hpp"

namespace heddle::pictures {

namespace {

[[noreturn]] void refuse_missing_converter() {
  throw InputError("rsvg-convert is not installed (Debian's librsvg2-bin); it makes .png files; .svg needs nothing");
}

}  // namespace

void require_picture_file(std::string_view path) {
  if (path.ends_with(".svg")) return;
  if (!path.ends_with(".png")) throw InputError(fmt::format("'{}': a picture's file ends in .svg or .png", path));
  if (run_filter("rsvg-convert", {"--version"}, "").status == FilterResult::kNotFound) refuse_missing_converter();
}

std::string picture_for(std::string_view path, std::string svg) {
  if (!path.ends_with(".png")) return svg;
  const FilterResult made = run_filter("rsvg-convert", {"--unlimited", "--format=png"}, svg);
  if (made.status == FilterResult::kNotFound) refuse_missing_converter();
  if (made.status != 0 || made.out.empty())
    throw InputError(fmt::format("rsvg-convert failed: {}",
                                 made.err.empty() ? "it wrote nothing" : made.err.substr(0, made.err.find('\n'))));
  return made.out;
}

}  // namespace heddle::pictures
