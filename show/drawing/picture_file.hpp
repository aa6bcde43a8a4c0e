// SPDX-License-Identifier: Apache-2.0
// Pictures as files: SVG as it is, PNG by librsvg, and how the files of several pictures are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "show/document/output_file.hpp"

namespace heddle {
struct Algorithm;
struct Setup;
}  // namespace heddle

namespace heddle::pictures {

// Pictures are made as SVG; a file that ends in .png or .pdf gets what librsvg makes of it.

/// Throws InputError, one line: a suffix that is neither .svg nor .png, or .png and no rsvg-convert that runs.
void require_picture_file(std::string_view path);

/// Throws InputError, one line, if no rsvg-convert runs.
void require_converter();

/// What belongs into that file: the SVG itself, or the PNG or the PDF of it. Blocks while rsvg-convert runs. Throws InputError: it is
/// missing, or its complaint.
std::string picture_for(std::string_view path, std::string svg);

/// The file of one of several pictures: "out.svg", "ring" is "out-ring.svg". Letters of the name that files had better not have
/// become '_' ("chain:segments=8" is "out-chain_segments=8.svg").
std::string path_of_one(std::string_view path, std::string_view name);

/// The file of one algorithm of a run: `path` itself if there is no other, else path_of_one by its name.
std::string path_of(const Setup& setup, const Algorithm& algorithm, const std::string& path);

/// A file for each algorithm of a run: `path` itself if there is one, else path_of_one by its name. Throws InputError if one
/// cannot be written.
std::vector<OutputFile> files_of(const Setup& setup, const std::string& path);

}  // namespace heddle::pictures
