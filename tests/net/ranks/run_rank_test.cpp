// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes: messages, tasks, splits, and what is thrown.
#include "net/ranks/run_rank.hpp"

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>

#include "net/ranks/process_rank.hpp"
#include "tests/catch.hpp"
#include "tests/memory_misuse.hpp"
#include "tests/net/thread_transport.hpp"

namespace heddle {

namespace {

using testing::run_threads;

/// By rank, what the body returns there.
std::vector<int> results_of(int ranks, const std::function<int(Communicator&)>& body) {
  std::vector<int> results(static_cast<std::size_t>(ranks));
  const std::string fault = run_threads(ranks, [&](net::Transport& transport) {
    net::run_rank(transport, [&](Communicator& comm) { results[static_cast<std::size_t>(comm.rank().value())] = body(comm); });
  });
  REQUIRE(fault == "");
  return results;
}

int next_number(Communicator& comm, int mine, Tag tag = {}) {
  int theirs = 0;
  const int p = comm.size();
  comm.sendrecv(Rank((comm.rank().value() + p - 1) % p), std::span(&mine, 1), Rank((comm.rank().value() + 1) % p),
                std::span(&theirs, 1), tag);
  return theirs;
}

}  // namespace

TEST_CASE("numbers of communicators that live at once differ") {
  // A world with tasks, tasks of tasks, and splits of each.
  std::set<std::uint64_t> numbers;
  std::size_t made = 0;
  const auto add = [&](std::uint64_t number) {
    numbers.insert(number);
    ++made;
    return number;
  };
  for (std::uint32_t split = 0; split < 8; ++split) add(net::part_context(net::kWorldContext, split));
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t task = add(net::branch_context(net::kWorldContext, 2, 5, i));
    for (std::uint32_t split = 0; split < 8; ++split) add(net::part_context(task, split));
    for (int j = 0; j < 3; ++j) add(net::branch_context(task, 7, 3, j));
  }
  CHECK(numbers.size() == made);
  std::uint64_t deep = net::kWorldContext;
  CHECK_THROWS_AS(
      [&] {
        for (int level = 0; level < 40; ++level) deep = net::branch_context(deep, 0, 2, 1);
      }(),
      UsageError);
}

TEST_CASE("messages of several pieces, to oneself and to others, and from anybody") {
  const std::vector<int> sums = results_of(4, [](Communicator& comm) {
    std::vector<int> mine = {comm.rank().value(), 10, 20};
    std::vector<int> theirs(3);
    const std::vector<ConstVectorView> from = {ConstVectorView(std::span(mine).first(1)),
                                               ConstVectorView(std::span(mine).last(2))};
    const std::vector<VectorView> into = {VectorView(std::span(theirs).first(2)), VectorView(std::span(theirs).last(1))};
    std::vector<Request> sends;
    for (int rank = 0; rank < comm.size(); ++rank) sends.push_back(comm.isend(Rank(rank), from, Tag(3)));
    int sum = 0;
    std::set<int> sources;
    for (int i = 0; i < comm.size(); ++i) {
      Status status;
      const Request receive = comm.irecv(kAnySource, into, Tag(3));
      comm.wait_all(std::span(&receive, 1), std::span(&status, 1));
      sources.insert(status.peer.value());
      sum += std::accumulate(theirs.begin(), theirs.end(), 0) + (status.count == 3 ? 0 : 1000);
    }
    comm.wait_all(sends);
    return sum + (sources.size() == 4 ? 0 : 5000);
  });
  CHECK(sums == std::vector(4, 4 * 30 + 6));
}

TEST_CASE("tasks talk to the same tasks elsewhere, in any number and depth") {
  const std::vector<int> right = results_of(3, [](Communicator& comm) {
    std::atomic<int> wrong = 0;  // of all tasks
    for (int call = 0; call < 6; ++call) {
      comm.concurrently(4, [&](int i, Communicator& task) {
        const int next = (task.rank().value() + 1) % 3;
        if (next_number(task, 100 * task.rank().value() + i) != 100 * next + i) ++wrong;
        task.concurrently(2, [&](int j, Communicator& inner) {
          if (next_number(inner, 1000 * inner.rank().value() + 10 * i + j) != 1000 * next + 10 * i + j) ++wrong;
        });
      });
    }
    return wrong.load();
  });
  CHECK(right == std::vector(3, 0));
}

