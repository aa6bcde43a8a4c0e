// SPDX-License-Identifier: Apache-2.0
// What stands behind a rank's handles. Each object belongs to one rank; what several ranks would have alike is shared by value.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heddle/communicator.hpp"
#include "mpi/image/table.hpp"
#include "mpi/objects/group.hpp"
#include "mpi/objects/topology.hpp"
#include "mpi/types/operation.hpp"
#include "mpi/types/type.hpp"

namespace heddle::mpi {

/// Attributes by key, in the order in which they were set first.
class Attributes {
 public:
  using Entry = std::pair<int, void*>;

  bool empty() const { return entries_.empty(); }
  const Entry& last() const { return entries_.back(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::vector<Entry>::const_iterator find(int key) const { return std::ranges::find(entries_, key, &Entry::first); }
  void set(int key, void* value) {
    const auto place = std::ranges::find(entries_, key, &Entry::first);
    if (place == entries_.end())
      entries_.emplace_back(key, value);
    else
      place->second = value;
  }
  void erase(int key) {
    std::erase_if(entries_, [key](const Entry& entry) { return entry.first == key; });
  }

 private:
  std::vector<Entry> entries_;
};

/// Key and value in the order in which they were set.
struct InfoObject {
  std::vector<std::pair<std::string, std::string>> entries = {};
};

struct ErrorHandlerObject {
  enum class Kind : std::uint8_t { fatal, returned, aborts, function };
  Kind kind = Kind::fatal;
  MPI_Comm_errhandler_function* function = nullptr;
};
/// A handle of one. Who asks for a communicator's error handler gets the handle that the program has, and frees it once more.
struct ErrorHandlerHandle {
  std::shared_ptr<const ErrorHandlerObject> handler;
  int frees = 1;  ///< that end it
};

/// The program's own way into MPI, beside or without MPI_Init.
struct SessionObject {
  InfoObject info = {};
  std::shared_ptr<const ErrorHandlerObject> error_handler = {};
};

struct DatatypeObject {
  TypePtr type;
  std::string name = {};  ///< as MPI_Type_set_name gave it, or MPI's own
  bool is_committed = false;
  Attributes attributes = {};
  std::optional<Datatype> heddle_type = {};  ///< of elements that heddle has handed over: what its operations take
};

struct OperationObject {
  OpId predefined = 0;  ///< 0: the program's own
  UserFunction user = {};
  const ReduceOp* heddle = nullptr;  ///< one of heddle's, which it has handed over
  /// Whether it has been said that a function of the program's has written to its input.
  std::shared_ptr<std::atomic<bool>> told_of_input = std::make_shared<std::atomic<bool>>(false);
};

/// A communicator as one rank has it.
struct CommunicatorObject {
  /// For messages between ranks. Of an intercommunicator: over both groups, the one with the lower world rank first.
  std::shared_ptr<Communicator> messages;
  /// For collectives: made by the first one, collectively.
  std::shared_ptr<Communicator> collectives = {};
  Group local;
  std::optional<Group> remote = {};  ///< of an intercommunicator
  int rank = 0;                      ///< in `local`
  bool local_is_first = true;        ///< of an intercommunicator: in `messages`
  /// The same on all its ranks, and no other's: how checks of collectives know it.
  std::uint64_t id = 0;
  std::string name = {};
  Topology topology = {};
  Attributes attributes = {};
  std::shared_ptr<const ErrorHandlerObject> error_handler = {};
  std::uint32_t collective_calls = 0;
  std::uint32_t copies = 0;       ///< made of it by calls that wait for nobody
  bool is_being_made = false;     ///< by MPI_Comm_idup, whose request is not complete
  bool is_beside = false;         ///< the world of a function that was given another communicator to call on
  bool is_of_request = false;     ///< a persistent collective's own: nothing else uses it
  std::uint32_t values_told = 0;  ///< how often its ranks have told each other values (World::leave)

  bool is_intercommunicator() const { return remote.has_value(); }
  /// The group that messages go to.
  const Group& peers() const { return remote ? *remote : local; }
  /// In `messages`, of a rank in peers().
  Rank peer_rank(int rank_in_peers) const {
    return Rank(remote && local_is_first ? local.size() + rank_in_peers : rank_in_peers);
  }
  /// The other way.
  int rank_in_peers(Rank in_messages) const {
    return remote && local_is_first ? in_messages.value() - local.size() : in_messages.value();
  }
};
using CommunicatorPtr = std::shared_ptr<CommunicatorObject>;

/// What a program has said of work of its own (MPI_Grequest_start).
struct GeneralizedRequest {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra_state;
  bool is_freed = false;  ///< by the program, before it was complete
};

/// A buffer that receives of one envelope go into which are open at once. MPI forbids that. Benchmarks of bandwidth do it all the same,
/// and look at none of the data.
struct Sink {
  const CommunicatorObject* communicator;
  int peer;
  int tag;
  std::int64_t count;
  const Type* type;
  bool operator==(const Sink&) const = default;
};

/// An operation that a program may wait for: a message, a collective, several messages, or work of its own.
struct RequestObject {
  enum class Kind : std::uint8_t { send, receive, matched_receive, pair, collective, generalized, nothing };

  Kind kind = Kind::nothing;
  heddle::Request under_way = {};
  bool is_active = false;
  CommunicatorPtr communicator = {};

  // Of a message.
  void* buffer = nullptr;
  std::int64_t count = 0;
  TypePtr type = {};
  int peer = MPI_PROC_NULL;
  int tag = MPI_ANY_TAG;
  SendMode mode = SendMode::standard;
  bool is_buffered = false;
  bool waits = false;                        ///< the call that makes it waits for it
  std::int64_t room = 0;                     ///< of a receive, for bytes of a message
  std::string excess = {};                   ///< what a longer message meets, where the memory has less room than the call says
  std::unique_ptr<std::byte[]> packed = {};  ///< where the message lies meanwhile; null: in the program's buffer
  std::shared_ptr<const Sink> sink = {};     ///< of a receive that the program waits for later
  std::weak_ptr<RequestObject> buffered = {};              ///< of a buffered send: what lies in the attached buffer
  TakenMessage taken = {};                                 ///< of a matched receive
  std::vector<std::unique_ptr<RequestObject>> parts = {};  ///< of a pair: a receive and a send

  std::unique_ptr<GeneralizedRequest> generalized = {};  ///< null: it is none

  // Of a persistent request: what MPI_Start does. Null: it ends when it has completed.
  std::function<void(RequestObject&)> start = {};
  /// Of a collective: what has to be done on the rank's own thread once the task has ended.
  std::function<void()> finish = {};
  std::shared_ptr<const void> memory = {};  ///< that a collective uses until the program has waited for it
  /// What came of it, once it is over without the program having been told.
  std::optional<MPI_Status> status = {};
  std::exception_ptr error = {};  ///< an MpiError in place of the status
  bool is_over() const { return status.has_value() || error; }
  const void* place = nullptr;  ///< where it was made
  const char* function = nullptr;
};

/// A message that a matched probe has taken.
struct MessageObject {
  CommunicatorPtr communicator;
  TakenMessage message;
};

}  // namespace heddle::mpi
