// SPDX-License-Identifier: Apache-2.0
#include "net/study/network_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "emu/check/checked_calls.hpp"
#include "emu/data/collective_call.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/record/failure.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "lab/run/setup.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/ranks/process_rank.hpp"
#include "net/tcp/tcp_transport.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::net {

std::vector<std::string> gather_text(Transport& transport, const std::string& mine) {
  const std::uint64_t length = mine.size();
  std::vector<std::uint64_t> lengths;
  for (const std::vector<std::byte>& bytes : transport.gather_all(std::as_bytes(std::span(&length, 1))))
    std::memcpy(&lengths.emplace_back(), bytes.data(), sizeof(length));
  std::string padded = mine;
  padded.resize(std::ranges::max(lengths));
  if (padded.empty()) return std::vector<std::string>(lengths.size());
  std::vector<std::string> texts;
  for (const std::vector<std::byte>& bytes : transport.gather_all(std::as_bytes(std::span(padded))))
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), lengths[texts.size()]);
  return texts;
}

namespace {

std::unique_ptr<Transport> open_by_name(std::string_view name) {
  if (name == "mpi") return open_mpi();
  if (name == "tcp") return open_tcp(settings_from_environment());
  if (name.starts_with("mpi:")) return open_mpi(std::string(name.substr(4)));
  throw InputError(fmt::format("'{}': no network that heddle knows; try mpi or tcp", name));
}

}  // namespace

std::unique_ptr<Transport> open_network(std::string_view name, const std::string& purpose) {
  std::unique_ptr<Transport> network = open_by_name(name);
  // Otherwise each would wait for what the others never say.
  const std::vector<std::string> all = gather_text(*network, purpose);
  const auto other = std::ranges::find_if(all, [&](const std::string& text) { return text != all.front(); });
  if (other != all.end())
    throw InputError(fmt::format("'{}': rank 0 was started for '{}', rank {} for '{}'; start the same command on all", name,
                                 all.front(), other - all.begin(), *other));
  return network;
}

// The calls of a checked run that one process makes, and what it then knows.

/// When a rank entered a barrier and left it, by the clock that all processes of its machine have: nanoseconds.
struct BarrierTimes {
  std::int64_t entered = 0;
  std::int64_t left = 0;
};

/// What one rank found.
struct ProcessFindings {
  Time completion;         ///< of the first call
  std::string wrong = {};  ///< in words; empty: nothing
  CheckError::Kind kind = CheckError::Kind::wrong_result;
  /// After each call, where all ranks share a result that rounds: a number that changes with each bit of it.
  std::vector<std::uint64_t> bits = {};
  std::vector<BarrierTimes> barriers = {};
};

/// On every rank.
ProcessFindings make_calls(const CollectiveCall& call, emu::MeasuredCommunicator& communicator);

/// All ranks' findings as bytes, for gather_text, and back.
std::string text_of(const ProcessFindings& findings);
ProcessFindings read_findings(const std::string& text);

/// What is wrong with a call by what all ranks found, by rank; `machines`, by rank, says whose clocks are one. Throws CheckError.
void require_right(const CollectiveCall& call, const std::vector<ProcessFindings>& ranks, const std::vector<int>& machines);

namespace {

using Json = nlohmann::json;

/// Barriers after the first, in each of which another rank comes late; none where one call is asked for.
constexpr int kMostLate = 8;

std::int64_t nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProcessFindings make_barriers(const CollectiveCall& call, emu::MeasuredCommunicator& communicator) {
  ProcessFindings findings;
  const int late = call.calls == 1 ? 0 : std::min(kMostLate, communicator.size());
  for (int number = 0; number <= std::max(late, call.calls - 1); ++number) {
    communicator.start_line();
    // Evenly spread over the ranks, the first and the last among them.
    const int late_rank = late < 2 ? 0 : (number - 1) * (communicator.size() - 1) / (late - 1);
    if (number > 0 && number <= late && communicator.rank().value() == late_rank) communicator.delay();
    BarrierTimes times{.entered = nanoseconds_now()};
    call.function(communicator, {.op = call.op});
    times.left = nanoseconds_now();
    communicator.require_all_waited_for();
    const Time end = communicator.finish_line();
    if (number == 0) findings.completion = end;
    findings.barriers.push_back(times);
  }
  return findings;
}

void require_barriers(const std::vector<ProcessFindings>& ranks, const std::vector<int>& machines) {
  for (std::size_t number = 0; number < ranks.front().barriers.size(); ++number) {
    for (std::size_t a = 0; a < ranks.size(); ++a) {
      for (std::size_t b = 0; b < ranks.size(); ++b) {
        if (machines[a] != machines[b] || ranks[a].barriers[number].left >= ranks[b].barriers[number].entered) continue;
        throw CheckError(
            CheckError::Kind::wrong_result,
            fmt::format("the barrier does not hold: rank {} left call {} before rank {} had entered it", a, number + 1, b));
      }
    }
  }
}

/// Which ranks hold other bits than rank 0.
void require_same_bits(const CollectiveCall& call, const std::vector<ProcessFindings>& ranks) {
  if (!call.same_bits) return;
  for (std::size_t number = 0; number < ranks.front().bits.size(); ++number) {
    std::vector<Rank> others;
    for (std::size_t rank = 1; rank < ranks.size(); ++rank)
      if (ranks[rank].bits[number] != ranks.front().bits[number]) others.emplace_back(static_cast<int>(rank));
    if (others.empty()) continue;
    throw CheckError(
        CheckError::Kind::different_bits,
        fmt::format("ranks hold different bits after call {}: {} hold others than rank 0, each within what roundings allow; "
                    "an algorithm that does not promise it says so (same_bits = false, or the option bits=may_differ)",
                    number + 1, emu::ranks_text(others)));
  }
}

}  // namespace

