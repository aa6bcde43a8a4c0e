// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/layout.hpp"

#include <algorithm>

namespace heddle::mpi {

namespace {

LayoutPtr layout_of(const PieceRun& run) {
  auto layout = std::make_shared<Layout>();
  layout->add(run);
  return layout;
}

}  // namespace

PieceRun repeated(PieceRun run, std::int64_t count, std::int64_t stride) {
  if (count == 1) return run;
  if (run.count == 1)
    run = {run.at, run.bytes, count, stride, run.of};
  else if (stride == times(run.count, run.stride))
    run.count = times(run.count, count);
  else
    return {0, 0, count, stride, layout_of(run)};
  if (!run.of && run.stride == run.bytes) run = {run.at, times(run.bytes, run.count)};
  return run;
}

PieceRun repeated(const LayoutPtr& layout, std::int64_t at, std::int64_t count, std::int64_t stride) {
  PieceRun run{0, 0, 1, 0, layout};
  if (layout->runs.size() == 1) run = layout->runs[0];
  run = repeated(run, count, stride);
  run.at = plus(run.at, at);
  return run;
}

std::int64_t PieceRun::low() const { return plus(std::min(at, plus(at, times(count - 1, stride))), of ? of->first : 0); }

std::int64_t PieceRun::high() const { return plus(std::max(at, plus(at, times(count - 1, stride))), of ? of->last : bytes); }

void Layout::add(const PieceRun& run) {
  if (run.of && run.count == 1 && run.of->runs.size() <= kFewRuns) {
    for (PieceRun inner : run.of->runs) {
      inner.at = plus(inner.at, run.at);
      add(inner);
    }
    return;
  }
  first = runs.empty() ? run.low() : std::min(first, run.low());
  last = runs.empty() ? run.high() : std::max(last, run.high());
  pieces = plus(pieces, times(run.count, run.of ? run.of->pieces : 1));
  if (!runs.empty()) {
    PieceRun& before = runs.back();
    if (!before.of && !run.of && before.count == 1 && run.count == 1 && plus(before.at, before.bytes) == run.at) {
      before.bytes += run.bytes;
      --pieces;
      return;
    }
    // One more of the same, as far on as the others.
    const std::int64_t stride = before.count == 1 ? minus(run.at, before.at) : before.stride;
    const bool goes_on = plus(before.at, times(before.count, stride)) == run.at && (run.count == 1 || run.stride == stride);
    if (goes_on && before.of == run.of && before.bytes == run.bytes) {
      before.count += run.count;
      before.stride = stride;
      return;
    }
  }
  runs.push_back(run);
}

}  // namespace heddle::mpi
