// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/order_director.hpp"

#include <algorithm>

#include "core/mix.hpp"
#include "core/pair_key.hpp"

namespace heddle::emu {

OrderDirector::OrderDirector(const ExploredOrder& order, std::vector<MetPoint>* met) : order_(order), met_(met) {
  if (met_ != nullptr) met_->clear();
}

std::uint32_t OrderDirector::way_at(OrderPoint::Kind kind, int rank, int other, std::uint32_t ways) {
  if (met_ == nullptr && order_.delays.empty()) return 0;
  auto& counts = kind == OrderPoint::Kind::step ? steps_ : kind == OrderPoint::Kind::arrival ? arrivals_ : picks_;
  const OrderPoint point{kind, rank, other, ++counts[pair_key(rank, other)]};
  if (met_ != nullptr) met_->push_back({point, ways});
  const auto deviation = std::ranges::find(order_.delays, point, &Deviation::point);
  return deviation == order_.delays.end() ? 0 : std::min(deviation->way, ways - 1);
}

bool OrderDirector::delays_step(int rank, int task) { return way_at(OrderPoint::Kind::step, rank, task, 2) == 1; }

bool OrderDirector::delays_arrival(int source, int dest) { return way_at(OrderPoint::Kind::arrival, source, dest, 2) == 1; }

std::size_t OrderDirector::pick(int rank, std::size_t messages) {
  const std::uint32_t way = way_at(OrderPoint::Kind::pick, rank, 0, static_cast<std::uint32_t>(messages));
  if (way > 0 || !order_.pick) return way;
  return static_cast<std::size_t>(mix(mix(*order_.pick) + ++picked_) % messages);
}

Time OrderDirector::jitter(std::uint64_t message, Time alone) const {
  if (!order_.jitter) return Time();
  // Uniform in [0, 1), to 53 bits; its cube is below 1/8 half of the time.
  const double uniform = static_cast<double>(mix(mix(*order_.jitter) + message) >> 11) * 0x1p-53;
  return Time::from_seconds(8 * uniform * uniform * uniform * alone.seconds());
}

OrderDirector::Held OrderDirector::release() {
  const Held first = held_.front();
  held_.pop_front();
  return first;
}

}  // namespace heddle::emu
