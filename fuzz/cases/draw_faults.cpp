// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/drawing.hpp"

#include <fmt/format.h>

#include <optional>

namespace heddle {

namespace {

/// Drawn runs take from nothing to some hundred microseconds.
std::string draw_instant(Dice& dice) {
  return dice.one_of<std::string>({"50ns", "300ns", "1us", "2us", "5us", "20us", "100us"});
}

std::string draw_link_fault(Dice& dice, const std::string& subject) {
  const std::string what = dice.once_in(3) ? fmt::format("slow={}", dice.one_of<std::int64_t>({2, 5, 100})) : "down";
  return fmt::format("link:{},{}{}", subject, what, dice.once_in(2) ? "" : ",at=" + draw_instant(dice));
}

/// One way of a cable, or both. The cable may be one of those that adaptive routing takes as one.
std::optional<std::string> draw_link(Dice& dice, const Topology& topology) {
  if (topology.links() == 0) return std::nullopt;
  const auto link = static_cast<LinkId>(dice.between(0, topology.links() - 1));
  const LinkEnds ends = topology.ends(link);
  const std::string arrow = dice.once_in(2) ? "->" : "<->";
  return draw_link_fault(dice, topology.vertex_name(ends.from) + arrow + topology.vertex_name(ends.to));
}

std::string draw_rank(Dice& dice, int ranks) {
  const std::int64_t rank = dice.between(0, ranks - 1);
  const std::int64_t kind = dice.between(1, 6);
  if (kind == 1) return fmt::format("rank:{},late={}", rank, draw_instant(dice));
  if (kind == 2) return fmt::format("rank:{},slow={}", rank, dice.one_of<std::int64_t>({2, 7, 50}));
  const std::string what = kind <= 4 ? "throws" : "stops";
  if (dice.once_in(3)) return fmt::format("rank:{},{},at={}", rank, what, draw_instant(dice));
  return fmt::format("rank:{},{},call={}", rank, what, dice.between(1, dice.once_in(4) ? 40 : 6));
}

/// Between ranks that are near each other by number more often: most algorithms send there.
std::string draw_message(Dice& dice, int ranks) {
  const std::int64_t source = dice.between(0, ranks - 1);
  const std::int64_t distance = dice.once_in(2) ? dice.one_of<std::int64_t>({1, ranks - 1, 2}) : dice.between(1, ranks - 1);
  std::int64_t dest = (source + distance) % ranks;
  if (dest == source) dest = (source + 1) % ranks;
  std::string text = fmt::format("message:{}->{},{}", source, dest, dice.once_in(2) ? "lost" : "damaged");
  if (dice.once_in(2)) text += fmt::format(",nth={}", dice.between(1, 4));
  return text;
}

std::string draw_unreliable(Dice& dice) {
  const std::int64_t seed = dice.between(1, 1000);
  if (dice.once_in(3)) return fmt::format("unreliable:lost=0.5%,damaged=0.5%,seed={}", seed);
  const std::string share = dice.one_of<std::string>({"0.1%", "1%", "10%", "100%"});
  return fmt::format("unreliable:{}={},seed={}", dice.once_in(2) ? "lost" : "damaged", share, seed);
}

/// No value: the switch drawn has no ALU, or there is none.
std::optional<std::string> draw_switch(Dice& dice, const Topology& topology) {
  if (topology.switches() == 0) return std::nullopt;
  const auto vertex = static_cast<VertexId>(topology.endpoints() + dice.between(0, topology.switches() - 1));
  if (!topology.offers(vertex).alu) return std::nullopt;
  return fmt::format("switch:{},no-alu", topology.vertex_name(vertex));
}

std::optional<std::string> try_to_draw_fault(Dice& dice, const Topology& topology, int ranks) {
  switch (dice.between(1, 6)) {
    case 1:
      return draw_switch(dice, topology);
    case 2:
    case 3:
      return draw_link(dice, topology);
    case 4:
      if (ranks > 1) return dice.once_in(3) ? draw_unreliable(dice) : draw_message(dice, ranks);
      return std::nullopt;
    default:
      return draw_rank(dice, ranks);
  }
}

}  // namespace

std::vector<std::string> draw_faults(Dice& dice, const Topology& topology, int ranks) {
  const std::size_t wanted = dice.once_in(5) ? 2 : 1;
  std::vector<std::string> faults;
  while (faults.size() < wanted) {
    const std::optional<std::string> fault = try_to_draw_fault(dice, topology, ranks);
    const bool is_second_of_its_kind =
        fault && fault->starts_with("unreliable") && !faults.empty() && faults.front().starts_with("unreliable");
    if (fault && !is_second_of_its_kind) faults.push_back(*fault);
  }
  return faults;
}

}  // namespace heddle
