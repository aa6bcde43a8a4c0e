// SPDX-License-Identifier: Apache-2.0
// From a channel's key to its number: looked up twice for every message.
#pragma once

#include <cstdint>
#include <vector>

#include "core/pair_key.hpp"

namespace heddle::emu {

/// A stream of messages that must not overtake each other. Ranks are those of the context's group.
struct ChannelKey {
  std::uint32_t context;
  std::int32_t source;
  std::int32_t dest;
  std::int32_t tag;
  friend bool operator==(const ChannelKey&, const ChannelKey&) = default;
};

using ChannelId = std::uint32_t;

/// Open addressing with linear probing: one cache line a look-up, where std::unordered_map takes three. Keys live with the
/// channels; the table has their hashes. Entries are only added; a table that has too many is cleared and filled anew.
class ChannelTable {
 public:
  static constexpr ChannelId kNone = ~ChannelId{0};

  static std::uint32_t hash(const ChannelKey& key) {
    std::uint64_t mixed = pair_key(key.source, key.dest) * 0x9e3779b97f4a7c15ULL;
    mixed = (mixed ^ (mixed >> 32) ^ pair_key(key.tag, key.context)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<std::uint32_t>(mixed >> 32);
  }

  /// The channel with this hash for which `is_it(channel)` holds, or kNone.
  template <class IsIt>
  ChannelId find(std::uint32_t hash, const IsIt& is_it) const {
    if (entries_.empty()) return kNone;
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      const Entry& entry = entries_[i];
      if (entry.channel == kNone) return kNone;
      if (entry.hash == hash && is_it(entry.channel)) return entry.channel;
    }
  }

  void add(std::uint32_t hash, ChannelId channel) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    ++used_;
    place(hash, channel);
  }

  void clear() {
    entries_.assign(entries_.size(), {});
    used_ = 0;
  }

 private:
  struct Entry {
    std::uint32_t hash = 0;
    ChannelId channel = kNone;
  };

  void place(std::uint32_t hash, ChannelId channel) {
    std::size_t i = hash & mask_;
    while (entries_[i].channel != kNone) i = (i + 1) & mask_;
    entries_[i] = {hash, channel};
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : entries_.size() * 2);
    old.swap(entries_);
    mask_ = entries_.size() - 1;
    for (const Entry& entry : old) {
      if (entry.channel != kNone) place(entry.hash, entry.channel);
    }
  }

  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
};

}  // namespace heddle::emu
