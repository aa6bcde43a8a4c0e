// SPDX-License-Identifier: Apache-2.0
// Whatever is wrong with a command line gets one line on standard error that says what, where and what would be right, status
// 2, and nothing on standard output.
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;

namespace {

void check_words_refused(const std::vector<std::string>& arguments, const std::string& expected) {
  const CommandResult result = run_heddle(arguments);
  INFO(fmt::format("heddle {}", fmt::join(arguments, " ")));
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK(lines_of(result.err).size() == 1);
  CHECK_THAT(result.err, Catch::StartsWith("heddle: " + expected));
}

void check_refused(std::string_view arguments, const std::string& expected) {
  check_words_refused(test::words_of(std::string(arguments)), expected);
}

/// A run on torus:4x4 that is right but for `flags`.
void check_run_refused(std::string_view flags, const std::string& expected) {
  check_refused(fmt::format("run allreduce --topo torus:4x4 --size 1KiB {}", flags), expected);
}

}  // namespace

TEST_CASE("a command that there is not") {
  check_refused("rnu", "unknown command 'rnu': did you mean 'run'? Known: run, sweep, merge, compare, list, topo");
  check_refused("--frobnicate", "unknown command '--frobnicate'");
  check_refused("help rnu", "unknown command 'rnu': did you mean 'run'? Known: run, sweep, merge, compare, list, topo");
  check_refused("help run surplus", "'surplus' is one argument too many; 'heddle help --help' shows what it takes");
}

TEST_CASE("what a run cannot do without") {
  check_refused("run", "the collective is missing; try: heddle run allreduce --topo torus:8x8 --size 1MiB");
  check_refused("run allreduce --size 1KiB", "--topo is missing; try: heddle run");
  check_refused("run allreduce --topo ring:4", "--size is missing; try: heddle run");
  check_refused("topo", "the topology is missing; try: heddle topo torus:8x8");
}

TEST_CASE("an unknown collective is named before what else is missing") {
  check_refused("run foo", "unknown collective 'foo'. Known: broadcast, reduce, ");
  check_refused("run foo --algo rnig --size 3parsecs", "unknown collective 'foo'");
  check_refused("sweep foo", "unknown collective 'foo'");
  check_refused("fuzz foo", "unknown collective 'foo'");
}

TEST_CASE("an algorithm in Python is none of the command's") {
  for (const char* command :
       {"run allreduce --topo star:4 --size 4KiB --algo ring,", "sweep allreduce --topo star:4 --size 4KiB --algo ",
        "fuzz allreduce --algo ", "list --algo ", "credits allreduce --topo star:4 --algo "})
    check_refused(std::string(command) + "python:mine:ring",
                  "--algo 'python:mine:ring' is an algorithm in Python, which only the program in Python that has it can run");
  check_refused("run allreduce --topo given:mine --size 4KiB",
                "--topo: topology 'given:mine': a program gave that fabric as a value");
}

TEST_CASE("rates and times without a unit") {
  check_run_refused("--bw 5", "--bw '5': a bandwidth needs its unit; try 5Gbps or 5GB/s");
  check_run_refused("--bw 1GB/s,2", "--bw '2': a bandwidth needs its unit; try 2Gbps or 2GB/s");
  for (const char* flag : {"--switch-latency", "--latency", "--alpha", "--gamma", "--send-overhead", "--recv-overhead"})
    check_run_refused(fmt::format("{} 1", flag), fmt::format("{} '1': a time needs its unit; try 1ns, 1us or 1s", flag));
  check_run_refused("--clock wall --deadline 5", "--deadline '5': a time needs its unit");
  check_run_refused("--fault link:(0,0)->(0,1),down,at=5",
                    "--fault 'link:(0,0)->(0,1),down,at=5': at= '5': a time needs its unit; try 5ns, 5us or 5s");
  check_run_refused("--fault rank:1,late=5", "--fault 'rank:1,late=5': late= '5': a time needs its unit");
  check_run_refused("--background 0->1@5", "--background");
  check_refused("topo ring:4 --bw 5", "--bw '5': a bandwidth needs its unit");
  CHECK(run_heddle(
            "run allreduce --algo ring --topo ring:4 --size 28 --latency 0 --switch-latency 0 --fault link:0->1,slow=2,at=0")
            .status == 0);
}

