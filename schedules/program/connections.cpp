// SPDX-License-Identifier: Apache-2.0
#include "schedules/program/connections.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "core/errors.hpp"

namespace heddle {

namespace {

bool has_steps(const Strand& strand, bool (*which)(StepKind)) {
  for (const Step& step : strand.steps) {
    if (which(step.kind)) return true;
  }
  return false;
}

std::string strand_text(const ScheduleProgram& program, std::int32_t rank, const Strand& strand) {
  const std::string where = strand.steps.empty() || strand.steps.front().line == 0
                                ? ""
                                : fmt::format("{}:{}: ", program.file, strand.steps.front().line);
  return fmt::format("{}gpu {}, tb {}", where, rank, strand.id);
}

}  // namespace

Connections::Connections(const ScheduleProgram& program) {
  std::map<std::array<std::int32_t, 3>, std::int32_t> known;  // source, destination, channel
  const auto connection = [&](std::int32_t source, std::int32_t dest, std::int32_t channel) {
    const auto [place, is_new] = known.try_emplace({source, dest, channel}, static_cast<std::int32_t>(connections_.size()));
    if (is_new) connections_.emplace_back();
    return place->second;
  };
  const auto take = [&](std::int32_t& end, std::int32_t number, std::int32_t rank, const Strand& strand, const char* does,
                        std::int32_t peer) {
    if (end != kNone) {
      const Strand& other = program.ranks[static_cast<std::size_t>(rank)].strands[static_cast<std::size_t>(place_in_rank(end))];
      throw InputError(fmt::format("{} {} gpu {} on channel {}, as tb {} does; give one of them another channel",
                                   strand_text(program, rank, strand), does, peer, strand.channel, other.id));
    }
    end = number;
  };
  for (std::int32_t rank = 0; rank < program.size(); ++rank) {
    first_.push_back(strands());
    for (const Strand& strand : program.ranks[static_cast<std::size_t>(rank)].strands) {
      const std::int32_t number = strands();
      rank_of_.push_back(rank);
      sends_on_.push_back(kNone);
      receives_on_.push_back(kNone);
      // A peer that no step uses opens no connection: files name one for threads that only copy.
      if (strand.send_to >= 0 && has_steps(strand, sends)) {
        sends_on_.back() = connection(rank, strand.send_to, strand.channel);
        take(connections_[static_cast<std::size_t>(sends_on_.back())].sender, number, rank, strand, "sends to", strand.send_to);
      }
      if (strand.receive_from >= 0 && has_steps(strand, receives)) {
        receives_on_.back() = connection(strand.receive_from, rank, strand.channel);
        take(connections_[static_cast<std::size_t>(receives_on_.back())].receiver, number, rank, strand, "receives from",
             strand.receive_from);
      }
    }
  }
}

}  // namespace heddle
