// SPDX-License-Identifier: Apache-2.0
#include "emu/settings/packet_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

using Queues = PacketSettings::Queues;
using Arbiter = PacketSettings::Arbiter;
using Forward = PacketSettings::Forward;
using PacketBuffer = PacketSettings::Buffer;

[[noreturn]] void refuse(std::string_view field, std::string_view value, std::string_view right) {
  throw InputError(fmt::format("packets: {}={}: {}", field, value, right));
}

Bytes size_of(std::string_view field, std::string_view value, std::int64_t least) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  Bytes bytes;
  try {
    bytes = parse_bytes(value);
  } catch (const InputError&) {
    refuse(field, value, "a size, 4KiB say");
  }
  if (bytes.count() < least || bytes.count() > kMost) refuse(field, value, fmt::format("{} to 1TiB", to_string(Bytes(least))));
  return bytes;
}

template <class Value>
struct Word {
  std::string_view name;
  Value value;
};
constexpr std::array<Word<Queues>, 2> kQueues{{{"voq", Queues::voq}, {"fifo", Queues::fifo}}};
constexpr std::array<Word<Arbiter>, 3> kArbiters{
    {{"transit", Arbiter::transit}, {"round-robin", Arbiter::round_robin}, {"oldest", Arbiter::oldest}}};

template <class Words>
auto word_of(std::string_view field, std::string_view value, const Words& words) {
  std::string names;
  for (const auto& word : words) {
    if (word.name == value) return word.value;
    names += fmt::format("{}{}", names.empty() ? "" : " or ", word.name);
  }
  refuse(field, value, names);
}

template <class Words, class Value>
std::string_view name_of(const Words& words, Value value) {
  for (const auto& word : words)
    if (word.value == value) return word.name;
  return {};
}

Forward forward_of(std::string_view value) {
  if (value == "head") return {};
  if (value == "whole") return {Forward::Kind::whole, 0};
  if (value.empty() || value[0] < '0' || value[0] > '9') refuse("forward", value, "head, whole or so many bytes");
  return {Forward::Kind::bytes, size_of("forward", value, 0).count()};
}

PacketBuffer buffer_of(std::string_view value) {
  if (value == "auto") return {};
  if (value == "inf") return {PacketBuffer::Kind::unbounded, 0};
  if (const auto slots = read_number<std::int64_t>(value)) {
    if (*slots < 1) refuse("buffer", value, "at least one packet");
    return {PacketBuffer::Kind::slots, *slots};
  }
  if (value.empty() || value[0] < '0' || value[0] > '9') refuse("buffer", value, "auto, inf, a number of packets, or a size");
  return {PacketBuffer::Kind::bytes, size_of("buffer", value, 1).count()};
}

std::optional<int> channels_of(std::string_view value) {
  if (value == "auto") return std::nullopt;
  const auto number = read_number<int>(value);
  if (!number || *number < 1 || *number > PacketSettings::kMostChannels)
    refuse("vcs", value, fmt::format("auto, or 1 to {}", PacketSettings::kMostChannels));
  return *number;
}

int queue_of(std::string_view value) {
  const auto number = read_number<int>(value);
  if (!number || *number < 0) refuse("mark", value, "so many packets, 0 or more");
  return *number;
}

void set_field(std::string_view field, std::string_view value, PacketSettings& settings) {
  static constexpr std::array<std::string_view, 9> kFields{"mtu",     "header", "forward", "buffer", "queues",
                                                           "arbiter", "vcs",    "window",  "mark"};
  if (field == "mtu")
    settings.mtu = size_of(field, value, 1);
  else if (field == "header")
    settings.header = size_of(field, value, 0);
  else if (field == "forward")
    settings.forward = forward_of(value);
  else if (field == "buffer")
    settings.buffer = buffer_of(value);
  else if (field == "queues")
    settings.queues = word_of(field, value, kQueues);
  else if (field == "arbiter")
    settings.arbiter = word_of(field, value, kArbiters);
  else if (field == "vcs")
    settings.channels = channels_of(value);
  else if (field == "window")
    settings.window = size_of(field, value, 1);
  else if (field == "mark")
    settings.mark = queue_of(value);
  else if (const std::string_view nearest = nearest_name(field, kFields); !nearest.empty())
    throw InputError(fmt::format("packets: no field '{}'; did you mean {}?", field, nearest));
  else
    throw InputError(fmt::format("packets: no field '{}'; {}", field, fmt::join(kFields, ", ")));
}

}  // namespace

PacketSettings parse_packet_settings(std::string_view text) {
  PacketSettings settings;
  std::vector<std::string_view> seen;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) throw InputError(fmt::format("packets: '{}' is no field=value", one));
    const std::string_view field = one.substr(0, equals);
    if (std::ranges::find(seen, field) != seen.end()) throw InputError(fmt::format("packets: {} is given twice", field));
    seen.push_back(field);
    set_field(field, one.substr(equals + 1), settings);
  }
  return settings;
}

std::string to_string(const PacketSettings::Forward& forward) {
  if (forward.kind == Forward::Kind::bytes) return to_string(Bytes(forward.bytes));
  return forward.kind == Forward::Kind::whole ? "whole" : "head";
}

std::string_view to_string(PacketSettings::Queues queues) { return name_of(kQueues, queues); }

std::string_view to_string(PacketSettings::Arbiter arbiter) { return name_of(kArbiters, arbiter); }

std::string to_string(const PacketSettings& settings) {
  const PacketSettings usual;
  std::string text;
  const auto add = [&](std::string_view field, std::string_view value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", field, value);
  };
  if (settings.mtu != usual.mtu) add("mtu", to_string(settings.mtu));
  if (settings.header != usual.header) add("header", to_string(settings.header));
  if (settings.forward != usual.forward) add("forward", to_string(settings.forward));
  switch (settings.buffer.kind) {
    case PacketBuffer::Kind::automatic:
      break;
    case PacketBuffer::Kind::slots:
      add("buffer", fmt::format("{}", settings.buffer.amount));
      break;
    case PacketBuffer::Kind::bytes:
      add("buffer", to_string(Bytes(settings.buffer.amount)));
      break;
    case PacketBuffer::Kind::unbounded:
      add("buffer", "inf");
      break;
  }
  if (settings.queues != usual.queues) add("queues", to_string(settings.queues));
  if (settings.arbiter != usual.arbiter) add("arbiter", to_string(settings.arbiter));
  if (settings.channels) add("vcs", fmt::format("{}", *settings.channels));
  if (settings.window) add("window", to_string(*settings.window));
  if (settings.mark) add("mark", fmt::format("{}", *settings.mark));
  return text;
}

}  // namespace heddle
