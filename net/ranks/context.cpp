// SPDX-License-Identifier: Apache-2.0
#include "net/ranks/context.hpp"

#include <bit>

#include "heddle/errors.hpp"

namespace heddle::net {

namespace {

std::uint64_t append(std::uint64_t path, std::uint64_t bits, int width) {
  if (std::countl_zero(path) < width)
    throw UsageError("communicators are nested too deeply: the path to one, with its tasks and splits, must fit in 64 bits");
  return path << width | bits;
}

}  // namespace

std::uint64_t branch_context(std::uint64_t parent, std::uint32_t call, int n, int i) {
  const int width = std::bit_width(static_cast<unsigned>(n - 1));
  return append(append(parent, call % 4, 3), static_cast<unsigned>(i), width);
}

std::uint64_t part_context(std::uint64_t parent, std::uint32_t split) { return append(parent, 8 | split % 8, 4); }

}  // namespace heddle::net
