// SPDX-License-Identifier: Apache-2.0
// Ranks over loopback, each a thread of this process. What they find is for the main thread to assert.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "net/tcp/tcp_transport.hpp"

namespace heddle::net::loopback {

using RankProgram = std::function<void(Transport&)>;

/// For a run on this machine whose port the caller keeps.
TcpSettings loopback_settings(int rank, int size, std::uint16_t port);

/// What the program threw in that rank; empty: nothing.
std::string run_rank(const TcpSettings& settings, const RankProgram& program);

/// By rank, what each threw. `change` may change the settings of each.
std::vector<std::string> run_ranks(
    int size, const RankProgram& program, const std::function<void(TcpSettings&)>& change = [](TcpSettings&) {});

/// Calls progress() until as many operations have ended.
std::vector<Completion> wait_for(Transport& transport, std::size_t operations);

OperationId send(Transport& transport, int peer, Stream stream, std::span<const std::byte> bytes);
OperationId receive(Transport& transport, int peer, Stream stream, std::span<std::byte> bytes);

/// Bytes that differ by seed and place.
std::vector<std::byte> pattern(std::size_t bytes, std::uint64_t seed);

/// All of them are empty.
bool all_went_well(const std::vector<std::string>& errors);

}  // namespace heddle::net::loopback