TEST_CASE("what the fabric or the call has no use for is refused, and what is there twice") {
  check_refused("run allreduce --algo ring --topo star:4 --size 1KiB --host-link 100ns",
                "--host-link: hosts of star:4 are joined by links of their own, whose latency is --latency; leave it out");
  check_refused("sweep allreduce --algo ring --topo star:4 --size 1KiB --host-link 100ns", "--host-link: hosts of star:4 ");
  CHECK(run_heddle("sweep allreduce --algo ring --topo star:4,ring:4 --size 1KiB --host-link 100ns").status == 0);
  check_refused("list --collective allreduce --algo ring --schedule ring:4,root=2",
                "--schedule: root=2: allreduce has no root; leave it out");
  check_run_refused("--algo ring,bucket,ring", "--algo 'ring,bucket,ring': ring is there twice");
  check_refused("fuzz --cases 1 --ranks 65 --max-ranks 64", "--ranks 65: --max-ranks is 64; leave one of the two out");
  check_refused("list --presets allreduce",
                "--presets lists presets of fabrics, which have no algorithms; leave other flags and words out");
  check_run_refused("--algo msccl:", "--algo 'msccl:': the file is missing; try msccl:FILE.xml");
  check_run_refused("--algo nccl:", "--algo 'nccl:': a file is missing; try nccl:tuner.csv\n");
  check_run_refused("--algo all,ring",
                    "--algo 'all,ring': all stands alone, or beside files (all,msccl:FILE.xml): it has the others");
  check_run_refused("--algo ring:channels=2:channels=3", "--algo: option 'channels' is given twice");
  check_refused("run allreduce --algo ring --topo star:4 --size 1KiB --fault switch:s0,no-alu",
                "--fault 'switch:s0,no-alu': switch s0 of star:4 has no ALU to lose; a fabric has some where its text says so: "
                "star:8,alu");
}

TEST_CASE("speeds for more tiers of links than the fabric has") {
  check_run_refused("--bw 1GB/s,2GB/s,3GB/s",
                    "--bw: 3 values, one for each tier of links, and torus:4x4 has 2 tiers; give at most 2");
  check_run_refused("--eta-alpha 1,2,3", "--eta-alpha: 3 values, one for each tier of links, and torus:4x4 has 2 tiers; ");
  check_refused(
      "topo clos:hosts=2,leaves=2 --latency 1us,2us,3us",
      "--latency: 3 values, one for each tier of links, and clos:hosts=2,leaves=2,spines=2 has 2 tiers; give at most 2");
  check_refused("sweep allreduce --topo ring:4,star:4 --size 1KiB --bw 1GB/s,2GB/s",
                "--bw: 2 values, one for each tier of links, and the fabric of most tiers has 1 tier; give at most 1");
  // The list is for the Clos, and its first value for the star.
  CHECK(run_heddle("sweep allreduce --algo ring --topo clos:hosts=2,leaves=2,star:4 --size 1KiB --bw 1GB/s,2GB/s").status == 0);
}

TEST_CASE("too little of what a run needs") {
  check_run_refused("--stack 1", "--stack '1': a thread needs at least 16KiB; try 64KiB");
  check_run_refused("--stack 1TiB", "--stack '1TiB': a thread has at most 1GiB");
  check_refused("fuzz barrier --cases 1 --stack 1", "--stack '1': a thread needs at least 16KiB; try 64KiB");
  check_run_refused("--iters 0", "--iters '0': not a whole number from 1 to ");
  check_run_refused("--data-memory 0", "--data-memory '0': no memory for any data; try 64MiB, or full");
  check_refused("sweep allreduce --topo ring:4 --size 1KiB --memory 1B",
                "--memory '1B': the smallest run of this sweep takes ");
  check_refused("fuzz barrier --cases 0", "--cases '0': not a whole number from 1 to ");
  check_refused("fuzz barrier --seconds 0", "--seconds '0': more than no time is needed, e.g. 60 or 0.5");
}

