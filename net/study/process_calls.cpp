// SPDX-License-Identifier: Apache-2.0
#include "net/study/process_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "emu/check/checked_calls.hpp"
#include "emu/record/failure.hpp"

namespace heddle::net {

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
    if (number > 0 && number <= late && communicator.rank().value() == late_rank) communicator.fall_behind();
    BarrierTimes times{.entered = nanoseconds_now()};
    call.function(communicator, {.op = call.op});
    times.left = nanoseconds_now();
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
                    "an algorithm that does not promise it says so (same_bits = false)",
                    number + 1, emu::ranks_text(others)));
  }
}

}  // namespace

ProcessFindings make_calls(const CollectiveCall& call, emu::MeasuredCommunicator& communicator) {
  if (call.collective == Collective::barrier) return make_barriers(call, communicator);
  const std::unique_ptr<emu::CheckedCalls> calls = emu::make_checked_calls(call, communicator.size(), 1);
  ProcessFindings findings;
  for (int number = 0; number < calls->calls(); ++number) {
    if (emu::CheckedCalls::is_elsewhere(number)) {
      calls->make_call(*communicator.split_measured(0, communicator.rank().value()), number);
      continue;
    }
    const Time end = calls->make_call(communicator, number);
    if (number == 0) findings.completion = end;
  }
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

}  // namespace heddle::net
