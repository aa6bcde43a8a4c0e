// SPDX-License-Identifier: Apache-2.0
// Planted faults, each explained by what the wrong elements are made of: which contributions, which rank, which message.
#include "emu/explain/provenance.hpp"

#include <cstring>
#include <functional>
#include <vector>

#include "core/affine.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle::emu {

namespace {

constexpr int kTracedRanks = 4;
constexpr std::int64_t kElements = 4;

/// What a collective leaves behind, of which one element is traced on every rank.
struct Traced {
  /// `other` is traced as well.
  Traced(std::int64_t traced_element, const ReduceOp& op, std::optional<std::int64_t> other = {})
      : element(traced_element),
        is_commutative(op.commutative()),
        contributions({1, kTracedRanks, kElements},
                      {.elements = {traced_element, other.value_or(traced_element)}, .unknown = true}, Datatype::i32(), op) {}

  /// `collective` gets each rank's vector, filled with its contribution, and the operation.
  void run(const std::function<void(Communicator&, VectorView, const ReduceOp&)>& collective) {
    EmulationSettings settings;
    settings.sinks = {&log};
    for (int r = 0; r < kTracedRanks; ++r) vectors.emplace_back(contributions.type(), kElements);
    run_on(
        fabric_of("star:4"),
        [&](Communicator& comm) {
          const VectorView vector = vectors[static_cast<std::size_t>(comm.rank().value())].view();
          contributions.fill(vector, 0, comm.rank());
          collective(comm, vector, contributions.op());
        },
        settings);
  }

  /// Of a reduction's element.
  std::optional<Provenance> of(int rank) {
    std::vector<Term> expected;
    for (int r = 0; r < kTracedRanks; ++r) expected.push_back({Term::Kind::contribution, 0, r, element});
    return of(rank, expected, true);
  }
  /// Of what was only moved.
  std::optional<Provenance> of_moved(int rank, Term expected) { return of(rank, {expected}, false); }

  std::optional<Provenance> of(int rank, const std::vector<Term>& expected, bool reduces) {
    const std::byte* address = vectors[static_cast<std::size_t>(rank)].view().slice(element, 1).data();
    const auto element_at = [this](int of, const std::byte* at) -> std::optional<std::int64_t> {
      const VectorView vector = vectors[static_cast<std::size_t>(of)].view();
      if (at < vector.data() || at >= vector.data() + vector.size_bytes()) return std::nullopt;
      return (at - vector.data()) / static_cast<std::int64_t>(vector.type().size());
    };
    std::vector<std::optional<ValueId>> results;
    for (Buffer& vector : vectors) results.emplace_back(contributions.read(vector.view().slice(element, 1).data()));
    return find_provenance(contributions, log.messages(),
                           {0, rank, element, contributions.read(address), address, expected, results,
                            "element " + std::to_string(element) + " on rank " + std::to_string(rank)},
                           {.reduces = reduces, .order_matters = !is_commutative, .element_at = element_at});
  }

  const LoggedMessage& message(std::optional<std::size_t> number) const {
    REQUIRE(number);
    return log.messages()[*number];
  }

  std::int64_t element;
  bool is_commutative;
  Contributions contributions;
  MessageLog log{contributions};
  std::vector<Buffer> vectors;
};

Term contribution(int rank, std::int64_t element) { return {Term::Kind::contribution, 0, rank, element}; }

std::vector<Term> contributions_of(const std::vector<int>& ranks, std::int64_t element) {
  std::vector<Term> terms;
  for (const int rank : ranks) terms.push_back(contribution(rank, element));
  return terms;
}

}  // namespace

TEST_CASE("provenance: nothing is found where nothing is wrong") {
  for (const ReduceOp* op : {&ReduceOp::sum(), &affine_op()}) {
    Traced traced(2, *op);
    traced.run(line_allreduce);
    for (int r = 0; r < kTracedRanks; ++r) CHECK_FALSE(traced.of(r));
  }
}