TEST_CASE("two outputs to one file") {
  check_run_refused("--trace x.json --json x.json",
                    "--json and --trace: both would write 'x.json'; give each a file of its own");
  check_run_refused("--trace x.json --json ./x.json", "--json and --trace: both would write 'x.json'");
  check_run_refused("--heatmap x.svg --json ../x.svg/../x.svg --trace x.svg", "--heatmap and --trace: both would write 'x");
  check_run_refused("--algo ring,bucket --trace x.json --json x-ring.json",
                    "--json and --trace: both would write 'x-ring.json'");
  check_refused("sweep allreduce --topo ring:4 --size 1KiB --csv x --json ./x", "--json and --csv: both would write 'x'");
  check_refused("sweep allreduce --topo ring:4 --size 1KiB --csv - --json -", "--json and --csv: both would write '-'");
  check_refused("sweep allreduce --topo ring:4 --size 1KiB --json x --csv x.partial",
                "--csv and the journal of finished runs: both would write 'x.partial'");
}

TEST_CASE("flags that there are not, twice, or without a value") {
  check_run_refused("--algos ring", "--algos is no flag of 'heddle run'; did you mean --algo? 'heddle run --help' lists them");
  check_run_refused("--placemnt=linear", "--placemnt is no flag of 'heddle run'; did you mean --placement?");
  check_run_refused("--log x", "--log is no flag of 'heddle run'; 'heddle run --help' lists them");
  check_run_refused("--qqqqqqqq 3", "--qqqqqqqq is no flag of 'heddle run'; 'heddle run --help' lists them");
  check_run_refused("-x", "-x is no flag of 'heddle run'");
  check_run_refused("--size 2KiB", "--size is given 2 times; once is enough");
  check_run_refused("--bw", "--bw: its value is missing; 'heddle run --help' shows what it takes");
  check_run_refused("ring", "'ring' is one argument too many; 'heddle run --help' shows what it takes");
  check_refused("list --json - --markdown", "--json - and --markdown: standard output takes one of them; give --json a file");
  // --json was a switch of these.
  for (const char* line :
       {"list --json", "list --json --markdown", "topo ring:4 --json", "traffic allreduce --json --algo ring"})
    check_refused(line, "--json: its file is missing; '--json -' prints to standard output");
  check_refused("fuzz --cases 1 --junit -", "--junit '-': standard output is not for this; name a file");
}

TEST_CASE("a topology that there is not") {
  const auto check_topology = [](const std::string& spec, const std::string& expected) {
    check_words_refused({"run", "allreduce", "--topo", spec, "--size", "1KiB"}, "--topo: topology '" + spec + "': " + expected);
    check_words_refused({"topo", spec}, "topo: topology '" + spec + "': " + expected);
  };
  check_topology("tours:8x8", "unknown family 'tours': did you mean 'torus'? Known: ring, torus,");
  check_topology("torus:0x4", "size '0' is less than 1; try torus:8x8");
  check_topology("torus:8x", "a size is missing; try torus:8x8");
  check_topology("ring:-3", "size '-3' is less than 1; try ring:16");
  check_topology("star", "a size is missing; try star:72");
  check_topology("ring:1000000000", "1000000000 endpoints");
}

TEST_CASE("more ranks than memory are refused with the estimate, before anything of that size is made") {
  const CommandResult result = run_heddle("run allreduce --topo ring:200000000 --size 1KiB");
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK_THAT(result.err,
             Catch::Matches("heddle: ring:200000000 needs about [0-9.]+[TP]i?B of memory and this machine has .*\n"));
  // What a smaller --data-memory does not change.
  CHECK_THAT(run_heddle("run alltoall --algo pairwise --topo star:2 --counts 0,100000000000007:100000000000001,0").err,
             Catch::Contains("; use smaller counts, or such as have a larger common divisor\n"));
  CHECK_THAT(run_heddle("run allgather --algo ring --topo star:2 --blocks 100000000000007,1").err,
             Catch::Contains("; use fewer ranks or a smaller --size\n"));
  CHECK_THAT(run_heddle("run allreduce --algo ring --topo star:2 --size 1PiB --data-memory 1PiB").err,
             Catch::Contains("; use fewer ranks or a smaller --data-memory\n"));
}

TEST_CASE("an algorithm that there is not, or that does not fit") {
  check_run_refused("--algo rnig", "--algo: unknown");
  check_run_refused("--algo ring,,ring", "--algo: unknown");
  check_run_refused("--plugin /dev/null", "--plugin: /dev/null: it is no shared library: file too short");
  CHECK_THAT(run_heddle("run allreduce --topo ring:4 --size 1 --algo rign").err, Catch::Contains("did you mean 'ring'?"));
  const CommandResult result = run_heddle("run allreduce --topo star:13 --size 1KiB --algo ring,bucket");
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK_THAT(result.err, Catch::Matches("heddle: --algo 'bucket': does not fit, .*grid.*; these do: .*ring.*\n"));
}

