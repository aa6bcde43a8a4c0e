// SPDX-License-Identifier: Apache-2.0
#include "emu/mailbox.hpp"

#include <algorithm>

#include "core/rank.hpp"

namespace heddle::emu {

std::size_t Mailbox::KeyHash::operator()(const ChannelKey& key) const {
  const auto word = [](std::int32_t high, std::uint32_t low) {
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | low;
  };
  std::uint64_t hash = word(key.source, static_cast<std::uint32_t>(key.dest)) * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ (hash >> 32) ^ word(key.tag, key.context)) * 0xbf58476d1ce4e5b9ULL;
  return hash ^ (hash >> 29);
}

Mailbox::ChannelId Mailbox::channel(const ChannelKey& key, ChannelId& hint) {
  if (hint < channels_.size() && channels_[hint].key == key) return hint;
  const auto [place, is_new] = channel_of_.try_emplace(key, static_cast<ChannelId>(channels_.size()));
  if (is_new) {
    channels_.push_back({key, {}, {}});
    if (any_source_used_) inbox(key).channels.push_back(place->second);
  }
  return hint = place->second;
}

Mailbox::Inbox& Mailbox::inbox(const ChannelKey& key) {
  return inboxes_[std::uint64_t{key.context} << 32 | static_cast<std::uint32_t>(key.dest)];
}

Mailbox::ChannelId Mailbox::post_message(const ChannelKey& key, MessageId message, ChannelId& hint) {
  const ChannelId id = channel(key, hint);
  channels_[id].messages.push({message, ++serial_, 0});
  return id;
}

void Mailbox::make_visible(ChannelId id, MessageId message, std::vector<Pairing>& pairings) {
  Channel& at = channels_[id];
  std::size_t posted = 0;
  while (at.messages[posted].message != message) ++posted;
  at.messages[posted].visible_since = ++serial_;
  if (posted == 0) pair(at, pairings);
}

void Mailbox::post_receive(const ChannelKey& key, ReceiveId receive, ChannelId& hint, std::vector<Pairing>& pairings) {
  const PostedReceive posted{receive, ++serial_};
  if (key.source != kAnySource.value()) {
    Channel& at = channels_[channel(key, hint)];
    at.receives.push(posted);
    pair(at, pairings);
    return;
  }
  if (!any_source_used_) {
    any_source_used_ = true;
    for (ChannelId id = 0; id < channels_.size(); ++id) inbox(channels_[id].key).channels.push_back(id);
  }
  Inbox& in = inbox(key);
  Channel* first = nullptr;
  for (const ChannelId id : in.channels) {
    Channel& candidate = channels_[id];
    if (candidate.key.tag != key.tag || candidate.messages.empty() || candidate.messages.front().visible_since == 0) continue;
    if (!first || candidate.messages.front().visible_since < first->messages.front().visible_since) first = &candidate;
  }
  in.receives.push({key.tag, posted});
  ++any_source_waiting_;
  if (first) pair(*first, pairings);
}

void Mailbox::pair(Channel& at, std::vector<Pairing>& pairings) {
  while (!at.messages.empty() && at.messages.front().visible_since != 0) {
    const std::optional<PostedReceive> receive = take_receive(at);
    if (!receive) return;
    pairings.push_back({at.messages.front().message, receive->receive});
    at.messages.pop();
  }
}

/// Of the receives that fit the channel, the one that was posted first.
std::optional<Mailbox::PostedReceive> Mailbox::take_receive(Channel& at) {
  std::optional<PostedReceive> own;
  if (!at.receives.empty()) own = at.receives.front();
  if (any_source_waiting_ > 0) {
    Inbox& in = inbox(at.key);
    std::size_t any = 0;
    while (any < in.receives.size() && in.receives[any].first != at.key.tag) ++any;
    if (any < in.receives.size() && (!own || in.receives[any].second.posted < own->posted)) {
      const PostedReceive taken = in.receives[any].second;
      in.receives.erase(any);
      --any_source_waiting_;
      return taken;
    }
  }
  if (own) at.receives.pop();
  return own;
}

std::vector<Mailbox::Waiting> Mailbox::unpaired_messages() const {
  std::vector<std::pair<std::uint64_t, Waiting>> waiting;
  for (const Channel& at : channels_) {
    for (std::size_t i = 0; i < at.messages.size(); ++i)
      waiting.push_back({at.messages[i].posted, {at.key, at.messages[i].message}});
  }
  std::sort(waiting.begin(), waiting.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Waiting> messages;
  for (const auto& entry : waiting) messages.push_back(entry.second);
  return messages;
}

}  // namespace heddle::emu
