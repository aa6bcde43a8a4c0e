// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_name.hpp"

#include <array>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

constexpr std::array<std::string_view, 5> kTopologies = {"ring", "torus", "mesh", "fullmesh", "star"};

}  // namespace

TEST_CASE("a name is found past one slip of the hand") {
  CHECK(nearest_name("torus", kTopologies) == "torus");
  CHECK(nearest_name("tours", kTopologies) == "torus");   // swapped
  CHECK(nearest_name("trus", kTopologies) == "torus");    // left out
  CHECK(nearest_name("toorus", kTopologies) == "torus");  // doubled
  CHECK(nearest_name("toros", kTopologies) == "torus");   // mistaken
  CHECK(nearest_name("TORUS", kTopologies) == "torus");   // shouted
  CHECK(nearest_name("full_mesh", kTopologies) == "fullmesh");
}

TEST_CASE("a name is found from its beginning, the shortest first") {
  constexpr std::array<std::string_view, 4> kAlgorithms = {"ring", "swing_bandwidth", "swing_latency", "recursive_doubling"};
  CHECK(nearest_name("rec", kAlgorithms) == "recursive_doubling");
  CHECK(nearest_name("swing", kAlgorithms) == "swing_latency");  // not ring, which is two letters away
  CHECK(nearest_name("Swing_B", kAlgorithms) == "swing_bandwidth");
}

TEST_CASE("what is far from every name gets no suggestion") {
  CHECK(nearest_name("", kTopologies).empty());
  CHECK(nearest_name("hypercube", kTopologies).empty());
  constexpr std::array<std::string_view, 2> kFlags = {"algo", "json"};
  CHECK(nearest_name("log", kFlags).empty());  // half of the letters
  CHECK(nearest_name("ring", {}).empty());
}

TEST_CASE("a swapped pair counts as one slip, two mistaken letters as two") {
  constexpr std::array<std::string_view, 2> kNames = {"abxy", "bacd"};
  CHECK(nearest_name("abcd", kNames) == "bacd");
  constexpr std::array<std::string_view, 1> kThreeSlips = {"cdba"};  // of four letters: too many
  CHECK(nearest_name("xyab", kThreeSlips).empty());
}

TEST_CASE("of equally near names the first is suggested") {
  constexpr std::array<std::string_view, 2> kNames = {"cat", "car"};
  CHECK(nearest_name("caz", kNames) == "cat");
}

TEST_CASE("one slip anywhere in a name of three letters or more is forgiven") {
  testing::property("the name is found again", [] {
    const auto length = drawn::number<std::size_t>(3, 12);
    std::string name(length, ' ');
    for (char& letter : name) letter = drawn::number('a', 'z');
    const auto at = drawn::number<std::size_t>(0, length - 1);
    std::string slipped = name;
    switch (drawn::number(0, 4)) {
      case 0:
        slipped.erase(at, 1);
        break;
      case 1:
        slipped.insert(at, 1, '_');
        break;
      case 2:
        slipped[at] = '_';
        break;
      default:
        std::swap(slipped[at], slipped[at + 1]);
    }
    const std::vector<std::string_view> names = {"0123456789", name, "9876543210"};
    RC_ASSERT(nearest_name(slipped, names) == name);
  });
}

TEST_CASE("the message for an unknown name has the parts that apply") {
  CHECK(unknown_name_message("topology", "tours", kTopologies) ==
        "unknown topology 'tours': did you mean 'torus'? Known: ring, torus, mesh, fullmesh, star");
  CHECK(unknown_name_message("topology", "hypercube", kTopologies) ==
        "unknown topology 'hypercube'. Known: ring, torus, mesh, fullmesh, star");
  CHECK(unknown_name_message("plug-in", "x", {}) == "unknown plug-in 'x'");
}

}  // namespace heddle
