// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/payload.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/mix.hpp"
#include "core/wide_vectors.hpp"

namespace heddle::emu {

namespace {

/// Words that are taken at once, and what is multiplied in each: the lower half by the upper one. A processor of x86-64 has an
/// instruction for it, which compilers do not find by themselves.
struct Pairs {
  using Words [[gnu::vector_size(2 * sizeof(std::uint64_t))]] = std::uint64_t;
  static void add_products(Words& sums, const Words& words) {
#if defined(__x86_64__)
    const __m128i whole = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&words));
    auto* const to = reinterpret_cast<__m128i*>(&sums);
    _mm_storeu_si128(to, _mm_add_epi64(_mm_loadu_si128(to), _mm_mul_epu32(whole, _mm_srli_epi64(whole, 32))));
#else
    sums += (words & 0xffffffff) * (words >> 32);
#endif
  }
};

/// Each word is taken with a key that depends on its place, in lanes that a processor adds up side by side: the manner of XXH3 (Collet).
template <class By>
[[gnu::always_inline]] inline std::uint64_t digest_by(const std::byte* bytes, std::size_t size) {
  using Words = typename By::Words;
  constexpr std::size_t kWords = sizeof(Words) / sizeof(std::uint64_t);
  struct Lane {
    Words keys;
    Words sums{};
    Words products{};

    void add(const std::byte* from) {
      Words words;
      std::memcpy(&words, from, sizeof words);
      sums += words;
      By::add_products(products, words ^ keys);
      keys += kGoldenGamma;
    }
  };
  Lane a;
  Lane b;
  for (std::size_t i = 0; i < kWords; ++i) {
    a.keys[i] = mix(size + i);
    b.keys[i] = mix(size + kWords + i);
  }
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
  for (const Lane* const lane : {&a, &b}) {
    for (std::size_t i = 0; i < kWords; ++i) digest = mix(mix(digest ^ lane->sums[i]) + lane->products[i]);
  }
  return digest;
}

#if defined(__x86_64__)
struct Fours {
  using Words [[gnu::vector_size(4 * sizeof(std::uint64_t))]] = std::uint64_t;
  [[gnu::target("avx2")]] static void add_products(Words& sums, const Words& words) {
    const __m256i whole = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&words));
    auto* const to = reinterpret_cast<__m256i*>(&sums);
    _mm256_storeu_si256(to, _mm256_add_epi64(_mm256_loadu_si256(to), _mm256_mul_epu32(whole, _mm256_srli_epi64(whole, 32))));
  }
};
HEDDLE_WIDELY std::uint64_t digest_widely(const std::byte* bytes, std::size_t size) { return digest_by<Fours>(bytes, size); }
#endif

}  // namespace

std::uint64_t digest_of(const std::byte* bytes, std::size_t size) {
#if defined(__x86_64__)
  if (has_wide_vectors()) return digest_widely(bytes, size);
#endif
  return digest_by<Pairs>(bytes, size);
}

}  // namespace heddle::emu
