// SPDX-License-Identifier: Apache-2.0
// What the calls of collectives have in common: each has a blocking form, one that returns a request, and a persistent one; and their
// arguments are checked alike. Included by the files of the calls alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mpi/calls/requests.hpp"
#include "mpi/collectives/between_groups.hpp"
#include "mpi/collectives/overlaps.hpp"
#include "mpi/collectives/work.hpp"

namespace heddle::mpi {

// ---- what is sent must stay as it is until a nonblocking collective is over (MPI 5.0, §6.12) ----

inline constexpr const char* kSendBuffer = "send buffer";
inline constexpr const char* kReceiveBuffer = "receive buffer";

/// What has holes is left out.
inline void note_used(Process& process, const char* what, const TypedBuffer& buffer) {
  if (process.used == nullptr || buffer.bytes() == 0 || !buffer.type->is_contiguous()) return;
  if (what == kSendBuffer) process.used->sent.push_back(buffer);
  if (what == kReceiveBuffer) process.used->received.push_back(buffer);
}

/// A list that the call names, checked: it stays as it is until a nonblocking collective is over, and a persistent one freed.
template <class T>
void note_list(Process& process, const T* list, int entries, const char* what) {
  process.require_list(list, entries, what);
  if (process.used == nullptr || entries == 0) return;
  process.used->lists.emplace_back(reinterpret_cast<const char*>(list), static_cast<std::size_t>(entries) * sizeof(T));
}

/// As long as it lives, the arguments of a call note what memory they name.
class UseNotes {
 public:
  explicit UseNotes(Process& process) : process_(process) { process.used = &all_; }
  ~UseNotes() { process_.used = nullptr; }
  UseNotes(const UseNotes&) = delete;
  UseNotes& operator=(const UseNotes&) = delete;

  UsedMemory& all() { return all_; }

 private:
  Process& process_;
  UsedMemory all_;
};

/// Of the bytes of buffers, of each the first `most`.
inline std::size_t digest(const std::vector<TypedBuffer>& of, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  std::size_t all = 0;
  for (const TypedBuffer& buffer : of) {
    const std::string_view bytes(reinterpret_cast<const char*>(buffer.base),
                                 static_cast<std::size_t>(std::min(buffer.bytes(), most)));
    all = all * 31 + std::hash<std::string_view>()(bytes);
  }
  return all;
}

inline std::size_t digest(const std::vector<std::string_view>& lists) {
  std::size_t all = 0;
  for (const std::string_view list : lists) all = all * 31 + std::hash<std::string_view>()(list);
  return all;
}

/// A collective that goes on when its call has returned.
struct BegunCollective {
  CollectiveWork work;
  std::shared_ptr<const OpenMemory> memory = {};  ///< null: it uses none
};

/// The work of `make`. As it begins, it looks whether the program has written to where it will receive. At its end, it looks whether what
/// it was to send has changed. `named`: the call that is told of.
template <class Make>
BegunCollective watched(Process& process, const CommunicatorPtr& on, const Make& make, const CallSite& named) {
  UseNotes notes(process);
  CollectiveWork work = make(process, on);
  require_free(process, notes.all());
  if (notes.all().received.empty() && notes.all().sent.empty() && notes.all().lists.empty()) return {std::move(work)};
  require_free_of_receives(process, notes.all());
  const auto used = std::make_shared<const UsedMemory>(std::move(notes.all()));
  const auto memory = std::make_shared<const OpenMemory>(OpenMemory{named, used});
  process.open_memory.push_back(memory);
  const auto refuse = [&process, site = named](const char* what) {
    process.refuse(MPI_ERR_BUFFER, fmt::format("the {} of {} was written to before that was over; wait for it first", what,
                                               process.world().call_text(site)));
  };
  // As of the receive buffer of a message, the first bytes are looked at.
  constexpr std::int64_t kLookedAt = 64;
  const auto is_written = std::make_shared<bool>(false);
  const std::size_t received = digest(used->received, kLookedAt);
  const std::size_t sent = digest(used->sent);
  const std::size_t lists = digest(used->lists);
  work.run = [used, received, is_written, run = std::move(work.run)](Communicator& over) {
    *is_written = digest(used->received, kLookedAt) != received;
    run(over);
  };
  work.finish = [refuse, used, sent, lists, is_written, finish = std::move(work.finish)] {
    if (digest(used->lists) != lists) refuse("list of counts, displacements or types");
    if (digest(used->sent) != sent) refuse(kSendBuffer);
    if (*is_written) refuse(kReceiveBuffer);
    finish();
  };
  return {std::move(work), memory};
}

// ---- the three forms of a call. `make` checks the arguments and returns the work ----

/// The work of `make`, which shares no memory with what is under way.
template <class Make>
CollectiveWork apart(Process& process, const CommunicatorPtr& on, const Make& make) {
  if (process.open_memory.empty()) return make(process, on);
  UseNotes notes(process);
  CollectiveWork work = make(process, on);
  require_free(process, notes.all());
  return work;
}

template <class Make>
int blocking(const char* function, const void* place, MPI_Comm comm, const Make& make) {
  return serve(function, place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    const CollectiveWork work = apart(process, on, make);
    Communicator& over = collective_communicator(process, *on);
    process.begin_counted(process.counted_call());
    carry_out(process, work.run, over);
    work.finish();
  });
}

