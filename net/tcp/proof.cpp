// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/proof.hpp"

#include <sys/random.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "heddle/errors.hpp"
#include "net/tcp/frame.hpp"

namespace heddle::net::tcp {

namespace {

/// The paper's v0 to v3.
struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void rounds(int n) {
    for (int i = 0; i < n; ++i) {
      v0 += v1;
      v1 = std::rotl(v1, 13) ^ v0;
      v0 = std::rotl(v0, 32);
      v2 += v3;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1;
      v1 = std::rotl(v1, 17) ^ v2;
      v2 = std::rotl(v2, 32);
    }
  }

  void add(std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }
};

}  // namespace

std::uint64_t siphash(const SipKey& key, std::span<const std::byte> bytes) {
  const std::span<const std::byte> halves(key);
  const auto k0 = read_little<std::uint64_t>(halves);
  const auto k1 = read_little<std::uint64_t>(halves.subspan(8));
  SipState state = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) state.add(read_little<std::uint64_t>(bytes.subspan(at)));
  std::uint64_t last = std::uint64_t{bytes.size()} << 56;
  for (std::size_t i = at; i < bytes.size(); ++i) last |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * (i - at));
  state.add(last);
  state.v2 ^= 0xff;
  state.rounds(4);
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

Nonce random_nonce() {
  Nonce nonce;
  for (std::size_t got = 0; got < nonce.size();) {
    const ssize_t more = getrandom(nonce.data() + got, nonce.size() - got, 0);
    if (more < 0 && errno != EINTR)
      throw ResourceError(std::string("the system has no random numbers: ") + std::strerror(errno));
    if (more > 0) got += static_cast<std::size_t>(more);
  }
  return nonce;
}

std::uint64_t prove(const SipKey& token, Side side, const Acquaintance& both) {
  std::array<std::byte, 56> text = {};
  const std::span<std::byte> all(text);
  write_little(static_cast<std::uint64_t>(side), all);
  write_little(both.caller, all.subspan(8));
  write_little(both.called, all.subspan(12));
  write_little(both.ranks, all.subspan(16));
  std::ranges::copy(both.callers_nonce, text.begin() + 24);
  std::ranges::copy(both.calleds_nonce, text.begin() + 40);
  return siphash(token, text);
}

}  // namespace heddle::net::tcp
