// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/tcp_transport.hpp"

#include <cstdlib>
#include <map>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle::net {

namespace {

constexpr const char* kGoodToken = "000102030405060708090a0b0c0d0eFF";

/// The environment's settings with these variables, others as they must be; an empty one is not set.
TcpSettings settings_with(const std::map<std::string, std::string>& changes) {
  std::map<std::string, std::string> variables = {{"HEDDLE_RANK", "2"},    {"HEDDLE_RANKS", "4"},
                                                  {"HEDDLE_BIND", ""},     {"HEDDLE_RENDEZVOUS", "node1:5555"},
                                                  {"HEDDLE_DEADLINE", ""}, {"HEDDLE_TOKEN", kGoodToken}};
  for (const auto& [name, value] : changes) variables[name] = value;
  for (const auto& [name, value] : variables) value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  return settings_from_environment();
}

std::string refusal_of(const std::string& name, const std::string& value) {
  try {
    settings_with({{name, value}});
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("settings are those of the environment") {
  const TcpSettings settings = settings_with({});
  CHECK(settings.rank == 2);
  CHECK(settings.size == 4);
  CHECK(settings.rendezvous == HostAndPort{"node1", 5555});
  CHECK(settings.bind == "127.0.0.1");
  CHECK(settings.deadline == std::chrono::seconds(30));
  CHECK(to_string(settings.token) == "000102030405060708090a0b0c0d0eff");
  const TcpSettings others =
      settings_with({{"HEDDLE_RENDEZVOUS", "[::1]:80"}, {"HEDDLE_BIND", "::"}, {"HEDDLE_DEADLINE", "0.5"}});
  CHECK(others.rendezvous == HostAndPort{"::1", 80});
  CHECK(to_string(others.rendezvous) == "[::1]:80");
  CHECK(others.bind == "::");
  CHECK(others.deadline == std::chrono::milliseconds(500));
}

TEST_CASE("a setting that is wrong is named with what would be right") {
  CHECK(refusal_of("HEDDLE_RANK", "") == "HEDDLE_RANK is not set: which of the ranks this is; 'heddle launch' sets it");
  CHECK(refusal_of("HEDDLE_RANK", "4") == "HEDDLE_RANK '4': not which of the ranks this is; try a number from 0 to 3");
  CHECK_THAT(refusal_of("HEDDLE_RANKS", "many"), Catch::StartsWith("HEDDLE_RANKS 'many': not how many"));
  CHECK(refusal_of("HEDDLE_RENDEZVOUS", "node1") == "HEDDLE_RENDEZVOUS 'node1': not host:port; try 127.0.0.1:5555");
  for (const std::string wrong : {"node1:0", "node1:99999", ":5", "::1:5", "node1:"})
    CHECK_THAT(refusal_of("HEDDLE_RENDEZVOUS", wrong), Catch::Contains("not host:port"));
  CHECK(refusal_of("HEDDLE_TOKEN", "secret") == "HEDDLE_TOKEN is no token: 6 characters; it has 32 hex digits");
  CHECK(refusal_of("HEDDLE_DEADLINE", "-1") == "HEDDLE_DEADLINE '-1': not seconds; try 30");
  CHECK(refusal_of("HEDDLE_DEADLINE", "soon") == "HEDDLE_DEADLINE 'soon': not seconds; try 30");
}

TEST_CASE("tokens are drawn anew") { CHECK(random_token() != random_token()); }

}  // namespace heddle::net
