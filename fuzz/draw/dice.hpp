// SPDX-License-Identifier: Apache-2.0
// What a case is drawn with: a stream of numbers of its own for each (seed, index), the same on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "core/random.hpp"

namespace heddle {

class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t index) : stream_(SplitMix64(seed).next() ^ SplitMix64(~index).next()) {}

  /// least … most, each as likely. most ≥ least.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(stream_.below(static_cast<std::uint64_t>(most - least) + 1));
  }
  /// Once in `times`.
  bool once_in(int times) { return between(1, times) == 1; }

  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[between(0, static_cast<std::int64_t>(values.size()) - 1)];
  }
  template <class T>
  const T& one_of(std::span<const T> values) {
    return values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

 private:
  SplitMix64 stream_;
};

}  // namespace heddle
