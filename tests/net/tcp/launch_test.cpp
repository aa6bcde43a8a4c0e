// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/launch.hpp"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle::net {

namespace {

struct Launched {
  int status = 0;
  std::string err;
};

Launched launched(int ranks, const std::string& script, LaunchSettings settings = {}) {
  settings.ranks = ranks;
  settings.command = {"sh", "-c", script};
  std::ostringstream err;
  const int status = launch(settings, err);
  return {status, err.str()};
}

}  // namespace

TEST_CASE("each process is told its rank, and all the same of the run") {
  const test::TemporaryDirectory directory("launch");
  const std::string file = directory / "out";
  const Launched result = launched(3, "echo $HEDDLE_RANK of $HEDDLE_RANKS >> " + file +
                                          "; echo $HEDDLE_TOKEN $HEDDLE_RENDEZVOUS $HEDDLE_BIND >> " + file + ".all");
  CHECK(result.status == 0);
  CHECK(result.err == "");
  CHECK(launched(1, "test \"$(sort " + file + ")\" = \"0 of 3\n1 of 3\n2 of 3\"").status == 0);
  CHECK(launched(1, "test $(sort -u " + file + ".all | wc -l) = 1").status == 0);
  CHECK(launched(1, "grep -Eqx '[0-9a-f]{32} 127.0.0.1:[0-9]+ 127.0.0.1' " + file + ".all").status == 0);
}

TEST_CASE("the first that fails is named, and ends the others") {
  const Launched failed = launched(3, "if [ $HEDDLE_RANK = 1 ]; then exit 7; fi; exec sleep 60");
  CHECK(failed.status == 7);
  CHECK(failed.err == "heddle: rank 1 ended with status 7\n");
  const Launched killed = launched(2, "if [ $HEDDLE_RANK = 1 ]; then kill -9 $$; fi; exec sleep 60");
  CHECK(killed.status == 128 + SIGKILL);
  CHECK(killed.err == "heddle: rank 1 was ended by signal 9 (Killed)\n");
}

TEST_CASE("one that does not heed SIGTERM is ended all the same") {
  // The other fails when this one is deaf.
  const test::TemporaryDirectory directory("deaf");
  const std::string ready = directory / "ready";
  const Launched result =
      launched(2, "if [ $HEDDLE_RANK = 1 ]; then until [ -e " + ready +
                      " ]; do sleep 0.01; done; exit 3; fi; trap '' TERM; touch " + ready + "; while :; do sleep 0.1; done");
  CHECK(result.status == 3);
}

TEST_CASE("a command that is not there is named") {
  LaunchSettings settings;
  settings.command = {"no-such-command"};
  std::ostringstream err;
  CHECK(launch(settings, err) == 127);
  CHECK(err.str() == "heddle: rank 0 ended with status 127: is there a command 'no-such-command'?\n");
  settings.command.clear();
  CHECK_THROWS_AS(launch(settings, err), InputError);
}

TEST_CASE("a signal is passed on, and is the exit status") {
  const pid_t parent = getpid();
  const Launched result =
      launched(2, "if [ $HEDDLE_RANK = 0 ]; then kill -TERM " + std::to_string(parent) + "; fi; exec sleep 60");
  CHECK(result.status == 128 + SIGTERM);
}

TEST_CASE("on hosts the token comes by standard input, and is on no command line") {
  // A remote shell that stays here and notes its arguments.
  const test::TemporaryDirectory directory("hosts");
  const std::string shell = directory / "shell";
  const std::string notes = directory / "notes";
  const std::string out = directory / "out";
  REQUIRE(
      launched(1, "printf '#!/bin/sh\\necho \"$@\" >> " + notes + "\\nexec sh -c \"$2\"\\n' > " + shell + "; chmod +x " + shell)
          .status == 0);
  LaunchSettings settings;
  settings.hosts = {{"user@node1", 2}, {"node2", 1}};
  settings.remote_shell = shell;
  const Launched result = launched(3, "echo $HEDDLE_TOKEN $HEDDLE_RENDEZVOUS $HEDDLE_BIND \"it's\" >> " + out, settings);
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK(launched(1, "test $(grep -Ecx \"[0-9a-f]{32} node1:[0-9]+ 0.0.0.0 it's\" " + out + ") = 3").status == 0);
  CHECK(launched(1, "! grep -q $(head -c 32 " + out + ") " + notes).status == 0);
  CHECK(launched(1, "test $(grep -c '^user@node1 ' " + notes + ") = 2").status == 0);
}

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
