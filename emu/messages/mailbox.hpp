// SPDX-License-Identifier: Apache-2.0
// Which message meets which receive: (context, source, tag), in order, with kAnySource and kAnyTag. No time, no data: only the pairing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/pair_key.hpp"
#include "emu/engine/tasks.hpp"
#include "emu/messages/channel_table.hpp"
#include "emu/messages/message_id.hpp"

namespace heddle::emu {

/// A posted receive: a slot of a task. One word, for it is read soon after it was written (docs/performance.md).
class ReceiveId {
 public:
  constexpr ReceiveId() = default;
  constexpr ReceiveId(TaskId task, std::uint32_t slot) : word_(pair_key(task, slot)) {}
  constexpr TaskId task() const { return static_cast<TaskId>(word_ >> 32); }
  constexpr std::uint32_t slot() const { return static_cast<std::uint32_t>(word_); }
  friend constexpr bool operator==(ReceiveId, ReceiveId) = default;

 private:
  std::uint64_t word_ = 0;
};

struct Pairing {
  ReceiveId receive;
  MessageId message;
};

/// Which of two or more messages that are there a receive from any source takes, or a probe finds.
class AnySourceChoice {
 public:
  /// 0 is the message that came first. Of a probe, `receive` has its task, and slot 0.
  virtual std::size_t choose(ReceiveId receive, std::size_t messages) = 0;

 protected:
  ~AnySourceChoice() = default;
};

/// When which of the messages that are not paired were sent, asked when the first receive or probe of any tag comes.
class SendOrder {
 public:
  /// Lower: sent before. Of one sender.
  virtual std::uint64_t number(MessageId message) const = 0;

 protected:
  ~SendOrder() = default;
};

/// A message becomes visible when it arrives (eager sends) or as soon as it is sent (synchronous ones); only a visible
/// message is paired, with the receive that was posted first, and only after those before it in its channel. A receive of any tag takes,
/// of a source, only the message that was sent first of all that are not paired.
class Mailbox {
 public:
  /// A message has been sent. Its channel, by which it is known from now on. `hint` is the channel that the caller used last:
  /// it saves the look-up where it is the same again, and is updated.
  ChannelId add_message(const ChannelKey& key, MessageId message, ChannelId& hint);
  /// It can be received from now on. Appends the pairings that this makes possible.
  void make_visible(ChannelId channel, MessageId message, std::vector<Pairing>& pairings);
  /// A receive from key.source, or from any if that is kAnySource, of key.tag, or of any if that is kAnyTag.
  void add_receive(const ChannelKey& key, ReceiveId receive, ChannelId& hint, std::vector<Pairing>& pairings);
  /// One that was added with this key and has not been paired is no longer there. False: it has been paired.
  bool remove_receive(const ChannelKey& key, ReceiveId receive);
  /// A message that was added to this channel and has not been paired is no longer there: whether it was visible. Others may be paired
  /// then. No value: it is not there.
  std::optional<bool> remove_message(ChannelId channel, MessageId message, std::vector<Pairing>& pairings);
  /// Before the first receive or probe of any tag.
  void begin_any_tag(const SendOrder& order);

  /// The message that such a receive of `task` would be paired with at once; no value: none.
  std::optional<MessageId> find(const ChannelKey& key, TaskId task);
  /// As find(), and it is paired with nobody: it is taken out. Others may be paired then.
  std::optional<MessageId> take(const ChannelKey& key, TaskId task, std::vector<Pairing>& pairings);
  /// The receive that a message of this channel will meet, whatever is posted or sent later; nullptr: that is not known yet.
  const ReceiveId* certain_receive(ChannelId channel, MessageId message) const {
    const Channel& at = channels_[channel];
    return wild_waiting_ > 0 || at.messages.front().message != message ? nullptr : first_receive(channel);
  }
  /// Whether there are more receives that fit the channel than messages in it, of which the last one has just been added.
  bool expects_last_message(ChannelId channel);

  void prefetch(ChannelId channel) const { emu::prefetch(&channels_[channel], sizeof(Channel)); }
  /// The receive that the channel's next message will meet; nullptr: none is posted.
  const ReceiveId* first_receive(ChannelId channel) const {
    return channels_[channel].receives.empty() ? nullptr : &channels_[channel].receives.front().receive;
  }

  /// Without, a receive from any source takes the message that came first. `choice` outlives the mailbox.
  void let_choose(AnySourceChoice& choice) { choice_ = &choice; }

  bool has_met_any_source() const { return inboxes_used_; }

