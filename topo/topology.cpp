// SPDX-License-Identifier: Apache-2.0
#include "topo/topology.hpp"

#include <fmt/format.h>

#include <array>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

std::string to_string(TieBreak tie_break) { return tie_break == TieBreak::split ? "adaptive" : "deterministic"; }

TieBreak parse_tie_break(std::string_view text) {
  for (TieBreak tie_break : {TieBreak::split, TieBreak::deterministic}) {
    if (text == to_string(tie_break)) return tie_break;
  }
  static constexpr std::array<std::string_view, 2> kNames = {"adaptive", "deterministic"};
  throw InputError(unknown_name_message("routing", text, kNames));
}

std::string Topology::vertex_name(VertexId vertex) const {
  return vertex < endpoints() ? fmt::format("{}", vertex) : fmt::format("s{}", vertex - endpoints());
}

std::string Topology::link_name(LinkId link) const {
  const LinkEnds link_ends = ends(link);
  return vertex_name(link_ends.from) + "->" + vertex_name(link_ends.to);
}

}  // namespace heddle
