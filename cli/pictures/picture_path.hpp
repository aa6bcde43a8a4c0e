// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output_file.hpp"
#include "cli/run_plan.hpp"

namespace heddle::pictures {

/// The file of one of several pictures: "out.svg", "ring" is "out-ring.svg". Letters of the name that files had better not have
/// become '_' ("chain:segments=8" is "out-chain_segments=8.svg").
std::string path_of_one(std::string_view path, std::string_view name);

/// A file for each algorithm of a run: `path` itself if there is one, else path_of_one by its name. Throws InputError if one
/// cannot be written.
std::vector<OutputFile> files_of(const RunPlan& plan, const std::string& path);

}  // namespace heddle::pictures
