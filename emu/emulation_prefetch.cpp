// SPDX-License-Identifier: Apache-2.0
// Thousands of ranks act at one instant and their state fits no cache: what an event will need is fetched while those before it
// run. Nothing here changes what happens.
#include <algorithm>
#include <span>

#include "emu/emulation.hpp"

namespace heddle::emu {

namespace {

/// Beyond, the processor's own prefetchers have caught on.
constexpr std::size_t kLongestPrefetch = 512;

/// All lines of an object of this size.
void prefetch(const void* object, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(static_cast<const char*>(object) + line);
}

}  // namespace

void Emulation::expect_effect(StrandId id, int stage) {
  const StrandState& strand = strands_[id];
  if (stage == 0) prefetch(&strand, sizeof strand);
  if (stage == 1 && !strand.posts.empty()) prefetch(strand.posts.data(), strand.posts.size() * sizeof(Post));
  if (stage == 2 && !strand.posts.empty()) {
    mailbox_.prefetch(strand.send_channel);
    mailbox_.prefetch(strand.receive_channel);
    for (const Post& post : strand.posts) {
      if (const auto* send = std::get_if<SendPost>(&post)) prefetch(send->message.get(), sizeof(Message));
    }
  }
}

void Emulation::expect_drained(MessageId id, int stage) {
  const Message* message = messages_[id].get();
  // Once it has drained, its sender may be gone: the event is an old one.
  if (!message || message->drained) return;
  if (stage == 0) prefetch(message, sizeof *message);
  if (stage == 1) {
    prefetch(&strands_[message->sender], sizeof(StrandState));
    const std::span<const ConstVectorView> from = message->from.span();
    if (!from.empty()) prefetch(from[0].data(), std::min(from[0].size_bytes(), kLongestPrefetch));
  }
  if (stage == 2) prefetch(&strands_[message->sender].slots[message->sender_slot], 64);
}

void Emulation::expect_arrived(MessageId id, int stage) {
  const Message* message = messages_[id].get();
  if (!message) return;
  if (stage == 0) prefetch(message, sizeof *message);
  if (stage == 1) mailbox_.prefetch(message->channel);
  if (stage == 2) {
    if (const ReceiveId* receive = mailbox_.first_receive(message->channel)) {
      prefetch(&strands_[receive->strand], sizeof(StrandState));
      prefetch(&strands_[receive->strand].slots[receive->slot], sizeof(RequestSlot));
    }
  }
}

}  // namespace heddle::emu
