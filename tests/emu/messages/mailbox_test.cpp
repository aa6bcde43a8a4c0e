// SPDX-License-Identifier: Apache-2.0
// Pairing alone: no time, no data.
#include "emu/messages/mailbox.hpp"

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "heddle/vector_view.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::emu {

namespace {

constexpr std::int32_t kAny = kAnySource.value();

/// Pairs of message and slot.
using Pairs = std::vector<std::pair<MessageId, std::uint32_t>>;

/// A mailbox whose receives are known by their slots alone. Each call returns the pairings that it has made.
class Box {
 public:
  void add(MessageId message, const ChannelKey& key) {
    if (message >= channels_.size()) channels_.resize(message + std::size_t{1});
    channels_[message] = mailbox_.add_message(key, message, hint_);
  }
  Pairs show(MessageId message) {
    std::vector<Pairing> pairings;
    mailbox_.make_visible(channels_[message], message, pairings);
    return pairs(pairings);
  }
  Pairs send(MessageId message, const ChannelKey& key) {
    add(message, key);
    return show(message);
  }
  Pairs receive(std::uint32_t slot, const ChannelKey& key) {
    std::vector<Pairing> pairings;
    mailbox_.add_receive(key, {0, slot}, hint_, pairings);
    return pairs(pairings);
  }
  std::vector<MessageId> unpaired() const { return mailbox_.unpaired_messages(); }

 private:
  static Pairs pairs(const std::vector<Pairing>& pairings) {
    Pairs pairs;
    for (const Pairing& pairing : pairings) pairs.emplace_back(pairing.message, pairing.receive.slot());
    return pairs;
  }

  Mailbox mailbox_;
  ChannelId hint_ = 0;
  std::vector<ChannelId> channels_;  ///< by message
};

/// Context 0, to rank 0.
ChannelKey from(std::int32_t source, std::int32_t tag = 0) { return {0, source, 0, tag}; }

}  // namespace

TEST_CASE("the messages of a channel are received in the order of their posting") {
  Box box;
  SECTION("when they become visible in that order") {
    CHECK(box.send(0, from(1)).empty());
    CHECK(box.send(1, from(1)).empty());
    CHECK(box.receive(0, from(1)) == Pairs{{0, 0}});
    CHECK(box.receive(1, from(1)) == Pairs{{1, 1}});
  }
  SECTION("when the later one is visible first") {
    box.add(0, from(1));
    box.add(1, from(1));
    CHECK(box.receive(0, from(1)).empty());
    CHECK(box.receive(1, from(1)).empty());
    CHECK(box.show(1).empty());
    CHECK(box.show(0) == Pairs{{0, 0}, {1, 1}});
  }
}

TEST_CASE("receives of a channel take messages in the order of their posting") {
  Box box;
  CHECK(box.receive(7, from(1)).empty());
  CHECK(box.receive(3, from(1)).empty());
  CHECK(box.send(0, from(1)) == Pairs{{0, 7}});
  CHECK(box.send(1, from(1)) == Pairs{{1, 3}});
}

TEST_CASE("source, destination, tag and context keep streams apart") {
  Box box;
  CHECK(box.send(0, {0, 1, 2, 3}).empty());
  CHECK(box.receive(0, {1, 1, 2, 3}).empty());
  CHECK(box.receive(1, {0, 2, 2, 3}).empty());
  CHECK(box.receive(2, {0, 1, 1, 3}).empty());
  CHECK(box.receive(3, {0, 1, 2, 4}).empty());
  CHECK(box.receive(4, {0, kAny, 1, 3}).empty());
  CHECK(box.receive(5, {0, kAny, 2, 4}).empty());
  CHECK(box.receive(6, {1, kAny, 2, 3}).empty());
  CHECK(box.receive(7, {0, 1, 2, 3}) == Pairs{{0, 7}});
}

TEST_CASE("a receive from any source takes the message that was visible first") {
  Box box;
  box.add(0, from(1));
  box.add(1, from(2));
  box.add(2, from(3));
  box.show(2);
  box.show(0);
  CHECK(box.receive(0, from(kAny)) == Pairs{{2, 0}});
  CHECK(box.receive(1, from(kAny)) == Pairs{{0, 1}});
  CHECK(box.receive(2, from(kAny)).empty());
  CHECK(box.show(1) == Pairs{{1, 2}});
}

TEST_CASE("a receive from any source does not let messages of a channel overtake") {
  Box box;
  box.add(0, from(1));
  box.add(1, from(1));
  box.show(1);
  CHECK(box.receive(0, from(kAny)).empty());
  CHECK(box.show(0) == Pairs{{0, 0}});
  CHECK(box.receive(1, from(kAny)) == Pairs{{1, 1}});
}

TEST_CASE("receives from any source and from one take turns by their posting") {
  Box box;
  SECTION("any first") {
    box.receive(0, from(kAny));
    box.receive(1, from(1));
    CHECK(box.send(0, from(1)) == Pairs{{0, 0}});
    CHECK(box.send(1, from(1)) == Pairs{{1, 1}});
  }
  SECTION("one first") {
    box.receive(0, from(1));
    box.receive(1, from(kAny));
    CHECK(box.send(0, from(1)) == Pairs{{0, 0}});
    CHECK(box.send(1, from(1)) == Pairs{{1, 1}});
  }
  SECTION("the one is passed by messages of others") {
    box.receive(0, from(1));
    box.receive(1, from(kAny));
    CHECK(box.send(0, from(2)) == Pairs{{0, 1}});
    CHECK(box.send(1, from(1)) == Pairs{{1, 0}});
  }
}

