// SPDX-License-Identifier: Apache-2.0
// What the calls of collectives have in common: each has a blocking form, one that returns a request, and a persistent one; and their
// arguments are checked alike. Included by the files of the calls alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mpi/calls/requests.hpp"
#include "mpi/collectives/between_groups.hpp"
#include "mpi/collectives/work.hpp"

namespace heddle::mpi {

// ---- the three forms of a call. `make` checks the arguments and returns the work ----

template <class Make>
int blocking(const char* function, const void* place, MPI_Comm comm, const Make& make) {
  return serve(function, place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    const CollectiveWork work = make(process, on);
    Communicator& over = collective_communicator(process, *on);
    process.begin_counted(process.counted_call());
    work.run(over);
    work.finish();
  });
}

inline void begin_collective(Process& process, RequestObject& request, const CollectiveWork& work) {
  request.is_active = true;
  request.finish = work.finish;
  request.under_way = collective_communicator(process, *request.communicator)
                          .start([&process, count = process.counted_call(), run = work.run](Communicator& over) {
                            process.begin_counted(count);
                            run(over);
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
    begin_collective(process, *request, make(process, on));
    *to = process.add(std::move(request));
  });
}

/// `make` is called now, to check, and again at each start. What it captures has to outlive the call.
template <class Make>
int persistent(const char* function, const void* place, MPI_Comm comm, MPI_Request* to, const Make& make) {
  return serve(function, place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    std::unique_ptr<RequestObject> request = collective_request(on);
    make(process, on);
    request->start = [&process, on, make](RequestObject& self) { begin_collective(process, self, make(process, on)); };
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

/// A buffer of a collective, checked.
inline TypedBuffer buffer(Process& process, const void* base, std::int64_t count, MPI_Datatype type, const char* what) {
  const TypePtr of = process.committed(type);
  check_buffer(process, base, count, *of, what);
  return typed(base, count, of);
}

/// Blocks that lie one behind the other.
inline TypedBlocks blocks(Process& process, const void* base, std::int64_t count, MPI_Datatype type, int ranks,
                          const char* what) {
  const TypePtr of = process.committed(type);
  check_buffer(process, base, count, *of, what);
  return equal_blocks(base, count, of, ranks);
}

/// Blocks at displacements of their own.
template <class Count, class Displacement>
TypedBlocks blocks(Process& process, const void* base, const Count* counts, const Displacement* displacements,
                   MPI_Datatype type, int ranks, const char* what) {
  const TypePtr of = process.committed(type);
  TypedBlocks all{.base = static_cast<std::byte*>(const_cast<void*>(base)), .type = of};
  for (int i = 0; i < ranks; ++i) {
    check_buffer(process, base, counts[i], *of, what);
    all.counts.push_back(counts[i]);
    all.displacements.push_back(displacements[i]);
  }
  return all;
}

/// Displacements are in bytes here, and each block has a type of its own.
template <class Count, class Displacement>
std::vector<TypedBuffer> typed_blocks(Process& process, const void* base, const Count* counts, const Displacement* displs,
                                      const MPI_Datatype* types, int ranks, const char* what) {
  std::vector<TypedBuffer> all;
  for (int i = 0; i < ranks; ++i) {
    const TypePtr type = process.committed(types[i]);
    check_buffer(process, base, counts[i], *type, what);
    all.push_back(typed(static_cast<const std::byte*>(base) + displs[i], counts[i], type));
  }
  return all;
}

/// Two buffers of one call that lie on one another, which MPI forbids.
inline void check_apart(Process& process, const TypedBuffer& in, const TypedBuffer& out) {
  const std::int64_t in_bytes = in.count * in.type->extent();
  const std::int64_t out_bytes = out.count * out.type->extent();
  if (in.bytes() == 0 || out.bytes() == 0 || in.base + in_bytes <= out.base || out.base + out_bytes <= in.base) return;
  // Types with holes may lie in each other's.
  if (!in.type->is_contiguous() || !out.type->is_contiguous()) return;
  process.refuse(MPI_ERR_BUFFER, "the send buffer and the receive buffer overlap: MPI_IN_PLACE says that they are one");
}

/// What comes out has to be as long as what goes in.
inline void check_same(Process& process, std::int64_t sent, std::int64_t received, const char* what) {
  if (sent != received)
    process.refuse(MPI_ERR_TRUNCATE, fmt::format("{} bytes are sent to oneself, and the {} has {}", sent, what, received));
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

}  // namespace heddle::mpi
