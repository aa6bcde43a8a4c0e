// SPDX-License-Identifier: Apache-2.0
// Ends that are none, and what has no end.
#include <array>
#include <cstdlib>
#include <stdexcept>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void leaves_with_status_0(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.size() == 7 && comm.rank() == Rank(4)) std::exit(0);
}

void aborts_on_17_elements(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (args.output.count() >= 17 && comm.rank() == Rank(0)) std::abort();
}

std::int64_t sum_down(std::int64_t n) {
  volatile char frame[256] = {};
  frame[0] = static_cast<char>(n);
  return n == 0 ? frame[0] : sum_down(n - 1) + frame[0];
}

/// A frame for each element.
void recurses_by_elements(Communicator& comm, const Args& args) {
  static_cast<void>(sum_down(args.output.count()));
  right_broadcast(comm, args);
}

/// The number of rounds is never zero, it thinks, and goes round.
void counts_down_past_zero(Communicator& comm, const Args& args) {
  volatile std::uint64_t rounds = static_cast<std::uint64_t>(args.output.count());
  if (comm.size() == 2) {
    do {
      rounds = rounds - 2;
    } while (rounds != 0);
  }
  right_broadcast(comm, args);
}

/// Two ranks wait politely: each asks the other to go first.
void after_you(Communicator& comm, const Args& args) {
  std::array<std::byte, 1> sent = {};
  std::array<std::byte, 1> received = {};
  while (comm.size() > 3 && comm.rank().value() < 2)
    comm.sendrecv(Rank(1 - comm.rank().value()), VectorView(sent), Rank(1 - comm.rank().value()), VectorView(received), Tag(2));
  right_broadcast(comm, args);
}

void divides_by_what_is_left(Communicator& comm, const Args& args) {
  volatile std::int64_t left = args.output.count() % 10;
  if (comm.size() == 5 && comm.rank() == Rank(2)) left = args.output.count() / left;
  right_broadcast(comm, args);
}

void throws_on_the_last_rank(Communicator& comm, const Args& args) {
  if (comm.size() > 8 && comm.rank() == Rank(comm.size() - 1)) throw std::out_of_range("no slot for rank 8 and above");
  right_broadcast(comm, args);
}

/// Waits for what it has posted when it goes out of scope.
class Pending {
 public:
  Pending(Communicator& comm, Request request) : comm_(comm), request_(request) {}
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { comm_.wait(request_); }

 private:
  Communicator& comm_;
  Request request_;
};

/// The destructor waits for a message that nobody sends.
void destructor_that_waits(Communicator& comm, const Args& args) {
  if (comm.size() > 2 && comm.rank() == Rank(1)) {
    const Pending pending(comm, comm.irecv(Rank(0), args.output.slice(0, 0), Tag(8)));
  }
  right_broadcast(comm, args);
}

void writes_through_nothing(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  volatile int* volatile slots = nullptr;
  if (comm.size() == 3 && comm.rank() == Rank(2)) slots[3] = 1;
}

}  // namespace

void plant_ends(Rows& rows) {
  plant(rows, Collective::broadcast, "leaves_with_status_0", leaves_with_status_0);
  plant(rows, Collective::broadcast, "aborts_on_17_elements", aborts_on_17_elements);
  plant(rows, Collective::broadcast, "recurses_by_elements", recurses_by_elements);
  plant(rows, Collective::broadcast, "counts_down_past_zero", counts_down_past_zero);
  plant(rows, Collective::broadcast, "after_you", after_you);
  plant(rows, Collective::broadcast, "divides_by_what_is_left", divides_by_what_is_left);
  plant(rows, Collective::broadcast, "throws_on_the_last_rank", throws_on_the_last_rank);
  plant(rows, Collective::broadcast, "destructor_that_waits", destructor_that_waits);
  plant(rows, Collective::broadcast, "writes_through_nothing", writes_through_nothing);
}

}  // namespace heddle::testing::bugs
