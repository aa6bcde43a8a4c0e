// SPDX-License-Identifier: Apache-2.0
// What runs show, against pictures drawn by hand.
#include "lab/studies/schedule_picture.hpp"
#include "lab/studies/fabric_studies.hpp"

#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace test;

namespace {

std::string picture(Collective collective, std::string_view algorithm, std::string_view where) {
  return schedule_picture(find_algorithm(collective, algorithm), parse_schedule(where));
}

}  // namespace

TEST_CASE("schedule of the ring: in round k each rank passes on the block that started k ranks before it") {
  CHECK(picture(Collective::allreduce, "ring", "p=5") ==
        "allreduce ring on ring:5, 5 blocks; {…}: whose contributions are summed\n"
        "round 1   every r → r+1   b r-1 {r}\n"
        "round 2   every r → r+1   b r-2 {r-1, r}\n"
        "round 3   every r → r+1   b r+2 {r-2…r}\n"
        "round 4   every r → r+1   b r+1 {r-3…r}\n"
        "round 5   every r → r+1   b r {all}\n"
        "round 6   every r → r+1   b r-1 {all}\n"
        "round 7   every r → r+1   b r-2 {all}\n"
        "round 8   every r → r+1   b r+2 {all}\n");
}

TEST_CASE("schedule of Rabenseifner's halving and doubling: ranks differ by a bit") {
  // As algorithms/families/rabenseifner.cpp draws it, blocks by their places.
  CHECK(picture(Collective::reduce_scatter, "recursive_halving", "p=4") ==
        "reduce_scatter recursive_halving on ring:4, 4 blocks; {…}: whose contributions are summed\n"
        "round 1   every r ↔ r xor 2   b r xor 2, r xor 3 {r}\n"
        "round 2   every r ↔ r xor 1   b r xor 1 {r, r xor 2}\n");
  CHECK(picture(Collective::allreduce, "recursive_doubling", "p=8") ==
        "allreduce recursive_doubling on ring:8; {…}: whose contributions are summed\n"
        "round 1   every r ↔ r xor 1   {r}\n"
        "round 2   every r ↔ r xor 2   {r, r xor 1}\n"
        "round 3   every r ↔ r xor 4   {r xor 0-3}\n");
}

TEST_CASE("schedules of fabrics that look the same from every rank: a rule for each class of ranks, not on rings alone") {
  const std::string moved = picture(Collective::allreduce, "recursive_doubling", "hypercube:4");
  CHECK_THAT(moved, Catch::Contains("round 2   every r ↔ r xor 2 ") && Catch::Contains("round 4   every r ↔ r xor 8 "));
  const std::string torus = picture(Collective::allreduce, "bucket", "torus:3x4");
  CHECK_THAT(torus, Catch::Contains("every r → r+(0,1)") && Catch::Contains("every r → r+(1,0)"));
  CHECK(test::lines_of(torus).size() < 12 * 5);
  const ScheduleDrawing drawing =
      schedule_drawing(find_algorithm(Collective::allreduce, "recursive_doubling"), parse_schedule("torus:4x4"));
  for (const ScheduleLine& line : drawing.lines)
    for (const auto& [from, to] : line.messages) CHECK(from != to);
  CHECK(drawing.lines.back().messages.size() == 16);
}

TEST_CASE("a symmetry's moves: there and back, and what they are called") {
  const RankSymmetry grid(RankSymmetry::Moves::grid, {3, 4});
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < 12; ++b) CHECK(grid.moved(grid.seen_from(a, b), b) == a);
  CHECK(grid.name(0) == "r");
  CHECK(grid.name(1) == "r+(0,1)");
  CHECK(grid.name(3) == "r+(0,-1)");
  CHECK(grid.name(4) == "r+(1,0)");
  const RankSymmetry bits(RankSymmetry::Moves::exclusive_or, {8});
  CHECK(bits.moved(6, 2) == 4);
  CHECK(bits.names({0, 1, 4, 5, 6, 7}) == "r, r xor 1, r xor 4-7");
}

