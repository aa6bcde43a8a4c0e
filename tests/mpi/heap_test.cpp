// SPDX-License-Identifier: Apache-2.0
// Guarded memory: what writes beside a block or frees what is none is told, with the block.
#include <string>

#include "mpi/image/program_copy.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/compiled.hpp"

using namespace heddle;
using testing::compiled;
using testing::host_log;

namespace {

struct GuardedCopy {
  explicit GuardedCopy(bool guards = true) : copy(image, testing::host_table(guards)) { host_log() = {}; }
  template <class Result = void, class... Arguments>
  Result ask(const char* name, Arguments... arguments) {
    return reinterpret_cast<Result (*)(Arguments...)>(copy.find(name))(arguments...);
  }
  void* make(std::size_t size) { return ask<void*>("make", size); }

  mpi::ProgramImage image{compiled("heap.c", {"-shared", "-fno-builtin"})};
  mpi::ProgramCopy copy;
};

}  // namespace

TEST_CASE("all kinds of allocation work, guarded or not") {
  for (const bool guards : {false, true}) {
    GuardedCopy program(guards);
    CHECK(program.ask<int>("try_all") == 0);
    program.ask("free_of_libc");
    CHECK(host_log().heap_faults.empty());
    CHECK(program.copy.program().check_heap() == 0);
  }
}

TEST_CASE("a byte behind a block is found when the block is freed") {
  for (const long size : {0, 1, 7, 16, 100, 4096}) {
    CAPTURE(size);
    GuardedCopy program;
    void* const block = program.make(static_cast<std::size_t>(size));
    program.ask("write_at", size);
    CHECK(host_log().heap_faults.empty());
    program.ask("end");
    REQUIRE(host_log().heap_faults.size() == 1);
    const heddle_heap_fault& fault = host_log().heap_faults[0];
    CHECK(fault.kind == HEDDLE_HEAP_OVERRUN);
    CHECK(fault.block == block);
    CHECK(fault.size == static_cast<std::size_t>(size));
    CHECK(fault.offset == size);
    CHECK(program.copy.contains(fault.made_at));
    CHECK(program.copy.contains(fault.found_at));
  }
}

TEST_CASE("a byte before a block is found by a look at all") {
  GuardedCopy program;
  program.make(50);
  program.ask("write_at", -2L);
  CHECK(program.copy.program().check_heap() == 1);
  REQUIRE(host_log().heap_faults.size() == 1);
  CHECK(host_log().heap_faults[0].kind == HEDDLE_HEAP_UNDERRUN);
  CHECK(host_log().heap_faults[0].offset == -2);
  CHECK(host_log().heap_faults[0].found_at == nullptr);
}

TEST_CASE("what was not changed is no fault") {
  GuardedCopy program;
  program.make(50);
  program.ask("write_at", 0L);
  program.ask("write_at", 49L);
  program.ask("end");
  CHECK(host_log().heap_faults.empty());
}

TEST_CASE("an address inside a block cannot be freed") {
  // The C library would end the process if the host let the program go on.
  static heddle_mpi_table table;
  table = testing::host_table(true);
  table.system.heap_fault = [](const heddle_heap_fault* fault) {
    host_log().heap_faults.push_back(*fault);
    std::longjmp(*host_log().after_end, 1);
  };
  host_log() = {};
  const mpi::ProgramImage image(compiled("heap.c", {"-shared", "-fno-builtin"}));
  const mpi::ProgramCopy copy(image, table);
  const void* const block = reinterpret_cast<void* (*)(std::size_t)>(copy.find("make"))(50);
  std::jmp_buf after;
  host_log().after_end = &after;
  if (setjmp(after) == 0) reinterpret_cast<void (*)()>(copy.find("free_inside"))();
  REQUIRE(host_log().heap_faults.size() == 1);
  CHECK(host_log().heap_faults[0].kind == HEDDLE_HEAP_NOT_START);
  CHECK(host_log().heap_faults[0].offset == 3);
  CHECK(host_log().heap_faults[0].block == block);
}

TEST_CASE("the host finds the block that a buffer lies in") {
  GuardedCopy program;
  char* const block = static_cast<char*>(program.make(50));
  heddle_heap_block found{};
  for (const int offset : {-16, -1, 0, 49, 50, 65}) {
    CAPTURE(offset);
    REQUIRE(program.copy.program().find_block(block + offset, &found) == 1);
    CHECK(found.address == block);
    CHECK(found.size == 50);
    CHECK(program.copy.contains(found.made_at));
  }
  CHECK(program.copy.program().find_block(block - 17, &found) == 0);
  CHECK(program.copy.program().find_block(block + 66, &found) == 0);
  program.ask("end");
  CHECK(program.copy.program().find_block(block, &found) == 0);
}

TEST_CASE("a block of another copy goes back to that copy") {
  GuardedCopy library, program;
  char* const block = static_cast<char*>(library.make(50));
  heddle_heap_block found{};
  CHECK(program.ask<std::size_t>("size_of", block) == 50);
  block[49] = 'y';
  char* const larger = program.ask<char*>("larger", block, std::size_t{100});
  CHECK(larger[49] == 'y');
  CHECK(library.copy.program().find_block(block, &found) == 0);
  REQUIRE(program.copy.program().find_block(larger, &found) == 1);
  CHECK(found.size == 100);
  library.ask("end_of_other", larger);
  CHECK(program.copy.program().find_block(larger, &found) == 0);
  CHECK(host_log().heap_faults.empty());
  char* const damaged = static_cast<char*>(library.make(7));
  library.ask("write_at", 7L);
  program.ask("end_of_other", damaged);
  REQUIRE(host_log().heap_faults.size() == 1);
  CHECK(host_log().heap_faults[0].kind == HEDDLE_HEAP_OVERRUN);
  CHECK(library.copy.contains(host_log().heap_faults[0].made_at));
}

TEST_CASE("what is freed when all blocks were given back is freed no more") {
  GuardedCopy program;
  program.make(10);
  program.copy.program().empty_heap();
  program.ask("end");
  CHECK(host_log().heap_faults.empty());
}

TEST_CASE("all blocks can be given back at once") {
  GuardedCopy program;
  for (int i = 0; i < 100; ++i) program.make(1000);
  void* const last = program.make(1);
  program.copy.program().empty_heap();
  heddle_heap_block found{};
  CHECK(program.copy.program().find_block(last, &found) == 0);
  program.make(10);
  program.ask("end");
  CHECK(host_log().heap_faults.empty());
}
