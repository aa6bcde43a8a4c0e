// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/halving_doubling.hpp"

#include <utility>

namespace heddle::schedule {

HalvingDoubling::HalvingDoubling(Communicator& comm, std::vector<Step> steps, VectorView inout)
    : comm_(comm),
      steps_(std::move(steps)),
      inout_(inout),
      blocks_(inout.count(), std::int64_t{1} << steps_.size()),
      held_(blocks_.blocks()) {}

void HalvingDoubling::reduce_scatter(VectorView scratch, const ReduceOp& op) {
  comm_.phase("reduce-scatter");
  for (const Step& step : steps_) {
    held_ /= 2;
    const std::int64_t lower = first_;
    const std::int64_t upper = first_ + held_;
    first_ = step.is_upper ? upper : lower;
    const VectorView kept = range(first_);
    const ConstVectorView given = range(step.is_upper ? lower : upper);
    comm_.sendrecv_reduce(step.partner, std::span(&given, 1), step.partner, std::span(&kept, 1), scratch, op,
                          step.is_upper ? Side::left : Side::right);
  }
}

void HalvingDoubling::allgather() {
  comm_.phase("allgather");
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const std::int64_t partners_first = step->is_upper ? first_ - held_ : first_ + held_;
    comm_.sendrecv(step->partner, range(first_), step->partner, range(partners_first));
    first_ = step->is_upper ? partners_first : first_;
    held_ *= 2;
  }
}

void HalvingDoubling::gather(const std::function<bool(std::size_t step)>& root_is_upper) {
  comm_.phase("gather");
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    if (step.is_upper != root_is_upper(s)) return comm_.send(step.partner, range(first_));
    const std::int64_t partners_first = step.is_upper ? first_ - held_ : first_ + held_;
    comm_.recv(step.partner, range(partners_first));
    first_ = step.is_upper ? partners_first : first_;
    held_ *= 2;
  }
}

}  // namespace heddle::schedule
