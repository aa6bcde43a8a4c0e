// SPDX-License-Identifier: Apache-2.0
#include "core/once.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

namespace heddle {

TEST_CASE("Once: one of several threads does it, and all see it done") {
  Once once;
  std::vector<int> made;
  std::vector<std::size_t> seen(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t& size : seen) {
      threads.emplace_back([&] {
        once([&] { made.push_back(1); });
        size = made.size();
      });
    }
  }
  CHECK(seen == std::vector<std::size_t>(4, 1));
}

TEST_CASE("Once: what has thrown is done by the next") {
  Once once;
  int tries = 0;
  const auto twice = [&] {
    if (++tries == 1) throw std::runtime_error("first");
  };
  CHECK_THROWS_AS(once(twice), std::runtime_error);
  once(twice);
  once(twice);
  CHECK(tries == 2);
}

}  // namespace heddle
