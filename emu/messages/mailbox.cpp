// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/mailbox.hpp"

#include <algorithm>

#include "core/pair_key.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

ChannelId Mailbox::channel(const ChannelKey& key, ChannelId& hint) {
  if (hint < channels_.size() && channels_[hint].key == key) return hint;
  hint = channel_of_.find(ChannelTable::hash(key), [&](ChannelId id) { return channels_[id].key == key; });
  if (hint == ChannelTable::kNone) hint = new_channel(key);
  return hint;
}

ChannelId Mailbox::new_channel(const ChannelKey& key) {
  if (free_channels_.empty() && channels_.size() >= most_channels_ && !any_source_used_) retire_idle_channels();
  ChannelId id = static_cast<ChannelId>(channels_.size());
  if (free_channels_.empty()) {
    channels_.push_back({key, {}, {}});
  } else {
    id = free_channels_.back();
    free_channels_.pop_back();
    channels_[id].key = key;
  }
  channel_of_.add(ChannelTable::hash(key), id);
  if (any_source_used_) inbox(key).channels.push_back(id);
  return id;
}

/// A run of many peers makes a channel for each pair of ranks, and most are never used again.
void Mailbox::retire_idle_channels() {
  constexpr ChannelKey kNobody{~std::uint32_t{0}, -1, -1, -1};  // no hint must find it
  channel_of_.clear();
  for (ChannelId id = 0; id < channels_.size(); ++id) {
    Channel& at = channels_[id];
    if (at.messages.empty() && at.receives.empty()) {
      at.key = kNobody;
      free_channels_.push_back(id);
    } else {
      channel_of_.add(ChannelTable::hash(at.key), id);
    }
  }
  most_channels_ = std::max(kFewChannels, 2 * (channels_.size() - free_channels_.size()));
}

Mailbox::Inbox& Mailbox::inbox(const ChannelKey& key) { return inboxes_[pair_key(key.context, key.dest)]; }

ChannelId Mailbox::add_message(const ChannelKey& key, MessageId message, ChannelId& hint) {
  const ChannelId id = channel(key, hint);
  SentMessage& sent = channels_[id].messages.push();
  sent.visible_since = 0;
  sent.message = message;
  return id;
}

/// Where a message is that is not visible yet. Those of a channel mostly become visible in their order, so that it is the first such
/// one: thousands that nobody has received may lie before it.
std::size_t Mailbox::place_of(const Fifo<SentMessage>& messages, MessageId message) {
  if (messages.front().message == message) return 0;
  std::size_t place = 0;
  for (std::size_t end = messages.size(); place < end;) {
    const std::size_t middle = place + (end - place) / 2;
    if (messages[middle].visible_since != 0)
      place = middle + 1;
    else
      end = middle;
  }
  if (place < messages.size() && messages[place].message == message) return place;
  place = 0;
  while (messages[place].message != message) ++place;
  return place;
}

void Mailbox::make_visible(ChannelId id, MessageId message, std::vector<Pairing>& pairings) {
  Channel& at = channels_[id];
  const std::size_t place = place_of(at.messages, message);
  at.messages[place].visible_since = ++serial_;
  if (place == 0) pair(at, pairings);
}

void Mailbox::add_receive(const ChannelKey& key, ReceiveId receive, ChannelId& hint, std::vector<Pairing>& pairings) {
  if (key.source != kAnySource.value()) {
    Channel& at = channels_[channel(key, hint)];
    PostedReceive& posted = at.receives.push();
    posted.posted = ++serial_;
    posted.receive = receive;
    pair(at, pairings);
    return;
  }
  if (!any_source_used_) {
    any_source_used_ = true;
    for (ChannelId id = 0; id < channels_.size(); ++id) inbox(channels_[id].key).channels.push_back(id);
  }
  Inbox& in = inbox(key);
  Channel* taken = candidate(in, key.tag, receive);
  in.receives.push() = {.posted = {.posted = ++serial_, .receive = receive}, .tag = key.tag};
  ++any_source_waiting_;
  if (taken) pair(*taken, pairings);
}

/// The channel that a receive from any source takes its message from, if one is there.
Mailbox::Channel* Mailbox::candidate(const Inbox& in, std::int32_t tag, ReceiveId receive) {
  const auto since = [](const Channel* at) { return at->messages.front().visible_since; };
  std::vector<Channel*> candidates;
  Channel* first = nullptr;
  for (const ChannelId id : in.channels) {
    Channel& at = channels_[id];
    if (at.key.tag != tag || at.messages.empty() || at.messages.front().visible_since == 0) continue;
    if (!first || since(&at) < since(first)) first = &at;
    if (choice_ != nullptr) candidates.push_back(&at);
  }
  if (candidates.size() < 2) return first;
  std::ranges::sort(candidates, {}, since);
  return candidates[choice_->choose(receive, candidates.size())];
}

/// Of the receives that fit the channel, the one that was posted first.
void Mailbox::pair(Channel& at, std::vector<Pairing>& pairings) {
  while (!at.messages.empty() && at.messages.front().visible_since != 0) {
    ReceiveId receive;
    if (!take_receive_from_any(at, receive)) {
      if (at.receives.empty()) return;
      receive = at.receives.front().receive;
      at.receives.pop();
    }
    Pairing& pairing = pairings.emplace_back();
    pairing.message = at.messages.front().message;
    pairing.receive = receive;
    at.messages.pop();
  }
}

/// If one from any source was posted before the channel's own.
bool Mailbox::take_receive_from_any(Channel& at, ReceiveId& receive) {
  if (any_source_waiting_ == 0) return false;
  Inbox& in = inbox(at.key);
  std::size_t any = 0;
  while (any < in.receives.size() && in.receives[any].tag != at.key.tag) ++any;
  if (any == in.receives.size()) return false;
  const PostedReceive& posted = in.receives[any].posted;
  if (!at.receives.empty() && at.receives.front().posted < posted.posted) return false;
  receive = posted.receive;
  in.receives.erase(any);
  --any_source_waiting_;
  return true;
}

std::vector<MessageId> Mailbox::unpaired_messages() const {
  std::vector<MessageId> messages;
  for (const Channel& at : channels_) {
    for (std::size_t i = 0; i < at.messages.size(); ++i) messages.push_back(at.messages[i].message);
  }
  return messages;
}

}  // namespace heddle::emu
