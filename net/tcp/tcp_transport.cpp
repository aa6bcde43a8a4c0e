// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/tcp_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "net/tcp/links/run.hpp"

namespace heddle::net {

namespace {

// Streams of the own lane.
constexpr std::int32_t kGive = 0;
constexpr std::int32_t kGet = 1;
constexpr std::int32_t kMeet = 2;

tcp::Route own_route(std::int32_t tag) { return {tcp::Lane::own, {0, tag}}; }

OperationId send_one(tcp::Run& run, int peer, std::int32_t tag, std::span<const std::byte> bytes) {
  return run.send(peer, own_route(tag), {&bytes, 1});
}

OperationId receive_one(tcp::Run& run, int peer, std::int32_t tag, std::span<std::byte> bytes) {
  return run.receive(peer, own_route(tag), {&bytes, 1});
}

}  // namespace

TcpTransport::TcpTransport(const TcpSettings& settings) : run_(std::make_unique<tcp::Run>(settings)) { run_->assemble(); }

TcpTransport::~TcpTransport() = default;

int TcpTransport::rank() const { return run_->rank(); }

int TcpTransport::size() const { return run_->size(); }

std::string TcpTransport::name() const { return "TCP"; }

std::vector<int> TcpTransport::machines() const { return run_->machines(); }

OperationId TcpTransport::send(int peer, Stream stream, SendPieces pieces) {
  return run_->send(peer, {tcp::Lane::program, stream}, pieces);
}

OperationId TcpTransport::receive(int peer, Stream stream, ReceivePieces pieces) {
  return run_->receive(peer, {tcp::Lane::program, stream}, pieces);
}

void TcpTransport::progress(Patience patience, std::vector<Completion>& ended) { run_->progress(patience, ended); }

/// To rank 0, and from there to all.
std::vector<std::vector<std::byte>> TcpTransport::gather_all(std::span<const std::byte> mine) {
  const std::size_t length = mine.size();
  const auto ranks = static_cast<std::size_t>(size());
  std::vector<std::byte> all(length * ranks);
  const auto part = [&](std::size_t rank) { return std::span(all).subspan(rank * length, length); };
  std::vector<OperationId> operations;
  if (rank() == 0) {
    std::ranges::copy(mine, all.begin());
    for (int from = 1; from < size(); ++from)
      operations.push_back(receive_one(*run_, from, kGive, part(static_cast<std::size_t>(from))));
    for (const Completion& one : run_->wait_for(std::move(operations)))
      if (one.bytes != length)
        throw UsageError(fmt::format("gather_all: rank {} gives {} bytes, rank 0 {}", one.peer, one.bytes, length));
    operations.clear();
    for (int to = 1; to < size(); ++to) operations.push_back(send_one(*run_, to, kGet, all));
  } else {
    operations = {send_one(*run_, 0, kGive, mine), receive_one(*run_, 0, kGet, all)};
  }
  run_->wait_for(std::move(operations));
  std::vector<std::vector<std::byte>> by_rank;
  for (std::size_t i = 0; i < ranks; ++i) by_rank.emplace_back(part(i).begin(), part(i).end());
  return by_rank;
}

/// Dissemination: in each round to the rank twice as far ahead.
void TcpTransport::meet() {
  for (int distance = 1; distance < size(); distance *= 2)
    run_->wait_for({send_one(*run_, (rank() + distance) % size(), kMeet, {}),
                    receive_one(*run_, (rank() + size() - distance) % size(), kMeet, {})});
}

void TcpTransport::abort(const std::string& text) { run_->abort(text); }

}  // namespace heddle::net