inline void begin_collective(Process& process, RequestObject& request, const BegunCollective& begun) {
  request.is_active = true;
  request.memory = begun.memory;
  request.finish = begun.work.finish;
  request.under_way = collective_communicator(process, *request.communicator)
                          .start([kept = process.shared_from_this(), count = process.counted_call(), site = process.site(),
                                  run = begun.work.run](Communicator& over) {
                            if (kept->has_ended) return;
                            kept->begin_counted(count);
                            try {
                              carry_out(*kept, run, over);
                            } catch (const UsageError&) {
                              std::rethrow_exception(current_failure(*kept, site));
                            }
                          });
}

inline std::unique_ptr<RequestObject> collective_request(const CommunicatorPtr& on) {
  auto request = std::make_unique<RequestObject>();
  request->kind = RequestObject::Kind::collective;
  request->communicator = on;
  return request;
}

template <class Make>
int nonblocking(const char* function, const void* place, MPI_Comm comm, MPI_Request* to, const Make& make) {
  return serve(function, place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    std::unique_ptr<RequestObject> request = collective_request(on);
    begin_collective(process, *request, watched(process, on, make, process.site()));
    *to = process.add(std::move(request));
  });
}

/// A persistent collective's own communicator over the same ranks. Its requests are told apart by it, and may be started in any order
/// (MPI 5.0, §6.13).
inline CommunicatorPtr communicator_of_request(const CommunicatorPtr& on) {
  auto own = std::make_shared<CommunicatorObject>(*on);
  own->attributes = {};
  own->collectives = on->messages->form({}, 0);
  own->is_of_request = true;
  return own;
}

/// `make` is called now, to check, and again at each start. What it captures has to outlive the call. Types and operations that it finds
/// are kept.
template <class Make>
int persistent(const char* function, const void* place, MPI_Comm comm, MPI_Request* to, const Make& make) {
  return serve(function, place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    auto arguments = std::make_shared<Process::KeptArguments>();
    std::vector<std::string_view> lists;
    {
      const Process::ArgumentScope scope(process, *arguments, Process::Keep::what_is_found);
      UseNotes notes(process);
      make(process, on);
      lists = std::move(notes.all().lists);
    }
    const CommunicatorPtr own = communicator_of_request(on);
    std::unique_ptr<RequestObject> request = collective_request(own);
    request->start = [&process, own, arguments, make, lists, were = digest(lists), made = process.site()](RequestObject& self) {
      if (digest(lists) != were)
        process.refuse(MPI_ERR_ARG, fmt::format("a list of counts, displacements or types of {} was written to since: it stays "
                                                "as it is until the request is freed",
                                                process.world().call_text(made)));
      const Process::ArgumentScope scope(process, *arguments, Process::Keep::nothing_new);
      begin_collective(process, self, watched(process, own, make, made));
    };
    *to = process.add(std::move(request));
  });
}

// ---- arguments ----

inline void check_root(Process& process, const CommunicatorObject& on, int root) {
  const int size = on.peers().size();
  if (on.is_intercommunicator() && (root == MPI_ROOT || root == MPI_PROC_NULL)) return;
  if (root < 0 || root >= size)
    process.refuse(MPI_ERR_ROOT, fmt::format("the root is {}, in a communicator of {} ranks", root, size));
}