TEST_CASE("provenance: a contribution that is received and not added") {
  Traced traced(1, ReduceOp::sum());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    const int r = comm.rank().value();
    if (r != 2) return line_allreduce(comm, vector, op);
    Buffer incoming(vector.type(), vector.count());
    comm.recv(Rank(1), incoming.view());
    comm.reduce_into(vector.slice(2, 2), incoming.view().slice(2, 2), op);  // forgets elements 0 and 1
    comm.send(Rank(3), vector);
    comm.recv(Rank(3), vector, Tag(1));
    comm.send(Rank(1), vector, Tag(1));
  });
  const std::optional<Provenance> found = traced.of(0);
  REQUIRE(found);
  CHECK(found->missing == contributions_of({0, 1}, 1));
  CHECK(found->repeated.empty());
  CHECK(found->foreign.empty());
  // Rank 3 made the value that all have; 1 → 2 brought what it lacks.
  CHECK(traced.message(found->cause_message).source == 1);
  CHECK(traced.message(found->cause_message).dest == 2);
  CHECK(traced.message(found->cause_message).round == 2);
  CHECK(traced.message(found->first_wrong_message).source == 3);
  CHECK(traced.message(found->first_wrong_message).dest == 2);
  // α + L + m/B = 1 us + 0.5 us + 16 B / (1 B/ns) = 1.516 us per message.
  CHECK(
      found->text ==
      "  provenance of element 1 on rank 0, from a repeat whose elements know what they are made of:\n"
      "    missing: the contributions of ranks 0-1\n"
      "    cause: rank 2 did not use the contributions of ranks 0-1, which the message from rank 1 to rank 2 (tag 0, round 2, "
      "posted at 1.516us) brought\n"
      "    first wrong message: from rank 3 to rank 2 (tag 1, round 4, posted at 4.548us), which carried the contributions of "
      "ranks 2-3, without the contributions of ranks 0-1");
}

TEST_CASE("provenance: a message that is added twice") {
  Traced traced(0, ReduceOp::sum());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    const int r = comm.rank().value();
    if (r != 2) return line_allreduce(comm, vector, op);
    Buffer incoming(vector.type(), vector.count());
    comm.recv(Rank(1), incoming.view());
    comm.reduce_into(vector, incoming.view(), op);
    comm.reduce_into(vector, incoming.view(), op);
    comm.send(Rank(3), vector);
    comm.recv(Rank(3), vector, Tag(1));
    comm.send(Rank(1), vector, Tag(1));
  });
  const std::optional<Provenance> found = traced.of(1);
  REQUIRE(found);
  CHECK(found->missing.empty());
  REQUIRE(found->repeated.size() == 2);
  CHECK(found->repeated[0].term == contribution(0, 0));
  CHECK(found->repeated[0].times == 2);
  CHECK(traced.message(found->cause_message).source == 1);
  CHECK(traced.message(found->first_wrong_message).source == 2);
  CHECK(traced.message(found->first_wrong_message).dest == 3);
  CHECK(
      found->cause ==
      "rank 2 combined the contributions of ranks 0-1, brought by the message from rank 1 to rank 2 (tag 0, round 2, posted at "
      "1.516us), more than once");
  CHECK_THAT(found->text, Catch::Contains("\n    more than once: the contributions of ranks 0-1 (twice)\n"));
  CHECK_THAT(found->text, Catch::Contains("which carried the contributions of ranks 0-1 (twice), 2"));
}

TEST_CASE("provenance: two messages with the same contributions in them") {
  // Recursive doubling whose second step goes to the peer of the first: neighbours meet twice.
  Traced traced(3, ReduceOp::sum());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    Buffer incoming(vector.type(), vector.count());
    for (const int distance : {1, 2}) {
      const Rank peer(comm.rank().value() ^ (distance == 2 ? 1 : distance));
      comm.sendrecv(peer, vector, peer, incoming.view());
      comm.reduce_into(vector, incoming.view(), op);
    }
  });
  const std::optional<Provenance> found = traced.of(0);
  REQUIRE(found);
  CHECK(found->missing == contributions_of({2, 3}, 3));
  CHECK(found->repeated.size() == 2);
  CHECK(traced.message(found->cause_message).source == 1);
  CHECK(traced.message(found->cause_message).round == 2);
  CHECK_FALSE(found->first_wrong_message);
  CHECK(found->cause ==
        "rank 0 had the contributions of ranks 0-1 and added the contributions of ranks 0-1, brought by the message "
        "from "
        "rank 1 to rank 0 (tag 0, round 2, posted at 1.516us): the contributions of ranks 0-1 twice");
}

