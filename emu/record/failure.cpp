// SPDX-License-Identifier: Apache-2.0
#include "emu/record/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "core/printable.hpp"
#include "emu/record/record_sink.hpp"

namespace heddle::emu {

std::string count_text(std::int64_t count, Datatype type) {
  if (type == Datatype::user(1)) return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
  return fmt::format("{} x {}", count, to_string(type));
}

std::string message_text(std::int64_t count, Datatype type, int source, int dest, int tag) {
  return fmt::format("the message of {} from rank {} to rank {} (tag {})", count_text(count, type), source, dest, tag);
}

std::string request_text(bool is_send, std::int64_t count, Datatype type, int peer, int tag) {
  const std::string whom = peer < 0 ? std::string("any rank") : fmt::format("rank {}", peer);
  return is_send ? fmt::format("to send {} to {} ({})", count_text(count, type), whom, tag_text(tag))
                 : fmt::format("to receive {} from {} ({})", count_text(count, type), whom, tag_text(tag));
}

std::string tag_text(int tag) { return tag == kAnyTag.value() ? "any tag" : fmt::format("tag {}", tag); }

std::string room_text(int peer, int tag) { return fmt::format("for room to send to rank {} (tag {})", peer, tag); }

std::string what_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return printable(error.what());
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

std::string OrderObserver::text() const {
  if (!first_) return "";
  switch (first_->second) {
    case OrderSeen::any_source:
      return fmt::format("rank {} receives from any source", first_->first);
    case OrderSeen::any_request:
      return fmt::format("rank {} waits for whichever of several requests is complete first", first_->first);
    case OrderSeen::question:
      return fmt::format("rank {} asks whether a request is complete or a message there", first_->first);
  }
  return "";
}

namespace {

template <class Kind>
bool is_a(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Kind&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

bool is_refusal(const std::exception_ptr& failure) {
  if (is_a<std::bad_alloc>(failure)) return !is_a<std::bad_array_new_length>(failure);
  return is_a<ResourceError>(failure);
}

CheckError::Kind kind_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const CheckError& error) {
    return error.kind();
  } catch (const UsageError&) {
    return CheckError::Kind::usage;
  } catch (...) {
    return CheckError::Kind::rank_failed;
  }
}

std::string failed_text(int rank, const std::exception_ptr& failure, std::string_view when) {
  // A check says itself on which rank it failed, and not when.
  if (is_a<CheckError>(failure)) return what_of(failure);
  return fmt::format("rank {} failed{}: {}", rank, when, what_of(failure));
}

std::string range_text(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::to_string(first) : fmt::format("{}-{}", first, last);
}

std::string ranks_text(std::span<const Rank> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  std::size_t ranges = 0;
  for (std::size_t begin = 0, end = 0; begin < ranks.size(); begin = end) {
    if (ranges++ == kMostRanges) return text + ", …";
    for (end = begin + 1; end < ranks.size() && ranks[end].value() == ranks[end - 1].value() + 1;) ++end;
    text += (begin == 0 ? "" : ", ") + range_text(ranks[begin].value(), ranks[end - 1].value());
  }
  return text;
}

namespace {

constexpr std::size_t kMostWaitingLines = 16;

void append_lines(std::string& text, const std::vector<std::string>& lines, std::string_view what) {
  for (std::size_t i = 0; i < std::min(lines.size(), kMostWaitingLines); ++i) text += "\n  " + lines[i];
  if (lines.size() > kMostWaitingLines) text += fmt::format("\n  … and {} more {}", lines.size() - kMostWaitingLines, what);
}

std::string call_of(const Envelope& message) { return message.call ? message.call() : std::string(); }

bool is_same_channel(const Envelope& a, const Envelope& b) { return a.context == b.context && a.tag == b.tag; }

/// Of what a rank has sent to another, the message that the other would take if it had another tag or communicator. One that waits
/// for a credit may be the right one.
const Envelope* misaddressed(const Envelope& asked, const std::vector<const Envelope*>& sent) {
  const auto is_asked_for = [&](const Envelope* message) { return is_same_channel(*message, asked); };
  if (std::ranges::any_of(sent, is_asked_for)) return nullptr;
  const auto fits = [&](const Envelope* message) { return message->count == asked.count && message->type == asked.type; };
  const auto found = std::ranges::find_if(sent, fits);
  return found == sent.end() ? nullptr : *found;
}

/// Of a message that would serve if it were of the same call: a collective's messages are for its own call alone. Empty: neither call
/// is one of a collective.
std::string explain_collective(const Envelope& asked, const Envelope& sent) {
  if (!asked.is_of_collective && !sent.is_of_collective) return "";
  const std::string both = fmt::format("\n  rank {} waits in {}, and rank {} has sent to it by {}: ", asked.dest,
                                       call_of(asked), asked.source, call_of(sent));
  if (asked.is_of_collective && sent.is_of_collective) return both + "the two are not one call of a collective";
  return both + (asked.is_of_collective ? "a collective does not take the message of another call"
                                        : "only the same call of the collective takes what a collective sends");
}

/// The first two ranks that do not find each other, in a line; empty: there are none.
std::string explain_misaddressed(const std::vector<BlockedOperation>& blocked, const std::vector<Envelope>& unreceived) {
  std::map<std::pair<int, int>, std::vector<const Envelope*>> sent;  // there may be a million of both
  for (const Envelope& message : unreceived) sent[{message.source, message.dest}].push_back(&message);
  for (const BlockedOperation& operation : blocked) {
    if (!operation.receives) continue;
    const Envelope& asked = *operation.receives;
    // Tasks of one rank wait for each other by messages without data: each has its tag, and the others' are none of its.
    if (asked.source == asked.dest && asked.count == 0) continue;
    const auto found = sent.find({asked.source, asked.dest});
    const Envelope* message = found == sent.end() ? nullptr : misaddressed(asked, found->second);
    if (message == nullptr) continue;
    if (const std::string text = explain_collective(asked, *message); !text.empty()) return text;
    const std::string what = message->context == asked.context
                                 ? fmt::format("tag {}, rank {} sent tag {}", asked.tag, asked.source, message->tag)
                                 : fmt::format("a message on one communicator, rank {} sent it on another", asked.source);
    return fmt::format(
        "\n  rank {} waits for {}: the two choose differently, or the message that is waited for was never sent; heddle cannot "
        "tell which",
        asked.dest, what);
  }
  return "";
}

}  // namespace

std::vector<int> find_cycle(int ranks, const std::vector<BlockedOperation>& blocked) {
  std::vector<std::vector<int>> waits_for(static_cast<std::size_t>(ranks));
  for (const BlockedOperation& operation : blocked) {
    if (operation.peer >= 0) waits_for[static_cast<std::size_t>(operation.rank)].push_back(operation.peer);
  }
  // Depth first, without recursion: a cycle can be as long as there are ranks.
  enum class Mark : char { unseen, on_path, done };
  std::vector<Mark> mark(static_cast<std::size_t>(ranks), Mark::unseen);
  std::vector<std::size_t> next(static_cast<std::size_t>(ranks), 0);
  for (int start = 0; start < ranks; ++start) {
    std::vector<int> path;
    if (mark[static_cast<std::size_t>(start)] == Mark::unseen) path.push_back(start);
    while (!path.empty()) {
      const auto at = static_cast<std::size_t>(path.back());
      mark[at] = Mark::on_path;
      if (next[at] == waits_for[at].size()) {
        mark[at] = Mark::done;
        path.pop_back();
        continue;
      }
      const int to = waits_for[at][next[at]++];
      if (mark[static_cast<std::size_t>(to)] == Mark::unseen) path.push_back(to);
      if (mark[static_cast<std::size_t>(to)] == Mark::on_path) return {std::find(path.begin(), path.end(), to), path.end()};
    }
  }
  return {};
}

Failure explain_deadlock(int ranks, const std::vector<BlockedOperation>& blocked, const std::vector<Envelope>& unreceived) {
  std::set<int> blocked_ranks;
  std::vector<std::string> lines;
  for (const BlockedOperation& operation : blocked) {
    blocked_ranks.insert(operation.rank);
    const std::string who = operation.task == 0 ? fmt::format("rank {}", operation.rank)
                                                : fmt::format("rank {}, task {},", operation.rank, operation.task);
    lines.push_back(fmt::format("{} waits {}", who, operation.waits_for));
  }
  std::string text = fmt::format("{} of {} ranks are blocked, and nothing is on its way", blocked_ranks.size(), ranks);
  append_lines(text, lines, "operations");
  const std::vector<int> cycle = find_cycle(ranks, blocked);
  if (!cycle.empty()) {
    text += cycle.size() <= kMostWaitingLines
                ? fmt::format("\n  cycle: rank {} -> {}", fmt::join(cycle, " -> "), cycle.front())
                : fmt::format("\n  cycle of {} ranks: {} -> … -> {}", cycle.size(),
                              fmt::join(cycle.begin(), cycle.begin() + kMostWaitingLines, " -> "), cycle.front());
  }
  lines.clear();
  // Their calls are asked for where they are shown: there may be a million.
  for (const Envelope& message : unreceived) {
    if (message.is_of_collective) continue;
    lines.push_back(message_text(message.count, message.type, message.source, message.dest, message.tag));
    if (lines.size() > kMostWaitingLines) continue;
    if (const std::string call = call_of(message); !call.empty()) lines.back() += ", sent by " + call;
    if (message.is_taken) lines.back() += fmt::format(", which rank {} has taken by a matched probe", message.dest);
  }
  if (!lines.empty()) text += "\n  sent, but not asked for:";
  append_lines(text, lines, "messages");
  return {CheckError::Kind::deadlock,
          text + explain_misaddressed(blocked, unreceived),
          {.blocked = {blocked.begin(), blocked.end()}, .cycle = cycle}};
}

}  // namespace heddle::emu
