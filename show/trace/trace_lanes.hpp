// SPDX-License-Identifier: Apache-2.0
// What is on at the same time needs several tracks: a track's slices must not overlap.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace heddle::pictures {

/// A slice of a track.
struct Stretch {
  Time begin;
  Time end;
};

/// For each of them, which lane it is in, from 0 on: those of a lane do not overlap, and there are as few lanes as there can be.
/// They come by their beginning.
std::vector<std::size_t> lanes_of(std::span<const Stretch> stretches);

/// "rank 3, sends", of further lanes "rank 3, sends (2)".
std::string lane_name(const std::string& name, std::size_t lane);

}  // namespace heddle::pictures
