// SPDX-License-Identifier: Apache-2.0
// What a page is made of besides its data: files of show/page/web and d3, which the build puts into the program.
#pragma once

#include <span>
#include <string_view>

namespace heddle::pages {

/// With the places that page_writer.cpp fills.
std::string_view skeleton();
std::string_view style();
/// In the order in which they build on each other; the first is d3.
std::span<const std::string_view> scripts();

}  // namespace heddle::pages
