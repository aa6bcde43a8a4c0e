// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/run/setup.hpp"
#include "show/output_file.hpp"

namespace heddle::pictures {

/// The file of one of several pictures: "out.svg", "ring" is "out-ring.svg". Letters of the name that files had better not have
/// become '_' ("chain:segments=8" is "out-chain_segments=8.svg").
std::string path_of_one(std::string_view path, std::string_view name);

/// The file of one algorithm of a run: `path` itself if there is no other, else path_of_one by its name.
std::string path_of(const Setup& plan, const Algorithm& algorithm, const std::string& path);

/// A file for each algorithm of a run: `path` itself if there is one, else path_of_one by its name. Throws InputError if one
/// cannot be written.
std::vector<OutputFile> files_of(const Setup& plan, const std::string& path);

}  // namespace heddle::pictures
