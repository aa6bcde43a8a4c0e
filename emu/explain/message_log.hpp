// SPDX-License-Identifier: Apache-2.0
// The messages of a run whose elements know what they are made of (contributions.hpp): what each carried, from where to where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/explain/contributions.hpp"
#include "emu/record/record_sink.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

// Memory that messages of different ranks lie in at once. Ranks of an emulation are threads of one process: a static or global
// variable, which each process of a cluster has for itself, is there one for all.

class SharedMemory {
 public:
  struct Finding {
    int receiver;  ///< into memory that
    int other;     ///< another rank receives into or sends from
    bool other_sends;
    bool is_static;  ///< it is no stack's and no heap's
    std::size_t bytes;
  };

  SharedMemory();

  // Operations of ranks of a run, in its order.
  void receive_posted(int rank, std::span<const VectorView> into);
  void receive_completed(int rank, std::span<const VectorView> into);
  void send_posted(int rank, std::span<const ConstVectorView> from);

  /// What is known for certain: both operations were open at once, or the memory is static.
  const std::optional<Finding>& first() const { return first_; }

 private:
  struct Use {
    const std::byte* end;
    int rank;
    bool receives;
  };
  using Uses = std::multimap<const std::byte*, Use>;  ///< by their beginning

  template <class View>
  void note_posted(int rank, std::span<const View> pieces, bool receives);
  void compare(const Uses& uses, const std::byte* begin, const Use& use, bool is_static);
  bool is_static(const std::byte* address) const;
  void note_static(const std::byte* begin, const Use& use);

  Uses open_;     ///< receives
  Uses statics_;  ///< all operations on static memory, each range of a rank once
  std::vector<std::pair<const std::byte*, const std::byte*>> static_memory_;
  std::optional<Finding> first_;
};

struct LoggedMessage {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  struct Carried {
    ValueId value;
    std::int64_t position;            ///< element of the message
    const std::byte* from = nullptr;  ///< where in the sender's memory,
    const std::byte* into = nullptr;  ///< and in the receiver's; nullptr until it has been received
  };

  int source = 0;  ///< ranks of the run
  int dest = 0;
  Tag tag;
  int round = 0;
  bool second_call = false;              ///< of the sender,
  bool received_in_second_call = false;  ///< and of the receiver
  Time posted;
  std::optional<Time> received;
  /// Places in one order of all that happened.
  std::uint64_t posted_event = 0;
  std::uint64_t received_event = kNever;
  Datatype type = Datatype::i32();
  std::int64_t elements = 0;                   ///< of that type
  std::int64_t asked = 0;                      ///< elements of its receive, once it has been received
  std::vector<Carried> carried;                ///< the values that are traced, by position
  std::vector<ConstVectorView> unfilled = {};  ///< of one that was shorter than its receive: what lay behind it there
  std::string calls = {};  ///< as RecordSink::called_by has them, with ", " before each; empty: nobody knows
};

/// Keeps, in the order in which they were posted, the messages that carry something traced; all where all is traced.
class MessageLog final : public RecordSink {
 public:
  /// `contributions` outlives this.
  explicit MessageLog(Contributions& contributions) : contributions_(contributions) {}

  const std::vector<LoggedMessage>& messages() const { return messages_; }
  /// Those that were shorter than their receives, whatever they carried, in the order in which they were received.
  const std::vector<LoggedMessage>& short_messages() const { return short_messages_; }
  const SharedMemory& shared_memory() const { return shared_memory_; }
  /// A message of other elements than the vectors'. Of those that are whole and lie at multiples of their size, it is known what it
  /// carries; of others it is not.
  struct OtherType {
    int source;
    int dest;
    Tag tag;
    Datatype type;
  };
  const std::optional<OtherType>& first_of_other_type() const { return first_of_other_type_; }

  void posted(const PostedMessage& message) override;
  void posted_receive(int rank, std::span<const VectorView> into) override { shared_memory_.receive_posted(rank, into); }
  void withdrew_receive(int rank, std::span<const VectorView> into) override { shared_memory_.receive_completed(rank, into); }
  bool poisons() const override { return true; }
  void poison(std::span<std::byte> first_bytes, int rank, Rank source, Tag tag) override {
    contributions_.poison(first_bytes, {rank, source.value(), tag.value()});
  }
  bool wants_places() const override { return true; }
  void called_by(std::uint64_t number, const std::string& call) override;
  void received(std::uint64_t number, bool in_second_call, Time time, std::span<const VectorView> into) override;

 private:
  Contributions& contributions_;
  std::vector<LoggedMessage> messages_;
  std::unordered_map<std::uint64_t, std::size_t> under_way_;  ///< places in messages_, by number
  std::unordered_map<std::uint64_t, LoggedMessage> others_;   ///< under way and not kept, by number
  std::vector<LoggedMessage> short_messages_;
  SharedMemory shared_memory_;
  std::optional<OtherType> first_of_other_type_;

  void note_received(LoggedMessage& message, bool in_second_call, Time time, std::span<const VectorView> into);
};

/// Whose sums those of a run are (Contributions::made).
class SumMakers {
 public:
  /// `contributions` outlives this. `address` is known to be memory of `rank`.
  SumMakers(const Contributions& contributions, const std::vector<LoggedMessage>& messages, const std::byte* address, int rank);

  /// Not known, or several.
  static constexpr int kNobody = -2;
  /// Where it is not known whose task it was, its place may be known of messages to and from there.
  int rank_of(const MadeSum& made) const;
  /// Of all that have this name.
  int maker_of(ValueId value) const;
  /// When this one first made it; no value: it is none of them.
  std::optional<std::uint64_t> first_made(ValueId value, int rank) const;

 private:
  const Contributions& contributions_;
  std::unordered_map<const std::byte*, int> ranks_;  ///< by place in memory
};

}  // namespace heddle::emu
