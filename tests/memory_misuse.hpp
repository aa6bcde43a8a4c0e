// SPDX-License-Identifier: Apache-2.0
// Programs of two ranks or more that use memory as they must not, each rank alike, and others that may. Every runtime refuses the
// first, before a rank waits for another, with the same words, and lets the others be.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::testing {

struct MemoryUse {
  std::string name;
  std::string words;  ///< of the error; empty: there is none
  std::function<void(Communicator&)> run;
};

using Places = std::array<std::int32_t, 64>;

inline Rank peer_of(const Communicator& comm) { return Rank((comm.rank().value() + 1) % comm.size()); }
inline Rank source_of(const Communicator& comm) { return Rank((comm.rank().value() + comm.size() - 1) % comm.size()); }

/// Steps of one part of `places` each way, combined.
inline void exchange_once(Communicator& comm, VectorView data, VectorView sums, VectorView scratch) {
  const Rank dest = peer_of(comm);
  const Rank source = source_of(comm);
  comm.exchange(1, {.op = &ReduceOp::sum(), .scratch = scratch}, [=](int) { return Round{dest, data, source, sums}; });
}

inline void reduce_once(Communicator& comm, VectorView data, VectorView sums, VectorView scratch) {
  const ConstVectorView sent = data;
  comm.sendrecv_reduce(peer_of(comm), std::span(&sent, 1), source_of(comm), std::span(&sums, 1), scratch, ReduceOp::sum());
}

