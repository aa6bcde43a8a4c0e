// SPDX-License-Identifier: Apache-2.0
// The binary interface: numbers and layouts of MPI 5.0's standard ABI, and the way from a call to the host.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "mpi/image/program_copy.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/compiled.hpp"

using namespace heddle;
using testing::compiled;
using testing::host_log;

namespace {

template <class Handle>
std::uintptr_t number(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

// The names of the functions that mpi.h declares, without MPI_ or PMPI_.
std::vector<std::string> declared(const std::string& prefix) {
  std::ifstream file(HEDDLE_MPI_INCLUDE "/abi/mpi.h");
  const std::regex function("^[A-Za-z_]+ " + prefix + "(\\w+)\\(.*\\);$");
  std::vector<std::string> names;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, found, function)) names.push_back(found[1]);
  }
  return names;
}

}  // namespace

TEST_CASE("the layouts of the standard ABI") {
  static_assert(sizeof(MPI_Status) == 32);
  static_assert(offsetof(MPI_Status, MPI_SOURCE) == 0 && offsetof(MPI_Status, MPI_TAG) == 4 &&
                offsetof(MPI_Status, MPI_ERROR) == 8);
  static_assert(sizeof(MPI_Aint) == sizeof(void*) && sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8);
  static_assert(MPI_SUCCESS == 0 && MPI_ERR_TRUNCATE == 15 && MPI_ERR_ABI == 62 && MPI_ERR_LASTCODE == 16383);
  static_assert(MPI_ANY_SOURCE == -1 && MPI_ANY_TAG == -2 && MPI_PROC_NULL == -3 && MPI_ROOT == -4 && MPI_UNDEFINED == -32766);
  static_assert(MPI_THREAD_SINGLE == 0 && MPI_THREAD_FUNNELED == 1024 && MPI_THREAD_MULTIPLE == 4096);
  CHECK(number(MPI_SUM) == 0x21);
  CHECK(number(MPI_MAXLOC) == 0x39);
  CHECK(number(MPI_COMM_WORLD) == 0x101);
  CHECK(number(MPI_REQUEST_NULL) == 0x180);
  CHECK(number(MPI_INT) == 0x209);
  CHECK(number(MPI_FLOAT) == 0x210);
  CHECK(number(MPI_DOUBLE) == 0x214);
  CHECK(number(MPI_BYTE) == 0x247);
  CHECK(number(MPI_BOTTOM) == 0);
  CHECK(number(MPI_IN_PLACE) == 1);
  CHECK(number(MPI_STATUSES_IGNORE) == 0);
}

TEST_CASE("fixed-size types tell their size by their numbers") {
  // Bits 3 to 5 of the number are the logarithm of the size (MPI 5.0, 20.2).
  const auto size = [](MPI_Datatype type) { return 1 << (number(type) >> 3 & 7); };
  CHECK(size(MPI_INT8_T) == 1);
  CHECK(size(MPI_BYTE) == 1);
  CHECK(size(MPI_UINT16_T) == 2);
  CHECK(size(MPI_INT32_T) == 4);
  CHECK(size(MPI_UINT64_T) == 8);
  CHECK(size(MPI_REAL16) == 16);
  CHECK(size(MPI_COMPLEX32) == 32);
}

// 664 of the standard ABI, 10 that older versions of MPI had, and 28 of Fortran's handles and statuses. Of these 38, 31 are calls of others.
TEST_CASE("all functions, and their PMPI forms, are declared and defined") {
  const auto names = declared("MPI_");
  REQUIRE(names.size() == 664 + 38);
  CHECK(std::ranges::count_if(names, [](const std::string& name) { return name.ends_with("_c"); }) == 161);
  CHECK(declared("PMPI_") == names);
  CHECK(HEDDLE_MPI_FUNCTION_COUNT == 664 + 7);
  std::ostringstream text;
  text << "#include <mpi.h>\ntypedef void (*function)(void);\nfunction all[] = {\n";
  for (const std::string& name : names) text << "(function)MPI_" << name << ", (function)PMPI_" << name << ",\n";
  text << "};\nint main(void) { return sizeof all / sizeof *all != 1404; }\n";
  const std::string program = compiled(testing::written("all_functions.c", text.str()));
  const mpi::ProgramImage image(program);
  const mpi::ProgramCopy copy(image, testing::host_table());
  CHECK(testing::run_main(copy) == 0);
}

TEST_CASE("the header compiles without warnings as C99 and as C++, and includes nothing but <stdint.h>") {
  const std::string source =
      testing::written("header.c", "#include <mpi.h>\n#include <heddle_mpi.h>\nint main(void) { return 0; }\n");
  for (const char* const compiler : {"cc", "clang"}) {
    if (std::string(compiler) == "clang" && std::system("command -v clang >/dev/null") != 0) continue;
    CHECK_NOTHROW(compiled(source, {"-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}, compiler));
    CHECK_NOTHROW(compiled(source, {"-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}, compiler));
  }
  // printf is not declared by the standard's header.
  const std::string other = testing::written("no_stdio.c", "#include <mpi.h>\nint main(void) { return printf(\"\"); }\n");
  CHECK_THROWS_WITH(compiled(other, {"-std=c99", "-Werror=implicit-function-declaration"}), Catch::Contains("printf"));
}

TEST_CASE("a call jumps to the host with its arguments and its place") {
  const mpi::ProgramImage image(compiled("endings.c"));
  const mpi::ProgramCopy copy(image, testing::host_table());
  host_log() = {};
  CHECK(testing::run_main(copy, {"send"}) == 0);
  CHECK(host_log().calls == std::vector<std::string>{"Send 5 6 7"});
  REQUIRE(host_log().places.size() == 1);
  CHECK(copy.contains(host_log().places[0]));
}

TEST_CASE("a function that the host does not serve is named, and the host says what it returns") {
  const mpi::ProgramImage image(compiled("endings.c"));
  const mpi::ProgramCopy copy(image, testing::host_table());
  host_log() = {};
  CHECK(testing::run_main(copy, {"window"}) == 16);
  CHECK(host_log().calls == std::vector<std::string>{"MPI_Win_fence"});
  CHECK(copy.contains(host_log().places.at(0)));
}

TEST_CASE("a program's own MPI_Send stands before ours, and calls it as PMPI_Send") {
  const mpi::ProgramImage image(compiled("tool.c"));
  const mpi::ProgramCopy copy(image, testing::host_table());
  host_log() = {};
  CHECK(testing::run_main(copy) == 0);
  CHECK(host_log().calls == std::vector<std::string>{"Send 10 6 7"});
  CHECK(*static_cast<int*>(copy.find("sent")) == 1);
}