TEST_CASE("provenance: a block added where another belongs") {
  Traced traced(1, ReduceOp::sum(), 3);
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    const int r = comm.rank().value();
    if (r != 0) return line_allreduce(comm, vector, op);
    Buffer swapped(vector.type(), vector.count());  // elements 2 3 0 1
    comm.copy(swapped.view().slice(0, 2), vector.slice(2, 2));
    comm.copy(swapped.view().slice(2, 2), vector.slice(0, 2));
    comm.send(Rank(1), swapped.view());
    comm.recv(Rank(1), vector, Tag(1));
  });
  const std::optional<Provenance> found = traced.of(3);
  REQUIRE(found);
  CHECK(found->missing == contributions_of({0}, 1));
  CHECK(found->foreign == contributions_of({0}, 3));
  CHECK(traced.message(found->first_wrong_message).source == 1);
  CHECK(traced.message(found->first_wrong_message).dest == 2);
  CHECK_THAT(found->text, Catch::Contains("\n    missing: rank 0's contribution\n    not expected: element 3 of rank 0\n"));
  CHECK(found->cause ==
        "rank 1 had rank 1's contribution and added element 3 of rank 0, brought by the message from rank 0 to rank 1 "
        "(tag 0, round 1, posted at 0ps)");
}

TEST_CASE("provenance: a rank's own contribution that is overwritten") {
  Traced traced(0, ReduceOp::sum());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    if (comm.rank().value() != 1) return line_allreduce(comm, vector, op);
    comm.recv(Rank(0), vector);  // into its own
    comm.send(Rank(2), vector);
    comm.recv(Rank(2), vector, Tag(1));
    comm.send(Rank(0), vector, Tag(1));
  });
  const std::optional<Provenance> found = traced.of(0);
  REQUIRE(found);
  CHECK(found->missing == contributions_of({1}, 0));
  CHECK(found->cause == "no message carried rank 1's contribution");
}

TEST_CASE("provenance: contributions combined out of order") {
  Traced traced(0, affine_op());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    if (comm.rank().value() != 2) return line_allreduce(comm, vector, op);
    Buffer incoming(vector.type(), vector.count());
    comm.recv(Rank(1), incoming.view());
    comm.reduce_into(vector, incoming.view(), op, Side::right);  // 2 ∘ (0 ∘ 1)
    comm.send(Rank(3), vector);
    comm.recv(Rank(3), vector, Tag(1));
    comm.send(Rank(1), vector, Tag(1));
  });
  const std::optional<Provenance> found = traced.of(0);
  REQUIRE(found);
  CHECK(found->missing.empty());
  CHECK(found->out_of_order == contributions_of({2, 0, 1, 3}, 0));
  CHECK(traced.message(found->cause_message).source == 1);
  CHECK(traced.message(found->first_wrong_message).source == 2);
  CHECK(found->cause ==
        "rank 2 put rank 2's contribution to the left of the contributions of ranks 0-1; the message from rank 1 to rank 2 "
        "(tag 0, "
        "round 2, posted at 1.516us) brought the right one");
  CHECK_THAT(found->text, Catch::Contains("\n    out of order: combined as 2 0 1 3\n"));
}

TEST_CASE("provenance: the first of several planted faults is the one that happened first") {
  // Ranks 1 and 2 both add what they receive twice: rank 1 did so first.
  Traced traced(0, ReduceOp::sum());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    const int r = comm.rank().value();
    if (r == 0 || r == 3) return line_allreduce(comm, vector, op);
    Buffer incoming(vector.type(), vector.count());
    comm.recv(Rank(r - 1), incoming.view());
    comm.reduce_into(vector, incoming.view(), op);
    comm.reduce_into(vector, incoming.view(), op);
    comm.send(Rank(r + 1), vector);
    comm.recv(Rank(r + 1), vector, Tag(1));
    comm.send(Rank(r - 1), vector, Tag(1));
  });
  const std::optional<Provenance> found = traced.of(3);
  REQUIRE(found);
  CHECK(found->repeated.front().times == 4);
  CHECK(traced.message(found->cause_message).dest == 1);
}