inline std::vector<MemoryUse> memory_uses() {
  std::vector<MemoryUse> uses;
  /// `use(comm, whole)` with 64 places of i32.
  const auto add = [&uses](const char* name, const char* words, auto use) {
    uses.push_back({name, words, [use](Communicator& comm) {
                      Places places{};
                      use(comm, VectorView(places));
                    }});
  };
  // ---- copy and reduce_into ----
  add("copy upwards",
      "copy of 4 x i32: what is read and what is written overlap, in 8 bytes: bytes 8-15 of the first are bytes 0-7 of the "
      "second",
      [](Communicator& comm, VectorView all) { comm.copy(all.slice(2, 4), all.slice(0, 4)); });
  add("copy downwards", "overlap, in 4 bytes: bytes 0-3 of the first are bytes 12-15 of the second",
      [](Communicator& comm, VectorView all) { comm.copy(all.slice(0, 4), all.slice(3, 4)); });
  add("reduce_into", "sum: the vectors overlap in part, in 12 bytes",
      [](Communicator& comm, VectorView all) { comm.reduce_into(all.slice(0, 4), all.slice(1, 4), ReduceOp::sum()); });
  add("copy from an open receive", "copy reads from the buffer of a receive that is still open: to receive 4 x i32 from rank ",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.irecv(source_of(comm), all.slice(0, 4), Tag(3));
        comm.copy(all.slice(8, 2), all.slice(3, 2));
        comm.wait(open);
      });
  add("copy into an open receive", "copy writes to the buffer of a receive that is still open",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.irecv(source_of(comm), all.slice(0, 4));
        comm.copy(all.slice(3, 2), all.slice(8, 2));
        comm.wait(open);
      });
  add("copy into an open send", "copy writes to the buffer of a send that is still open: to send 4 x i32 to rank ",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.isend(peer_of(comm), all.slice(0, 4));
        comm.copy(all.slice(3, 2), all.slice(8, 2));
        comm.wait(open);
      });
  add("reduce into the sum that is sent", "reduce_into writes to the buffer of a send that is still open",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.isend(peer_of(comm), all.slice(0, 4));
        comm.reduce_into(all.slice(0, 4), all.slice(8, 4), ReduceOp::sum());
        comm.wait(open);
      });
  add("reduce what has not come", "reduce_into reads from the buffer of a receive that is still open",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.irecv(source_of(comm), all.slice(8, 4));
        comm.reduce_into(all.slice(0, 4), all.slice(8, 4), ReduceOp::sum());
        comm.wait(open);
      });
  // ---- messages ----
  add("pieces of one receive", "pieces 1 and 2 of one receive overlap: to receive 8 x i32 from rank ",
      [](Communicator& comm, VectorView all) {
        const std::vector<VectorView> pieces = {all.slice(8, 2), all.slice(0, 3), all.slice(2, 3)};
        comm.wait(comm.irecv(source_of(comm), pieces));
      });
  add("two receives", "buffers of receives that are open at once overlap: to receive 4 x i32 from rank ",
      [](Communicator& comm, VectorView all) {
        comm.wait_all({comm.irecv(source_of(comm), all.slice(0, 4)), comm.irecv(source_of(comm), all.slice(3, 4), Tag(1))});
      });
  add("a send of what is being received",
      "buffers of a receive and a send that are open at once overlap: to receive 4 x i32 from rank ",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.irecv(source_of(comm), all.slice(0, 4));
        comm.wait_all({open, comm.isend(peer_of(comm), all.slice(2, 4))});
      });
  add("a receive into what is being sent",
      ", in 4 bytes: bytes 12-15 of the first are bytes 0-3 of the second; wait for the first before the second begins",
      [](Communicator& comm, VectorView all) {
        const Request open = comm.isend(peer_of(comm), all.slice(0, 4));
        comm.wait_all({open, comm.irecv(source_of(comm), all.slice(3, 4))});
      });
  add("sendrecv in one place", "buffers of a receive and a send that are open at once overlap",
      [](Communicator& comm, VectorView all) { comm.sendrecv(peer_of(comm), all, source_of(comm), all); });
  add("a send in several pieces, one of them being received",
      ", in 4 bytes: bytes 12-15 of the first are bytes 8-11 of the second", [](Communicator& comm, VectorView all) {
        const Request open = comm.irecv(source_of(comm), all.slice(10, 4));
        const std::vector<ConstVectorView> pieces = {all.slice(0, 2), all.slice(13, 2), all.slice(20, 2)};
        comm.wait_all({open, comm.isend(peer_of(comm), pieces)});
      });
  add("one of many", "to receive 2 x i32 from rank ", [](Communicator& comm, VectorView all) {
    std::vector<Request> requests;
    for (int i = 0; i < 20; ++i) requests.push_back(comm.irecv(source_of(comm), all.slice(2 * i, 2), Tag(i)));
    requests.push_back(comm.isend(peer_of(comm), all.slice(11, 1), Tag(40)));
    comm.wait_all(requests);
  });
  add("fewer elements than none", "isend: a buffer of -3 elements; a count is 0 or more",
      [](Communicator& comm, VectorView all) { comm.send(peer_of(comm), VectorView(all.data(), -3, all.type())); });
  add("nowhere", "irecv: a buffer of 4 x i32 at a null pointer",
      [](Communicator& comm, VectorView all) { comm.recv(source_of(comm), VectorView(nullptr, 4, all.type())); });
  add("places for one status of two", "wait_all of 2 requests with places for 1 statuses; give as many, or none",
      [](Communicator& comm, VectorView all) {
        const std::array requests = {comm.irecv(source_of(comm), all.slice(0, 1)), comm.isend(peer_of(comm), all.slice(1, 1))};
        Status status;
        comm.wait_all(requests, std::span(&status, 1));
      });
  // ---- what comes is combined ----
  add("a scratch too short", "a scratch of 7 x i32 for a message of 8 x i32; it must be as long or longer",
      [](Communicator& comm, VectorView all) { reduce_once(comm, all.slice(0, 8), all.slice(8, 8), all.slice(32, 7)); });
  add("a scratch too short for a step", "a scratch of 7 x i32 for a message of 8 x i32; it must be as long or longer",
      [](Communicator& comm, VectorView all) { exchange_once(comm, all.slice(0, 8), all.slice(8, 8), all.slice(32, 7)); });
  add("a scratch too short for a step that only receives", "a scratch of 7 x i32 for a message of 8 x i32",
      [](Communicator& comm, VectorView all) { exchange_once(comm, all.slice(0, 0), all.slice(8, 8), all.slice(32, 7)); });
  add("no scratch", "a scratch of 0 x bytes1 for a message of 8 x i32",
      [](Communicator& comm, VectorView all) { reduce_once(comm, all.slice(0, 8), all.slice(8, 8), VectorView()); });
  add("a scratch of another type", "a scratch of f32 for a message of i32; both must have one type",
      [](Communicator& comm, VectorView all) {
        std::array<float, 8> floats{};
        reduce_once(comm, all.slice(0, 8), all.slice(8, 8), floats);
      });
  add("scratch within the sums",
      "the sums and the scratch overlap, in 4 bytes: bytes 28-31 of the first are bytes 0-3 of the second",
      [](Communicator& comm, VectorView all) { exchange_once(comm, all.slice(0, 8), all.slice(8, 8), all.slice(15, 8)); });
  add("scratch within the data", "the data and the scratch overlap, in 4 bytes",
      [](Communicator& comm, VectorView all) { reduce_once(comm, all.slice(0, 8), all.slice(16, 8), all.slice(7, 8)); });
  add("sums within the data", "the data and the sums overlap, in 16 bytes",
      [](Communicator& comm, VectorView all) { reduce_once(comm, all.slice(0, 8), all.slice(4, 8), all.slice(32, 8)); });
  add("sums within the data of a step without scratch", "the data and the sums overlap, in 16 bytes",
      [](Communicator& comm, VectorView all) { exchange_once(comm, all.slice(0, 8), all.slice(4, 8), VectorView()); });
  // ---- views, blocks, plans ----
  add("a slice beyond the end", "a slice of 5 elements from element 60 on, of a vector of 64: it must lie within",
      [](Communicator&, VectorView all) { static_cast<void>(all.slice(60, 5)); });
  add("a slice of less than nothing", "a slice of -1 elements; a count is 0 or more",
      [](Communicator&, VectorView all) { static_cast<void>(all.slice(6, -1)); });
  add("elements of another size", "elements of 8 bytes are asked of a vector of i32, whose elements have 4",
      [](Communicator&, VectorView all) { static_cast<void>(all.as<double>()); });
  add("a block that is not there", "block 5 of a vector in 5: blocks are 0 to 4",
      [](Communicator&, VectorView all) { static_cast<void>(BlockPartition(64, 5).block(all, 5)); });
  add("no blocks", "64 elements in 0 blocks: a partition needs at least one block",
      [](Communicator&, VectorView) { static_cast<void>(BlockPartition(64, 0)); });
  add("a plan that sends", "by the function that makes a shared plan; it uses no communicator",
      [](Communicator& comm, VectorView all) {
        comm.shared_plan<int>("sends", [&] {
          comm.send(peer_of(comm), all);
          return 1;
        });
      });
  add("a plan that asks for another", "shared_plan() by the function that makes a shared plan",
      [](Communicator& comm, VectorView) {
        comm.shared_plan<int>("one", [&] { return *comm.shared_plan<int>("two", [] { return 2; }); });
      });
  // ---- right ----
  add("two sends of the same, which is read meanwhile", "", [](Communicator& comm, VectorView all) {
    std::vector<Request> requests = {comm.isend(peer_of(comm), all.slice(0, 4)),
                                     comm.isend(peer_of(comm), all.slice(2, 4), Tag(1))};
    comm.copy(all.slice(16, 4), all.slice(1, 4));
    comm.reduce_into(all.slice(16, 4), all.slice(0, 4), ReduceOp::sum());
    requests.push_back(comm.irecv(source_of(comm), all.slice(8, 4)));
    requests.push_back(comm.irecv(source_of(comm), all.slice(12, 4), Tag(1)));
    comm.wait_all(requests);
  });
  add("copies and sums that are one, or side by side", "", [](Communicator& comm, VectorView all) {
    comm.copy(all.slice(0, 4), all.slice(0, 4));
    comm.copy(all.slice(0, 4), all.slice(4, 4));
    comm.copy(all.slice(4, 4), all.slice(0, 4));
    comm.reduce_into(all.slice(0, 4), all.slice(0, 4), ReduceOp::sum());
    comm.copy(VectorView(nullptr, 0, all.type()), VectorView(nullptr, 0, all.type()));
  });
  add("a block that is sent from between others that are received", "", [](Communicator& comm, VectorView all) {
    std::vector<Request> requests;
    for (int i = 0; i < 20; ++i) {
      if (i != 7) requests.push_back(comm.irecv(source_of(comm), all.slice(3 * i, 3), Tag(i)));
    }
    for (int i = 0; i < 20; ++i) {
      if (i != 7) comm.send(peer_of(comm), all.slice(21, 3), Tag(i));
    }
    for (int i = 0; i < 9; ++i) comm.copy(all.slice(60, 2), all.slice(22, 2));
    comm.wait_all(requests);
  });
  add("a place that was received into is sent from, and received into again", "", [](Communicator& comm, VectorView all) {
    for (int i = 0; i < 3; ++i) {
      comm.wait_all({comm.irecv(source_of(comm), all.slice(0, 4)), comm.isend(peer_of(comm), all.slice(4, 4))});
      comm.wait_all({comm.isend(peer_of(comm), all.slice(0, 4)), comm.irecv(source_of(comm), all.slice(4, 4))});
    }
  });
  add("messages without elements, anywhere", "", [](Communicator& comm, VectorView all) {
    comm.wait_all({comm.irecv(source_of(comm), all.slice(0, 4)), comm.isend(peer_of(comm), all.slice(2, 0)),
                   comm.irecv(source_of(comm), all.slice(1, 0), Tag(1)), comm.isend(peer_of(comm), VectorView(), Tag(1))});
  });
  add("a scratch longer than needed", "", [](Communicator& comm, VectorView all) {
    reduce_once(comm, all.slice(0, 8), all.slice(8, 8), all.slice(16, 9));
    exchange_once(comm, all.slice(0, 8), all.slice(8, 8), all.slice(16, 40));
    exchange_once(comm, all.slice(0, 0), all.slice(0, 0), VectorView());
    exchange_once(comm, all.slice(0, 8), all.slice(8, 8), VectorView());
    comm.exchange(2, {.op = &ReduceOp::sum(), .after_sending = true}, [=, to = peer_of(comm), from = source_of(comm)](int) {
      return Round{to, all.slice(0, 8), from, all.slice(0, 8)};
    });
  });
  return uses;
}

}  // namespace heddle::testing