TEST_CASE("a schedule as a picture: a panel for each round, an arrow for each message") {
  const test::TemporaryFile file("schedule.svg");
  REQUIRE(
      run_heddle("list --collective allreduce --algo recursive_doubling --schedule hypercube:3 --svg " + file.path()).status ==
      0);
  const std::string svg = test::file_content(file.path());
  const auto count = [&](const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++times;
    return times;
  };
  CHECK(count("class=\"round\"") == 3);
  CHECK(count("<circle") == 3 * 8);
  CHECK(count(">every r ↔ r xor 4   {r xor 0-3}<") == 2);  // its words, and in full where one points at them
  CHECK(count("Q") == 3 * 8);
  CHECK(run_heddle("list --algo ring --svg x.svg").status == 2);
}

TEST_CASE("schedule of Swing's reduce-scatter: the blocks that its story and Fig. 3 give") {
  // Rank 0 sends blocks 1 2 5 6 to rank 1, then 4 7 to rank 7, then 3 to rank 3.
  CHECK_THAT(picture(Collective::allreduce, "swing_bandwidth", "p=8"),
             Catch::StartsWith("allreduce swing_bandwidth on ring:8, 16 blocks in 2 slices s0-1; {…}: whose contributions are "
                               "summed\n"
                               "round 1   even r → r+1   s0 b r+1, r+2, r+5, r+6 {r}\n"
                               "          even r → r-1   s1 b r+2, r+3, r+6, r+7 {r}\n"
                               "          odd r → r+1    s1 b r+1, r+2, r+5, r+6 {r}\n"
                               "          odd r → r-1    s0 b r+2, r+3, r+6, r+7 {r}\n"
                               "round 2   even r → r+1   s1 b r+1, r+4 {r-1, r}\n"
                               "          even r → r-1   s0 b r+4, r+7 {r, r+1}\n"
                               "          odd r → r+1    s0 b r+1, r+4 {r-1, r}\n"
                               "          odd r → r-1    s1 b r+4, r+7 {r, r+1}\n"
                               "round 3   even r → r+3   s0 b r+3 {r-2…r+1}\n"
                               "          even r → r-3   s1 b r-3 {r-1…r+2}\n") &&
                 Catch::EndsWith("\nb i is the block that rank i completes\n"));
}

TEST_CASE("schedules from a root") {
  CHECK(picture(Collective::broadcast, "binomial_halving", "p=8,root=2") ==
        "broadcast binomial_halving on ring:8, root 2\n"
        "round 1   2 → 6   all\n"
        "round 2   2 → 4   all\n"
        "          6 → 0   all\n"
        "round 3   0 → 1   all\n"
        "          2 → 3   all\n"
        "          4 → 5   all\n"
        "          6 → 7   all\n");
  CHECK(picture(Collective::scatter, "binomial", "star:6") ==
        "scatter binomial on star:6, root 0, 6 blocks\n"
        "round 1   0 → 4   b 4-5\n"
        "round 2   0 → 2   b 2-3\n"
        "          4 → 5   b 5\n"
        "round 3   0 → 1   b 1\n"
        "          2 → 3   b 3\n");
}

TEST_CASE("schedules of what is moved, not reduced") {
  CHECK(picture(Collective::allgather, "neighbor_exchange", "p=6") ==
        "allgather neighbor_exchange on ring:6, 6 blocks\n"
        "round 1   even r → r+1   b r\n"
        "          odd r → r-1    b r\n"
        "round 2   even r → r-1   b r, r+1\n"
        "          odd r → r+1    b r-1, r\n"
        "round 3   even r → r+1   b r-2, r-1\n"
        "          odd r → r-1    b r+1, r+2\n");
  // Bruck: in round k each rank sends on the blocks whose way has bit k set.
  CHECK(picture(Collective::alltoall, "bruck", "p=4") ==
        "alltoall bruck on ring:4; i→j: the block from rank i for rank j\n"
        "round 1   every r → r+1   r→r+1, r→r-1\n"
        "round 2   every r → r+2   r→r+2, r-1→r+2\n");
}

