// SPDX-License-Identifier: Apache-2.0
// Texts between processes: all of them arrive, whole and in order.
#include "net/study/network_ranks.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/net/thread_transport.hpp"

namespace heddle {

namespace {

using testing::run_threads;
using testing::SendEnds;

/// Of the rank's n-th text: none, one byte, many.
std::string text_of(int rank, int n) {
  const std::size_t lengths[] = {0, 1, 17, 300'000};
  std::string text(lengths[(rank + n) % 4], static_cast<char>('a' + rank));
  if (!text.empty()) text.back() = static_cast<char>('0' + n);
  return text;
}

constexpr int kTexts = 8;

/// What is missing or wrong, of one process' texts.
void require_texts(const std::vector<std::string>& texts, int from) {
  if (texts.size() != kTexts) throw std::runtime_error(fmt::format("{} texts of rank {}", texts.size(), from));
  for (int n = 0; n < kTexts; ++n)
    if (texts[static_cast<std::size_t>(n)] != text_of(from, n)) throw std::runtime_error(fmt::format("text {} of {}", n, from));
}

void exchange_texts(net::Transport& transport) {
  net::NetworkMessages messages(transport);
  const int others = messages.rank() == 0 ? messages.size() - 1 : 1;
  for (int n = 0; n < kTexts; ++n) {
    if (messages.rank() > 0) messages.send(0, text_of(messages.rank(), n));
    for (int to = 1; messages.rank() == 0 && to < messages.size(); ++to) messages.send(to, text_of(0, n));
  }
  std::vector<std::vector<std::string>> texts(static_cast<std::size_t>(messages.size()));
  for (int missing = others * kTexts; missing > 0;)
    for (net::NetworkMessages::Received& one : messages.receive()) {
      texts[static_cast<std::size_t>(one.from)].push_back(std::move(one.text));
      --missing;
    }
  for (int from = messages.rank() == 0 ? 1 : 0; from < (messages.rank() == 0 ? messages.size() : 1); ++from)
    require_texts(texts[static_cast<std::size_t>(from)], from);
  messages.part();
}

}  // namespace

TEST_CASE("texts of any length arrive whole and in order") {
  for (const SendEnds ends : {SendEnds::at_once, SendEnds::when_received})
    for (const int size : {1, 2, 5}) {
      CAPTURE(size);
      CHECK(run_threads(size, exchange_texts, ends) == "");
    }
}

TEST_CASE("processes part though texts were sent that nobody has read") {
  CHECK(run_threads(3, [](net::Transport& transport) {
          net::NetworkMessages messages(transport);
          if (messages.rank() == 1) messages.send(0, std::string(100'000, 'x'));
          messages.part();
        }) == "");
}

TEST_CASE("who shares a machine is counted") {
  CHECK(run_threads(3, [](net::Transport& transport) {  // of which two share one
          const net::NetworkMessages messages(transport);
          const int here = transport.rank() == 2 ? 1 : 2;
          if (messages.processes_here() != here) throw std::runtime_error(fmt::format("{}", messages.processes_here()));
        }) == "");
}

}  // namespace heddle
