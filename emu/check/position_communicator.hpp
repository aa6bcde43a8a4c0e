// SPDX-License-Identifier: Apache-2.0
// A communicator whose messages say what lies where, and carry no data.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/forwarding_communicator.hpp"

namespace heddle::emu {

// What memory holds of ranks' contributions, without the data: by stretches of addresses.

/// Which ranks' contributions are combined in a byte, each as often as it was.
using TermsId = std::uint32_t;

/// Consecutive ranks, each once: of many ranks' sums there are few of them.
struct RankRange {
  int first = 0;
  int last = 0;
  friend constexpr auto operator<=>(RankRange, RankRange) = default;
};

/// Consecutive bytes: byte i is position + i of the contributions of these terms. Nothing that is known: kUnknown.
struct Stretch {
  static constexpr TermsId kUnknown = 0;

  std::int64_t bytes = 0;
  TermsId terms = kUnknown;
  std::int64_t position = 0;
};

/// Memory of the process. Memory that was freed keeps what it held until something else comes there.
class Contents {
 public:
  Contents();

  /// The rank's own contribution alone.
  TermsId term(int rank);
  TermsId all_of(int ranks);
  /// In order; a rank that is in two of them is there twice.
  std::span<const RankRange> ranks_of(TermsId terms) const { return terms_[terms]; }

  /// What lies in memory, in order; what nothing is known of is there as kUnknown.
  std::vector<Stretch> read(const std::byte* at, std::int64_t bytes) const;
  void write(const std::byte* at, std::span<const Stretch> stretches);
  /// Combined with what is there. Where one of the two is unknown, or they are of different positions, the result is unknown.
  void combine(const std::byte* at, std::span<const Stretch> stretches);

 private:
  struct Held {
    std::int64_t bytes;
    TermsId terms;
    std::int64_t position;
  };
  using Address = std::uintptr_t;

  using Ranks = std::vector<RankRange>;

  TermsId id_of(Ranks ranks);
  TermsId both(TermsId a, TermsId b);
  /// From here on a stretch begins at `at`, if one lies there.
  void split(Address at);

  std::map<Address, Held> held_;
  std::vector<Ranks> terms_;  ///< by id
  std::map<Ranks, TermsId> ids_;
};

// Vectors of any length that take no memory, as long as nobody writes to them.

/// Addresses that read as zeros, apart from all others. A page that is written to takes memory.
class ReservedMemory {
 public:
  ReservedMemory() = default;
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;
  ~ReservedMemory();

  /// So many bytes. Throws ResourceError if the system refuses them.
  std::byte* reserve(std::size_t bytes);
  bool contains(const std::byte* address) const;
  /// Appends what lies there, in these vectors or elsewhere. It touches no page that nobody has touched.
  void append_to(std::vector<std::byte>& data, const std::byte* from, std::size_t bytes) const;
  /// Bytes of pages that somebody has read or written.
  std::size_t touched() const;

 private:
  struct Range {
    std::byte* begin;
    std::size_t bytes;
  };

  std::vector<Range> ranges_;
};

/// What the communicators of all ranks share. They use it one at a time, as ranks under the virtual clock run.
struct Positions {
  struct Message {
    std::vector<Stretch> stretches;
    std::int64_t bytes = 0;
    std::vector<std::byte> data;  ///< of a short one: programs tell each other counts
  };

  std::mutex mutex;  ///< of all below: ranks on kernel threads act side by side
  Contents contents;
  ReservedMemory memory;
  std::unordered_map<std::uint64_t, Message> under_way;
  std::int64_t actions = 0;  ///< messages and pieces of local work so far
  std::int64_t most_actions = 0;

  bool is_exhausted() const { return actions > most_actions; }
};

/// Sends by another communicator, whose rules hold; what it is asked for by `inner` stays within `inner`'s task.
class PositionCommunicator final : public ForwardingCommunicator {
 public:
  PositionCommunicator(Positions& positions, Communicator& inner) : ForwardingCommunicator(inner), positions_(positions) {}
  PositionCommunicator(Positions& positions, std::unique_ptr<Communicator> inner)
      : ForwardingCommunicator(std::move(inner)), positions_(positions) {}

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override;
  void concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) override;
  std::unique_ptr<Communicator> split(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  double byte_scale() const override { return 1; }  // all elements are followed

 private:
  /// A send, or a receive: the number of its message, which travels in place of the data.
  struct Pending {
    std::unique_ptr<std::uint64_t> number = std::make_unique<std::uint64_t>(0);
    std::vector<VectorView> into = {};
    bool is_receive = false;
  };

  /// Counts one, and returns the lock of `positions_`; no call of inner() is made under it.
  std::unique_lock<std::mutex> begin_action();
  /// Returns how many elements came.
  std::int64_t take(const Pending& receive);

  Positions& positions_;
  std::map<std::uint64_t, Pending> pending_;  ///< by request
};

}  // namespace heddle::emu
