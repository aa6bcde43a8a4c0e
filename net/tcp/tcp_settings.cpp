// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/tcp_transport.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "net/tcp/proof.hpp"

namespace heddle::net {

namespace {

constexpr int kMostRanks = 65536;
constexpr double kMostSeconds = 86400;

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string needed_variable(const char* name, std::string_view what) {
  if (auto value = variable(name)) return *value;
  throw InputError(fmt::format("{} is not set: {}; 'heddle launch' sets it", name, what));
}

int number_variable(const char* name, std::string_view what, int least, int most) {
  const std::string text = needed_variable(name, what);
  const auto number = read_number<int>(text);
  if (!number || *number < least || *number > most)
    throw InputError(fmt::format("{} '{}': not {}; try a number from {} to {}", name, text, what, least, most));
  return *number;
}

/// The reader's error, after the variable's name.
template <class Read>
auto read_variable(const char* name, std::string_view what, const Read& read) {
  const std::string text = needed_variable(name, what);
  try {
    return read(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}", name, error.what()));
  }
}

std::chrono::milliseconds deadline_from(const std::string& text) {
  const auto seconds = read_number<double>(text);
  if (!seconds || !std::isfinite(*seconds) || *seconds <= 0 || *seconds > kMostSeconds)
    throw InputError(fmt::format("HEDDLE_DEADLINE '{}': not seconds; try 30", text));
  return std::chrono::milliseconds(static_cast<long>(std::ceil(*seconds * 1000)));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

TcpSettings settings_from_environment() {
  TcpSettings settings;
  settings.size = number_variable("HEDDLE_RANKS", "how many ranks the run has", 1, kMostRanks);
  settings.rank = number_variable("HEDDLE_RANK", "which of the ranks this is", 0, settings.size - 1);
  settings.rendezvous = read_variable("HEDDLE_RENDEZVOUS", "where rank 0 listens", parse_host_and_port);
  settings.token = read_variable("HEDDLE_TOKEN", "what proves that a process belongs to the run", parse_token);
  if (const auto address = variable("HEDDLE_BIND")) settings.bind = *address;
  if (settings.bind.empty()) throw InputError("HEDDLE_BIND '': not an address; try 127.0.0.1");
  if (const auto seconds = variable("HEDDLE_DEADLINE")) settings.deadline = deadline_from(*seconds);
  return settings;
}

HostAndPort parse_host_and_port(std::string_view text) {
  const auto refuse = [&] { return InputError(fmt::format("'{}': not host:port; try 127.0.0.1:5555", text)); };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) throw refuse();
  std::string_view host = text.substr(0, colon);
  const auto port = read_number<std::uint16_t>(text.substr(colon + 1));
  const bool is_in_brackets = host.starts_with('[') && host.ends_with(']');
  if (is_in_brackets) host = host.substr(1, host.size() - 2);
  if (!port || *port == 0 || host.empty() || (!is_in_brackets && host.find(':') != std::string_view::npos)) throw refuse();
  return {std::string(host), *port};
}

std::string to_string(const HostAndPort& place) {
  const bool has_colons = place.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", has_colons ? "[" : "", place.host, has_colons ? "]" : "", place.port);
}

Token parse_token(std::string_view text) {
  Token token = {};
  bool is_right = text.size() == 2 * token.size();
  for (std::size_t i = 0; is_right && i < token.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    is_right = high >= 0 && low >= 0;
    token[i] = static_cast<std::byte>(16 * high + low);
  }
  if (!is_right)
    throw InputError(fmt::format("is no token: {} characters; it has {} hex digits", text.size(), 2 * token.size()));
  return token;
}

std::string to_string(const Token& token) {
  std::string text;
  for (const std::byte one : token) text += fmt::format("{:02x}", std::to_integer<int>(one));
  return text;
}

Token random_token() { return tcp::random_nonce(); }

}  // namespace heddle::net
