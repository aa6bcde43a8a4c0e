// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string_view>
#include <vector>

#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

int at_least(int ranks, int groups) { return (ranks + groups - 1) / groups; }

int draw_divisor(RandomSource& random, int n) {
  std::vector<int> divisors;
  for (int d = 1; d <= n; ++d) {
    if (n % d == 0) divisors.push_back(d);
  }
  return random.one_of<int>(divisors);
}

/// Sizes of one to three dimensions that multiply to just `ranks`; of a prime number one is all.
std::string draw_dimensions(RandomSource& random, int ranks) {
  const int first = draw_divisor(random, ranks);
  const int second = random.once_in(2) ? draw_divisor(random, ranks / first) : 1;
  if (second == 1) return fmt::format("{}x{}", first, ranks / first);
  return fmt::format("{}x{}x{}", first, second, ranks / first / second);
}

std::string draw_star(RandomSource&, int ranks) { return fmt::format("star:{}", ranks); }
std::string draw_ring(RandomSource&, int ranks) { return fmt::format("ring:{}", ranks); }
std::string draw_full_mesh(RandomSource&, int ranks) { return fmt::format("fullmesh:{}", ranks); }
std::string draw_torus(RandomSource& random, int ranks) { return "torus:" + draw_dimensions(random, ranks); }
std::string draw_mesh(RandomSource& random, int ranks) { return "mesh:" + draw_dimensions(random, ranks); }
std::string draw_hyperx(RandomSource& random, int ranks) { return "hyperx:" + draw_dimensions(random, ranks); }

std::string draw_hypercube(RandomSource&, int ranks) {
  const auto dimensions = std::bit_width(static_cast<unsigned>(ranks - 1));
  return fmt::format("hypercube:{}", dimensions > 1 ? dimensions : 1);
}

std::string draw_hamming_mesh(RandomSource& random, int ranks) {
  const int height = random.one_of({1, 2, 2});
  const int rows = random.one_of({1, 2, 3});
  return fmt::format("hxmesh:board={}x2,grid={}x{}", height, rows, at_least(ranks, 2 * height * rows));
}

/// Of just `ranks`, or of two more where they do not divide.
std::string draw_twisted_torus(RandomSource& random, int ranks) {
  const int second = ranks >= 6 && ranks % 3 == 0 && random.once_in(2) ? 3 : 2;
  const int first = std::max(2, at_least(ranks, second));
  return fmt::format("torus:{}x{},twist={}", first, second, random.between(1, first - 1));
}

std::string draw_product(RandomSource& random, int ranks) {
  const int first = draw_divisor(random, ranks);
  const std::string_view outer = random.one_of<std::string_view>({"ring", "mesh", "star", "fullmesh"});
  const std::string_view inner = random.one_of<std::string_view>({"ring", "mesh", "star", "star", "fullmesh"});
  return fmt::format("{}:{}*{}:{}", outer, first, inner, ranks / first);
}

/// Leaves that are full, or of which the last has room.
std::string draw_leaf_spine(RandomSource& random, int ranks) {
  const int leaves = random.once_in(2) ? draw_divisor(random, ranks) : static_cast<int>(random.between(1, 6));
  const int spines = random.one_of({1, 2, 3});
  return fmt::format("clos:hosts={},leaves={},spines={}", at_least(ranks, leaves), leaves, spines);
}

std::string draw_pods(RandomSource& random, int ranks) {
  const int pods = random.one_of({2, 3});
  const int leaves = random.one_of({1, 2, 3});
  return fmt::format("clos:hosts={},leaves={},spines=2,pods={},cores={}", at_least(ranks, pods * leaves), leaves, pods,
                     random.one_of({1, 2}));
}

std::string draw_fat_tree(RandomSource&, int ranks) {
  int k = 2;
  while (k * k * k / 4 < ranks) k += 2;
  return fmt::format("fattree:k={}", k);
}

