// SPDX-License-Identifier: Apache-2.0
#include "heddle/errors.hpp"

#include <array>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"

namespace heddle {

namespace {

using Kind = CheckError::Kind;

constexpr auto kWords = std::to_array<std::pair<Kind, std::string_view>>({
    {Kind::wrong_result, "wrong_result"},
    {Kind::input_changed, "input_changed"},
    {Kind::order, "order"},
    {Kind::different_bits, "different_bits"},
    {Kind::run_to_run, "run_to_run"},
    {Kind::deadlock, "deadlock"},
    {Kind::hygiene, "hygiene"},
    {Kind::truncation, "truncation"},
    {Kind::usage, "usage"},
    {Kind::rank_failed, "rank_failed"},
    {Kind::too_fast, "too_fast"},
    {Kind::formula, "formula"},
    {Kind::damaged, "damaged"},
    {Kind::cut, "cut"},
    {Kind::exception, "exception"},
    {Kind::ended, "ended"},
    {Kind::stack_overflow, "stack_overflow"},
    {Kind::endless, "endless"},
    {Kind::not_repeatable, "not_repeatable"},
    {Kind::returned_error, "returned_error"},
    {Kind::refused, "refused"},
});

}  // namespace

CheckError::CheckError(const Failure& failure) : CheckError(failure.kind, failure.explanation, failure.facts) {}

Failure CheckError::failure() const { return {kind_, what(), *facts_}; }

std::string to_string(CheckError::Kind kind) {
  for (const auto& [known, word] : kWords) {
    if (known == kind) return std::string(word);
  }
  return "unknown";
}

CheckError::Kind parse_check_kind(std::string_view word) {
  std::vector<std::string_view> words;
  for (const auto& [kind, known] : kWords) {
    if (known == word) return kind;
    words.push_back(known);
  }
  throw InputError(unknown_name_message("kind of failure", word, words));
}

}  // namespace heddle
