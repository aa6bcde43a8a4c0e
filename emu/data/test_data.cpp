// SPDX-License-Identifier: Apache-2.0
#include "emu/data/test_data.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <type_traits>

#include "core/mix.hpp"
#include "core/wide_vectors.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

/// Random words by position. One multiplication per word (the one by a constant step is an addition in a loop): a run makes
/// hundreds of millions of them, four at a time where the compiler vectorises. The second key keeps the streams of two ranks
/// from being shifted copies of each other.
struct WordStream {
  std::uint32_t start;
  std::uint32_t twist;

  WordStream(std::uint64_t key, Rank rank) {
    const std::uint64_t keys = mix_bits(key + kGoldenGamma * (static_cast<std::uint64_t>(rank.value()) + 1));
    start = static_cast<std::uint32_t>(keys);
    twist = static_cast<std::uint32_t>(keys >> 32);
  }

  std::uint32_t narrow(std::uint32_t i) const {
    std::uint32_t x = start + i * 0x9E3779B9u;
    x = (x ^ (x >> 16) ^ twist) * 0x85EBCA6Bu;
    return x ^ (x >> 15);
  }
  std::uint64_t wide(std::uint32_t i) const { return narrow(2 * i) | static_cast<std::uint64_t>(narrow(2 * i + 1)) << 32; }
  template <class Word>
  Word word(std::uint32_t i) const {
    if constexpr (sizeof(Word) == 8)
      return wide(i);
    else
      return static_cast<Word>(narrow(i));
  }
};

/// out[k] = element(base + k).
template <class Word, class Element>
[[gnu::always_inline]] inline void generate_batch(Word* out, std::uint32_t base, std::uint32_t batch, const Element& element) {
  for (std::uint32_t k = 0; k < batch; ++k) out[k] = element(base + k);
}

/// As that, on processors that multiply eight 32-bit numbers at once.
template <class Word, class Element>
HEDDLE_WIDELY void generate_widely(Word* out, std::uint32_t base, std::uint32_t batch, const Element& element) {
  generate_batch(out, base, batch, element);
}

/// into[k] = element(first + k).
template <class Word, class Element>
void generate(VectorView into, std::int64_t first, Element element) {
  constexpr std::int64_t kBatch = 1 << 16;  // 32-bit counters: the compiler vectorises them
  Word* out = reinterpret_cast<Word*>(into.data());
  for (std::int64_t done = 0; done < into.count(); done += kBatch) {
    const auto base = static_cast<std::uint32_t>(first + done);
    const auto batch = static_cast<std::uint32_t>(std::min(kBatch, into.count() - done));
    if (has_wide_vectors())
      generate_widely(out + done, base, batch, element);
    else
      generate_batch(out + done, base, batch, element);
  }
}

/// Numbers of a floating type.
template <class T>
struct Floats {
  using Word = BitsOf<T>;

  /// ±[1/2, 2), every bit of the significand random.
  static T rounded(Word random) {
    constexpr int kFractionBits = kElementFacts<T>.precision - 1;
    constexpr int kSignBit = static_cast<int>(8 * sizeof(T)) - 1;
    const Word fraction = random & ((Word{1} << kFractionBits) - 1);
    const Word sign = random >> kFractionBits & 1;
    const Word exponent = static_cast<Word>(kElementFacts<T>.bias - 1) + (random >> (kFractionBits + 1) & 1);
    return std::bit_cast<T>(static_cast<Word>(sign << kSignBit | exponent << kFractionBits | fraction));
  }
  /// What copies and comparisons get wrong, of any kind.
  static T special(std::uint32_t random) {
    const auto payload = static_cast<Word>(random >> 8);
    switch (random >> 1 & 3) {
      case 0:
        return signed_bits(kHasInfinity ? static_cast<Word>(kExponent | ((payload & kFraction) | 1)) : kAll, random);  // a NaN
      case 1:
        return infinity(random);
      case 2:
        return zero(random);
      default:
        return subnormal(random);
    }
  }
  static T quiet_nan() { return std::bit_cast<T>(kHasInfinity ? static_cast<Word>(kExponent | kQuiet) : kAll); }
  /// Of a type without infinities the greatest number.
  static T infinity(std::uint32_t random) {
    return signed_bits(kHasInfinity ? kExponent : static_cast<Word>(kAll - 1), random);
  }
  static T zero(std::uint32_t random) { return signed_bits(0, random); }
  static T subnormal(std::uint32_t random) { return signed_bits(static_cast<Word>((random >> 8 & kFraction) | 1), random); }

  /// ±1 … ±2^bits.
  static T whole(std::uint32_t random, int bits) {
    return with_sign(static_cast<float>(static_cast<std::int32_t>(random >> 1 >> (31 - bits)) + 1), random);
  }
  /// ±1/2 or ±2.
  static T half_or_two(std::uint32_t random) { return with_sign((random & 2) != 0 ? 2.0F : 0.5F, random); }
  static T one(std::uint32_t random) { return with_sign(1.0F, random); }