TEST_CASE("schedules without content or without messages") {
  CHECK(picture(Collective::barrier, "dissemination", "p=5") ==
        "barrier dissemination on ring:5\n"
        "round 1   every r → r+1\n"
        "round 2   every r → r+2\n"
        "round 3   every r → r-1\n");
  CHECK(picture(Collective::allreduce, "ring", "p=1") ==
        "allreduce ring on ring:1; {…}: whose contributions are summed\n"
        "no messages\n");
}

TEST_CASE("schedules of every row: as many rounds as the row says, and each result is right") {
  for (const Algorithm& algorithm : registry()) {
    for (const char* where : {"p=1", "p=2", "p=5", "p=8", "torus:2x3", "star:6,root=2"}) {
      const ScheduleRequest request = parse_schedule(where);
      INFO(to_string(algorithm.collective) << ' ' << algorithm.name << " on " << where);
      Schedule schedule;
      try {
        schedule = record_schedule(algorithm, request);
      } catch (const InputError&) {
        continue;  // it does not serve there
      }
      const auto topology = parse_topology(request.topology);
      Shape shape{.ranks = topology->endpoints(), .count = schedule.blocks, .bytes = schedule.blocks * 8, .root = request.root};
      if (topology->grid() != nullptr) shape.dims = topology->grid()->dims();
      const Fabric fabric(parse_topology(request.topology), {});
      if (shape.ranks > 1) shape.cost = message_cost(fabric, 0, 1);
      CHECK(static_cast<int>(schedule.rounds.size()) == algorithm.rounds(shape));
      CHECK_FALSE((draw(schedule).lines.empty() && !schedule.rounds.empty()));
    }
  }
}

TEST_CASE("list --schedule draws the rows of that name, in one collective or in all") {
  const CommandResult one = run_heddle("list --collective allgather --algo ring --schedule p=3");
  CHECK(one.status == 0);
  CHECK(one.out == picture(Collective::allgather, "ring", "p=3"));
  const CommandResult all = run_heddle("list --algo ring --schedule p=3");
  CHECK(all.status == 0);
  CHECK(all.out == picture(Collective::allreduce, "ring", "p=3") + '\n' + picture(Collective::reduce_scatter, "ring", "p=3") +
                       '\n' + picture(Collective::allgather, "ring", "p=3"));
  CHECK_THAT(run_heddle("list --collective broadcast --algo chain:segments=2 --schedule p=3").out,
             Catch::Equals("broadcast chain:segments=2 on ring:3, root 0, 2 blocks\n"
                           "round 1   0 → 1   b 0\n"
                           "round 2   0 → 1   b 1\n"
                           "          1 → 2   b 0\n"
                           "round 3   1 → 2   b 1\n"));
}

TEST_CASE("list --schedule refuses what cannot be drawn") {
  const auto refusal = [](std::string_view flags) {
    const CommandResult result = run_heddle("list " + std::string(flags));
    CHECK(result.status == 2);
    CHECK(result.out == "");
    return result.err;
  };
  CHECK(refusal("--schedule p=4") == "heddle: --schedule draws one algorithm; name it with --algo\n");
  CHECK_THAT(refusal("--algo rign --schedule p=4"), Catch::Contains("unknown algorithm 'rign'"));
  CHECK(refusal("--algo ring --schedule p=4,root=4") == "heddle: --schedule '4': not a whole number from 0 to 3\n");
  CHECK(refusal("--algo ring --schedule p=257") == "heddle: --schedule '257': not a whole number from 1 to 256\n");
  CHECK(refusal("--algo ring --schedule torus:32x32") ==
        "heddle: --schedule: 1024 ranks are too many for a picture; at most 256\n");
  CHECK_THAT(refusal("--algo ring --schedule 8"), Catch::StartsWith("heddle: --schedule: topology '8'"));
  CHECK(refusal("--algo bucket --schedule star:4") ==
        "heddle: --schedule: allreduce 'bucket' does not fit star:4: it needs a grid\n");
  CHECK(refusal("--algo ring --schedule p=4 --json -") == "heddle: --schedule is text: leave --json and --markdown out\n");
}

}  // namespace heddle
