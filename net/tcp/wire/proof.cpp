// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/wire/proof.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "heddle/errors.hpp"
#include "net/tcp/wire/little_endian.hpp"

namespace heddle::net::tcp {

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