 private:
  static constexpr int kFractionWidth = kElementFacts<T>.precision - 1;
  static constexpr int kSignPlace = static_cast<int>(8 * sizeof(T)) - 1;
  static constexpr Word kFraction = static_cast<Word>((Word{1} << kFractionWidth) - 1);
  static constexpr Word kQuiet = static_cast<Word>(Word{1} << (kFractionWidth - 1));
  static constexpr Word kExponent = static_cast<Word>(((Word{1} << kSignPlace) - 1) & ~kFraction);

  static constexpr bool kHasInfinity = kElementFacts<T>.has_infinity;
  static constexpr Word kAll = static_cast<Word>(kExponent | kFraction);

  static T signed_bits(Word magnitude, std::uint32_t random) {
    return std::bit_cast<T>(static_cast<Word>(magnitude | static_cast<Word>(static_cast<Word>(random & 1) << kSignPlace)));
  }
  /// Small numbers, exact in every format.
  static T with_sign(float magnitude, std::uint32_t random) {
    return static_cast<T>(std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | random << 31));
  }
};

constexpr int kFinestPrecision = kElementFacts<double>.precision;

/// Bits of the significand; of what does not round, those of the finest type that does.
int precision(Datatype type) {
  const auto of_type = []<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>)
      return kElementFacts<T>.precision;
    else
      return kFinestPrecision;
  };
  return visit_element_type(type, of_type, [] { return kFinestPrecision; });
}

/// The least n with 2^n ≥ p.
int ceil_log2(int p) { return static_cast<int>(std::bit_width(static_cast<unsigned>(p - 1))); }

/// Of 2^log2_ranks ranks, how many share one contribution if at most 2^log2_most may contribute.
std::uint32_t period(int log2_ranks, int log2_most) { return 1u << std::max(0, log2_ranks - log2_most); }

/// Whether a 0 changes nothing, or is one number among others.
bool leaves_others_as_they_are(const ReduceOp& op) {
  const auto known = {&ReduceOp::sum(), &ReduceOp::min(), &ReduceOp::max(), &ReduceOp::bit_or(), &ReduceOp::bit_xor()};
  return std::find(known.begin(), known.end(), &op) != known.end();
}

/// A quarter of the elements, which `stream` draws.
void put_zeros(VectorView into, WordStream stream, std::int64_t first) {
  const auto of_type = [&]<class T>(std::type_identity<T>) {
    using Word = BitsOf<T>;
    const Word* const words = reinterpret_cast<const Word*>(into.data());
    generate<Word>(into, first, [=, base = static_cast<std::uint32_t>(first)](std::uint32_t i) {
      return (stream.narrow(i) >> 20 & 3) == 0 ? Word{} : words[i - base];
    });
  };
  visit_element_type(into.type(), of_type, [] {});  // elements that are only moved have no zeros
}

/// Elements of a stretch that is alike: 320 bytes or more, so that no length of eight bits counts them; even, as even and odd
/// elements of floats differ in kind.
std::int64_t stretch_of(Datatype type) { return std::max<std::int64_t>(80, 320 / static_cast<std::int64_t>(type.size())); }

}  // namespace

TestData::TestData(Datatype type, int ranks, std::uint64_t seed, int call, DataValues values)
    : type_(type),
      ranks_(ranks),
      key_(mix_bits(mix(seed) + static_cast<std::uint64_t>(call))),
      pattern_(values == DataValues::special && type.is_floating() ? Pattern::special_bits : Pattern::bits),
      has_runs_(values == DataValues::runs) {}

TestData::TestData(Datatype type, const ReduceOp& op, int ranks, std::uint64_t seed, int call, std::optional<Datatype> coarsest,
                   DataValues values)
    : TestData(type, ranks, seed, call) {
  pattern_ = pattern_for(type, op, values);
  has_runs_ = values == DataValues::runs;
  has_zeros_ = leaves_others_as_they_are(op);
  // Factors between 1/2 and 2: eight stay within 2^±8, four within 2^±4. No type overflows or goes subnormal.
  const int log2_factors = type == Datatype::f8e4m3() ? 2 : 3;
  const int log2_ranks = ceil_log2(ranks);
  switch (pattern_) {
    case Pattern::summands:
    case Pattern::whole_numbers: {
      const int t = precision(coarsest.value_or(type));
      // At most 2^b · 2^n ≤ 2^t in all: every partial sum is a whole number of t bits, hence exact.
      whole_bits_ = std::clamp(t - log2_ranks, 0, 16);
      exact_period_ = period(log2_ranks, t);
      // C contributions below 2 may be off by (C - 1)·2^-t·2C together. While C² ≤ 2^(t-3) that is below 1/4, and a lost
      // contribution, ≥ 1/2, shows.
      // Rounded on its way in as well, up to 2C - 1 times in all, while C² ≤ 2^(t-4).
      rounded_period_ = period(log2_ranks, (t - (coarsest ? 4 : 3)) / 2);
      break;
    }
    case Pattern::factors:
    case Pattern::few_ones:
    case Pattern::few_zeros:
      exact_period_ = rounded_period_ = period(log2_ranks, log2_factors);
      break;
    case Pattern::comparands:
    case Pattern::special_comparands:
      // 2^(t+1) numbers, t bits of significand: of half as many and more the least would often be that of several ranks.
      rounded_period_ = period(log2_ranks, precision(type) - 1);
      idle_comparand_ = &op == &ReduceOp::min() ? 2.0F : -2.0F;
      break;
    case Pattern::bits:
    case Pattern::any:
    case Pattern::odd:
    case Pattern::special_bits:
      break;
  }
}

