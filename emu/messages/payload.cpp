// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/payload.hpp"

#include "core/mix.hpp"

namespace heddle::emu {

/// Each word is taken with a key that depends on its place, in lanes that a processor adds up side by side: the manner of XXH3 (Collet).
std::uint64_t digest_of(const std::byte* bytes, std::size_t size) {
  using Words [[gnu::vector_size(2 * sizeof(std::uint64_t))]] =
      std::uint64_t;  // as every processor of x86-64 and AArch64 has them
  struct Lane {
    Words keys;
    Words sums{};
    Words products{};

    void add(const std::byte* from) {
      Words words;
      std::memcpy(&words, from, sizeof words);
      const Words keyed = words ^ keys;
      sums += words;
      products += (keyed & 0xffffffff) * (keyed >> 32);
      keys += kGoldenGamma;
    }
  };
  Lane a{{mix(size), mix(size + 1)}}, b{{mix(size + 2), mix(size + 3)}};
  constexpr std::size_t kStep = 2 * sizeof(Words);
  std::size_t done = 0;
  for (; done + kStep <= size; done += kStep) {
    a.add(bytes + done);
    b.add(bytes + done + sizeof(Words));
  }
  if (done < size) {
    std::array<std::byte, kStep> rest{};
    std::memcpy(rest.data(), bytes + done, size - done);
    a.add(rest.data());
    b.add(rest.data() + sizeof(Words));
  }
  std::uint64_t digest = size;
  for (const Words& words : {a.sums, a.products, b.sums, b.products}) digest = mix(mix(digest ^ words[0]) + words[1]);
  return digest;
}

}  // namespace heddle::emu