TEST_CASE("a collective that there is not") {
  check_refused("run allredcue --topo ring:4 --size 1", "unknown collective 'allredcue': did you mean 'allreduce'?");
  check_refused("list --collective allredcue", "--collective: unknown collective 'allredcue': did you mean 'allreduce'?");
  check_refused("list --algo rign", "--algo: unknown algorithm 'rign': did you mean 'ring'?");
}

TEST_CASE("sizes, rates and times that are none") {
  check_refused("run allreduce --topo ring:4 --size -1", "--size '-1': a size cannot be negative; try 64KiB");
  check_refused("run allreduce --topo ring:4 --size 3parsecs", "--size '3parsecs': not a size; try 64KiB");
  check_refused("run allreduce --topo ring:4 -b 0.5B", "--size '0.5B': not a whole number of bytes; try 64KiB");
  check_run_refused("--data-memory much", "--data-memory 'much': not a size; try 64KiB");
  check_run_refused("--bw 0", "--bw '0': a bandwidth cannot be zero; try 400Gbps");
  check_run_refused("--latency 5m", "--latency '5m': not a time; try 100ns");
  check_run_refused("--switch-latency -1ns", "--switch-latency '-1ns': a time cannot be negative; try 100ns");
  check_run_refused("--alpha x", "--alpha 'x': not a time; try 100ns");
  check_run_refused("--gamma x", "--gamma 'x': not a time; try 100ns");
  check_run_refused("--send-overhead x", "--send-overhead 'x': not a time");
  check_run_refused("--recv-overhead x", "--recv-overhead 'x': not a time");
  check_refused("topo ring:4 --latency 5m", "--latency '5m': not a time; try 100ns");
}

TEST_CASE("names that there are not") {
  check_run_refused("--preset swing", "--preset: unknown preset 'swing': did you mean 'swing-nsdi24'? Known: swing-nsdi24,");
  check_run_refused("--routing fast", "--routing: unknown routing 'fast'");
  check_run_refused("--threads green", "--threads 'green': not a kind of threads; user or kernel");
  check_run_refused("--op sun",
                    "--op: unknown op 'sun': did you mean 'sum'? Known: sum, prod, min, max, band, bor, bxor, affine");
  check_run_refused("-d flaot", "--datatype: unknown datatype 'flaot': did you mean 'float'?");
  check_run_refused("--buffering none", "--buffering 'none'");
  check_run_refused("--placement beside", "--placement: placement 'beside' is unknown; try linear,");
  check_run_refused("--placement file:/nowhere/places", "--placement: ");
}

TEST_CASE("numbers out of range") {
  check_run_refused("--ranks 17", "--ranks '17': not a whole number from 1 to 16, the endpoints of torus:4x4");
  check_run_refused("--ranks 0", "--ranks '0': not a whole number from 1 to 16");
  check_run_refused("--seed -1", "--seed '-1': not a seed; try a whole number from 0 to 2^64-1");
  check_run_refused("--seed 18446744073709551616", "--seed '18446744073709551616': not a seed");
  check_run_refused("--order-seed x", "--order-seed 'x': not a seed");
  check_run_refused("--json - --links -1", "--links '-1': not a whole number from 0");
  check_refused("run reduce --topo torus:4x4 --size 1KiB -r 16", "--root '16': not a whole number from 0 to 15");
  check_run_refused("-n x", "--iters 'x': not a whole number");
}

TEST_CASE("a root that there is not") {
  check_refused("run broadcast --topo ring:4 --size 1KiB --root 4", "--root '4': not a whole number from 0 to 3");
  check_refused("run reduce --topo ring:4 --ranks 2 --size 1KiB -r 2", "--root '2': not a whole number from 0 to 1");
  check_refused("run gather --topo ring:4 --size 1KiB -r -1", "--root '-1': not a whole number from 0 to 3");
}