TEST_CASE("a split orders by key, leaves out who wants none, and can be split again, also within a task") {
  const std::vector<int> seen = results_of(6, [](Communicator& comm) {
    const int rank = comm.rank().value();
    const auto odd_and_even = comm.split(rank == 5 ? -1 : rank % 2, -rank);
    if (rank == 5) return odd_and_even == nullptr ? 7 : -1;
    std::atomic<int> wrong = 0;  // of all tasks
    // Even: 4, 2, 0; odd: 3, 1.
    const int place = rank % 2 == 0 ? (4 - rank) / 2 : (3 - rank) / 2;
    if (odd_and_even->rank() != Rank(place) || odd_and_even->world_rank() != Rank(rank)) ++wrong;
    odd_and_even->concurrently(2, [&](int i, Communicator& task) {
      const auto again = task.split(i, task.rank().value());
      if (again->size() != task.size() || next_number(*again, rank + i) < 0) ++wrong;
      if (next_number(*again, rank) != next_number(task, rank)) ++wrong;
    });
    return wrong.load();
  });
  CHECK(seen == std::vector{0, 0, 0, 0, 0, 7});
}

TEST_CASE("machines are tiers") {
  const std::vector<int> tiers = results_of(5, [](Communicator& comm) {
    const std::vector<std::vector<int>> expected = {{0, 0, 1, 1, 2}, {0, 0, 0, 0, 0}};
    return comm.tiers().group == expected ? 1 : 0;
  });
  CHECK(tiers == std::vector(5, 1));
}

TEST_CASE("what a task throws unwinds the others, and is thrown") {
  bool is_unwound = false;
  struct Unwound {
    bool& flag;
    ~Unwound() { flag = true; }
  };
  const std::string thrown = run_threads(1, [&](net::Transport& transport) {
    net::run_rank(transport, [&](Communicator& comm) {
      comm.concurrently(2, [&](int i, Communicator& task) {
        if (i == 1) throw std::runtime_error("the second task has enough");
        const Unwound here{is_unwound};
        int never = 0;
        task.recv(Rank(0), VectorView(std::span(&never, 1)));
      });
    });
  });
  CHECK(thrown == "the second task has enough");
  CHECK(is_unwound);
}

TEST_CASE("a call on another task's communicator, a request waited for twice, a peer out of range: UsageError") {
  const auto thrown = [](const std::function<void(Communicator&)>& body) {
    return run_threads(1, [&](net::Transport& transport) { net::run_rank(transport, body); });
  };
  CHECK(thrown([](Communicator& comm) {
          comm.concurrently(1, [&](int, Communicator&) { comm.send(Rank(0), ConstVectorView()); });
        }).find("isend") != std::string::npos);
  CHECK(thrown([](Communicator& comm) {
          const Request send = comm.isend(Rank(0), ConstVectorView());
          comm.recv(Rank(0), VectorView());
          comm.wait(send);
          comm.wait(send);
        }).find("waited for already") != std::string::npos);
  CHECK(thrown([](Communicator& comm) { comm.send(Rank(1), ConstVectorView()); }) ==
        "isend to rank 1: ranks of this communicator are 0 to 0");
}

TEST_CASE("memory that is used as it must not be is refused, and other memory let be") {
  for (const testing::MemoryUse& use : testing::memory_uses()) {
    CAPTURE(use.name);
    const std::string thrown = run_threads(2, [&](net::Transport& transport) { net::run_rank(transport, use.run); });
    CHECK((use.words.empty() ? thrown.empty() : thrown.find(use.words) != std::string::npos));
  }
}

}  // namespace heddle
