// SPDX-License-Identifier: Apache-2.0
#include "heddle/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

// ---- reading ----

/// What is being read, for messages.
struct Subject {
  std::string_view name;
  std::string_view example;
};

[[noreturn]] void refuse(std::string_view text, std::string_view why, const Subject& subject) {
  throw InputError(fmt::format("'{}': {}; try {}", text, why, subject.example));
}

bool begins_number(std::string_view text) {
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// "1.5 MB" cut into number and unit.
struct Quantity {
  double value;
  std::string_view number;
  std::string_view unit;
};

Quantity read_quantity(std::string_view text, const Subject& subject) {
  const std::string_view rest = trimmed(text);
  if (rest.starts_with('-') && begins_number(rest.substr(1)))
    refuse(text, fmt::format("{} cannot be negative", subject.name), subject);
  // from_chars would take "inf" and "nan", too.
  if (!begins_number(rest)) refuse(text, fmt::format("not {}", subject.name), subject);

  Quantity quantity{};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), quantity.value);
  if (error == std::errc::result_out_of_range) refuse(text, fmt::format("{} out of range", subject.name), subject);
  if (error != std::errc{}) refuse(text, fmt::format("not {}", subject.name), subject);
  const auto length = static_cast<std::size_t>(end - rest.data());
  quantity.number = rest.substr(0, length);
  quantity.unit = trimmed(rest.substr(length));
  return quantity;
}

/// K, M, … off the front of a unit: 1000^power, or 1024^power where an i follows.
struct Prefix {
  int power = 0;
  bool binary = false;

  std::uint64_t multiplier() const {
    std::uint64_t multiplier = 1;
    for (int i = 0; i < power; ++i) multiplier *= binary ? 1024 : 1000;
    return multiplier;
  }
};

Prefix take_prefix(std::string_view& unit) {
  static constexpr std::string_view kUpper = "KMGTPE";
  static constexpr std::string_view kLower = "kmgtp";  // without e: "1e" is a number cut short
  if (unit.empty()) return {};
  std::size_t place = kUpper.find(unit.front());
  if (place == std::string_view::npos) place = kLower.find(unit.front());
  if (place == std::string_view::npos) return {};
  unit.remove_prefix(1);
  const bool binary = unit.starts_with('i');
  if (binary) unit.remove_prefix(1);
  return {static_cast<int>(place) + 1, binary};
}

/// A decimal number as written: digits · 10^exponent. Nothing if it has more digits than 64 bits hold.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

std::optional<Decimal> read_decimal(std::string_view number) {
  Decimal decimal;
  const std::size_t e = number.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view exponent = number.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
    if (error != std::errc{}) return std::nullopt;
    number = number.substr(0, e);
  }
  const std::size_t point = number.find('.');
  if (point != std::string_view::npos)
    while (number.back() == '0') number.remove_suffix(1);
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (i == point) continue;
    const auto digit = static_cast<std::uint64_t>(number[i] - '0');
    if (__builtin_mul_overflow(decimal.digits, std::uint64_t{10}, &decimal.digits) ||
        __builtin_add_overflow(decimal.digits, digit, &decimal.digits))
      return std::nullopt;
    if (i > point) --decimal.exponent;
  }
  return decimal;
}

/// number · multiplier in integers, so that what is written is what is counted.
Bytes whole_bytes(std::string_view text, std::string_view number, std::uint64_t multiplier, const Subject& subject) {
  static constexpr std::string_view kTooLarge = "a size too large to count in 63 bits";
  std::optional<Decimal> decimal = read_decimal(number);
  if (!decimal) refuse(text, kTooLarge, subject);
  auto [digits, exponent] = *decimal;
  if (digits == 0) return Bytes(0);

  for (; exponent < 0; ++exponent) {  // divide by 10
    for (const std::uint64_t prime : {2, 5}) {
      std::uint64_t& divisible = digits % prime == 0 ? digits : multiplier;
      if (divisible % prime != 0) refuse(text, "not a whole number of bytes", subject);
      divisible /= prime;
    }
  }
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(digits, std::uint64_t{10}, &digits)) refuse(text, kTooLarge, subject);
  std::int64_t count = 0;
  if (__builtin_mul_overflow(digits, multiplier, &count)) refuse(text, kTooLarge, subject);
  return Bytes(count);
}

// ---- printing ----

struct Unit {
  double size;
  std::string_view name;
};

/// At most four significant digits in the largest unit (of an ascending list) that leaves something before the point.
std::string four_digits(double value, std::span<const Unit> units) {
  const Unit* unit = &units[0];
  for (const Unit& larger : units)
    if (std::abs(value) >= larger.size * 0.99995) unit = &larger;  // 999.95 of one unit rounds to 1 of the next
  return fmt::format("{:.4g}{}", value / unit->size, unit->name);
}

/// `count` in `unit`s if that takes at most four digits, else nothing.
std::optional<std::string> exactly(std::uint64_t count, std::uint64_t unit, std::string_view name) {
  const std::uint64_t whole = count / unit;
  if (whole == 0 || whole > 9999) return std::nullopt;
  const std::uint64_t thousandths = whole < 10 ? 1000 : whole < 100 ? 100 : whole < 1000 ? 10 : 1;
  if (count % unit * thousandths % unit != 0) return std::nullopt;
  return fmt::format("{:.4g}{}", static_cast<double>(count) / static_cast<double>(unit), name);
}

}  // namespace

