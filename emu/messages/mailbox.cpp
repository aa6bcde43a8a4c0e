// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/mailbox.hpp"

#include <algorithm>

#include "heddle/vector_view.hpp"

namespace heddle::emu {

ChannelId Mailbox::channel(const ChannelKey& key, ChannelId& hint) {
  if (hint < channels_.size() && channels_[hint].key == key) return hint;
  hint = channel_of_.find(ChannelTable::hash(key), [&](ChannelId id) { return channels_[id].key == key; });
  if (hint == ChannelTable::kNone) hint = new_channel(key);
  return hint;
}

ChannelId Mailbox::new_channel(const ChannelKey& key) {
  if (free_channels_.empty() && channels_.size() >= most_channels_ && !inboxes_used_) retire_idle_channels();
  ChannelId id = static_cast<ChannelId>(channels_.size());
  if (free_channels_.empty()) {
    if (channels_.empty()) channels_.reserve(kFewAtFirst);
    channels_.push_back({key, {}, {}});
  } else {
    id = free_channels_.back();
    free_channels_.pop_back();
    channels_[id].key = key;
  }
  channel_of_.add(ChannelTable::hash(key), id);
  if (inboxes_used_) inbox(key).channels.push_back(id);
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
  if (any_tag_used_) [[unlikely]]
    note_unpaired(id, message);
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

namespace {

bool is_wild(const ChannelKey& key) { return key.source == kAnySource.value() || key.tag == kAnyTag.value(); }

}  // namespace

void Mailbox::add_receive(const ChannelKey& key, ReceiveId receive, ChannelId& hint, std::vector<Pairing>& pairings) {
  if (!is_wild(key)) {
    Channel& at = channels_[channel(key, hint)];
    PostedReceive& posted = at.receives.push();
    posted.posted = ++serial_;
    posted.receive = receive;
    pair(at, pairings);
    return;
  }
  use_inboxes();
  Channel* taken = candidate(key, receive);
  inbox(key).receives.push() = {.posted = {.posted = ++serial_, .receive = receive}, .source = key.source, .tag = key.tag};
  ++wild_waiting_;
  if (taken) pair(*taken, pairings);
}

void Mailbox::use_inboxes() {
  if (inboxes_used_) return;
  inboxes_used_ = true;
  for (ChannelId id = 0; id < channels_.size(); ++id) inbox(channels_[id].key).channels.push_back(id);
}

void Mailbox::begin_any_tag(const SendOrder& order) {
  if (any_tag_used_) return;
  use_inboxes();
  any_tag_used_ = true;
  for (ChannelId id = 0; id < channels_.size(); ++id) {
    const Channel& at = channels_[id];
    if (at.messages.empty()) continue;
    std::deque<Unpaired>& unpaired = inbox(at.key).unpaired[at.key.source];
    for (std::size_t i = 0; i < at.messages.size(); ++i) unpaired.push_back({at.messages[i].message, id});
  }
  const auto sent_before = [&order](const Unpaired& a, const Unpaired& b) {
    return order.number(a.message) < order.number(b.message);
  };
  for (auto& [key, in] : inboxes_) {
    for (auto& [source, unpaired] : in.unpaired) std::sort(unpaired.begin(), unpaired.end(), sent_before);
  }
}

bool Mailbox::remove_receive(const ChannelKey& key, ReceiveId receive) {
  const auto remove_from = [&](auto& receives, auto posted_of) {
    for (std::size_t i = 0; i < receives.size(); ++i) {
      if (posted_of(receives[i]).receive != receive) continue;
      receives.erase(i);
      return true;
    }
    return false;
  };
  if (is_wild(key)) {
    const bool was_there = remove_from(inbox(key).receives, [](const PostedWildReceive& posted) { return posted.posted; });
    if (was_there) --wild_waiting_;
    return was_there;
  }
  ChannelId hint = 0;
  return remove_from(channels_[channel(key, hint)].receives, [](const PostedReceive& posted) { return posted; });
}

std::optional<bool> Mailbox::remove_message(ChannelId id, MessageId message, std::vector<Pairing>& pairings) {
  Channel& at = channels_[id];
  std::size_t place = 0;
  while (place < at.messages.size() && at.messages[place].message != message) ++place;
  if (place == at.messages.size()) return std::nullopt;
  const bool was_visible = at.messages[place].visible_since != 0;
  at.messages.erase(place);
  if (any_tag_used_) note_paired(at, message);
  pair(at, pairings);
  if (Channel* const next = sent_next(at.key)) pair(*next, pairings);
  return was_visible;
}

std::optional<MessageId> Mailbox::find(const ChannelKey& key, TaskId task) {
  const Channel* const at = candidate(key, {task, 0});
  return at == nullptr ? std::nullopt : std::optional(at->messages.front().message);
}

std::optional<MessageId> Mailbox::take(const ChannelKey& key, TaskId task, std::vector<Pairing>& pairings) {
  Channel* const at = candidate(key, {task, 0});
  if (at == nullptr) return std::nullopt;
  const ChannelKey its = at->key;
  const MessageId message = at->messages.front().message;
  at->messages.pop();
  if (any_tag_used_) note_paired(*at, message);
  if (Channel* const next = sent_next(its)) pair(*next, pairings);
  return message;
}

bool Mailbox::expects_last_message(ChannelId id) {
  const Channel& at = channels_[id];
  std::size_t fitting = at.receives.size();
  if (wild_waiting_ > 0) {
    const Inbox& in = inbox(at.key);
    for (std::size_t i = 0; i < in.receives.size(); ++i) {
      const PostedWildReceive& receive = in.receives[i];
      if ((receive.source == kAnySource.value() || receive.source == at.key.source) &&
          (receive.tag == kAnyTag.value() || receive.tag == at.key.tag))
        ++fitting;
    }
  }
  return fitting >= at.messages.size();
}

/// Whether its first message was sent before all others of its source that are not paired.
bool Mailbox::was_sent_first(Inbox& in, const Channel& at) {
  const std::deque<Unpaired>& unpaired = in.unpaired[at.key.source];
  return unpaired.front().message == at.messages.front().message;
}

/// The channel that a receive with this key takes its message from, if one is there.
Mailbox::Channel* Mailbox::candidate(const ChannelKey& key, ReceiveId receive) {
  if (!is_wild(key)) {
    const ChannelId id =
        channel_of_.find(ChannelTable::hash(key), [&](ChannelId other) { return channels_[other].key == key; });
    return id == ChannelTable::kNone || !is_visible(channels_[id]) ? nullptr : &channels_[id];
  }
  use_inboxes();
  if (key.source != kAnySource.value()) return sent_next(key);
  const auto since = [](const Channel* at) { return at->messages.front().visible_since; };
  Inbox& in = inbox(key);
  std::vector<Channel*> candidates;
  Channel* first = nullptr;
  for (const ChannelId id : in.channels) {
    Channel& at = channels_[id];
    if (!is_visible(at)) continue;
    if (key.tag == kAnyTag.value() ? !was_sent_first(in, at) : at.key.tag != key.tag) continue;
    if (!first || since(&at) < since(first)) first = &at;
    if (choice_ != nullptr) candidates.push_back(&at);
  }
  if (candidates.size() < 2) return first;
  std::ranges::sort(candidates, {}, since);
  return candidates[choice_->choose(receive, candidates.size())];
}

/// Of the messages of key.source that are not paired, the channel of the one that was sent first, if it is visible. Where nobody asks for
/// any tag, nobody waits for that.
Mailbox::Channel* Mailbox::sent_next(const ChannelKey& key) {
  if (!any_tag_used_) return nullptr;
  const std::deque<Unpaired>& unpaired = inbox(key).unpaired[key.source];
  if (unpaired.empty()) return nullptr;
  Channel& at = channels_[unpaired.front().channel];
  return is_visible(at) ? &at : nullptr;
}

void Mailbox::note_unpaired(ChannelId id, MessageId message) {
  const ChannelKey& key = channels_[id].key;
  inbox(key).unpaired[key.source].push_back({message, id});
}

void Mailbox::note_paired(const Channel& at, MessageId message) {
  std::deque<Unpaired>& unpaired = inbox(at.key).unpaired[at.key.source];
  unpaired.erase(std::ranges::find(unpaired, message, &Unpaired::message));
}

/// Each message with the receive that was posted first, of those that fit the channel.
void Mailbox::pair(Channel& at, std::vector<Pairing>& pairings) {
  while (is_visible(at)) {
    ReceiveId receive;
    if (!take_wild_receive(at, receive)) {
      if (at.receives.empty()) return;
      receive = at.receives.front().receive;
      at.receives.pop();
    }
    Pairing& pairing = pairings.emplace_back();
    pairing.message = at.messages.front().message;
    pairing.receive = receive;
    at.messages.pop();
    if (any_tag_used_) [[unlikely]] {
      note_paired(at, pairing.message);
      // Receives of any tag may have now what its source sent after it.
      if (Channel* const next = sent_next(at.key); next != nullptr && next != &at) pair(*next, pairings);
    }
  }
}

bool Mailbox::fits(const PostedWildReceive& receive, Inbox& in, const Channel& at) {
  if (receive.source != kAnySource.value() && receive.source != at.key.source) return false;
  return receive.tag == kAnyTag.value() ? was_sent_first(in, at) : receive.tag == at.key.tag;
}

/// If one that fits was posted before the channel's own.
bool Mailbox::take_wild_receive(Channel& at, ReceiveId& receive) {
  if (wild_waiting_ == 0) return false;
  Inbox& in = inbox(at.key);
  std::size_t wild = 0;
  while (wild < in.receives.size() && !fits(in.receives[wild], in, at)) ++wild;
  if (wild == in.receives.size()) return false;
  const PostedReceive& posted = in.receives[wild].posted;
  if (!at.receives.empty() && at.receives.front().posted < posted.posted) return false;
  receive = posted.receive;
  in.receives.erase(wild);
  --wild_waiting_;
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