  /// Messages that nobody has received: those of a channel in the order in which they were sent.
  std::vector<MessageId> unpaired_messages() const;

 private:
  struct SentMessage {
    std::uint64_t visible_since = 0;  ///< serial number; 0: not yet
    MessageId message = kNone;

    static constexpr MessageId kNone = ~MessageId{0};
    bool is_none() const { return message == kNone; }
  };
  struct PostedReceive {
    std::uint64_t posted = 0;  ///< serial number, from 1 on
    ReceiveId receive = {};
    bool is_none() const { return posted == 0; }
  };
  /// From any source or of any tag.
  struct PostedWildReceive {
    PostedReceive posted;
    std::int32_t source = 0;
    std::int32_t tag = 0;
    bool is_none() const { return posted.is_none(); }
  };

  struct Unpaired {
    MessageId message;
    ChannelId channel;
  };

  /// A queue that seldom holds more than one: the first item lives inside, and is none where the queue is empty.
  template <class T>
  class Fifo {
   public:
    bool empty() const { return first_.is_none(); }
    T& front() { return first_; }
    const T& front() const { return first_; }
    /// The new last item, to be made one by writing to it member by member. Copied from a temporary, its parts would have to be
    /// stored before the whole can be loaded, behind all stores that wait for memory.
    T& push() {
      if (empty()) return first_;
      if (!rest_) rest_ = std::make_unique<std::deque<T>>();
      return rest_->emplace_back();
    }
    void pop() { erase(0); }
    std::size_t size() const { return empty() ? 0 : 1 + (rest_ ? rest_->size() : 0); }
    T& operator[](std::size_t i) { return i == 0 ? first_ : (*rest_)[i - 1]; }
    const T& operator[](std::size_t i) const { return i == 0 ? first_ : (*rest_)[i - 1]; }
    void erase(std::size_t i) {
      if (i > 0) {
        rest_->erase(rest_->begin() + static_cast<std::ptrdiff_t>(i) - 1);
      } else if (!rest_ || rest_->empty()) {
        first_ = T();
      } else {
        first_ = rest_->front();
        rest_->pop_front();
      }
    }

   private:
    T first_;
    std::unique_ptr<std::deque<T>> rest_;
  };

  /// So many that are idle may stay: most are used again.
  static constexpr std::size_t kFewChannels = 1 << 16;
  static constexpr std::size_t kFewAtFirst = 16;

  /// One cache line: thousands are in use at one timestamp.
  struct alignas(64) Channel {
    ChannelKey key;
    Fifo<SentMessage> messages;
    Fifo<PostedReceive> receives;
  };
  static_assert(sizeof(Channel) == 64);

  /// All that is sent to one rank of one context, for receives from any source or of any tag.
  struct Inbox {
    std::vector<ChannelId> channels;
    Fifo<PostedWildReceive> receives;
    /// By source, once any tag has been asked for: the channels of its messages that are not paired, in the order of their sending.
    std::unordered_map<std::int32_t, std::deque<Unpaired>> unpaired;
  };

  ChannelId channel(const ChannelKey& key, ChannelId& hint);
  ChannelId new_channel(const ChannelKey& key);
  void retire_idle_channels();
  Inbox& inbox(const ChannelKey& key);
  void use_inboxes();
  bool is_visible(const Channel& at) const { return !at.messages.empty() && at.messages.front().visible_since != 0; }
  bool was_sent_first(Inbox& in, const Channel& at);
  Channel* candidate(const ChannelKey& key, ReceiveId receive);
  static std::size_t place_of(const Fifo<SentMessage>& messages, MessageId message);
  void note_unpaired(ChannelId id, MessageId message);
  void note_paired(const Channel& at, MessageId message);
  void pair(Channel& channel, std::vector<Pairing>& pairings);
  Channel* sent_next(const ChannelKey& key);
  bool fits(const PostedWildReceive& receive, Inbox& in, const Channel& at);
  bool take_wild_receive(Channel& channel, ReceiveId& receive);

  std::vector<Channel> channels_;
  ChannelTable channel_of_;
  std::vector<ChannelId> free_channels_;
  std::size_t most_channels_ = kFewChannels;          ///< before idle ones are retired
  std::unordered_map<std::uint64_t, Inbox> inboxes_;  ///< by context and rank; kept only once there are wild receives or probes
  bool inboxes_used_ = false;
  bool any_tag_used_ = false;
  std::size_t wild_waiting_ = 0;  ///< receives from any source or of any tag
  std::uint64_t serial_ = 0;
  AnySourceChoice* choice_ = nullptr;
};

}  // namespace heddle::emu