TEST_CASE("blocks that do not fit the call or the algorithm") {
  check_refused("run gather --topo ring:4 --size 32 --blocks 3,1,4",
                "--blocks '3,1,4': 3 sizes for 4 ranks; one for each is needed");
  check_refused("run gather --topo ring:4 --size 64 --blocks 3,1,0,4",
                "--blocks '3,1,0,4': 8 elements in all, but --size is 16; leave --size out");
  check_refused("run alltoall --topo ring:2 --size 64 --counts 0,1:1,0",
                "--counts '0,1:1,0': it says how much each rank sends; leave --size out");
  check_refused("run alltoall --topo ring:2 --size 64 --counts spars:7", "--counts 'spars:7': cannot be read: ");
  check_refused("run gather --topo ring:4 --size 64 --blocks few", "--blocks 'few': not sizes of blocks; even, random, ");
  check_refused("run gather --topo ring:4 --size 64 --blocks random:x", "--blocks 'x': not a seed");
  check_refused("run broadcast --topo ring:4 --size 64 --blocks random",
                "--blocks random: broadcast has no block per rank; reduce_scatter, allgather, gather, scatter, alltoall have");
  check_refused("run gather --topo ring:4", "--size is missing");
  check_refused("run alltoall --topo ring:4 --blocks 3,1,0,4 --algo bruck",
                "--algo 'bruck': does not fit, it needs blocks of equal size; these do: linear, pairwise");
}

TEST_CASE("an operation that does not commute, on an algorithm that reorders") {
  check_refused("run reduce_scatter --topo ring:4 --size 1KiB --op affine --algo ring",
                "--algo 'ring': does not fit, it needs a commutative operation, and 'affine' is not one; these do: ");
}

TEST_CASE("options that an algorithm does not have") {
  check_refused("run broadcast --topo ring:4 --size 1KiB --algo chain:segmnts=4",
                "--algo: unknown option 'segmnts': did you mean 'segments'? Known: segments");
  check_refused("run broadcast --topo ring:4 --size 1KiB --algo chain:segments=0", "--algo: option segments=0: ");
  check_refused("run broadcast --topo ring:4 --size 1KiB --algo chain:segments",
                "--algo: option 'segments' needs a value: segments=");
  check_refused("run allreduce --topo ring:4 --size 1KiB --algo rabenseifner:segments=4",
                "--algo: allreduce algorithm 'rabenseifner' has no options");
}

TEST_CASE("names that other libraries have for an algorithm") {
  check_refused("run allreduce --topo ring:4 --size 1KiB --algo one-shot",
                "--algo: allreduce algorithm 'one-shot': here its name is bruck_latency:ports=p-1, p the number of ranks");
  check_refused("run alltoall --topo ring:4 --size 1KiB --algo Direct",
                "--algo: alltoall algorithm 'Direct': here its name is linear");
  check_refused("run allreduce --topo ring:4 --size 1KiB --algo ring:channels=0",
                "--algo: option channels=0: a whole number from 1 to 128 is needed");
}

TEST_CASE("in place and out of place at once") {
  check_run_refused("--in-place --out-of-place", "--in-place and --out-of-place: one or the other");
}

TEST_CASE("a run without checks") {
  check_run_refused("-c 0", "--check 0: every result is checked before its time is reported; leave --check out");
}

TEST_CASE("an operation on elements that it does not take") {
  check_run_refused("--op band --datatype float", "--datatype f32: --op band needs integers; try i32");
  check_run_refused("--op affine --datatype i32", "--datatype i32: --op affine has elements of its own; leave --datatype out");
  check_run_refused("--datatype bytes3", "--datatype bytes3: --op sum needs numbers; try i32");
  check_run_refused("--values special", "--values special: i32 has neither NaN nor infinities; try --datatype f32");
  check_run_refused("--values special -d f32",
                    "--values special: no sum of NaN and infinities shows what is missing; try --op max");
  check_run_refused("--values odd", "--values 'odd': not a kind of values; usual, special or runs");
  check_run_refused("--op sum --datatype affine", "--datatype affine: only --op affine reduces it, not sum");
}

TEST_CASE("a report that cannot be written is refused before the run") {
  check_run_refused("--json /nowhere/report.json",
                    "--json '/nowhere/report.json': cannot be written: No such file or directory; ");
  check_run_refused("--json /", "--json '/': cannot be written: it is a directory; ");
}

TEST_CASE("a run that is refused leaves no report") {
  const TemporaryFile report("refused.json");
  check_run_refused("--algo rnig --json " + report.path(), "--algo: unknown");
  CHECK_FALSE(std::filesystem::exists(report.path()));
}

