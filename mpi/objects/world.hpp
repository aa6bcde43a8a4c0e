// SPDX-License-Identifier: Apache-2.0
// What all ranks of an MPI run share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/messages.hpp"
#include "heddle/registry.hpp"
#include "mpi/objects/call_counts.hpp"
#include "mpi/objects/group.hpp"
#include "mpi/types/signature.hpp"

namespace heddle::mpi {

/// An error of a call, with one of MPI's error classes: MPI_ERR_RANK.
class MpiError : public UsageError {
 public:
  MpiError(int error_class, const std::string& text) : UsageError(text), error_class_(error_class) {}
  int error_class() const { return error_class_; }

 private:
  int error_class_;
};

/// A rank has called MPI_Abort: the run is over.
class Aborted : public Error {
 public:
  Aborted(int code, const std::string& text) : Error(text), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// A call in a program: its function, and the address that it returns to.
struct CallSite {
  const char* function = nullptr;
  const void* place = nullptr;
  bool is_collective = false;  ///< messages that it sends and receives are not the program's
  /// On an intercommunicator: its messages' rank that is rank 0 of the group they go to.
  std::optional<int> other_group = {};
};

/// Of the receive that stands for a generalized request (PlacedCall::label): no message has it.
inline constexpr std::uint64_t kLabelOfGeneralized = ~std::uint64_t{0};

struct WorldSettings {
  /// A standard send of more bytes waits for its receive. No value: the run's own rule.
  std::optional<std::int64_t> eager_limit = {};
  /// No rank leaves a collective before all have called it.
  bool synchronizes_collectives = false;
  /// The algorithm that a collective of this shape runs. Called by each rank alike.
  std::function<const Algorithm&(Collective, const Shape&, const ReduceOp*)> algorithm = {};
  /// "node3": the name of a rank's endpoint.
  std::function<std::string(int rank)> processor_name = {};
  /// Which ranks share rank r's innermost tier: equal numbers do.
  std::function<int(int rank)> shared_tier = {};
  /// By how much a second that a rank computes between calls counts, measured; no value: it takes no time.
  std::optional<double> compute_factor = {};
  /// Whether calls are counted, which takes time.
  bool counts_calls = false;
  /// Words for places in the programs: "ring.c:41".
  std::function<std::string(const void* place)> place_text = {};
  /// Of a stack, as return addresses from the innermost on, where in the programs it is: "in work at ring.c:41".
  std::function<std::string(std::span<const void* const> stack)> stack_text = {};
};

/// What one rank called on a communicator, for comparison with the others.
struct CollectiveCall {
  std::string_view function = {};
  std::optional<int> root = {};  ///< as the call names it
  std::string_view operation = {};
  std::uint64_t label = 0;  ///< of the data that all ranks have alike; 0: there is none
  CallSite site = {};
  int rank = 0;                           ///< of the world, who called it
  std::vector<std::int64_t> counts = {};  ///< of each rank's part, where all ranks of a group name them
  bool counts_are_bytes = false;
  std::vector<std::int64_t> sent_to = {};        ///< bytes, by rank of the group
  std::vector<std::int64_t> received_from = {};  ///< the same
  bool is_in_place = false;                      ///< where all ranks have to be
  bool is_of_first_group = true;                 ///< of an intercommunicator's two
  std::optional<BasicId> elements = {};          ///< the basic type of all ranks' data, where that must be one
  std::string arguments = {};                    ///< that all ranks of a group name alike
  bool is_between_groups = false;                ///< on an intercommunicator
  int rank_in_group = 0;
};

/// The ranks of a communicator, and the number that it has on all of them.
struct Membership {
  std::uint64_t id = 0;
  Group first;      ///< of an intercommunicator: the group that stands first in its messages' communicator
  Group last = {};  ///< of an intercommunicator: the other one
};

/// Made before the run and kept until it is over. Any thread. It describes places, which are CallSites: "MPI_Recv(4 x MPI_INT, source 2,
/// tag 0) at ring.c:41".
class World final : public PlaceDescriber {
 public:
  explicit World(WorldSettings settings) : settings_(std::move(settings)) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const WorldSettings& settings() const { return settings_; }
  SignatureLabels& labels() { return labels_; }
  const SignatureLabels& labels() const { return labels_; }

  struct Mismatch {
    int error_class;
    std::string text;
  };
  /// Rank `called.rank` makes the `number`-th collective call on communicator `id`, of `ranks` ranks. What the first of them called
  /// is what the others must call: the error of the difference, or none.
  std::optional<Mismatch> compare(std::uint64_t id, std::uint32_t number, int ranks, CollectiveCall called);

  /// Rank `rank` ends, after so many collective calls on communicator `id`.
  void note_end(int rank, std::uint64_t id, std::uint32_t calls);
  /// Calls that some ranks of a communicator have made, and that others have ended without: a line for each of those. Said once.
  std::vector<std::string> take_left_out();

