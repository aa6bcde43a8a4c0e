// SPDX-License-Identifier: Apache-2.0
#include "algorithms/registry/rows/circulant_row.hpp"

#include <utility>

#include "algorithms/registry/rows/formulas.hpp"

namespace heddle {

namespace {

using schedule::CirculantSkips;

std::string_view rounds_text(CirculantSkips::Kind kind, bool twice) {
  switch (kind) {
    case CirculantSkips::Kind::halving:
    case CirculantSkips::Kind::power_of_two:
      return twice ? "2⌈log2 p⌉" : "⌈log2 p⌉";
    case CirculantSkips::Kind::sqrt:
      return twice ? "about 2√p + log2 p" : "about √p + ½·log2 p";
    case CirculantSkips::Kind::linear:
      return twice ? "2(p-1)" : "p-1";
    case CirculantSkips::Kind::list:
      return twice ? "twice as many as skips" : "as many as skips";
  }
  return {};
}

}  // namespace

Algorithm circulant_row(const CirculantSkips& skips, CirculantRow row) {
  const int phases = row.phases;
  Needs needs{.commutative = reduces(row.collective) && skips.kind() != CirculantSkips::Kind::linear};
  if (skips.kind() == CirculantSkips::Kind::list) {
    needs.more = "skips of which every distance between ranks is a sum";
    needs.has_more = [skips](const Shape& shape) { return skips.reach_everyone(shape.ranks); };
  }
  return {
      .collective = row.collective,
      .name = "circulant",
      .summary = row.summary,
      .source = row.source,
      .needs = std::move(needs),
      .rounds = {rounds_text(skips.kind(), phases == 2),
                 [skips, phases](const Shape& shape) { return phases * skips.rounds(shape.ranks); }},
      .bytes = phases == 2 ? formulas::all_blocks_twice() : formulas::other_blocks_once(),
      .granule = formulas::block_per_rank,
      .run = std::move(row.run),
      .parameters = {{.name = "skips",
                      .default_value = "halving",
                      .meaning = "by how much messages go round in each round: halving, power_of_two, sqrt, linear (keeps rank "
                                 "order), or a list such as 5+3+2+1",
                      .examples = {"power_of_two", "sqrt", "linear", "5+3+2+1", "1+1+1+1+1+1"},
                      .candidates = candidates_anywhere({"power_of_two", "sqrt", "linear"})}},
      .configured = [with = row.with](const Options& options) { return with(CirculantSkips::parse(options.text("skips"))); },
  };
}

}  // namespace heddle
