// SPDX-License-Identifier: Apache-2.0
#include "emu/run/message_flow.hpp"

#include "tests/catch.hpp"

namespace heddle::emu {

TEST_CASE("credits: what is over them waits, and goes in the order in which it came") {
  Credits credits(2);
  CHECK(credits.take({0, 1, {}}, 10));
  CHECK(credits.take({0, 1, {}}, 11));
  CHECK_FALSE(credits.take({0, 1, {}}, 12));
  CHECK_FALSE(credits.take({0, 1, {}}, 13));
  CHECK(credits.give_back({0, 1, {}}) == MessageId{12});
  CHECK(credits.give_back({0, 1, {}}) == MessageId{13});
  CHECK_FALSE(credits.give_back({0, 1, {}}));
  CHECK_FALSE(credits.give_back({0, 1, {}}));
  CHECK(credits.take({0, 1, {}}, 14));
}

TEST_CASE("credits: each pair of ranks has its own, in each direction") {
  Credits credits(1);
  CHECK(credits.take({0, 1, {}}, 1));
  CHECK(credits.take({1, 0, {}}, 2));
  CHECK(credits.take({0, 2, {}}, 3));
  CHECK_FALSE(credits.take({0, 1, {}}, 4));
  CHECK_FALSE(credits.give_back({0, 2, {}}));
  CHECK(credits.give_back({0, 1, {}}) == MessageId{4});
}

TEST_CASE("credits: a tag that counts for itself has its own, beside those of its pair") {
  Credits credits(1);
  CHECK(credits.take({0, 1, {}}, 1));
  CHECK(credits.take({0, 1, 0}, 2));
  CHECK(credits.take({0, 1, 5}, 3));
  CHECK_FALSE(credits.take({0, 1, 5}, 4));
  CHECK_FALSE(credits.give_back({0, 1, 0}));
  CHECK(credits.give_back({0, 1, 5}) == MessageId{4});
}

}  // namespace heddle::emu
