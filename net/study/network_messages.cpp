// SPDX-License-Identifier: Apache-2.0
#include "net/study/network_ranks.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace heddle::net {

namespace {

constexpr Stream kLengths = {.context = 0, .tag = 0};
constexpr Stream kTexts = {.context = 0, .tag = 1};

/// Instead of a length: no text follows any more.
constexpr std::uint64_t kParted = std::numeric_limits<std::uint64_t>::max();

}  // namespace

NetworkMessages::NetworkMessages(Transport& transport) : transport_(transport) {
  const int first = rank() == 0 ? 1 : 0;
  const int last = rank() == 0 ? size() : 1;
  for (int peer = first; peer < last; ++peer) expect_length(peer);
}

int NetworkMessages::processes_here() const {
  const std::vector<int> machines = transport_.machines();
  return static_cast<int>(std::ranges::count(machines, machines[static_cast<std::size_t>(rank())]));
}

void NetworkMessages::send(int to, const std::string& text) { send_with_length(to, text.size(), text); }

void NetworkMessages::send_with_length(int to, std::uint64_t length, const std::string& text) {
  const std::uint64_t number = next_++;
  Outgoing& out = outgoing_[number];
  out.length = length;
  out.text = text;
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(&out.length, 1)), std::as_bytes(std::span(out.text))};
  const Stream streams[] = {kLengths, kTexts};
  for (std::size_t i = 0; i < (text.empty() ? 1U : 2U); ++i) {
    operations_[transport_.send(to, streams[i], {&parts[i], 1})] = {Part::sent, to, number};
    ++out.missing;
  }
}

void NetworkMessages::expect_length(int from) {
  const std::span<std::byte> place = std::as_writable_bytes(std::span(&incoming_[from].length, 1));
  operations_[transport_.receive(from, kLengths, {&place, 1})] = {Part::length, from, 0};
}

void NetworkMessages::step(Patience patience) {
  ended_.clear();
  transport_.progress(patience, ended_);
  for (const Completion& one : std::exchange(ended_, {})) {
    const auto found = operations_.find(one.operation);
    const Operation operation = found->second;
    operations_.erase(found);
    if (operation.part == Part::length)
      take_length(operation.peer);
    else if (operation.part == Part::text)
      take_text(operation.peer);
    else
      take_sent(operation.number);
  }
}

void NetworkMessages::take_length(int from) {
  Incoming& in = incoming_[from];
  in.has_parted = in.length == kParted;
  if (in.has_parted) return;
  in.text.resize(in.length);
  if (in.text.empty()) return take_text(from);
  const std::span<std::byte> place = std::as_writable_bytes(std::span(in.text));
  operations_[transport_.receive(from, kTexts, {&place, 1})] = {Part::text, from, 0};
}

void NetworkMessages::take_text(int from) {
  received_.push_back({from, std::exchange(incoming_[from].text, {})});
  expect_length(from);
}

void NetworkMessages::take_sent(std::uint64_t number) {
  const auto out = outgoing_.find(number);
  if (--out->second.missing == 0) outgoing_.erase(out);
}

std::vector<ProcessMessages::Received> NetworkMessages::receive() {
  step(Patience::none);
  return std::exchange(received_, {});
}

void NetworkMessages::part() {
  for (const auto& [peer, in] : incoming_) send_with_length(peer, kParted, {});
  const auto is_here = [](const auto& in) { return !in.second.has_parted; };
  while (!outgoing_.empty() || std::ranges::any_of(incoming_, is_here)) step(Patience::some);
  received_.clear();
}

}  // namespace heddle::net
