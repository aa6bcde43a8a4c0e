// SPDX-License-Identifier: Apache-2.0
// Tables of other programs as measured runs: shapes as the programs print them, values made up.
#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/measurements/measured_run.hpp"
#include "tests/catch.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

namespace {

struct Read {
  std::vector<MeasuredRun> runs;
  std::vector<std::string> left_out;
  std::string refusal;
};

/// Without the folder of the file.
Read read(const std::string& text, const LogFacts& facts = {.algorithm = "ring"}) {
  const test::TemporaryDirectory directory("logs");
  const std::string path = directory / "log.txt";
  std::ofstream(path) << text;
  const std::vector<std::string> files = {path};
  Read result;
  const auto short_form = [&](std::string line) {
    for (std::size_t at = line.find(path); at != line.npos; at = line.find(path)) line.replace(at, path.size(), "log.txt");
    return line;
  };
  try {
    MeasuredRuns measured = read_measurements(files, MeasuredTime::median, facts);
    result.runs = std::move(measured.runs);
    for (const std::string& line : measured.left_out) result.left_out.push_back(short_form(line));
  } catch (const InputError& error) {
    result.refusal = short_form(error.what());
  }
  return result;
}

/// "allreduce ring p=8 1024 B 10.24us out"
std::string text_of(const MeasuredRun& run) {
  const Experiment& call = run.experiment;
  return fmt::format("{} {} p={} {}B {} {}", to_string(call.collective), call.algorithm, *call.ranks,
                     call.size.value_or(Bytes(0)).count(), to_string(run.time), type_name(call));
}

std::vector<std::string> texts_of(const Read& read) {
  std::vector<std::string> texts;
  for (const MeasuredRun& run : read.runs) texts.push_back(text_of(run));
  if (!read.refusal.empty()) texts.push_back(read.refusal);
  return texts;
}

using Texts = std::vector<std::string>;

std::string ranks_of_nccl(int ranks) {
  std::string text = "# nThread 1 nGpus 1 minBytes 8\n# Using devices\n";
  for (int rank = 0; rank < ranks; ++rank)
    text += fmt::format("#  Rank {:2} Group  0 Pid 10{} on node device {:2} [0000:0{}:00] A GPU\n", rank, rank, rank, rank);
  return text;
}

constexpr const char* kColumns =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";

}  // namespace

TEST_CASE("nccl-tests: a log of several programs has each one's ranks, sizes and columns") {
  const std::string log =
      "# Collective test starting: all_reduce_perf\n" + ranks_of_nccl(4) + kColumns +
      "           8             2     float     sum      -1    35.20    0.00    0.00      0    34.54    0.00    0.00      0\n"
      "node:12:34 [0] NCCL INFO a line between\n"
      "     4194304       1048576     float     sum      -1    419.4   10.00   15.00      0    209.7   20.00   30.00    N/A\n"
      "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 7.5\n"
      "# Collective test starting: all_gather_perf\n" +
      ranks_of_nccl(2) + kColumns +
      "        4096           512     float    none      -1    20.00    0.20    0.10      0    20.00    0.20    0.10      0\n"
      "# Collective test starting: sendrecv_perf\n" +
      ranks_of_nccl(2) + kColumns +
      "        4096           512     float     sum      -1    20.00    0.20    0.20      0    20.00    0.20    0.20    N/A\n";
  const Read out = read(log);
  CHECK(texts_of(out) == Texts{"allreduce ring p=4 8B 35.2us f32", "allreduce ring p=4 4194304B 419.4us f32",
                               "allgather ring p=2 4096B 20us f32"});
  CHECK(out.left_out == Texts{"log.txt:25: sendrecv_perf: no collective of heddle"});
  CHECK(out.runs.at(0).network == "nccl-tests, 4 ranks, out of place");
  CHECK(out.runs.at(0).experiment.in_place == false);
  const Read in = read(log, {.algorithm = "ring", .in_place = true});
  CHECK(texts_of(in).at(1) == "allreduce ring p=4 4194304B 209.7us f32");
  CHECK(in.runs.at(1).experiment.in_place == true);
}

