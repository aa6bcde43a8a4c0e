// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/hosts_file.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle::net {

TEST_CASE("hosts are read with their slots, and ranks go to them in order") {
  const auto hosts = parse_hosts("# two machines\nnode1 slots=2\n\n  user@node2  # one slot\n", "hosts");
  CHECK(hosts == std::vector<HostLine>{{"node1", 2}, {"user@node2", 1}});
  CHECK(hosts_of_ranks(hosts, 3, "hosts") == std::vector<std::string>{"node1", "node1", "user@node2"});
  CHECK(hosts_of_ranks(hosts, 1, "hosts") == std::vector<std::string>{"node1"});
  CHECK_THROWS_WITH(hosts_of_ranks(hosts, 4, "hosts"), "hosts: has 3 slots for 4 ranks; raise slots=N, or lower -n");
}

TEST_CASE("what is no line of hosts is refused with its file and line") {
  const auto refused = [](const std::string& text, const std::string& what) {
    CHECK_THROWS_AS(parse_hosts(text, "hosts"), InputError);
    CHECK_THROWS_WITH(parse_hosts(text, "hosts"), what);
  };
  const std::string line = "; a line is 'host' or 'host slots=4'";
  refused("a\nb slots=0\n", "hosts:2: 'slots=0' is no number of slots" + line);
  refused("a\nb slots=x\n", "hosts:2: 'slots=x' is no number of slots" + line);
  refused("a 4\n", "hosts:1: '4' is no number of slots" + line);
  refused("-oProxyCommand=x\n", "hosts:1: '-oProxyCommand=x' is no host" + line);
  refused("a;b\n", "hosts:1: 'a;b' is no host" + line);
  refused("# none\n", "hosts: names no host" + line);
}

}  // namespace heddle::net