Time Time::from_seconds(double seconds) {
  constexpr double kLimit = 0x1p63;
  const double picoseconds = seconds * 1e12;
  if (picoseconds <= -kLimit) return Time(-std::numeric_limits<std::int64_t>::max());
  if (!(picoseconds < kLimit)) return max();  // NaN as well: a time that is not known is never reached
  return Time(std::llround(picoseconds));
}

Bytes parse_bytes(std::string_view text) {
  static constexpr Subject kSubject{"a size", "64KiB"};
  const Quantity quantity = read_quantity(text, kSubject);
  std::string_view unit = quantity.unit;
  Prefix prefix = take_prefix(unit);
  if (unit.empty())
    prefix.binary = true;
  else if (unit != "B")
    refuse(text, "not a size", kSubject);
  return whole_bytes(text, quantity.number, prefix.multiplier(), kSubject);
}

Bandwidth parse_bandwidth(std::string_view text) {
  static constexpr Subject kSubject{"a bandwidth", "400Gbps or 50GB/s"};
  if (trimmed(text) == "inf") return Bandwidth::unlimited();
  const Quantity quantity = read_quantity(text, kSubject);
  if (quantity.value == 0) refuse(text, "a bandwidth cannot be zero", kSubject);
  if (quantity.unit.empty())
    throw InputError(
        fmt::format("'{}': a bandwidth needs its unit; try {}Gbps or {}GB/s", text, quantity.number, quantity.number));
  std::string_view unit = quantity.unit;
  double bytes_per_second = quantity.value * static_cast<double>(take_prefix(unit).multiplier());
  if (unit == "b/s" || unit == "bps" || unit == "bit/s")
    bytes_per_second /= 8;
  else if (unit != "B/s" && unit != "Bps")
    refuse(text, "not a bandwidth", kSubject);
  if (bytes_per_second == 0) refuse(text, "a bandwidth cannot be zero", kSubject);
  if (std::isinf(bytes_per_second)) refuse(text, "a bandwidth out of range", kSubject);
  return Bandwidth(bytes_per_second);
}

double parse_seconds(std::string_view text) {
  static constexpr Subject kSubject{"a time", "100ns"};
  static constexpr std::array<Unit, 7> kPerSecond = {
      {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e6, "\u00b5s"}, {1e6, "\u03bcs"}, {1e9, "ns"}, {1e12, "ps"}}};
  const Quantity quantity = read_quantity(text, kSubject);
  if (quantity.unit.empty()) {
    if (quantity.value == 0) return 0;
    throw InputError(fmt::format("'{0}': a time needs its unit; try {1}ns, {1}us or {1}s", text, quantity.number));
  }
  // Dividing by a power of ten rounds once; multiplying by its inverse would round twice.
  for (const auto& [per_second, name] : kPerSecond)
    if (quantity.unit == name) return quantity.value / per_second;
  refuse(text, "not a time", kSubject);
}

Time parse_time(std::string_view text) {
  const Time time = Time::from_seconds(parse_seconds(text));
  if (time == Time::max()) refuse(text, "a time too long to count in picoseconds", {"a time", "100ns"});
  return time;
}

std::string to_string(Bytes bytes) {
  struct ExactUnit {
    std::uint64_t size;
    std::string_view name;
  };
  // By preference, where two texts are equally short.
  static constexpr std::array<ExactUnit, 11> kExactUnits = {{{std::uint64_t{1} << 50, "PiB"},
                                                             {std::uint64_t{1} << 40, "TiB"},
                                                             {std::uint64_t{1} << 30, "GiB"},
                                                             {std::uint64_t{1} << 20, "MiB"},
                                                             {std::uint64_t{1} << 10, "KiB"},
                                                             {1, "B"},
                                                             {1'000'000'000'000'000, "PB"},
                                                             {1'000'000'000'000, "TB"},
                                                             {1'000'000'000, "GB"},
                                                             {1'000'000, "MB"},
                                                             {1'000, "KB"}}};
  // Decimal units where digits are cut off: the text is a whole number of bytes again.
  static constexpr std::array<Unit, 6> kUnits = {{{1, "B"}, {1e3, "KB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}}};

  const bool negative = bytes.count() < 0;
  const auto bits = static_cast<std::uint64_t>(bytes.count());
  const std::uint64_t magnitude = negative ? 0 - bits : bits;
  std::optional<std::string> shortest;
  for (const auto& [size, name] : kExactUnits) {
    std::optional<std::string> exact = exactly(magnitude, size, name);
    if (exact && (!shortest || exact->size() < shortest->size())) shortest = std::move(exact);
  }
  return (negative ? "-" : "") + (shortest ? *shortest : four_digits(static_cast<double>(magnitude), kUnits));
}

std::string to_string(Bandwidth bandwidth) {
  static constexpr std::array<Unit, 5> kUnits = {{{1, "B/s"}, {1e3, "KB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}};
  return bandwidth.is_unlimited() ? "inf" : four_digits(bandwidth.bytes_per_second(), kUnits);
}

std::string to_string(Time time) {
  static constexpr std::array<Unit, 5> kUnits = {{{1, "ps"}, {1e3, "ns"}, {1e6, "us"}, {1e9, "ms"}, {1e12, "s"}}};
  return four_digits(static_cast<double>(time.ps()), kUnits);
}

}  // namespace heddle