TestData::Pattern TestData::pattern_for(Datatype type, const ReduceOp& op, DataValues values) {
  if (!op.supports(type)) throw UsageError("op " + op.name() + " does not support " + to_string(type));
  const bool floats = type.is_floating();
  if (&op == &ReduceOp::sum()) return floats ? Pattern::summands : Pattern::any;
  if (&op == &ReduceOp::prod()) return floats ? Pattern::factors : Pattern::odd;
  if (&op == &ReduceOp::min() || &op == &ReduceOp::max()) {
    if (!floats) return Pattern::any;
    return values == DataValues::special ? Pattern::special_comparands : Pattern::comparands;
  }
  if (&op == &ReduceOp::bit_or()) return Pattern::few_ones;
  if (&op == &ReduceOp::bit_and()) return Pattern::few_zeros;
  return floats ? Pattern::whole_numbers : Pattern::any;
}

int TestData::rounding_operations(std::int64_t element) const {
  if (pattern_ != Pattern::summands && pattern_ != Pattern::factors) return 0;
  if (element % 2 == 0) return 0;
  const int period = static_cast<int>(rounded_period_);
  return (ranks_ + period - 1) / period - 1;
}

int TestData::coarse_roundings(std::int64_t element) const {
  if (pattern_ != Pattern::summands || element % 2 == 0) return 0;
  return 2 * rounding_operations(element) + 1;
}

void TestData::fill(VectorView into, Rank rank, std::int64_t first) const {
  fill_usual(into, rank, first);
  if (has_runs_) put_runs(into, rank, first);
}

void TestData::put_runs(VectorView into, Rank rank, std::int64_t first) const {
  const std::int64_t stretch = stretch_of(type_);
  const WordStream common(key_, Rank(ranks_));  // the same on all ranks, of which none has this number
  const bool is_moved = pattern_ == Pattern::bits;
  for (std::int64_t done = 0; done < into.count();) {
    const std::int64_t number = (first + done) / stretch;
    const std::int64_t length = std::min(into.count() - done, (number + 1) * stretch - first - done);
    const VectorView part = into.slice(done, length);
    const std::uint32_t kind = common.narrow(static_cast<std::uint32_t>(number)) >> 16 & 7;
    if (kind < 2 && has_zeros_) {
      std::memset(part.data(), 0, part.size_bytes());
    } else if (kind < 4 && is_moved) {
      const WordStream own(key_, rank);
      std::memset(part.data(), static_cast<int>(own.narrow(static_cast<std::uint32_t>(number)) >> 24), part.size_bytes());
    } else if (kind < 4) {
      // The first one's: of floats it is exact, as the tolerances of the others allow.
      fill_usual(part.slice(0, 1), rank, number * stretch);
      const std::size_t bytes = part.size_bytes();
      for (std::size_t alike = type_.size(); alike < bytes; alike *= 2)
        std::memcpy(part.data() + alike, part.data(), std::min(alike, bytes - alike));
    } else if (has_zeros_) {
      put_zeros(part, common, first + done);
    }
    done += length;
  }
}

void TestData::fill_usual(VectorView into, Rank rank, std::int64_t first) const {
  assert(into.type() == type_);
  if (pattern_ == Pattern::bits) return fill_bits(into, rank, first);
  const auto fill_type = [&]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>)
      fill_floats<T>(into, rank, first);
    else
      fill_integers<BitsOf<T>>(into, rank, first);
  };
  visit_element_type(type_, fill_type, [&] { fill_bytes(into, rank, first); });
}