  /// Values that ranks tell each other without a message, as they make a communicator. Each of `ranks` ranks leaves its value under
  /// (id, number) before they meet, and reads after it what make(Values) returns. That is made by the first of them, and shared.
  using Values = std::vector<std::vector<int>>;  ///< by rank of the communicator
  void leave(std::uint64_t id, std::uint32_t number, int ranks, int rank, std::vector<int> value);
  template <class T, class Make>
  std::shared_ptr<const T> read(std::uint64_t id, std::uint32_t number, const Make& make) {
    return std::static_pointer_cast<const T>(
        read_made(id, number, [&](const Values& values) { return std::make_shared<const T>(make(values)); }));
  }
  /// For a new communicator of these world ranks. Each of them asks once, and gets the same one; `last` is empty where there is one group.
  Membership membership(const Group& first, const Group& last);
  /// For a new communicator: what no other one has.
  std::uint64_t new_id() { return next_id_.fetch_add(1); }
  /// A number for the `number`-th copy of communicator `id` that its ranks make without waiting for each other: so they may make copies of
  /// several in any order.
  std::uint64_t id_for_copy(std::uint64_t id, std::uint32_t number);
  /// A number for a tag that is a text: below 0, so that it is no tag of another kind.
  int number_for_tag(const std::string& tag);
  /// All ranks, `size` of them, in their order.
  Group everyone(int size);

  /// What is to be said of the run beside its result: requests that nobody completed, errors that were returned. In the order of ranks.
  /// Of a call that MPI forbids, and that heddle serves.
  enum class Breach : std::uint8_t { no, yes };
  void note(int rank, std::string text, Breach breach = Breach::no);
  std::vector<std::string> notes() const;
  /// Those of breaches alone.
  std::vector<std::string> breaches() const;

  /// What is to be said of the messages of a rank to another whose buffer is not what it seems, wherever they are named: "…, from a gap".
  void note_source(const PlacedCall& send, const std::string& text);

  /// "ring.c:41", or empty.
  std::string place_text(const void* place) const;
  /// Another that knows places: of functions that serve a program's collectives. It says "unknown place" of those of others.
  void add_places(std::function<std::string(const void* place)> text);
  /// "in work at ring.c:41", or empty.
  std::string stack_text(std::span<const void* const> stack) const {
    return settings_.stack_text ? settings_.stack_text(stack) : std::string();
  }
  std::string describe(const PlacedCall& call) const override;
  bool is_collective(const PlacedCall& call) const override;

  /// Where a rank's calls were made, by function and place. Kept until the run is over: its failure may name them.
  using CallSites = std::map<std::uint64_t, std::unique_ptr<CallSite>>;
  void keep(CallSites sites);

  /// A rank's calls, added to those of others.
  void count(const CallCounts& of_rank);
  /// Once all ranks have ended. Empty where calls are not counted.
  std::vector<CountedCalls> counted() const;

  /// A rank has ended all of them by MPI_Abort, with this code. The first one's counts.
  void abort(int code);
  std::optional<int> abort_code() const;

  /// "MPI_Send at ring.c:41".
  std::string call_text(const CallSite& site) const;

 private:
  using CallPtr = std::shared_ptr<const CollectiveCall>;
  struct Compared {
    CallPtr first;
    int left;
    CallPtr other_group = {};             ///< the first call of the group that `first` is not of
    CallPtr root = {};                    ///< the call with MPI_ROOT
    std::vector<CallPtr> exchanges = {};  ///< that name what they send to each rank
  };
  /// Of calls that name what they send to each rank: an earlier one that is to send to this one, or to receive from it, another number of
  /// bytes.
  static CallPtr uneven_exchange(Compared& compared, const CallPtr& made);
  /// Between two groups, of calls that have a root: an earlier one that this one does not go with; this one itself where it is the last and
  /// none has MPI_ROOT. `compared.left`: that are to come after it.
  static CallPtr foreign_root(Compared& compared, const CallPtr& made);

  struct Left {
    Values values;
    std::shared_ptr<const void> made = {};
    std::size_t readers = 0;
  };
  struct Agreed {
    Membership members;
    int left;
  };
  using RankLists = std::pair<std::vector<int>, std::vector<int>>;

  std::shared_ptr<const void> read_made(std::uint64_t id, std::uint32_t number,
                                        const std::function<std::shared_ptr<const void>(const Values&)>& make);

  WorldSettings settings_;
  SignatureLabels labels_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Left> left_;
  std::map<RankLists, Agreed> agreed_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> copies_;
  std::map<std::string, int> text_tags_;
  struct Envelope {
    const void* place;
    int rank, peer, tag;
    auto operator<=>(const Envelope&) const = default;
  };
  static Envelope envelope_of(const PlacedCall& send) {
    return {send.place, send.rank.value(), send.peer.value(), send.tag.value()};
  }
  std::map<Envelope, std::string> sources_;
  std::string source_text(const PlacedCall& call) const;
  Group everyone_;
  std::atomic<std::uint64_t> next_id_ = 16;
  std::optional<int> abort_code_;
  std::vector<CallSites> kept_;
  std::vector<std::function<std::string(const void*)>> more_places_;
  CallCounts counts_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Compared> under_way_;
  struct End {
    int rank;
    std::pair<std::uint64_t, std::uint32_t> next_call;
  };
  std::vector<End> ends_;
  struct Note {
    std::string text;
    Breach breach;
  };
  std::vector<std::string> notes(bool (*is_asked)(const Note&)) const;
  std::map<int, std::vector<Note>> notes_;
};

}  // namespace heddle::mpi
