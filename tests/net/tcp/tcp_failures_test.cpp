// SPDX-License-Identifier: Apache-2.0
// Whoever dies is named by all others, soon.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "net/tcp/launch.hpp"
#include "tests/catch.hpp"
#include "tests/net/tcp/ranks_as_threads.hpp"

namespace heddle::net {

using loopback::loopback_settings;
using loopback::pattern;
using loopback::receive;
using loopback::run_rank;
using loopback::run_ranks;
using loopback::send;

namespace {

/// Ranks 0 to n-2 as threads here, the last as a process, which runs `program` and is ended. Forked before there are threads.
std::vector<std::string> run_with_process(int size, const std::function<void(Transport&)>& program,
                                          const loopback::RankProgram& others, int* status = nullptr) {
  const ReservedPort port;
  const pid_t child = fork();
  if (child == 0) {
    run_rank(loopback_settings(size - 1, size, port.port()), program);
    _exit(0);
  }
  std::vector<std::string> errors(static_cast<std::size_t>(size) - 1);
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size - 1; ++rank)
      threads.emplace_back(
          [&, rank] { errors[static_cast<std::size_t>(rank)] = run_rank(loopback_settings(rank, size, port.port()), others); });
  }
  int how = 0;
  waitpid(child, &how, 0);
  if (status != nullptr) *status = how;
  return errors;
}

void wait_for_ever(Transport& transport) {
  std::vector<Completion> ended;
  for (;;) transport.progress(Patience::some, ended);
}

}  // namespace

TEST_CASE("a process that is killed ends all others, who name it") {
  // Killed as soon as all have met: the ranks that never talked to it hear it from rank 0.
  const auto begin = std::chrono::steady_clock::now();
  const auto errors = run_with_process(
      4,
      [](Transport& transport) {
        transport.barrier();
        raise(SIGKILL);
      },
      [](Transport& transport) {
        transport.barrier();
        wait_for_ever(transport);
      });
  for (const std::string& error : errors) CHECK_THAT(error, Catch::StartsWith("rank 3 has died: "));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("a process that is killed within a long message ends the others") {
  const auto errors = run_with_process(
      3,
      [](Transport& transport) {
        const std::vector<std::byte> sent = pattern(std::size_t{4} << 20, 1);
        send(transport, 0, {1, 1}, sent);
        std::vector<Completion> ended;
        for (int i = 0; i < 3; ++i) transport.progress(Patience::some, ended);
        raise(SIGKILL);
      },
      [](Transport& transport) {
        std::vector<std::byte> received(std::size_t{4} << 20);
        if (transport.rank() == 0) receive(transport, 2, {1, 1}, received);
        wait_for_ever(transport);
      });
  for (const std::string& error : errors) CHECK_THAT(error, Catch::StartsWith("rank 2 has died: "));
}

TEST_CASE("an abort ends the process with status 1, and the others, who name it with its words") {
  int status = 0;
  const auto errors = run_with_process(
      3,
      [](Transport& transport) {
        transport.barrier();
        close(STDERR_FILENO);
        transport.abort("no more\nof this");
      },
      [](Transport& transport) {
        transport.barrier();
        wait_for_ever(transport);
      },
      &status);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  for (const std::string& error : errors) CHECK(error == "rank 2 has ended the run: no more of this");
}

TEST_CASE("whoever waits for a rank that has ended is told so") {
  const auto errors = run_ranks(3, [](Transport& transport) {
    std::vector<std::byte> received(1);
    if (transport.rank() == 2) return;
    receive(transport, 2, {1, 7}, received);
    wait_for_ever(transport);
  });
  CHECK(errors[2] == "");
  for (const int rank : {0, 1})
    CHECK_THAT(errors[static_cast<std::size_t>(rank)],
               Catch::StartsWith("rank 2 has ended, and rank ") &&
                   Catch::EndsWith(" not: a receive with tag 7 waits for a message of it"));
}

TEST_CASE("a failure goes on as a failure") {
  const auto errors = run_ranks(2, [](Transport& transport) {
    std::vector<std::byte> received(1);
    std::vector<Completion> ended;
    if (transport.rank() == 1) return;
    receive(transport, 1, {1, 7}, received);
    try {
      wait_for_ever(transport);
    } catch (const NetworkError&) {
    }
    transport.barrier();
  });
  CHECK_THAT(errors[0], Catch::StartsWith("rank 1 has ended"));
}

TEST_CASE("ranks that do not come are named when their time is over") {
  const ReservedPort port;
  const auto soon = [&](int rank) {
    TcpSettings settings = loopback_settings(rank, 3, port.port());
    settings.deadline = std::chrono::milliseconds(300);
    return settings;
  };
  std::string of_rank_1;
  std::jthread other([&] { of_rank_1 = run_rank(soon(1), [](Transport&) {}); });
  CHECK(run_rank(soon(0), [](Transport&) {}) == "rank 2 has not come within 0.3 s");
  other.join();
  CHECK_THAT(of_rank_1, Catch::StartsWith("rank 2 has not come") || Catch::StartsWith("rank 0 "));
  CHECK_THAT(run_rank(soon(2), [](Transport&) {}), Catch::StartsWith("rank 0 cannot be reached at 127.0.0.1:"));
}

TEST_CASE("two ranks of one number, and ranks of another size, are refused") {
  // Beside rank 0, which waits for rank 2 in vain.
  const auto errors_of = [](const std::vector<std::pair<int, int>>& ranks_and_sizes) {
    const ReservedPort port;
    std::vector<std::string> errors(ranks_and_sizes.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      TcpSettings settings = loopback_settings(ranks_and_sizes[i].first, ranks_and_sizes[i].second, port.port());
      if (settings.rank == 0) settings.deadline = std::chrono::milliseconds(500);
      threads.emplace_back([&errors, i, settings] { errors[i] = run_rank(settings, [](Transport&) {}); });
    }
    threads.clear();
    std::ranges::sort(errors);
    return errors;
  };
  const std::string missing = "rank 2 has not come within 0.5 s";
  CHECK(errors_of({{0, 3}, {1, 3}, {1, 3}}) ==
        std::vector<std::string>{"rank 0 refuses: a rank 1 is there already", missing, missing});
  CHECK(errors_of({{0, 3}, {1, 3}, {2, 4}}) ==
        std::vector<std::string>{"rank 0 refuses: it has 3 ranks, and rank 2 one of 4", missing, missing});
}

}  // namespace heddle::net