template <class Word>
void TestData::fill_integers(VectorView into, Rank rank, std::int64_t first) const {
  const WordStream stream(key_, rank);
  const auto r = static_cast<std::uint32_t>(rank.value());
  const auto few_ones = [stream, r, mask = exact_period_ - 1](std::uint32_t i) {
    constexpr Word kBits = 8 * sizeof(Word);
    const Word contributes = ((r + i) & mask) == 0 ? 1 : 0;
    return static_cast<Word>(contributes << (stream.narrow(i) % kBits));
  };
  switch (pattern_) {
    case Pattern::odd:
      return generate<Word>(into, first, [stream](std::uint32_t i) { return static_cast<Word>(stream.word<Word>(i) | 1); });
    case Pattern::few_ones:
      return generate<Word>(into, first, few_ones);
    case Pattern::few_zeros:
      return generate<Word>(into, first, [few_ones](std::uint32_t i) { return static_cast<Word>(~few_ones(i)); });
    default:
      return generate<Word>(into, first, [stream](std::uint32_t i) { return stream.word<Word>(i); });
  }
}

template <class T>
void TestData::fill_floats(VectorView into, Rank rank, std::int64_t first) const {
  using Numbers = Floats<T>;
  const WordStream stream(key_, rank);
  const std::uint32_t exact_mask = exact_period_ - 1;
  const std::uint32_t rounded_mask = rounded_period_ - 1;
  // Even and odd elements take turns alike: by r + i an odd rank would never contribute to an even element.
  const auto turn = [r = static_cast<std::uint32_t>(rank.value())](std::uint32_t i) { return r + i / 2; };
  const auto whole = [=, bits = whole_bits_](std::uint32_t i) {
    return (turn(i) & exact_mask) == 0 ? Numbers::whole(stream.narrow(i), bits) : T{};
  };
  const auto rounded = [=](std::uint32_t i) { return Numbers::rounded(stream.word<typename Numbers::Word>(i)); };
  const auto compared = [=, idle = static_cast<T>(idle_comparand_)](std::uint32_t i) {
    return (turn(i) & rounded_mask) == 0 ? rounded(i) : idle;
  };
  switch (pattern_) {
    case Pattern::summands:
      return generate<T>(into, first, [=](std::uint32_t i) {
        if (i % 2 == 0) return whole(i);
        return (turn(i) & rounded_mask) == 0 ? rounded(i) : T{};
      });
    case Pattern::factors:
      return generate<T>(into, first, [=](std::uint32_t i) {
        const std::uint32_t random = stream.narrow(i);
        if ((turn(i) & exact_mask) != 0) return Numbers::one(random);
        return i % 2 == 0 ? Numbers::half_or_two(random) : rounded(i);
      });
    case Pattern::whole_numbers:
      return generate<T>(into, first, whole);
    case Pattern::special_bits:
      return generate<T>(into, first, [=](std::uint32_t i) {
        const std::uint32_t random = stream.narrow(i);
        return (random >> 31) != 0 ? Numbers::special(random) : std::bit_cast<T>(stream.word<typename Numbers::Word>(i));
      });
    case Pattern::special_comparands: {
      // The same on all ranks, of which none has this number.
      const WordStream common(key_, Rank(ranks_));
      return generate<T>(into, first, [=](std::uint32_t i) {
        const std::uint32_t random = stream.narrow(i);
        switch (common.narrow(i) >> 16 & 7) {
          case 0:
            return (turn(i) & 3) == 0 ? Numbers::quiet_nan() : rounded(i);
          case 1:
            return (random >> 8 & 3) == 0 ? Numbers::infinity(random) : rounded(i);
          case 2:
            return Numbers::zero(random);
          case 3:
            return Numbers::subnormal(random);
          default:
            return compared(i);
        }
      });
    }
    default:
      return generate<T>(into, first, compared);
  }
}

void TestData::fill_bits(VectorView into, Rank rank, std::int64_t first) const {
  const WordStream stream(key_, rank);
  const auto fill_type = [&]<class T>(std::type_identity<T>) {
    using Word = BitsOf<T>;
    generate<Word>(into, first, [stream](std::uint32_t i) { return stream.word<Word>(i); });
  };
  visit_element_type(type_, fill_type, [&] { fill_bytes(into, rank, first); });
}

void TestData::fill_bytes(VectorView into, Rank rank, std::int64_t first) const {
  const WordStream stream(key_, rank);
  const auto begin = static_cast<std::uint64_t>(first) * type_.size();
  if (type_.size() % 4 == 0) {
    const VectorView words(into.data(), static_cast<std::int64_t>(into.size_bytes() / 4), Datatype::u32());
    return generate<std::uint32_t>(words, static_cast<std::int64_t>(begin / 4),
                                   [stream](std::uint32_t i) { return stream.narrow(i); });
  }
  for (std::uint64_t b = 0; b < into.size_bytes(); ++b) {
    const std::uint64_t position = begin + b;
    into.data()[b] = static_cast<std::byte>(stream.narrow(static_cast<std::uint32_t>(position / 4)) >> (8 * (position % 4)));
  }
}

}  // namespace heddle::emu
