// SPDX-License-Identifier: Apache-2.0
// Pictures are made as SVG; a file that ends in .png gets what librsvg makes of it.
#pragma once

#include <string>
#include <string_view>

namespace heddle::pictures {

/// Throws InputError, one line: a suffix that is neither .svg nor .png, or .png and no rsvg-convert that runs.
void require_picture_file(std::string_view path);

/// What belongs into that file: the SVG itself, or the PNG of it. Blocks while rsvg-convert runs. Throws InputError: it is
/// missing, or its complaint.
std::string picture_for(std::string_view path, std::string svg);

}  // namespace heddle::pictures
