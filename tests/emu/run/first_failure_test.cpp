// SPDX-License-Identifier: Apache-2.0
// A rank that throws: it is named, and the others are released where they stand.
#include <array>
#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using Kind = CheckError::Kind;

/// Counts how many there are.
class Counted {
 public:
  explicit Counted(std::atomic<int>& count) : count_(count) { ++count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --count_; }

 private:
  std::atomic<int>& count_;
};

}  // namespace

TEST_CASE("the rank that threw is named, with the time and its words") {
  const CheckError error = check_error_of(
      reducing_ring(4),
      [](Communicator& comm) {
        std::vector<std::int32_t> data(1);
        if (comm.rank() == Rank(2)) {
          compute(comm, 1'500);
          throw std::runtime_error("out of ideas");
        }
        comm.recv(Rank(2), data);
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == Kind::rank_failed);
  CHECK(std::string(error.what()) == "rank 2 failed at 1.5us: out of ideas");
}

TEST_CASE("anything can be thrown") {
  const CheckError error = check_error_of(
      reducing_ring(2),
      [](Communicator& comm) {
        std::vector<std::int32_t> data(1);
        if (comm.rank() == Rank(1)) throw 42;
        comm.recv(Rank(1), data);
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == Kind::rank_failed);
  CHECK_THAT(error.what(), Catch::Contains("rank 1 failed at 0") && Catch::Contains("no std::exception"));
}

TEST_CASE("of several ranks that throw at one instant the lowest is named") {
  const CheckError error = check_error_of(
      reducing_ring(5),
      [](Communicator& comm) {
        if (comm.rank().value() % 2 == 1) throw std::runtime_error("as rank " + std::to_string(comm.rank().value()));
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("rank 1 failed") && Catch::Contains("as rank 1"));
}

TEST_CASE("a task that throws is named as its rank") {
  const CheckError error = check_error_of(
      reducing_ring(3),
      [](Communicator& comm) {
        comm.concurrently(2, [](int i, Communicator& task) {
          std::vector<std::int32_t> data(1);
          if (task.rank() == Rank(2) && i == 1) throw std::runtime_error("a port is broken");
          task.recv(Rank(2), data);
        });
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("rank 2 failed") && Catch::Contains("a port is broken"));
}

TEST_CASE("the others are released at once, wherever they are blocked, and clean up after themselves") {
  const EmulationSettings settings = on(each_kind_of_threads());
  std::atomic<int> alive{0}, went_on{0};
  std::function<void(Communicator&)> stand;
  std::vector<std::int32_t> data(4);
  SECTION("in a receive") {
    stand = [](Communicator& comm) {
      std::vector<std::int32_t> own(4);
      comm.recv(Rank(0), own);
    };
  }
  SECTION("in a wait for several") {
    stand = [](Communicator& comm) {
      std::vector<std::int32_t> a(4), b(4);
      comm.wait_all({comm.irecv(Rank(0), a), comm.irecv(kAnySource, b, Tag(1))});
    };
  }
  SECTION("in a split") {
    stand = [](Communicator& comm) { static_cast<void>(comm.split(0, 0)); };
  }
  SECTION("in a wait for tasks") {
    stand = [&alive](Communicator& comm) {
      comm.concurrently(3, [&alive](int, Communicator& task) {
        const Counted here(alive);
        std::vector<std::int32_t> own(4);
        task.recv(Rank(0), own);
      });
    };
  }
  SECTION("in local work") {
    stand = [](Communicator& comm) { compute(comm, 1'000'000); };
  }
  const CheckError error = check_error_of(
      reducing_ring(4),
      [&](Communicator& comm) {
        const Counted here(alive);
        if (comm.rank() == Rank(0)) {
          compute(comm, 2'000);
          throw std::runtime_error("enough");
        }
        stand(comm);
        ++went_on;
      },
      settings);
  CHECK_THAT(error.what(), Catch::Contains("rank 0 failed at 2us: enough"));
  CHECK(alive == 0);
  CHECK(went_on == 0);
}

TEST_CASE("tasks are gone before what their rank has on its stack") {
  // Each task writes to its rank's vector when it is released: that must still be there.
  std::atomic<int> sum{0};
  check_error_of(
      reducing_ring(3),
      [&sum](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          compute(comm, 100);
          throw std::runtime_error("enough");
        }
        struct Ports {
          std::array<int, 4> released{};
          std::atomic<int>& sum;
          ~Ports() { sum += std::accumulate(released.begin(), released.end(), 0); }
        } ports{{}, sum};
        comm.concurrently(4, [&ports](int i, Communicator& task) {
          struct Mark {
            int& place;
            ~Mark() { place = 1; }
          } mark{ports.released[static_cast<std::size_t>(i)]};
          std::vector<std::int32_t> data(1);
          task.recv(Rank(0), data);
        });
      },
      on(each_kind_of_threads()));
  CHECK(sum == 2 * 4);
}

TEST_CASE("ranks that have not begun never do") {
  std::atomic<int> began{0};
  EmulationSettings settings = on(each_kind_of_threads());
  // All begin in the first batch; tasks of a rank are what can be left unbegun.
  check_error_of(
      reducing_ring(2),
      [&began](Communicator& comm) {
        if (comm.rank() == Rank(1)) throw std::runtime_error("enough");
        comm.concurrently(5, [&began](int, Communicator&) { ++began; });
      },
      settings);
  CHECK(began == 0);
}

TEST_CASE("a rank that swallows its release ends all the same") {
  std::atomic<int> swallowed{0};
  const CheckError error = check_error_of(
      reducing_ring(3),
      [&swallowed](Communicator& comm) {
        std::vector<std::int32_t> data(1);
        if (comm.rank() == Rank(0)) throw std::runtime_error("enough");
        for (int attempt = 0; attempt < 3; ++attempt) {
          try {
            comm.recv(Rank(0), data, Tag(attempt));
          } catch (...) {
            ++swallowed;
          }
        }
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("rank 0 failed"));
  CHECK(swallowed == 2 * 3);
}

TEST_CASE("a failure leaves nothing behind for the next run") {
  const EmulationSettings settings = on(each_kind_of_threads());
  const Fabric fabric = reducing_ring(3);
  for (int i = 0; i < 3; ++i) {
    check_error_of(
        fabric,
        [](Communicator& comm) {
          carry(comm, {{0, 1, 100}, {1, 2, 100}});
          if (comm.rank() == Rank(1)) throw std::runtime_error("enough");
        },
        settings);
    CHECK(run_on(fabric, at_once({{0, 1, 100}}), settings).messages() == 1);
  }
}

TEST_CASE("what a rank has posted when it throws is not done any more: its buffers are gone") {
  // The message is there already, and would be delivered as soon as the receive takes effect.
  std::vector<std::int32_t> buffer(1);
  const CheckError error = check_error_of(
      reducing_ring(2),
      [&buffer](Communicator& comm) {
        std::vector<std::int32_t> data(1, 5);
        if (comm.rank() == Rank(0)) return comm.send(Rank(1), data);
        compute(comm, 5'000);
        static_cast<void>(comm.irecv(Rank(0), buffer));
        throw std::runtime_error("too much");
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::rank_failed);
  CHECK(buffer[0] != 5);
}

}  // namespace heddle