std::string draw_superpod(RandomSource& random, int ranks) {
  const int trays = random.one_of({1, 2, 3});
  const int pods = random.one_of({2, 3, 4});
  const int per_tray = at_least(ranks, pods * trays);
  const int ports = random.one_of({4, 8}) * trays;
  return fmt::format("superpod:pods={},gpus={},trays={},ports={}", pods, trays * per_tray, trays, ports);
}

/// With several cables between two groups, ways have unequal numbers of them.
std::string draw_dragonfly(RandomSource& random, int ranks) {
  const int groups = random.one_of({2, 3, 4});
  const int routers = static_cast<int>(random.between(groups - 1, 4));
  return fmt::format("dragonfly:groups={},routers={},hosts={},cables={}", groups, routers, at_least(ranks, groups * routers),
                     random.one_of({1, 1, 3, 5}));
}

std::string draw_dragonfly_plus(RandomSource& random, int ranks) {
  const int groups = random.one_of({2, 3});
  const int leaves = random.one_of({1, 2});
  return fmt::format("dragonfly+:groups={},leaves={},spines=2,hosts={},cables={}", groups, leaves,
                     at_least(ranks, groups * leaves), random.one_of({2, 2, 3, 9}));
}

/// What the switches compute: mostly nothing; everything; everything in reduced precision.
std::string draw_offers(RandomSource& random, bool needed) {
  if (!needed && !random.once_in(3)) return "";
  return random.once_in(3) ? ",alu,multicast,a2a,precision=bf16" : ",alu,multicast,a2a";
}

using DrawSpec = std::string (*)(RandomSource&, int);
constexpr std::array<DrawSpec, 5> kGrids = {draw_ring, draw_torus, draw_torus, draw_mesh, draw_hyperx};
constexpr std::array<DrawSpec, 5> kOtherDirect = {draw_full_mesh, draw_hypercube, draw_hamming_mesh, draw_twisted_torus,
                                                  draw_product};
constexpr std::array<DrawSpec, 8> kSwitched = {draw_star,     draw_star,     draw_leaf_spine, draw_pods,
                                               draw_fat_tree, draw_superpod, draw_dragonfly,  draw_dragonfly_plus};

constexpr std::array<std::string_view, 13> kDrawn = {"ring", "torus", "mesh",    "hyperx",   "fullmesh",  "hypercube", "hxmesh",
                                                     "star", "clos",  "fattree", "superpod", "dragonfly", "dragonfly+"};

/// Families that nothing above draws have one size, their example's.
std::vector<std::string> other_examples(int ranks) {
  static const std::vector<std::shared_ptr<const Topology>> all = [] {
    std::vector<std::shared_ptr<const Topology>> examples;
    for (const TopologyFamily& family : topology_families()) {
      if (family.reads_file || std::ranges::find(kDrawn, family.name) != kDrawn.end()) continue;
      examples.push_back(parse_topology(family.example));
    }
    return examples;
  }();
  std::vector<std::string> specs;
  for (const std::shared_ptr<const Topology>& example : all) {
    if (example->endpoints() >= ranks) specs.push_back(example->spec());
  }
  return specs;
}

}  // namespace

std::string draw_topology(RandomSource& random, int ranks, FabricKind kind) {
  const bool needs_switches = kind == FabricKind::computing_switches;
  if (kind == FabricKind::any) {
    const std::vector<std::string> others = other_examples(ranks);
    if (!others.empty() && random.once_in(10)) return random.one_of<std::string>(others);
  }
  if (kind == FabricKind::grid || (!needs_switches && random.once_in(3))) return random.one_of<DrawSpec>(kGrids)(random, ranks);
  if (!needs_switches && random.once_in(4)) return random.one_of<DrawSpec>(kOtherDirect)(random, ranks);
  // One after the other: which operand of + is evaluated first, each compiler decides for itself.
  const std::string offers = draw_offers(random, needs_switches);
  return random.one_of<DrawSpec>(kSwitched)(random, ranks) + offers;
}

}  // namespace heddle
