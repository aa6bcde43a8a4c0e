// SPDX-License-Identifier: Apache-2.0
// Which registry rows a run takes, and why it leaves the others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/registry.hpp"
#include "lab/describe/variants.hpp"

namespace heddle {

struct LeftOut {
  std::string algorithm;
  std::string reason;  ///< "it needs a grid"
};

struct AlgorithmChoice {
  std::vector<Algorithm> chosen;
  std::vector<LeftOut> left_out;
  /// If options are tuned, `chosen` has variants of the rows.
  std::optional<Tuning> tuning = {};
  VariantCount variants = {};
};

/// What becomes of an algorithm that was named and cannot serve.
enum class Unfitting : std::uint8_t { refused, left_out };

/// `names` is "all" (those that can serve all of the shapes; the others are left out), one name, or several with commas (each
/// must be able to, or is left out as well); commas may also part the options of one. "all,msccl:ring.xml" are all and a schedule. Throws InputError that says why one
/// cannot serve and which can; with Unfitting::left_out, only for a name that there is not.
/// `own` are algorithms besides the registry's; of two with one name, theirs counts.
AlgorithmChoice choose_algorithms(Collective collective, std::string_view names, std::span<const Shape> shapes,
                                  const ReduceOp& op, Unfitting unfitting = Unfitting::refused,
                                  std::span<const Algorithm> own = {});

/// Whether these names are "all", beside which schedules may be named.
bool names_all(std::string_view names);

/// In place of those chosen, their variants.
void tune(AlgorithmChoice& choice, std::span<const Shape> shapes, const ReduceOp& op, const Tuning& tuning);

/// Its block_count; of a row that does not say, a block for each rank.
std::int64_t block_count_of(const Algorithm& algorithm, const Shape& shape);

/// Whether one of these rows has that name, options apart.
bool has_row(std::span<const Algorithm> rows, Collective collective, std::string_view name);

}  // namespace heddle