TEST_CASE("an error is one line whatever was typed") {
  check_words_refused({"topo", "ring:4\nheddle: all is well"}, "topo: topology 'ring:4\\nheddle: all is well': ");
}

TEST_CASE("what the switches do not do") {
  const auto check = [](std::string_view call, std::string_view topology, const std::string& reason) {
    check_refused(fmt::format("run {} --algo in_network --size 1KiB --topo {}", call, topology),
                  "--algo 'in_network': does not fit, " + reason);
  };
  check("allreduce", "torus:4x4", "torus:4x4 has no switches;");
  check("allreduce", "star:8", "star:8 has no switch with an ALU and multicast;");
  check("allreduce", "star:8,alu", "star:8,alu has no switch with an ALU and multicast;");
  check("reduce", "star:8,multicast", "star:8,multicast has no switch with an ALU;");
  check("broadcast", "star:8,alu", "star:8,alu has no switch with multicast;");
  check("alltoall", "star:8,alu,multicast", "star:8,alu,multicast has no switch with scatter-gather (a2a);");
  check("allreduce --op prod", "star:8,alu,multicast",
        "the ALUs of switches do not have prod: they have sum, min, max, band, bor, bxor;");
  check("reduce --op affine", "star:8,alu",
        "the ALUs of switches do not have affine: they have sum, min, max, band, bor, bxor;");
  check("allreduce", "star:72,alu,multicast,radix=64", "switch s0 computes over 64 ports at most, and 72 take part;");
  check("allreduce", "star:8,alu,multicast,align=4096",
        "switch s0 takes vectors of a multiple of 4096 bytes, and this one has 1024;");
  check("allreduce", "clos:hosts=4,leaves=2,spines=2,alu=leaf,multicast",
        "rank 4 is outside the domain of rank 0: no switches with an ALU and multicast join them;");
  check("broadcast", "superpod:pods=2,gpus=4,trays=4,multicast=nvswitch",
        "rank 4 is outside the domain of rank 0: no switches with multicast join them;");
}

TEST_CASE("offers that no switch can have") {
  const auto check = [](std::string_view topology, const std::string& reason) {
    check_refused(fmt::format("run allreduce --size 1KiB --topo {}", topology),
                  fmt::format("--topo: topology '{}': {}", topology, reason));
  };
  check("torus:4x4,alu", "'alu': torus:4x4 has no switches");
  check("ring:8,radix=4", "'radix': ring:8 has no switches");
  check("clos:hosts=1,leaves=2000000,spines=1,alu", "'alu': 2000001 switches; at most 1048576 can compute; try clos:");
  check("star:8,alu=leaf", "alu=leaf: unknown switch 'leaf'. Known: s, s0; try star:72");
  check("star:8,alu=s0+", "alu=: unknown switch ''");
  check("star:8,radix=64",
        "'radix' limits what switches compute, and they compute nothing: add alu, multicast or a2a; try star:72");
  check("star:8,multicast,precision=bf16", "'precision' is an ALU's, and no switch has one: add alu; try star:72");
  check("star:8,alu,precision=i8", "precision=i8: an ALU takes bf16 or f16 in place of f32; try star:72");
  check("star:8,alu,radix=0", "size '0' is less than 1; try star:72");
  check("star:8,alu,align", "'align' needs a number, as in align=4; try star:72");
}

TEST_CASE("what is no regular file is not waited for, nor read without end") {
  const TemporaryFile pipe("pipe");
  REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
  const std::string why = "cannot be read: it is a device, a pipe or a socket; name a file";
  for (const std::string& file : {std::string("/dev/zero"), std::string("/dev/full"), pipe.path()}) {
    check_refused("topo file:" + file, "topo: " + file + ": " + why);
    check_refused("fuzz --cases 1 --corpus " + file, "--corpus '" + file + "': " + why);
    check_refused("compare " + file + " " + file, "'" + file + "': " + why);
  }
}

TEST_CASE("what fuzzing writes at its end is tried before its first case") {
  check_refused("fuzz --cases 1 --corpus /nowhere/corpus.txt",
                "--corpus '/nowhere/corpus.txt': cannot be written: No such file");
  check_refused("fuzz --cases 1 --findings /proc/findings", "--findings '/proc/findings': cannot be made: ");
  check_refused("fuzz --cases 1 --findings /dev/null/findings",
                "--findings '/dev/null/findings': cannot be made: Not a directory");
}