ProcessFindings make_calls(const CollectiveCall& call, emu::MeasuredCommunicator& communicator) {
  if (call.collective == Collective::barrier) return make_barriers(call, communicator);
  const std::unique_ptr<emu::CheckedCalls> calls =
      emu::make_checked_calls(call, emu::all_ranks(static_cast<std::size_t>(communicator.size())), {}, 1);
  calls->make_call(communicator, 0);
  calls->make_other_calls(communicator);
  ProcessFindings findings{.completion = calls->completions()[static_cast<std::size_t>(communicator.rank().value())]};
  emu::WrongCalls wrong = calls->explain_failures();
  findings.wrong = std::move(wrong.text);
  findings.kind = wrong.kind;
  if (!calls->different_bits()) return findings;
  for (const ResultBits& bits : calls->result_bits())
    if (bits.rank == communicator.rank().value()) findings.bits.push_back(bits.hash);
  return findings;
}

std::string text_of(const ProcessFindings& findings) {
  Json barriers = Json::array();
  for (const BarrierTimes& times : findings.barriers) barriers.push_back({times.entered, times.left});
  return Json{findings.completion.ps(), findings.wrong, static_cast<int>(findings.kind), findings.bits, std::move(barriers)}
      .dump();
}

ProcessFindings read_findings(const std::string& text) {
  const Json json = Json::parse(text);
  ProcessFindings findings{.completion = Time::ps(json[0].get<std::int64_t>()),
                           .wrong = json[1].get<std::string>(),
                           .kind = static_cast<CheckError::Kind>(json[2].get<int>()),
                           .bits = json[3].get<std::vector<std::uint64_t>>()};
  for (const Json& times : json[4]) findings.barriers.push_back({times[0].get<std::int64_t>(), times[1].get<std::int64_t>()});
  return findings;
}

void require_right(const CollectiveCall& call, const std::vector<ProcessFindings>& ranks, const std::vector<int>& machines) {
  const auto wrong = std::ranges::find_if(ranks, [](const ProcessFindings& findings) { return !findings.wrong.empty(); });
  if (wrong != ranks.end()) {
    const auto others =
        std::count_if(wrong + 1, ranks.end(), [](const ProcessFindings& other) { return !other.wrong.empty(); });
    throw CheckError(wrong->kind, fmt::format("{}{}", wrong->wrong,
                                              others == 0 ? "" : fmt::format("\n  and as much on {} more ranks", others)));
  }
  require_barriers(ranks, machines);
  require_same_bits(call, ranks);
}

std::string NetworkRanks::description() const {
  const std::vector<int> machines = transport_.machines();
  const std::size_t count = std::set(machines.begin(), machines.end()).size();
  return fmt::format("{}, {} process{} on {} machine{}", transport_.name(), size(), size() == 1 ? "" : "es", count,
                     count == 1 ? "" : "s");
}

std::string NetworkRanks::why_not(int tag, std::optional<std::uint64_t> context) const {
  if (!context) return "its communicators are nested too deeply: the path to one must fit in 64 bits";
  return transport_.why_not({*context, tag});
}

void NetworkRanks::set_shape(const Setup& setup) {
  settings_.grid = grid_under(setup.placement, setup.fabric.topology());
  settings_.tiers = tiers_of(setup.placement, setup.fabric.topology());
}

std::vector<Time> NetworkRanks::run(const CollectiveCall& call) {
  std::vector<ProcessFindings> ranks;
  try {
    ProcessFindings mine;
    run_measured_rank(
        transport_, [&](emu::MeasuredCommunicator& communicator) { mine = make_calls(call, communicator); }, settings_);
    for (const std::string& text : gather_text(transport_, text_of(mine))) ranks.push_back(read_findings(text));
  } catch (const std::exception& error) {
    transport_.abort(fmt::format("heddle: {} '{}' over {}: rank {}: {}", to_string(call.collective), call.name,
                                 transport_.name(), rank(), error.what()));
  }
  require_right(call, ranks, transport_.machines());
  std::vector<Time> completions;
  for (const ProcessFindings& findings : ranks) completions.push_back(findings.completion);
  return completions;
}

}  // namespace heddle::net
