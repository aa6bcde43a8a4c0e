// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/hosts_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle::net {

namespace {

constexpr int kMostSlots = 65536;

/// What names a machine, alone or behind a user: no blank, no option of ssh, nothing that a shell reads otherwise.
bool is_host(std::string_view word) {
  return !word.empty() && !word.starts_with('-') && word.size() <= 255 && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_:@%").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::vector<HostLine> parse_hosts(std::string_view text, std::string_view name) {
  std::vector<HostLine> hosts;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    const auto refuse = [&](const std::string& what) {
      return InputError(fmt::format("{}:{}: {}; a line is 'host' or 'host slots=4'", name, number, what));
    };
    HostLine host;
    if (!(words >> host.host)) continue;
    if (!is_host(host.host)) throw refuse(fmt::format("'{}' is no host", host.host));
    for (std::string word; words >> word;) {
      const auto slots = word.starts_with("slots=") ? read_number<int>(std::string_view(word).substr(6)) : std::nullopt;
      if (!slots || *slots < 1 || *slots > kMostSlots) throw refuse(fmt::format("'{}' is no number of slots", word));
      host.slots = *slots;
    }
    hosts.push_back(host);
  }
  if (hosts.empty()) throw InputError(fmt::format("{}: names no host; a line is 'host' or 'host slots=4'", name));
  return hosts;
}

std::vector<std::string> hosts_of_ranks(const std::vector<HostLine>& hosts, int ranks, std::string_view name) {
  std::vector<std::string> of_ranks;
  long slots = 0;
  for (const HostLine& host : hosts) {
    slots += host.slots;
    for (int i = 0; i < host.slots && static_cast<int>(of_ranks.size()) < ranks; ++i) of_ranks.push_back(host.host);
  }
  if (slots < ranks)
    throw InputError(fmt::format("{}: has {} slots for {} ranks; raise slots=N, or lower -n", name, slots, ranks));
  return of_ranks;
}

}  // namespace heddle::net
