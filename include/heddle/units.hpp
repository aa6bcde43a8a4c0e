// SPDX-License-Identifier: Apache-2.0
// Bytes, bandwidths and times as types of their own, with literals, parsers and printing.
// A bare number is bytes where an amount of data is read; a rate or a time needs its unit, unless it is 0.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace heddle {

/// An amount of data in bytes.
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t count) : count_(count) {}
  constexpr std::int64_t count() const { return count_; }
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  constexpr Bytes& operator+=(Bytes other) { return count_ += other.count_, *this; }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.count_ + b.count_); }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes(a.count_ - b.count_); }
  friend constexpr Bytes operator*(Bytes a, std::int64_t k) { return Bytes(a.count_ * k); }
  friend constexpr Bytes operator*(std::int64_t k, Bytes a) { return a * k; }

 private:
  std::int64_t count_ = 0;
};

/// A timestamp of emulated time (since the run began) or a span of it, in whole picoseconds.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time ps(std::int64_t picoseconds) { return Time(picoseconds); }
  static constexpr Time max() { return Time(std::numeric_limits<std::int64_t>::max()); }
  /// Rounds to the nearest picosecond; clamps to max().
  static Time from_seconds(double seconds);
  constexpr std::int64_t ps() const { return ps_; }
  constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }
  friend constexpr auto operator<=>(Time, Time) = default;
  constexpr Time& operator+=(Time other) { return ps_ += other.ps_, *this; }
  friend constexpr Time operator+(Time a, Time b) { return Time(a.ps_ + b.ps_); }
  friend constexpr Time operator-(Time a, Time b) { return Time(a.ps_ - b.ps_); }
  friend constexpr Time operator*(Time a, std::int64_t k) { return Time(a.ps_ * k); }
  friend constexpr Time operator*(std::int64_t k, Time a) { return a * k; }

 private:
  constexpr explicit Time(std::int64_t picoseconds) : ps_(picoseconds) {}
  std::int64_t ps_ = 0;
};

/// A rate in bytes per second; may be unlimited.
class Bandwidth {
 public:
  constexpr Bandwidth() = default;
  constexpr explicit Bandwidth(double bytes_per_second) : bytes_per_second_(bytes_per_second) {}
  static constexpr Bandwidth unlimited() { return Bandwidth(std::numeric_limits<double>::infinity()); }
  constexpr double bytes_per_second() const { return bytes_per_second_; }
  constexpr bool is_unlimited() const { return bytes_per_second_ == std::numeric_limits<double>::infinity(); }
  friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
  friend constexpr Bandwidth operator*(Bandwidth b, double k) { return Bandwidth(b.bytes_per_second_ * k); }

 private:
  double bytes_per_second_ = 0;
};

/// "4096", "64KiB", "1.5 MB" (powers of 1024 with an i, of 1000 without; K, M, G alone are binary, as in nccl-tests).
/// Throws InputError that shows the text and an example; negative, fractional or unrepresentable amounts are refused.
Bytes parse_bytes(std::string_view text);

/// "400Gbps", "900GB/s", "12.5e9B/s", "inf". Throws InputError; zero, negative rates and bare numbers are refused.
Bandwidth parse_bandwidth(std::string_view text);

/// "100ns", "0.5us", "1.5e-6s", "0". Throws InputError; negative spans and other bare numbers are refused.
Time parse_time(std::string_view text);

/// As parse_time, unrounded: for spans per byte ("20ps", "1.2e-11s"), where a picosecond is coarse.
double parse_seconds(std::string_view text);

/// The shortest exact or four-digit text with a unit: "1MiB", "50GB/s", "1.5us". What parse_… reads back.
std::string to_string(Bytes bytes);
std::string to_string(Bandwidth bandwidth);
std::string to_string(Time time);

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 10); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 20); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 30); }
constexpr Bandwidth operator""_Gbps(unsigned long long n) { return Bandwidth(static_cast<double>(n) * 1e9 / 8); }
constexpr Bandwidth operator""_GBps(unsigned long long n) { return Bandwidth(static_cast<double>(n) * 1e9); }
constexpr Time operator""_ps(unsigned long long n) { return Time::ps(static_cast<std::int64_t>(n)); }
constexpr Time operator""_ns(unsigned long long n) { return Time::ps(static_cast<std::int64_t>(n) * 1'000); }
constexpr Time operator""_us(unsigned long long n) { return Time::ps(static_cast<std::int64_t>(n) * 1'000'000); }
constexpr Time operator""_ms(unsigned long long n) { return Time::ps(static_cast<std::int64_t>(n) * 1'000'000'000); }
}  // namespace literals

}  // namespace heddle
