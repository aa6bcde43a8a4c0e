// SPDX-License-Identifier: Apache-2.0
#include "emu/settings/explored_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::string point_text(const Deviation& deviation) {
  const OrderPoint& point = deviation.point;
  switch (point.kind) {
    case OrderPoint::Kind::step:
      if (point.other != 0) return fmt::format("r{}b{}.{}", point.rank, point.other, point.number);
      return fmt::format("r{}.{}", point.rank, point.number);
    case OrderPoint::Kind::arrival:
      return fmt::format("m{}-{}.{}", point.rank, point.other, point.number);
    case OrderPoint::Kind::pick:
      return fmt::format("a{}.{}.{}", point.rank, point.number, deviation.way);
  }
  return {};
}

/// Takes a delay's text apart.
class DelayReader {
 public:
  explicit DelayReader(std::string_view text) : text_(text), rest_(text) {}

  Deviation read() {
    Deviation result;
    OrderPoint& point = result.point;
    if (take('r')) {
      point.rank = number(0);
      if (take('b')) point.other = number(1);
      expect('.');
      point.number = static_cast<std::uint32_t>(number(1));
    } else if (take('m')) {
      point.kind = OrderPoint::Kind::arrival;
      point.rank = number(0);
      expect('-');
      point.other = number(0);
      expect('.');
      point.number = static_cast<std::uint32_t>(number(1));
    } else if (take('a')) {
      point.kind = OrderPoint::Kind::pick;
      point.rank = number(0);
      expect('.');
      point.number = static_cast<std::uint32_t>(number(1));
      expect('.');
      result.way = static_cast<std::uint32_t>(number(1));
    } else {
      refuse();
    }
    if (!rest_.empty()) refuse();
    return result;
  }

 private:
  bool take(char sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char sign) {
    if (!take(sign)) refuse();
  }
  int number(int least) {
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < least) refuse();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  [[noreturn]] void refuse() const {
    throw InputError(fmt::format(
        "'{}' is no delay; try r2.1 (step 1 of rank 2), m1-0.2 (message 2 from rank 1 to 0) or a0.1.2 (a receive's choice)",
        text_));
  }

  std::string_view text_;
  std::string_view rest_;
};

std::vector<Deviation> read_delays(std::string_view text) {
  std::vector<Deviation> delays;
  for (;;) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    const Deviation delay = DelayReader(text.substr(0, plus)).read();
    if (std::ranges::find(delays, delay.point, &Deviation::point) != delays.end())
      throw InputError(fmt::format("'{}' is delayed twice", text.substr(0, plus)));
    delays.push_back(delay);
    if (plus == text.size()) return delays;
    text.remove_prefix(plus + 1);
  }
}

std::uint64_t read_order_number(std::string_view part, std::string_view text) {
  const auto seed = read_number<std::uint64_t>(text);
  if (!seed) throw InputError(fmt::format("'{}': '{}' is no seed: a whole number from 0 is expected", part, text));
  return *seed;
}

void read_part(std::string_view part, ExploredOrder& order) {
  const std::size_t colon = std::min(part.find(':'), part.size());
  const std::string_view name = part.substr(0, colon);
  const std::string_view value = part.substr(std::min(colon + 1, part.size()));
  if (name == "jitter" && !order.jitter)
    order.jitter = read_order_number(part, value);
  else if (name == "pick" && !order.pick)
    order.pick = read_order_number(part, value);
  else if (name == "delays" && order.delays.empty())
    order.delays = read_delays(value);
  else
    throw InputError(fmt::format(
        "'{}' in an order; it is usual, or some of jitter:SEED, pick:SEED and delays:r2.1+m1-0.2, with commas, each "
        "once",
        part));
}

}  // namespace

std::string describe(const Deviation& deviation) {
  const OrderPoint& point = deviation.point;
  switch (point.kind) {
    case OrderPoint::Kind::step: {
      const std::string branch = point.other == 0 ? "" : fmt::format(" in its branch {}", point.other);
      return fmt::format("rank {}{} waits before its step {} until nothing else can happen", point.rank, branch, point.number);
    }
    case OrderPoint::Kind::arrival:
      return fmt::format("message {} from rank {} to rank {} is on its way until nothing else can happen", point.number,
                         point.rank, point.other);
    case OrderPoint::Kind::pick:
      return fmt::format("choice {} of rank {} among messages from any source takes the one that came after {} other{}",
                         point.number, point.rank, deviation.way, deviation.way == 1 ? "" : "s");
  }
  return {};
}

std::string to_string(const ExploredOrder& order) {
  if (order.is_usual()) return "usual";
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
  if (order.jitter) add(fmt::format("jitter:{}", *order.jitter));
  if (order.pick) add(fmt::format("pick:{}", *order.pick));
  std::string delays;
  for (const Deviation& delay : order.delays) delays += (delays.empty() ? "" : "+") + point_text(delay);
  if (!delays.empty()) add("delays:" + delays);
  return text;
}

ExploredOrder parse_explored_order(std::string_view text) {
  ExploredOrder order;
  if (text == "usual") return order;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    read_part(text.substr(0, comma), order);
    if (comma == text.size()) return order;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace heddle