TEST_CASE("provenance: memory that nobody wrote") {
  Traced traced(2, ReduceOp::sum());
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp& op) {
    if (comm.rank().value() == 1) std::memset(vector.slice(2, 1).data(), 0, 4);
    line_allreduce(comm, vector, op);
  });
  const std::optional<Provenance> found = traced.of(3);
  REQUIRE(found);
  CHECK(found->missing == contributions_of({1}, 2));
  CHECK(found->foreign == std::vector<Term>{Term{}});
  CHECK_THAT(found->text, Catch::Contains("\n    not expected: bytes that nobody contributed\n"));
  CHECK_THAT(found->cause, Catch::StartsWith("rank 1 had bytes that nobody contributed and added rank 0's contribution"));
}

TEST_CASE("provenance: a broadcast of which one rank forwards the wrong element") {
  // 0 → 1 → 2 → 3; rank 1 puts what it receives one place too far, and its successors have it from there.
  Traced traced(1, ReduceOp::sum(), 0);
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp&) {
    const int r = comm.rank().value();
    if (r == 1) {
      comm.recv(Rank(0), vector.slice(1, 3));
    } else if (r > 0) {
      comm.recv(Rank(r - 1), vector.slice(0, 3));
    }
    if (r < 3) comm.send(Rank(r + 1), vector.slice(0, 3));
  });
  const std::optional<Provenance> found = traced.of_moved(3, contribution(0, 1));
  REQUIRE(found);
  CHECK(found->missing == contributions_of({0}, 1));
  CHECK(found->foreign == contributions_of({0}, 0));
  CHECK(
      found->text ==
      "  provenance of element 1 on rank 3, from a repeat whose elements know what they are made of:\n"
      "    missing: element 1 of rank 0\n"
      "    not expected: element 0 of rank 0\n"
      "    cause: the message from rank 0 to rank 1 (tag 0, round 1, posted at 0ps) brought element 0 of rank 0 where element "
      "1 of "
      "rank 0 belongs\n"
      "    first wrong message: from rank 0 to rank 1 (tag 0, round 1, posted at 0ps), which carried element 0 of rank 0");
}

TEST_CASE("provenance: an alltoall block that goes to the wrong rank") {
  Traced traced(3, ReduceOp::sum(), 1);
  traced.run([](Communicator& comm, VectorView vector, const ReduceOp&) {
    // Rank r's element d goes to rank d, to place r; ranks 1 and 2 mix up what they send to 3.
    const int r = comm.rank().value();
    Buffer outgoing(vector.type(), vector.count());
    comm.copy(outgoing.view(), vector);
    for (int shift = 1; shift < kTracedRanks; ++shift) {
      const int to = (r + shift) % kTracedRanks;
      const int from = (r + kTracedRanks - shift) % kTracedRanks;
      const int block = r == 2 && to == 3 ? 1 : to;
      comm.sendrecv(Rank(to), outgoing.view().slice(block, 1), Rank(from), vector.slice(from, 1), Tag(shift));
    }
  });
  // Rank 3's place 2 must hold element 3 of rank 2. It is traced by the element it has to hold.
  Traced& t = traced;
  const std::byte* address = t.vectors[3].view().slice(2, 1).data();
  const std::optional<Provenance> found = find_provenance(
      t.contributions, t.log.messages(),
      {0, 3, 2, t.contributions.read(address), address, {contribution(2, 3)}, {}, "element 2 on rank 3"}, {.reduces = false});
  REQUIRE(found);
  CHECK(found->missing == contributions_of({2}, 3));
  CHECK(found->foreign == contributions_of({2}, 1));
  CHECK_THAT(found->text, Catch::Contains("not expected: element 1 of rank 2"));
  CHECK(
      found->cause ==
      "the message from rank 2 to rank 3 (tag 1, round 1, posted at 0ps) brought element 1 of rank 2 where element 3 of rank 2 "
      "belongs");
}

}  // namespace heddle::emu
