// SPDX-License-Identifier: Apache-2.0
// What depends on things that no two runs have in common.
#include <array>
#include <ctime>
#include <memory>
#include <random>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// A message more or less, from the root to the next rank.
void with_or_without(Communicator& comm, const Args& args, bool is_more) {
  if (comm.size() > 1) {
    std::array<std::int32_t, 2> said = {};
    const Rank other(args.root == Rank(0) ? 1 : 0);
    if (comm.rank() == args.root) comm.send(other, VectorView(said).slice(0, is_more ? 2 : 1), Tag(1));
    if (comm.rank() == other) comm.recv(args.root, VectorView(said), Tag(1));
  }
  right_broadcast(comm, args);
}

void thrown_with_dice(Communicator& comm, const Args& args) {
  static std::mt19937 random{std::random_device()()};
  with_or_without(comm, args, comm.rank() == args.root && random() % 2 == 0);
}

void told_by_the_clock(Communicator& comm, const Args& args) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  with_or_without(comm, args, now.tv_nsec / 128 % 2 == 0);
}

void by_the_place_on_the_stack(Communicator& comm, const Args& args) {
  volatile int here = 0;
  with_or_without(comm, args, reinterpret_cast<std::uintptr_t>(&here) / 4096 % 2 == 0);
}

/// Right, but where scratch lies is part of what it does.
void by_the_place_on_the_heap(Communicator& comm, const Args& args) {
  const auto scratch = std::make_unique<std::array<char, 48>>();
  with_or_without(comm, args, reinterpret_cast<std::uintptr_t>(scratch.get()) / 64 % 2 == 0);
}

}  // namespace

void plant_chance(Rows& rows) {
  plant(rows, Collective::broadcast, "thrown_with_dice", thrown_with_dice);
  plant(rows, Collective::broadcast, "told_by_the_clock", told_by_the_clock);
  plant(rows, Collective::broadcast, "by_the_place_on_the_stack", by_the_place_on_the_stack);
  plant(rows, Collective::broadcast, "by_the_place_on_the_heap", by_the_place_on_the_heap);
}

}  // namespace heddle::testing::bugs