/// What a rank is in a call with a root, between two groups too: the root, and one of those whose data goes to it or comes from it.
struct RootedPart {
  bool is_root;
  bool is_member;
};
inline RootedPart part_of(Process& process, const CommunicatorObject& on, int root) {
  check_root(process, on, root);
  if (on.is_intercommunicator()) return {root == MPI_ROOT, root >= 0};
  return {on.rank == root, true};
}

template <class T>
const T* pointer(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

/// A buffer of a collective, checked.
inline TypedBuffer buffer(Process& process, const void* base, std::int64_t count, MPI_Datatype type, const char* what) {
  const TypePtr of = process.committed(type);
  check_buffer(process, base, count, *of, what);
  note_used(process, what, typed(base, count, of));
  return typed(base, count, of);
}

/// Blocks that lie one behind the other.
inline TypedBlocks blocks(Process& process, const void* base, std::int64_t count, MPI_Datatype type, int ranks,
                          const char* what) {
  const TypePtr of = process.committed(type);
  check_buffer(process, base, count < 0 ? count : times(count, ranks), *of, what);
  const TypedBlocks all{.base = static_cast<std::byte*>(const_cast<void*>(base)), .type = of, .number = ranks, .each = count};
  note_used(process, what, all.whole());
  return all;
}

/// Whether anything moves between this rank and what `with` names; empty: all ranks.
inline bool moves(std::span<const int> with, int block) {
  return with.empty() || with[static_cast<std::size_t>(block)] != MPI_PROC_NULL;
}

/// Blocks at displacements of their own, of the ranks that `with` names, or of all. That of MPI_PROC_NULL is empty, whatever it names.
template <class Count, class Displacement>
TypedBlocks blocks(Process& process, const void* base, const Count* counts, const Displacement* displacements,
                   MPI_Datatype type, int ranks, const char* what, std::span<const int> with = {}) {
  const TypePtr of = process.committed(type);
  TypedBlocks all{.base = static_cast<std::byte*>(const_cast<void*>(base)), .type = of, .number = ranks};
  note_list(process, counts, ranks, "list of counts");
  note_list(process, displacements, ranks, "list of displacements");
  for (int i = 0; i < ranks; ++i) {
    check_buffer(process, base, counts[i], *of, what, times(displacements[i], of->extent()));
    all.counts.push_back(moves(with, i) ? counts[i] : 0);
    all.displacements.push_back(displacements[i]);
    note_used(process, what, all.block(i));
  }
  return all;
}

/// Displacements are in bytes here, and each block has a type of its own.
template <class Count, class Displacement>
std::vector<TypedBuffer> typed_blocks(Process& process, const void* base, const Count* counts, const Displacement* displs,
                                      const MPI_Datatype* types, int ranks, const char* what, std::span<const int> with = {}) {
  std::vector<TypedBuffer> all;
  note_list(process, counts, ranks, "list of counts");
  note_list(process, displs, ranks, "list of displacements");
  note_list(process, types, ranks, "list of types");
  for (int i = 0; i < ranks; ++i) {
    const TypePtr type = process.committed(types[i]);
    check_buffer(process, base, counts[i], *type, what, displs[i]);
    all.push_back(typed(behind(static_cast<const std::byte*>(base), displs[i]), moves(with, i) ? counts[i] : 0, type));
    note_used(process, what, all.back());
  }
  return all;
}

inline void check_apart(Process& process, std::span<const TypedBuffer> sent, std::span<const TypedBuffer> received) {
  if (overlap(sent, received))
    process.refuse(MPI_ERR_BUFFER, "the send buffer and the receive buffer overlap: MPI_IN_PLACE says that they are one");
}
inline void check_apart(Process& process, const TypedBuffer& sent, const TypedBuffer& received) {
  check_apart(process, std::span(&sent, 1), std::span(&received, 1));
}

/// No byte is received twice (MPI 5.0, §6.5).
inline void check_received(Process& process, std::span<const TypedBuffer> blocks) {
  if (const auto both = overlapping_blocks(blocks))
    process.refuse(MPI_ERR_BUFFER, fmt::format("blocks {} and {} of the receive buffer overlap: each needs memory of its own",
                                               both->first, both->second));
}
/// Blocks of all-to-all calls: MPI describes them by receives one after the other, and does not say in which order. Programs that give
/// displacements of MPI_Alltoallw in elements run elsewhere.
inline void check_exchanged(Process& process, std::span<const TypedBuffer> sent, std::span<const TypedBuffer> received) {
  const bool is_of_program = process.known_memory.empty();
  if (!is_of_program)
    check_received(process, received);
  else if (const auto both = overlapping_blocks(received))
    process.note_once(
        process.site(),
        fmt::format("blocks {} and {} of the receive buffer overlap, and MPI does not say which of them stays; here the "
                    "later one does",
                    both->first, both->second),
        World::Breach::yes);
  check_apart(process, sent, received);
}
/// Of a call with blocks at displacements: `sent` empty is in place.
inline void check_blocks(Process& process, std::span<const TypedBuffer> sent, std::span<const TypedBuffer> received) {
  check_received(process, received);
  check_apart(process, sent, received);
}

/// What a rank sends to itself is what it receives.
inline void check_same(Process& process, const TypedBuffer& sent, const TypedBuffer& received) {
  if (sent.bytes() != received.bytes())
    process.refuse(MPI_ERR_TRUNCATE, fmt::format("{} bytes are sent to oneself, and the {} has {}", sent.bytes(),
                                                 kReceiveBuffer, received.bytes()));
  SignatureLabels& labels = process.world().labels();
  const std::uint64_t out = labels.label(*sent.type, sent.count);
  const std::uint64_t in = labels.label(*received.type, received.count);
  if (!labels.may_receive(out, in))
    process.refuse(MPI_ERR_TYPE,
                   fmt::format("{} are sent to oneself, and the {} has {}", labels.text(out), kReceiveBuffer, labels.text(in)));
}

// ---- the functions of the table. Each has the parameters of MPI's, and the place of the call before them ----

/// The three forms of a collective whose arguments `kMake` takes.
template <auto kName, auto kMake, class... Arguments>
struct Forms {
  static int call(const void* place, Arguments... arguments, MPI_Comm comm) {
    return blocking(kName(0), place, comm, kMake(arguments...));
  }
  static int icall(const void* place, Arguments... arguments, MPI_Comm comm, MPI_Request* request) {
    return nonblocking(kName(1), place, comm, request, kMake(arguments...));
  }
  static int init(const void* place, Arguments... arguments, MPI_Comm comm, MPI_Info, MPI_Request* request) {
    return persistent(kName(2), place, comm, request, kMake(arguments...));
  }
};

template <std::size_t kLength>
struct Name {
  constexpr Name(const char (&text)[kLength]) { std::copy_n(text, kLength, value); }  // NOLINT(google-explicit-constructor)
  char value[kLength];
};

/// "MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_init".
template <Name kBase>
const char* name_of(int form) {
  static const std::string base = kBase.value;
  static const std::string names[] = {"MPI_" + base,
                                      "MPI_I" + std::string(1, static_cast<char>(base[0] - 'A' + 'a')) + base.substr(1),
                                      "MPI_" + base + "_init"};
  return names[form].c_str();
}

/// Puts the three forms of a collective into the table.
#define HEDDLE_THREE_FORMS(name, iname, ...) \
  table.name = __VA_ARGS__::call, table.iname = __VA_ARGS__::icall, table.name##_init = __VA_ARGS__::init
#define HEDDLE_THREE_LARGE_FORMS(name, iname, ...) \
  table.name##_c = __VA_ARGS__::call, table.iname##_c = __VA_ARGS__::icall, table.name##_init_c = __VA_ARGS__::init
/// Those with counts of int, and those with large ones.
#define HEDDLE_SIX_FORMS(name, iname, form)   \
  HEDDLE_THREE_FORMS(name, iname, form<int>); \
  HEDDLE_THREE_LARGE_FORMS(name, iname, form<MPI_Count>)
/// Those that take displacements, too, which are of int and MPI_Aint.
#define HEDDLE_SIX_FORMS_AT(name, iname, form)     \
  HEDDLE_THREE_FORMS(name, iname, form<int, int>); \
  HEDDLE_THREE_LARGE_FORMS(name, iname, form<MPI_Count, MPI_Aint>)

}  // namespace heddle::mpi
