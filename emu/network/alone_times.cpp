// SPDX-License-Identifier: Apache-2.0
#include "emu/network/alone_times.hpp"

#include <algorithm>
#include <limits>

#include "emu/network/max_min.hpp"

namespace heddle::emu {

namespace {

std::span<const LinkId> links_of(const Route& route, const Route::Path& path) {
  return {&route.links()[static_cast<std::size_t>(path.first)], static_cast<std::size_t>(path.count)};
}

}  // namespace

std::span<const AlonePath> AloneTimes::start(MessageId message, std::int64_t bytes, const Route& route) {
  find_rates(route);
  for (std::size_t i = 0; faulty_ != nullptr && i < rates_.size(); ++i) {
    const Route::Path& path = route.paths()[i];
    if (const int number = faulty_->bottleneck_of(route, path); number >= 0)
      rates_[i] = std::min(rates_[i], faulty_->bottleneck(number) / kPicosecondsPerSecond / path.share);
  }
  return work_out(message, bytes, route);
}

std::span<const AlonePath> AloneTimes::start(MessageId message, std::int64_t bytes, const RunRoute& route) {
  find_rates(route);
  return work_out(message, bytes, route);
}

template <class AnyRoute>
std::span<const AlonePath> AloneTimes::work_out(MessageId message, std::int64_t bytes, const AnyRoute& route) {
  if (message >= times_.size()) times_.resize(message + std::size_t{1});
  Times& whole = times_[message] = {};
  paths_.clear();
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const AlonePath path{rates_[i], drained_at(Time(), static_cast<double>(bytes), rates_[i]),
                         fabric_.path_latency(route, route.paths()[i])};
    whole.drained = std::max(whole.drained, path.drained);
    whole.arrived = std::max(whole.arrived, path.drained + path.latency);
    paths_.push_back(path);
  }
  return paths_;
}

double AloneTimes::capacity(LinkId link) const {
  if (latency_only_) return std::numeric_limits<double>::infinity();
  const double healthy = fabric_.bandwidth(link).bytes_per_second();
  return faulty_ == nullptr ? healthy : healthy * faulty_->share(link);
}

void AloneTimes::find_rates(const Route& route) {
  const bool is_split = route.paths().size() > 1;
  if (is_split) add_up_shares(route);
  rates_.clear();
  for (const Route::Path& path : route.paths()) {
    double rate = std::numeric_limits<double>::infinity();
    for (const LinkId link : links_of(route, path))
      rate = std::min(rate, is_split ? capacity(link) / shares_[static_cast<std::size_t>(link)] : capacity(link));
    rates_.push_back(rate / kPicosecondsPerSecond);
  }
  if (is_split) {
    for (const LinkId link : route.links()) shares_[static_cast<std::size_t>(link)] = 0;
  }
}

void AloneTimes::find_rates(const RunRoute& route) {
  const bool is_split = route.paths().size() > 1;
  rates_.clear();
  if (!is_split) {
    double rate = std::numeric_limits<double>::infinity();
    for (const LinkRun& run : route.runs()) rate = std::min(rate, capacity(run));
    if (!route.paths().empty()) rates_.push_back(rate / kPicosecondsPerSecond);
    return;
  }
  // Runs are the same or apart: the first link stands for all.
  make_room_for_shares();
  const auto share = [this](const LinkRun& run) -> double& { return shares_[static_cast<std::size_t>(run.first)]; };
  for (const RunRoute::Path& path : route.paths())
    for (const LinkRun& run : route.runs(path)) share(run) += path.share;
  for (const RunRoute::Path& path : route.paths()) {
    double rate = std::numeric_limits<double>::infinity();
    for (const LinkRun& run : route.runs(path)) rate = std::min(rate, capacity(run) / share(run));
    rates_.push_back(rate / kPicosecondsPerSecond);
  }
  for (const LinkRun& run : route.runs()) share(run) = 0;
}

double AloneTimes::capacity(const LinkRun& run) const {
  double least = capacity(run.first);
  if (faulty_ == nullptr && fabric_.has_one_bandwidth()) return least;
  for (std::int32_t i = 1; i < run.count; ++i) least = std::min(least, capacity(run[i]));
  return least;
}

void AloneTimes::make_room_for_shares() {
  if (shares_.empty()) shares_.resize(static_cast<std::size_t>(fabric_.topology().links() + fabric_.topology().trunks()));
}

void AloneTimes::add_up_shares(const Route& route) {
  make_room_for_shares();
  for (const Route::Path& path : route.paths()) {
    for (const LinkId link : links_of(route, path)) shares_[static_cast<std::size_t>(link)] += path.share;
  }
}

double AloneTimes::rate(std::span<const StreamLink> links) const {
  double rate = std::numeric_limits<double>::infinity();
  for (const StreamLink& link : links) rate = std::min(rate, capacity(link.link) / link.use);
  return rate / kPicosecondsPerSecond;
}

}  // namespace heddle::emu
