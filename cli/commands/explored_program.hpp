// SPDX-License-Identifier: Apache-2.0
// `heddle mpirun --explore`: how the runs of one program under many orders differ from the run under the usual one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emu/studies/explore.hpp"

namespace heddle {

/// Sees all runs of an exploration, the one under the usual order first.
class ExploredProgram {
 public:
  /// `run` makes one, and returns the program's exit status. What the program prints is kept. The first is made twice. Throws what `run`
  /// throws, CheckError (run_to_run) if the program ends with another status than under the usual order, and InputError if the first
  /// run does not come out the same again.
  void run(const FailingOrder& order, const std::function<int()>& run);

  /// How often the program printed other words than under the usual order, with the first difference, and how often the same words in another
  /// order: a line for each; none: it never did. `command` repeats a run under an order.
  std::vector<std::string> differences(const std::function<std::string(const FailingOrder&)>& command) const;

 private:
  /// What was printed first that the usual run did not print as often, or the other way round.
  struct Difference {
    FailingOrder order;
    std::string words;
  };

  struct Ended {
    int status;
    std::string text;
  };

  static Ended one(const std::function<int()>& run);

  std::optional<int> usual_status_;
  std::string usual_text_;
  std::map<std::string, int> usual_words_;
  std::int64_t runs_ = 0;
  std::int64_t other_words_ = 0;
  std::int64_t other_order_ = 0;
  std::optional<Difference> first_;
};

}  // namespace heddle