TEST_CASE("nccl-tests: old columns, without root or redop, and the launcher's tags") {
  const LogFacts facts{.collective = Collective::allgather, .algorithm = "ring", .ranks = 4};
  CHECK(texts_of(read("#     size    count    type    time   algbw   busbw  error    time   algbw   busbw  error\n"
                      "      4096     1024   float   20.10    0.20    0.15  0e+00   19.90    0.21    0.15  0e+00\n",
                      facts)) == Texts{"allgather ring p=4 4096B 20.1us f32"});
  CHECK(texts_of(read(std::string("[1,0]<stdout>:") + kColumns +
                          "[1,0]<stdout>:  4096  1024  float  none  20.10  0.20  0.15  0  19.90  0.21  0.15  N/A\n",
                      facts)) == Texts{"allgather ring p=4 4096B 20.1us f32"});
  for (const char* tag : {"0: ", "[0] ", "[prterun-node-1@1,0]<stdout>: "}) {
    std::string text;
    for (const char* at = kColumns; *at != 0; ++at)
      text += text.empty() || text.back() == '\n' ? std::string(tag) + *at : std::string(1, *at);
    CHECK(texts_of(read(text + tag + "  4096  1024  float  none  20.10  0.20  0.15  0  19.90  0.21  0.15  N/A\n" + tag + '\n',
                        facts)) == Texts{"allgather ring p=4 4096B 20.1us f32"});
  }
}

TEST_CASE("nccl-tests: what is ambiguous, contradicted or wrong is refused") {
  const std::string row =
      "     4194304       1048576     float     sum      -1    419.4   10.00   15.00      0    209.7   20.00   30.00    N/A\n";
  const LogFacts all{.collective = Collective::allreduce, .algorithm = "ring", .ranks = 4};
  CHECK(texts_of(read(kColumns + row, all)).size() == 1);
  CHECK(read(kColumns + row).refusal ==
        "log.txt:4: the log does not say which collective it is of; try --log-collective allreduce");
  CHECK(read(kColumns + row, {.collective = Collective::allreduce, .algorithm = "ring"}).refusal ==
        "log.txt:4: the log does not say on how many ranks it was measured; try --log-ranks 8");
  CHECK(read(kColumns + row, {.collective = Collective::allreduce, .ranks = 4}).refusal ==
        "log.txt:4: the log does not say which algorithm was run, and its library may have taken several; try --log-algo ring");
  CHECK(read(kColumns + row, {.collective = Collective::allreduce, .algorithm = "ring", .ranks = 8}).refusal ==
        "log.txt:4: busbw is 1.5 times algbw, and allreduce on 8 ranks has 1.75: another collective or number of ranks");
  CHECK(read(ranks_of_nccl(2) + kColumns + row, all).refusal == "log.txt:8: the log is of 2 ranks, and --log-ranks says 4");
  CHECK(read(ranks_of_nccl(4) + ranks_of_nccl(4).substr(ranks_of_nccl(4).find("#  Rank")) + kColumns + row, all).refusal ==
        "log.txt:7: rank 0 twice: nccl-tests was built without MPI, and each process ran alone");
  CHECK(read(kColumns + std::string("  8  2  float  sum  -1  35.2  0.00  0.00  2  34.5  0.00  0.00  0\n"), all).refusal ==
        "log.txt:4: 2 elements are wrong: the row's time counts for nothing");
  CHECK(read(kColumns + std::string("  8  2  float  sum  -1  35.2\n"), all).refusal ==
        "log.txt:4: 6 words, and the table has 13 columns");
  CHECK(read(kColumns + row + "# Out of bounds values : 3 FAILED\n", all).refusal ==
        "log.txt:5: nccl-tests found results that are not right: their times count for nothing");
}

