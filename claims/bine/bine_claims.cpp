// SPDX-License-Identifier: Apache-2.0
#include "claims/bine/bine_claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::claims {

Schedule recorded(Collective collective, std::string_view algorithm, const std::string& where) {
  return record_schedule(find_algorithm(collective, algorithm), parse_schedule(where));
}

Rounds messages_of(const Schedule& schedule) {
  Rounds rounds;
  for (const std::vector<Transfer>& round : schedule.rounds) {
    std::vector<Message>& messages = rounds.emplace_back();
    for (const Transfer& transfer : round) messages.push_back({transfer.source, transfer.dest});
    std::sort(messages.begin(), messages.end());
  }
  return rounds;
}

std::string to_text(const Rounds& rounds) {
  std::vector<std::string> texts;
  for (const std::vector<Message>& round : rounds) {
    std::vector<std::string> messages;
    for (const Message& message : round) messages.push_back(fmt::format("{}>{}", message.from, message.to));
    texts.push_back(fmt::format("{}", fmt::join(messages, " ")));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string drawing(Collective collective, std::string_view algorithm, const std::string& where) {
  return fmt::format("heddle list --collective {} --algo {} --schedule {}", to_string(collective), algorithm, where);
}

Finding compare_rounds(std::string subject, const Rounds& printed, const Rounds& measured, std::string command) {
  return compare_words(std::move(subject), to_text(printed), to_text(measured), printed == measured, std::move(command),
                       "The recorded schedule has other messages.");
}

std::string rank2nb(int rank, int ranks) {
  const int digits = std::bit_width(static_cast<unsigned>(ranks - 1));
  int greatest = 0;  // ones in all even places
  for (int j = 0; j < digits; j += 2) greatest += 1 << j;
  int rest = rank <= greatest ? rank : rank - ranks;
  std::string text;
  for (int j = 0; j < digits; ++j) {
    const bool one = rest % 2 != 0;
    text.insert(text.begin(), one ? '1' : '0');
    rest = (rest - (one ? 1 : 0)) / -2;
  }
  return text;
}

int nb2rank(const std::string& digits, int ranks) {
  int value = 0;
  for (const char digit : digits) value = -2 * value + (digit == '1' ? 1 : 0);
  return (value % ranks + ranks) % ranks;
}

int alternating_sum(int step) {
  int sum = 0;
  for (int j = 0, power = 1; j <= step; ++j, power *= -2) sum += power;
  return sum;
}

}  // namespace heddle::claims
