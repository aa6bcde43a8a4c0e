// SPDX-License-Identifier: Apache-2.0
#include "emu/settings/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// As of a fabric's spans: long beyond all that is real, and short enough that some of them add up.
constexpr Time kLatestFault = Time::ps(3'600'000'000'000'000);

void require_timestamp(Time at) {
  if (at < Time() || at > kLatestFault)
    throw InputError(fmt::format("a fault at {}: it must be from 0 to an hour", to_string(at)));
}

void require_factor(double factor) {
  if (!(factor >= 1 && std::isfinite(factor)))
    throw InputError(fmt::format("slower by a factor of {}: it must be at least 1, and finite", factor));
}

void require_rank(int rank, int ranks) {
  if (rank < 0 || rank >= ranks) throw InputError(fmt::format("a fault of rank {}: ranks are 0 to {}", rank, ranks - 1));
}

void require_share(double share) {
  if (!(share >= 0 && share <= 1))
    throw InputError(fmt::format("{} of all messages lost or damaged: a share is from 0 to 1", share));
}

void require_possible(const MessageFault& fault, int ranks) {
  require_rank(fault.source, ranks);
  require_rank(fault.dest, ranks);
  if (fault.source == fault.dest)
    throw InputError(fmt::format("messages of rank {} to itself do not cross the fabric", fault.source));
  if (fault.nth < 1) throw InputError(fmt::format("message number {}: the first is number 1", fault.nth));
  if (fault.byte.value_or(0) < 0) throw InputError(fmt::format("byte {}: the first is number 0", *fault.byte));
}

void require_possible(const RankFault& fault, int ranks) {
  require_rank(fault.rank, ranks);
  require_timestamp(fault.at);
  require_factor(fault.factor);
  if (fault.call < 0) throw InputError(fmt::format("call number {}: the first is number 1", fault.call));
}

std::string when_text(const RankFault& fault) {
  if (fault.call > 0) return fmt::format(",call={}", fault.call);
  return fault.at > Time() ? ",at=" + to_string(fault.at) : "";
}

}  // namespace

Faults faults_among(const Faults& faults, std::span<const int> ranks) {
  const auto number_of = [ranks](int rank) -> int {
    const auto found = std::ranges::find(ranks, rank);
    return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
  };
  Faults among = faults;
  for (RankFault& fault : among.ranks) fault.rank = number_of(fault.rank);
  std::erase_if(among.ranks, [](const RankFault& fault) { return fault.rank < 0; });
  for (MessageFault& fault : among.messages) fault.source = number_of(fault.source), fault.dest = number_of(fault.dest);
  std::erase_if(among.messages, [](const MessageFault& fault) { return fault.source < 0 || fault.dest < 0; });
  return among;
}

double bandwidth_left(std::span<const LinkFault> faults, LinkId link, Time end) {
  std::vector<LinkFault> of_link;
  std::ranges::copy_if(faults, std::back_inserter(of_link), [&](const LinkFault& fault) { return fault.link == link; });
  std::ranges::sort(of_link, {}, &LinkFault::at);
  double left = 1;
  double sum = 0;
  Time since;
  for (const LinkFault& fault : of_link) {
    const Time at = std::min(fault.at, end);
    sum += left * (at - since).seconds();
    since = at;
    if (fault.at < end || end == Time()) left = fault.down ? 0 : std::min(left, 1 / fault.slower);
  }
  return end == Time() ? left : (sum + left * (end - since).seconds()) / end.seconds();
}

void require_possible(const Faults& faults, const Topology& topology, int ranks) {
  for (const LinkFault& fault : faults.links) {
    if (fault.link < 0 || fault.link >= topology.links())
      throw InputError(
          fmt::format("a fault of link {}: {} has links 0 to {}", fault.link, topology.spec(), topology.links() - 1));
    require_timestamp(fault.at);
    require_factor(fault.slower);
  }
  if (faults.worst) {
    require_timestamp(faults.worst->at);
    require_factor(faults.worst->slower);
  }
  for (const RankFault& fault : faults.ranks) require_possible(fault, ranks);
  for (const MessageFault& fault : faults.messages) require_possible(fault, ranks);
  if (faults.unreliable) {
    require_share(faults.unreliable->lost);
    require_share(faults.unreliable->damaged);
    require_share(faults.unreliable->lost + faults.unreliable->damaged);
  }
  for (const SwitchFault& fault : faults.switches) {
    if (fault.a_switch < topology.endpoints() || fault.a_switch >= topology.endpoints() + topology.switches())
      throw InputError(fmt::format("vertex {} is no switch of {}", fault.a_switch, topology.spec()));
    if (!topology.offers(fault.a_switch).alu)
      throw InputError(fmt::format("switch {} of {} has no ALU to lose; a fabric has some where its text says so: star:8,alu",
                                   topology.vertex_name(fault.a_switch), topology.spec()));
  }
}

std::string state_text(const LinkFault& fault) {
  return (fault.down ? "down" : fmt::format("slow={}", fault.slower)) + (fault.at > Time() ? ",at=" + to_string(fault.at) : "");
}

std::string to_string(const LinkFault& fault, const Topology& topology) {
  return fmt::format("link:{},{}", topology.link_name(fault.link), state_text(fault));
}

std::string to_string(const RankFault& fault) {
  switch (fault.kind) {
    case RankFault::Kind::late:
      return fmt::format("rank:{},late={}", fault.rank, to_string(fault.at));
    case RankFault::Kind::slow:
      return fmt::format("rank:{},slow={}", fault.rank, fault.factor);
    case RankFault::Kind::throws:
      return fmt::format("rank:{},throws{}", fault.rank, when_text(fault));
    case RankFault::Kind::stops:
      return fmt::format("rank:{},stops{}", fault.rank, when_text(fault));
  }
  return {};
}

std::string to_string(const MessageFault& fault) {
  std::string text = fmt::format("message:{}->{},{}", fault.source, fault.dest, fault.damaged ? "damaged" : "lost");
  if (fault.nth > 1) text += fmt::format(",nth={}", fault.nth);
  if (fault.byte) text += fmt::format(",byte={}", *fault.byte);
  return text;
}

std::string to_string(const UnreliableFabric& fault) {
  std::string text = "unreliable:";
  if (fault.lost > 0 || fault.damaged == 0) text += fmt::format("lost={}", fault.lost);
  if (fault.damaged > 0) text += fmt::format("{}damaged={}", text.ends_with(':') ? "" : ",", fault.damaged);
  return text + (fault.seed == 1 ? "" : fmt::format(",seed={}", fault.seed));
}

std::string to_string(const SwitchFault& fault, const Topology& topology) {
  return fmt::format("switch:{},no-alu", topology.vertex_name(fault.a_switch));
}

}  // namespace heddle
