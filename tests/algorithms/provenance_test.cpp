// SPDX-License-Identifier: Apache-2.0
// Faults in every row of the registry: the explanation names the rank that is at fault, whatever the algorithm.
#include <memory>
#include <string>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

using testing::registry_entries;

constexpr int kFaultyRank = 1;

/// What a faulty rank makes of the first of its operations in each call.
enum class Fault { twice, never };

/// The row's function, with an operation that is faulty on one rank.
CollectiveFunction with_fault(const CollectiveFunction& function, Fault fault) {
  return [function, fault](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() != Rank(kFaultyRank)) return function(comm, call);
    auto is_first = std::make_shared<bool>(true);
    const ReduceOp& right = *call.op;
    const ReduceOp faulty(
        right.name(),
        [&right, fault, is_first](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
          const auto n = static_cast<std::int64_t>(count);
          Buffer sum(type, n);
          std::copy_n(a, sum.view().size_bytes(), sum.view().data());
          const bool is_faulty = std::exchange(*is_first, false);
          if (!is_faulty || fault != Fault::never) right.apply(sum.view(), ConstVectorView(b, n, type));
          if (is_faulty && fault == Fault::twice) right.apply(sum.view(), ConstVectorView(b, n, type));
          std::copy_n(sum.view().data(), sum.view().size_bytes(), result);
        },
        {.commutative = right.commutative(), .idempotent = right.idempotent()});
    CollectiveArguments changed = call;
    changed.op = &faulty;
    function(comm, changed);
  };
}

/// How the run fails; empty if it does not, as the faulty rank has nothing to reduce.
std::string explanation(const Setup& setup, Algorithm algorithm, Fault fault) {
  algorithm.run = with_fault(algorithm.run, fault);
  try {
    testing::run(setup, algorithm);
  } catch (const CheckError& error) {
    return error.what();
  }
  return "";
}

std::string line_of(const std::string& text, const std::string& beginning) {
  const std::size_t begin = text.find(beginning);
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

/// Plants the fault in every algorithm that reduces, on some fabrics; `look` at each run's explanation.
template <class Look>
void for_each_explanation(Fault fault, const Look& look) {
  // On kernel threads it is open which of a rank's tasks reduces first, and so which operation is the faulty one.
  if (default_threads() == Threads::kernel) return;
  int explained = 0;
  const std::vector<std::string> specs = {"ring:4", "ring:7", "torus:2x3"};
  for (const std::string& spec : testing::sampled(specs, {"ring:7"})) {
    for (const Algorithm& algorithm : registry_entries()) {
      if (!reduces(algorithm.collective)) continue;
      const Experiment what = testing::call_of(algorithm, {{.fabric = {.topology = spec}}, {}, {}}, 43);
      const Setup setup = set_up(what, Unfitting::left_out);
      if (!testing::serves(setup)) continue;
      const std::string text = explanation(setup, algorithm, fault);
      if (text.empty()) continue;
      ++explained;
      INFO(what.text() << "\n" << text);
      look(text);
    }
  }
  CHECK(explained > testing::sampled(80, 25));
}

}  // namespace

TEST_CASE("a rank that adds what it received twice is named, in every algorithm that reduces") {
  for_each_explanation(Fault::twice, [](const std::string& text) {
    CHECK_THAT(text, Catch::Contains("\n    more than once: "));
    CHECK_THAT(line_of(text, "cause: "), Catch::StartsWith("cause: rank 1 "));
    CHECK(line_of(text, "missing: ").empty());
  });
}

TEST_CASE("a rank that does not add what it received is named, in every algorithm that reduces") {
  for_each_explanation(Fault::never, [](const std::string& text) {
    CHECK_THAT(text, Catch::Contains("\n    missing: "));
    CHECK_THAT(line_of(text, "cause: "), Catch::Contains("rank 1"));
    CHECK(line_of(text, "more than once: ").empty());
  });
}

}  // namespace heddle
