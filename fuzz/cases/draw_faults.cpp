// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/drawing.hpp"

#include <fmt/format.h>

#include <optional>

namespace heddle {

namespace {

/// Drawn runs take from nothing to some hundred microseconds.
std::string draw_timestamp(RandomSource& random) {
  return random.one_of<std::string>({"50ns", "300ns", "1us", "2us", "5us", "20us", "100us"});
}

std::string draw_link_fault(RandomSource& random, const std::string& subject) {
  const std::string what = random.once_in(3) ? fmt::format("slow={}", random.one_of<std::int64_t>({2, 5, 100})) : "down";
  return fmt::format("link:{},{}{}", subject, what, random.once_in(2) ? "" : ",at=" + draw_timestamp(random));
}

/// One way of a cable, or both. The cable may be one of those that adaptive routing takes as one.
std::optional<std::string> draw_link(RandomSource& random, const Topology& topology) {
  if (topology.links() == 0) return std::nullopt;
  const auto link = static_cast<LinkId>(random.between(0, topology.links() - 1));
  const LinkEnds ends = topology.ends(link);
  const std::string arrow = random.once_in(2) ? "->" : "<->";
  return draw_link_fault(random, topology.vertex_name(ends.from) + arrow + topology.vertex_name(ends.to));
}

std::string draw_rank(RandomSource& random, int ranks) {
  const std::int64_t rank = random.between(0, ranks - 1);
  const std::int64_t kind = random.between(1, 6);
  if (kind == 1) return fmt::format("rank:{},late={}", rank, draw_timestamp(random));
  if (kind == 2) return fmt::format("rank:{},slow={}", rank, random.one_of<std::int64_t>({2, 7, 50}));
  const std::string what = kind <= 4 ? "throws" : "stops";
  if (random.once_in(3)) return fmt::format("rank:{},{},at={}", rank, what, draw_timestamp(random));
  return fmt::format("rank:{},{},call={}", rank, what, random.between(1, random.once_in(4) ? 40 : 6));
}

/// Between ranks that are near each other by number more often: most algorithms send there.
std::string draw_message(RandomSource& random, int ranks) {
  const std::int64_t source = random.between(0, ranks - 1);
  const std::int64_t distance =
      random.once_in(2) ? random.one_of<std::int64_t>({1, ranks - 1, 2}) : random.between(1, ranks - 1);
  std::int64_t dest = (source + distance) % ranks;
  if (dest == source) dest = (source + 1) % ranks;
  std::string text = fmt::format("message:{}->{},{}", source, dest, random.once_in(2) ? "lost" : "damaged");
  if (random.once_in(2)) text += fmt::format(",nth={}", random.between(1, 4));
  return text;
}

std::string draw_unreliable(RandomSource& random) {
  const std::int64_t seed = random.between(1, 1000);
  if (random.once_in(3)) return fmt::format("unreliable:lost=0.5%,damaged=0.5%,seed={}", seed);
  const std::string share = random.one_of<std::string>({"0.1%", "1%", "10%", "100%"});
  return fmt::format("unreliable:{}={},seed={}", random.once_in(2) ? "lost" : "damaged", share, seed);
}

/// No value: the switch drawn has no ALU, or there is none.
std::optional<std::string> draw_switch(RandomSource& random, const Topology& topology) {
  if (topology.switches() == 0) return std::nullopt;
  const auto vertex = static_cast<VertexId>(topology.endpoints() + random.between(0, topology.switches() - 1));
  if (!topology.offers(vertex).alu) return std::nullopt;
  return fmt::format("switch:{},no-alu", topology.vertex_name(vertex));
}

std::optional<std::string> try_to_draw_fault(RandomSource& random, const Topology& topology, int ranks) {
  switch (random.between(1, 6)) {
    case 1:
      return draw_switch(random, topology);
    case 2:
    case 3:
      return draw_link(random, topology);
    case 4:
      if (ranks > 1) return random.once_in(3) ? draw_unreliable(random) : draw_message(random, ranks);
      return std::nullopt;
    default:
      return draw_rank(random, ranks);
  }
}

}  // namespace

std::vector<std::string> draw_faults(RandomSource& random, const Topology& topology, int ranks) {
  const std::size_t wanted = random.once_in(5) ? 2 : 1;
  std::vector<std::string> faults;
  while (faults.size() < wanted) {
    const std::optional<std::string> fault = try_to_draw_fault(random, topology, ranks);
    const bool is_second_of_its_kind =
        fault && fault->starts_with("unreliable") && !faults.empty() && faults.front().starts_with("unreliable");
    if (fault && !is_second_of_its_kind) faults.push_back(*fault);
  }
  return faults;
}

}  // namespace heddle