TEST_CASE("OSU's benchmarks: blocks become whole vectors, and the slowest rank counts where it is printed") {
  const LogFacts facts{.algorithm = "ring", .ranks = 4};
  CHECK(texts_of(read("# OSU MPI Allreduce Latency Test v5.8\n"
                      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
                      "4                       2.19              2.17              2.20        1000\n",
                      facts)) == Texts{"allreduce ring p=4 4B 2.2us f32"});
  const Read gathered = read(
      "# OSU MPI-CUDA Allgather Latency Test v7.0\n# Datatype: MPI_CHAR.\n"
      "# Size       Avg Latency(us)\n1                       2.81\n1024 5.5\n",
      facts);
  CHECK(texts_of(gathered) == Texts{"allgather ring p=4 4B 2.81us bytes1", "allgather ring p=4 4096B 5.5us bytes1"});
  CHECK(gathered.runs.at(0).network == "OSU's benchmarks, 4 ranks, average of ranks");
  const Read message = read(
      "# OSU MPI Latency Test v7.1\n# Size          Latency (us)\n0                       1.00\n"
      "8                       1.20\n",
      {});
  CHECK(texts_of(message) == Texts{"broadcast binomial_doubling p=2 8B 1.2us bytes1"});
  CHECK(message.runs.at(0).messages == 1);
  CHECK(texts_of(read("# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n8      1.20\n", {})) ==
        Texts{"broadcast binomial_doubling p=2 8B 1.2us bytes1"});
  CHECK(read("# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n1    2.32\n").refusal ==
        "log.txt: no run that sends messages was measured; left out: log.txt:1: Bandwidth: many messages at once, not the time "
        "of one, which "
        "osu_latency has");
  CHECK(read("# OSU MPI Reduce Latency Test v7.4\n# Size       Avg Latency(us)  Validation\n4 2.81 Fail\n", facts).refusal ==
        "log.txt:3: validation says 'Fail': the row's time counts for nothing");
}

TEST_CASE("Intel's benchmarks: groups of several numbers of ranks") {
  constexpr const char* kTable = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";
  const std::string log = std::string(
                              "# Benchmarking PingPong \n# #processes = 2 \n"
                              "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                              "            8         1000         0.95         8.40\n"
                              "# Benchmarking Exchange \n# #processes = 8 \n") +
                          kTable +
                          "           64         1000         1.04         1.15         1.09\n"
                          "# Benchmarking Allreduce \n# #processes = 4 \n# ( 4 additional processes waiting in MPI_Barrier)\n" +
                          kTable +
                          "            0         1000         0.04         0.05         0.04\n"
                          "         1024         1000         2.04         2.15         2.09\n"
                          "# Benchmarking Alltoall \n# #processes = 8 \n" +
                          kTable +
                          "           64          640         1.04         1.15         1.09\n"
                          "# Benchmarking Barrier \n# #processes = 8 \n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                          "         1000         3.04         3.15         3.09\n";
  const Read all = read(log);
  CHECK(texts_of(all) == Texts{"broadcast binomial_doubling p=2 8B 950ns bytes1", "allreduce ring p=4 1024B 2.15us f32",
                               "alltoall ring p=8 512B 1.15us bytes1", "barrier ring p=8 0B 3.15us i32"});
  CHECK(all.left_out == Texts{"log.txt:5: Exchange: no collective of heddle"});
  const Read some = read(log, {.collective = Collective::allreduce, .algorithm = "ring"});
  CHECK(texts_of(some) == Texts{"broadcast binomial_doubling p=2 8B 950ns bytes1", "allreduce ring p=4 1024B 2.15us f32"});
  CHECK(read(std::string("# Benchmarking Allreduce \n") + kTable + "  64  1000  1.04  1.15  1.09\n").refusal ==
        "log.txt:3: no line '# #processes = …' stands before the row");
}

TEST_CASE("a CSV of measured runs") {
  CHECK(texts_of(read("# mine\nseconds,collective,ranks,bytes,algorithm\n"
                      "0.001,reduce,4,64,\"chain:segments=2\"\n1e-6,broadcast,2,8,\n")) ==
        Texts{"reduce chain:segments=2 p=4 64B 1ms i32", "broadcast ring p=2 8B 1us i32"});
  CHECK(
      read("collective,ranks,bytes,seconds,colour\n").refusal ==
      "log.txt:1: 'colour' is no column; there are collective, ranks, bytes, seconds, algorithm, datatype, op, root, in_place");
  CHECK(read("collective,ranks,seconds\nallreduce,4,1\n").refusal == "log.txt:1: the column 'bytes' is missing");
  CHECK(read("collective,ranks,bytes,seconds\nallreduce,4,64,-1\n").refusal ==
        "log.txt:2: a time must be from 1ps to 100000 s, not -1 s");
  CHECK(read("collective,ranks,bytes,seconds\nallreduce,4,64,1\n# OSU MPI Allreduce Latency Test v5.8\n").refusal ==
        "log.txt:3: OSU's benchmarks begins here, and a CSV before; a file is of one program");
}

}  // namespace heddle
