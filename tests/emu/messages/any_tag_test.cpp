// SPDX-License-Identifier: Apache-2.0
// Receives of any tag, against a model: every order in which three messages become visible and three receives are posted.
#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "emu/messages/mailbox.hpp"
#include "heddle/vector_view.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::emu {

namespace {

constexpr std::int32_t kAnyOf = kAnySource.value();
constexpr std::int32_t kAnyOne = kAnyTag.value();

/// Message and receive.
using Paired = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Pattern {
  std::int32_t source;
  std::int32_t tag;
};

/// A receive takes, of a source, the message that was sent first of those that fit and that nobody has, once it is visible; of several
/// sources, whose message was visible first. A message goes to the receive that was posted first.
struct PairingModel {
  std::vector<Pattern> messages;  ///< in the order of their sending
  std::array<int, 3> visible = {};
  std::array<bool, 3> has_receive = {};
  std::vector<std::pair<std::uint32_t, Pattern>> posted;
  int events = 0;

  static bool fits(const Pattern& message, const Pattern& receive) {
    return (receive.source == kAnyOf || receive.source == message.source) &&
           (receive.tag == kAnyOne || receive.tag == message.tag);
  }
  std::optional<std::uint32_t> taken_by(const Pattern& receive) const {
    std::optional<std::uint32_t> best;
    std::vector<std::int32_t> sources_seen;
    for (std::uint32_t m = 0; m < messages.size(); ++m) {
      if (has_receive[m] || !fits(messages[m], receive) || std::ranges::count(sources_seen, messages[m].source) > 0) continue;
      sources_seen.push_back(messages[m].source);
      if (visible[m] != 0 && (!best || visible[m] < visible[*best])) best = m;
    }
    return best;
  }
  Paired pair() {
    Paired pairs;
    for (std::size_t i = 0; i < posted.size();) {
      const std::optional<std::uint32_t> message = taken_by(posted[i].second);
      if (!message) {
        ++i;
        continue;
      }
      pairs.emplace_back(*message, posted[i].first);
      has_receive[*message] = true;
      posted.erase(posted.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
    return pairs;
  }
};

struct ByNumber final : SendOrder {
  std::uint64_t number(MessageId message) const override { return message; }
};

/// Event 0 … 2: the message becomes visible. 3: the next receive is posted.
using Events = std::vector<int>;

/// What each event pairs. Messages are sent before all else, or, each, when it becomes visible.
void compare(const std::vector<Pattern>& messages, const std::array<Pattern, 3>& receives, const Events& events,
             bool all_before) {
  // In the model they are numbered in the order of their sending.
  std::vector<std::uint32_t> in_order = {0, 1, 2};
  if (!all_before) {
    in_order.clear();
    for (const int event : events) {
      if (event < 3) in_order.push_back(static_cast<std::uint32_t>(event));
    }
  }
  PairingModel model;
  for (const std::uint32_t m : in_order) model.messages.push_back(messages[m]);

  Mailbox mailbox;
  const ByNumber order;
  ChannelId hint = 0;
  std::array<ChannelId, 3> channels = {};
  const auto send = [&](std::uint32_t number) {
    channels[number] = mailbox.add_message({0, model.messages[number].source, 0, model.messages[number].tag}, number, hint);
  };
  for (std::uint32_t number = 0; all_before && number < 3; ++number) send(number);

  std::uint32_t next_receive = 0;
  for (const int event : events) {
    std::vector<Pairing> pairings;
    if (event < 3) {
      const auto number =
          static_cast<std::uint32_t>(std::ranges::find(in_order, static_cast<std::uint32_t>(event)) - in_order.begin());
      if (!all_before) send(number);
      model.visible[number] = ++model.events;
      mailbox.make_visible(channels[number], number, pairings);
    } else {
      const Pattern receive = receives[next_receive];
      model.posted.emplace_back(next_receive, receive);
      if (receive.tag == kAnyOne) mailbox.begin_any_tag(order);
      mailbox.add_receive({0, receive.source, 0, receive.tag}, {0, next_receive}, hint, pairings);
      ++next_receive;
    }
    Paired got;
    for (const Pairing& pairing : pairings) got.emplace_back(pairing.message, pairing.receive.slot());
    Paired expected = model.pair();
    // What one event pairs is delivered at one timestamp.
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    if (got != expected) FAIL("another pairing than the model's");
  }
}

}  // namespace

TEST_CASE("any tag: every order of three messages and three receives pairs as the model does") {
  constexpr std::array<Pattern, 3> kMessages = {{{1, 1}, {1, 2}, {2, 1}}};
  constexpr std::array<Pattern, 5> kReceives = {{{1, 1}, {1, 2}, {1, kAnyOne}, {kAnyOf, 1}, {kAnyOf, kAnyOne}}};
  constexpr int kStep = testing::sampled(1, 7);  // prime to 125: each receive has each pattern
  Events events = {0, 1, 2, 3, 3, 3};
  std::int64_t compared = 0;
  do {
    for (int m = 0; m < 27; ++m) {
      const std::vector<Pattern> messages = {kMessages[static_cast<std::size_t>(m % 3)],
                                             kMessages[static_cast<std::size_t>(m / 3 % 3)],
                                             kMessages[static_cast<std::size_t>(m / 9)]};
      for (int r = 0; r < 125; r += kStep) {
        const std::array<Pattern, 3> receives = {kReceives[static_cast<std::size_t>(r % 5)],
                                                 kReceives[static_cast<std::size_t>(r / 5 % 5)],
                                                 kReceives[static_cast<std::size_t>(r / 25)]};
        for (const bool all_before : {true, false}) compare(messages, receives, events, all_before);
        ++compared;
      }
    }
  } while (std::next_permutation(events.begin(), events.end()));
  CHECK(compared == 120 * 27 * ((125 + kStep - 1) / kStep));
}

TEST_CASE("any tag: a receive that is taken back leaves its message to others") {
  Mailbox mailbox;
  const ByNumber order;
  ChannelId hint = 0;
  std::vector<Pairing> pairings;
  mailbox.begin_any_tag(order);
  const ChannelKey any{0, 1, 0, kAnyOne};
  mailbox.add_receive(any, {0, 0}, hint, pairings);
  CHECK(mailbox.remove_receive(any, {0, 0}));
  CHECK_FALSE(mailbox.remove_receive(any, {0, 0}));
  const ChannelId channel = mailbox.add_message({0, 1, 0, 7}, 0, hint);
  mailbox.make_visible(channel, 0, pairings);
  CHECK(pairings.empty());
  CHECK(mailbox.find(any, 0) == std::optional<MessageId>(0));
  CHECK(mailbox.take(any, 0, pairings) == std::optional<MessageId>(0));
  CHECK_FALSE(mailbox.find(any, 0));
  CHECK(mailbox.unpaired_messages().empty());
}

}  // namespace heddle::emu
