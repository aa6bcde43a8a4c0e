// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heddle::pictures {

/// The file of one of several pictures: "out.svg", "ring" is "out-ring.svg". Letters of the name that files had better not have
/// become '_' ("chain:segments=8" is "out-chain_segments=8.svg").
std::string path_of_one(std::string_view path, std::string_view name);

}  // namespace heddle::pictures