TEST_CASE("more workers than any machine has cores for") {
  for (const char* command : {"fuzz --cases 1", "sweep allreduce --topo ring:4 --size 1KiB"})
    check_refused(fmt::format("{} --jobs 100000", command), "--jobs '100000': not a whole number from 1 to 1024");
}

TEST_CASE("names in a fabric's file can neither end a line nor steer a terminal") {
  const TemporaryFile file("names.json");
  std::ofstream(file.path()) << R"({"endpoints": ["a\n# 9 results right", "b\u001b[31m"], "switches": ["s\u0000w"],
    "links": [{"from": "a\n# 9 results right", "to": "s\u0000w"}, {"from": "b\u001b[31m", "to": "s\u0000w"}]})";
  for (const char* more : {"", " --explain", " --heatmap -"}) {
    const CommandResult run =
        run_heddle("run allreduce --algo ring --size 1KiB --topo file:" + file.path() + std::string(more));
    CHECK(run.status == 0);
    CHECK(run.out.find('\x1b') == std::string::npos);
    CHECK(run.out.find('\0') == std::string::npos);
    for (const std::string& line : lines_of(run.out)) CHECK_FALSE(line.starts_with("# 9 results"));
  }
}

TEST_CASE("a flag that changes nothing of the call is refused") {
  const auto refused = [](const std::string& call, const std::string& flag) {
    check_refused(call, flag + ": ");
    CHECK_THAT(run_heddle(call).err, Catch::Contains("; leave it out"));
  };
  refused("run broadcast --topo ring:4 --size 1KiB --op sum", "--op");
  refused("sweep alltoall --topo ring:4 --size 1KiB -o max", "--op");
  refused("credits allgather --ranks 4 --op sum", "--op");
  refused("run allreduce --topo ring:4 --size 1KiB --root 0", "--root");
  refused("run allreduce --topo ring:4 --size 1KiB -n 20", "--iters");
  refused("sweep allreduce --topo ring:4 --size 1KiB -w 5", "--warmup_iters");
  refused("run allreduce --topo ring:4 --size 1KiB --clock wall --time-scale 10 -n 2", "--iters");
  refused("run allreduce --topo ring:4 --size 1KiB --isolated-groups 2", "--isolated-groups");
  refused("run allreduce --topo ring:4 --size 1KiB --links 2", "--links");
  for (const char* flag :
       {"--size 4", "--datatype f32", "--values usual", "--in-place", "--out-of-place", "--data-memory full"})
    refused(fmt::format("run barrier --topo ring:4 {}", flag), test::words_of(flag).front());
}

TEST_CASE("what other tools or other commands call so is found") {
  check_run_refused("--algorithm ring", "--algorithm is no flag of 'heddle run'; did you mean --algo?");
  check_run_refused("--dtype f32", "--dtype is no flag of 'heddle run'; did you mean --datatype?");
  check_run_refused("--nprocs 4", "--nprocs is no flag of 'heddle run'; did you mean --ranks?");
  check_run_refused("--csv x.csv", "--csv is no flag of 'heddle run'; 'heddle sweep', 'heddle merge' have it;");
  check_run_refused("--cases 3", "--cases is no flag of 'heddle run'; 'heddle fuzz' has it;");
  check_refused("run allreduce --topo torus:8,8 --size 1MiB",
                "--topo: topology 'torus:8,8': '8' after a comma: sizes of dimensions are joined by x; try torus:");
  check_refused("run allreduce --topo mesh:4,2,2 --size 1MiB", "--topo: topology 'mesh:4,2,2': '2' after a comma: ");
  for (const char* sizes : {"1MiB,2MiB", "1KiB:1MiB:x4"})
    check_refused(fmt::format("run allreduce --topo ring:4 --size {}", sizes),
                  fmt::format("--size '{}': several sizes; one run has one, and 'heddle sweep' takes them all", sizes));
  check_refused("run allreduce --topo ring:4 --size 1MiB,x", "--size 'x': not a size");
  check_refused("presets", "unknown command 'presets': it is heddle list --presets");
  check_refused(
      "mpif90",
      "unknown command 'mpif90': it is not served, as Fortran is not; heddle mpicc and heddle mpicxx compile C and C++");
  check_refused("explain", "unknown command 'explain': it is heddle run … --explain");
  check_refused("tune", "unknown command 'tune': it is heddle run … --tune options");
}

}  // namespace heddle
