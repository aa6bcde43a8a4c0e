// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/explored_program.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/process/held_output.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

// Ranks write to one stream: in what order is no result, and lines of several may mingle. Words are what both have in common.
std::map<std::string, int> words_of(const std::string& text) {
  std::map<std::string, int> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) ++words[word];
  return words;
}

// Of `more`, a word that `fewer` has not as often; empty: there is none.
std::string word_of(const std::map<std::string, int>& more, const std::map<std::string, int>& fewer) {
  for (const auto& [word, times] : more) {
    const auto found = fewer.find(word);
    if (found == fewer.end() || found->second < times) return printable(word);
  }
  return "";
}

}  // namespace

ExploredProgram::Ended ExploredProgram::one(const std::function<int()>& run) {
  const HeldOutput held;
  const int status = run();
  return {status, held.text()};
}

void ExploredProgram::run(const FailingOrder& order, const std::function<int()>& run) {
  auto [status, text] = one(run);
  ++runs_;
  if (!usual_status_) {
    if (const auto [again, text_again] = one(run); again != status || text_again != text) {
      throw InputError(
          "--explore: the program does not repeat itself: run twice in one order, it prints or returns something else; it may "
          "keep "
          "something in files, in a library that ranks share, or take what no run has again");
    }
    usual_status_ = status;
    usual_words_ = words_of(text);
    usual_text_ = std::move(text);
    return;
  }
  if (status != *usual_status_) {
    throw CheckError(
        CheckError::Kind::run_to_run,
        fmt::format("the program ends with status {}; in the usual order it ends with {}", status, *usual_status_));
  }
  if (text == usual_text_) return;
  const std::map<std::string, int> words = words_of(text);
  if (words == usual_words_) {
    ++other_order_;
    return;
  }
  ++other_words_;
  if (first_) return;
  const std::string now = word_of(words, usual_words_), before = word_of(usual_words_, words);
  first_ = {order, now.empty()      ? fmt::format("'{}' is missing", before)
                   : before.empty() ? fmt::format("'{}' is new", now)
                                    : fmt::format("'{}' where the usual order has '{}'", now, before)};
}

std::vector<std::string> ExploredProgram::differences(const std::function<std::string(const FailingOrder&)>& command) const {
  std::vector<std::string> lines;
  if (first_) {
    lines.push_back(fmt::format("what it prints depends on the order: other words in {} of {} runs, first {}; repeat: {}",
                                other_words_, runs_, first_->words, command(first_->order)));
  }
  if (other_order_ > 0)
    lines.push_back(fmt::format("in {} of {} runs it prints the same words in another order", other_order_, runs_));
  return lines;
}

}  // namespace heddle