TEST_CASE("messages that nobody received are listed channel by channel, in the order of their posting") {
  Box box;
  box.add(4, from(2));
  box.add(2, from(1));
  box.send(9, from(2));
  box.send(5, from(3));
  box.receive(0, from(3));
  CHECK(box.unpaired() == std::vector<MessageId>{4, 9, 2});
}

TEST_CASE("a mailbox that has seen more channels than it keeps still pairs") {
  // 200,000 streams used once each, so that idle channels are retired several times over. What waited before still waits.
  Box box;
  box.add(0, from(1, -1));
  CHECK(box.receive(0, from(2, -1)).empty());
  const bool all_paired = [&box] {
    for (std::int32_t stream = 1; stream <= 200'000; ++stream) {
      const ChannelKey key{1, stream % 7, stream % 5, stream};
      const auto message = static_cast<MessageId>(stream);
      if (!box.send(message, key).empty()) return false;
      if (box.receive(message, key) != Pairs{{message, message}}) return false;
    }
    return true;
  }();
  CHECK(all_paired);
  CHECK(box.receive(1, from(1, -1)).empty());
  CHECK(box.show(0) == Pairs{{0, 1}});
  CHECK(box.send(1, from(2, -1)) == Pairs{{1, 0}});
  CHECK(box.send(2, {1, 3, 3, 3}).empty());
  CHECK(box.receive(2, {1, kAny, 3, 3}) == Pairs{{2, 2}});
  CHECK(box.unpaired().empty());
}

// ---- any use, against lists that are searched from the beginning ----

namespace {

struct Use {
  enum class Kind { add, show, receive };
  Kind kind;
  std::uint32_t context;
  std::int32_t source;  ///< -1 in a receive: any
  std::int32_t dest;
  std::int32_t tag;
  unsigned pick;  ///< which of the messages to show
};

void showValue(const Use& use, std::ostream& out) {
  const char* const kinds[] = {"add", "show", "receive"};
  out << kinds[static_cast<int>(use.kind)] << " context " << use.context << " from " << use.source << " to " << use.dest
      << " tag " << use.tag << " pick " << use.pick;
}

class ListedBox {
 public:
  void add(MessageId message, const ChannelKey& key) { messages_.push_back({message, key, 0}); }
  Pairs show(MessageId message) {
    for (Message& of_list : messages_) {
      if (of_list.id == message) of_list.visible_since = ++time_;
    }
    return pair();
  }
  Pairs receive(std::uint32_t slot, const ChannelKey& key) {
    receives_.push_back({slot, key});
    return pair();
  }
  std::vector<MessageId> unpaired() const {
    std::vector<MessageId> left;
    for (const Message& message : messages_) left.push_back(message.id);
    return left;
  }

 private:
  struct Message {
    MessageId id;
    ChannelKey key;
    int visible_since;
  };
  struct Receive {
    std::uint32_t slot;
    ChannelKey key;
  };

  static bool fits(const Receive& receive, const Message& message) {
    ChannelKey wanted = receive.key;
    if (wanted.source == kAny) wanted.source = message.key.source;
    return wanted == message.key;
  }

  /// Visible, and nothing of its channel was posted before it.
  bool can_be_received(const Message& message) const {
    const auto first = std::find_if(messages_.begin(), messages_.end(), [&](const Message& m) { return m.key == message.key; });
    return first->id == message.id && message.visible_since > 0;
  }

  Pairs pair() {
    Pairs made;
    for (std::size_t r = 0; r < receives_.size();) {
      auto first = messages_.end();
      for (auto message = messages_.begin(); message != messages_.end(); ++message) {
        if (!fits(receives_[r], *message) || !can_be_received(*message)) continue;
        if (first == messages_.end() || message->visible_since < first->visible_since) first = message;
      }
      if (first == messages_.end()) {
        ++r;
        continue;
      }
      made.emplace_back(first->id, receives_[r].slot);
      messages_.erase(first);
      receives_.erase(receives_.begin() + static_cast<std::ptrdiff_t>(r));
      r = 0;
    }
    return made;
  }

  std::vector<Message> messages_;
  std::vector<Receive> receives_;
  int time_ = 0;
};

}  // namespace

TEST_CASE("a mailbox pairs as lists do that are searched from the beginning") {
  testing::property("same pairings, same messages left", [] {
    const auto uses = drawn::list([] {
      return Use{drawn::one_of({Use::Kind::add, Use::Kind::show, Use::Kind::receive}),
                 drawn::number(0U, 2U),
                 drawn::number(-1, 3),
                 drawn::number(0, 2),
                 drawn::number(0, 2),
                 drawn::number(0U, 1000U)};
    });
    Box box;
    ListedBox listed;
    std::vector<MessageId> hidden;
    MessageId messages = 0;
    std::uint32_t slots = 0;
    for (const Use& use : uses) {
      const ChannelKey key{use.context, use.source, use.dest, use.tag};
      if (use.kind == Use::Kind::receive) {
        const std::uint32_t slot = slots++;
        RC_ASSERT(box.receive(slot, key) == listed.receive(slot, key));
      } else if (use.kind == Use::Kind::add && use.source >= 0) {
        box.add(messages, key);
        listed.add(messages, key);
        hidden.push_back(messages++);
      } else if (use.kind == Use::Kind::show && !hidden.empty()) {
        const auto shown = hidden.begin() + static_cast<std::ptrdiff_t>(use.pick % hidden.size());
        const MessageId message = *shown;
        hidden.erase(shown);
        RC_ASSERT(box.show(message) == listed.show(message));
      }
    }
    std::vector<MessageId> unpaired = box.unpaired();
    std::ranges::sort(unpaired);
    RC_ASSERT(unpaired == listed.unpaired());
  });
}

}  // namespace heddle::emu
