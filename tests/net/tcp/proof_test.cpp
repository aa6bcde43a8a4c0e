// SPDX-License-Identifier: Apache-2.0
// Key 00 01 … 0f, and the input 00 01 … of the paper's appendix A and of its authors' list of vectors.
#include <vector>

#include "net/tcp/proof.hpp"
#include "tests/catch.hpp"

namespace heddle::net::tcp {

namespace {

std::uint64_t hash_of_first(std::size_t bytes) {
  SipKey key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
  std::vector<std::byte> text(bytes);
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<std::byte>(i);
  return siphash(key, text);
}

}  // namespace

TEST_CASE("SipHash-2-4 has the values of its authors") {
  CHECK(hash_of_first(15) == 0xa129ca6149be45e5);  // appendix A
  CHECK(hash_of_first(0) == 0x726fdb47dd0e0e31);
  CHECK(hash_of_first(1) == 0x74f839c593dc67fd);
  CHECK(hash_of_first(8) == 0x93f5f5799a932462);
}

TEST_CASE("a proof is another for each side, pair, size and nonce, and for another token") {
  const Acquaintance both = {1, 2, 4, random_nonce(), random_nonce()};
  const SipKey token = {};
  const std::uint64_t proof = prove(token, Side::calling, both);
  CHECK(prove(token, Side::calling, both) == proof);
  CHECK(prove(token, Side::called, both) != proof);
  SipKey other = {};
  other[15] = std::byte{1};
  CHECK(prove(other, Side::calling, both) != proof);
  for (int change = 0; change < 5; ++change) {
    Acquaintance changed = both;
    if (change == 0) changed.caller = 3;
    if (change == 1) changed.called = 3;
    if (change == 2) changed.ranks = 5;
    if (change == 3) changed.callers_nonce[0] ^= std::byte{1};
    if (change == 4) changed.calleds_nonce[15] ^= std::byte{1};
    CHECK(prove(token, Side::calling, changed) != proof);
  }
}

}  // namespace heddle::net::tcp
