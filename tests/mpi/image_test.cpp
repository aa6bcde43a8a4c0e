// SPDX-License-Identifier: Apache-2.0
// Copies of a program's image: each has its own variables, may be reset, and says where its calls are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "mpi/image/places.hpp"
#include "mpi/image/program_copy.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/compiled.hpp"

using namespace heddle;
using Catch::Contains;
using testing::compiled;
using testing::host_log;

namespace {

template <class Result = int, class... Arguments>
Result ask(const mpi::ProgramCopy& copy, const char* name, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(copy.find(name))(arguments...);
}

// What gcc makes of a source without heddle.
std::string made_by_gcc(const std::string& name, const std::string& text, const std::string& flags) {
  const std::string source = testing::written(name + ".c", text);
  const std::string output = testing::scratch_folder() + "/" + name;
  REQUIRE(std::system(("cc " + source + " -o " + output + " " + flags).c_str()) == 0);
  return output;
}

std::int64_t maps_now() {
  std::ifstream list("/proc/self/maps");
  return std::count(std::istreambuf_iterator<char>(list), std::istreambuf_iterator<char>(), '\n');
}

}  // namespace

TEST_CASE("1,024 copies have a variable each") {
  const mpi::ProgramImage image(compiled("small.c"));
  std::vector<mpi::ProgramCopy> copies;
  const std::int64_t before = maps_now();
  for (int i = 0; i < 1024; ++i) copies.emplace_back(image, testing::host_table());
  CHECK(maps_now() - before <= 1024 * image.maps_per_copy() + 20);
  CHECK(image.maps_per_copy() <= 3);
  for (int i = 0; i < 1024; ++i) {
    const auto index = static_cast<std::size_t>(i);
    for (int k = 0; k <= i % 3; ++k) REQUIRE(testing::run_main(copies[index]) == 5 + k);
  }
  std::vector<const void*> mains;
  for (const auto& copy : copies) mains.push_back(reinterpret_cast<const void*>(copy.program().main));
  std::ranges::sort(mains);
  CHECK(std::ranges::adjacent_find(mains) == mains.end());
}

TEST_CASE("a copy that was unloaded leaves its place to others") {
  const mpi::ProgramImage image(compiled("small.c"));
  const std::int64_t before = maps_now();
  for (int i = 0; i < 200; ++i) {
    const mpi::ProgramCopy copy(image, testing::host_table());
    REQUIRE(testing::run_main(copy) == 5);
  }
  CHECK(maps_now() - before < 20);
}

TEST_CASE("C++ objects, templates' variables, thread-locals and exceptions are each copy's own") {
  for (const char* const compiler : {"g++", "clang++"}) {
    if (std::system((std::string("command -v ") + compiler + " >/dev/null").c_str()) != 0) continue;
    CAPTURE(compiler);
    const mpi::ProgramImage image(compiled("objects.cpp", {"-O1"}, compiler));
    mpi::ProgramCopy first(image, testing::host_table()), second(image, testing::host_table());
    for (const auto* copy : {&first, &second}) {
      CHECK(ask(*copy, "made") == 41);
      CHECK(ask(*copy, "next_value") == 7);
      CHECK(ask(*copy, "next_value") == 8);
      CHECK(ask(*copy, "next_call") == 1);
      CHECK(ask(*copy, "add_word") == 2);
      CHECK(ask(*copy, "add_word") == 3);
      CHECK(ask(*copy, "thrown") == 12);
      CHECK(testing::run_main(*copy) == 42);
    }
    CHECK(ask(first, "ended") == 0);
    first.finalize();
    CHECK(ask(first, "ended") == 2);  // the local static object and the global one
    CHECK(ask(second, "ended") == 0);
    CHECK_FALSE(image.can_be_reset());
  }
}

TEST_CASE("a copy is reset to the state after loading") {
  const mpi::ProgramImage image(compiled("state.c", {"-shared"}));
  REQUIRE(image.can_be_reset());
  mpi::ProgramCopy copy(image, testing::host_table(true), mpi::ProgramCopy::Keep::state_after_loading);
  const int first = ask(copy, "touch");
  CHECK(first == 1221101);
  CHECK(ask(copy, "touch") != first);
  for (int i = 0; i < 3; ++i) {
    copy.reset();
    REQUIRE(ask(copy, "touch") == first);
  }
  host_log() = {};
  CHECK(copy.program().check_heap() == 0);
}

TEST_CASE("a state that was not kept cannot come back") {
  const mpi::ProgramImage image(compiled("state.c", {"-shared"})), objects(compiled("objects.cpp"));
  mpi::ProgramCopy copy(image, testing::host_table());
  CHECK_THROWS_WITH(copy.reset(), Contains("not kept"));
  CHECK_THROWS_WITH(mpi::ProgramCopy(objects, testing::host_table(), mpi::ProgramCopy::Keep::state_after_loading),
                    Contains("constructors or thread-local"));
}

TEST_CASE("a library names its algorithms") {
  const mpi::ProgramImage image(compiled("state.c", {"-shared"}));
  const mpi::ProgramCopy copy(image, testing::host_table());
  CHECK(copy.program().main == nullptr);
  REQUIRE(copy.program().algorithm_count == 2);
  const auto* const algorithms = copy.program().algorithms;
  const bool in_order = std::strcmp(algorithms[0].name, "my_allreduce") == 0;
  const heddle_mpi_algorithm& one = algorithms[in_order ? 0 : 1];
  CHECK(std::string(one.collective) == "allreduce");
  CHECK(std::string(one.options) == "ranks=power_of_two");
  CHECK(reinterpret_cast<void*>(one.function) == copy.find("my_allreduce"));
  const mpi::ProgramImage none(compiled("heap.c", {"-shared"}));
  CHECK(mpi::ProgramCopy(none, testing::host_table()).program().algorithm_count == 0);
}

TEST_CASE("a large program's text is mapped once, and runs as before") {
  // 1.5 MB of code and constants, with a table of addresses among the variables.
  std::string text = "#include <mpi.h>\n";
  for (int i = 0; i < 3000; ++i)
    text += "int f" + std::to_string(i) + "(int x) { return x * " + std::to_string(i) + " + 1; }\n";
  text += "static const unsigned char large[1200000] = {1, 2, 3};\nint (*functions[3000])(int) = {";
  for (int i = 0; i < 3000; ++i) text += "f" + std::to_string(i) + ",";
  text +=
      "};\nint counter;\nint main(int argc, char** argv) { (void)argv; int sum = ++counter + large[argc];\n"
      "  for (int i = 0; i < 3000; ++i) sum += functions[i](argc);\n  return sum; }\n";
  const mpi::ProgramImage image(compiled(testing::written("large.c", text), {"-O1", "-g"}));
  REQUIRE(image.shares_text());
  CHECK(image.loaded_bytes().size() < image.file().bytes().size());
  std::vector<mpi::ProgramCopy> copies;
  for (int i = 0; i < 20; ++i) copies.emplace_back(image, testing::host_table());
  const int expected = 1 + 2 + 2999 * 3000 / 2 + 3000;
  for (const auto& copy : copies) CHECK(testing::run_main(copy) == expected);
  for (const auto& copy : copies) CHECK(testing::run_main(copy) == expected + 1);
}

TEST_CASE("constructors run in each copy before heddle has met it") {
  const std::string source =
      testing::written("constructed.c",
                       "#include <mpi.h>\n#include <stdlib.h>\nstatic char* made;\nint ends;\n"
                       "__attribute__((constructor)) static void begin(void) { made = malloc(5); made[0] = 9; }\n"
                       "int main(void) { const int value = made[0]++; made = realloc(made, 10); return value; }\n");
  const mpi::ProgramImage image(compiled(source));
  CHECK_FALSE(image.can_be_reset());
  const mpi::ProgramCopy first(image, testing::host_table(true)), second(image, testing::host_table(true));
  CHECK(testing::run_main(first) == 9);
  CHECK(testing::run_main(first) == 10);
  CHECK(testing::run_main(second) == 9);
}

// As CMake's find_package(MPI) links: by the flags that the compiler's command shows, without those that CMake leaves out.
TEST_CASE("an executable is copied, too, with the streams of C") {
  const std::string source = testing::written("executable.c",
                                              "#include <mpi.h>\n#include <stdio.h>\nstatic int calls = 5;\n"
                                              "int main(void) { if (fputs(\"\", stdout) < 0) return 1; return calls++; }\n");
  const mpi::CompilerSettings settings = testing::compiler_settings("cc");
  const std::string path = std::filesystem::path(source).replace_extension("pie").string();
  const std::string command =
      fmt::format("cc -fPIE -pie -I{} {} -o {} -Wl,-u,heddle_mpi_host,--export-dynamic-symbol=heddle_mpi_bind,--gc-sections {}",
                  settings.include_folders.front(), source, path, settings.entry_archive);
  REQUIRE(std::system(command.c_str()) == 0);
  const mpi::ProgramImage image(path);
  CHECK(image.file().kind() == mpi::ElfFile::Kind::position_independent_program);
  const mpi::ProgramCopy first(image, testing::host_table()), second(image, testing::host_table());
  CHECK(testing::run_main(first) == 5);
  CHECK(testing::run_main(first) == 6);
  CHECK(testing::run_main(second) == 5);
}

TEST_CASE("what cannot be copied is refused, with what would be right") {
  const auto refused = [](const std::string& path) { return mpi::ProgramImage(path).file().path(); };
  CHECK_THROWS_WITH(refused("/nowhere/program"), Contains("/nowhere/program: cannot be read"));
  CHECK_THROWS_WITH(refused(testing::written("script", "#!/bin/sh\n")), Contains("a script") && Contains("heddle mpicc"));
  CHECK_THROWS_WITH(refused(testing::written("text", "text")), Contains("not machine code"));
  CHECK_THROWS_WITH(refused(made_by_gcc("plain", "int main(void) { return 0; }", "")),
                    Contains("plain: not linked by heddle mpicc"));
  const std::string bind = "void* heddle_mpi_bind(void* table) { return table; }\n";
  const std::string main = bind + "int main(void) { return 0; }";
  CHECK_THROWS_WITH(refused(made_by_gcc("fixed", main, "-no-pie -rdynamic")),
                    Contains("an executable at a fixed address") && Contains("heddle mpicc"));
  const std::string local = bind + "__thread int here; int main(void) { return here; }";
  CHECK_THROWS_WITH(refused(made_by_gcc("local", local, "-fPIE -pie -rdynamic")),
                    Contains("an executable with thread-local variables") && Contains("CC=heddle-mpicc"));
  const std::string copied = bind + "extern long timezone; int main(void) { return timezone != 0; }";
  CHECK_THROWS_WITH(refused(made_by_gcc("copied", copied, "-fPIE -pie -rdynamic")),
                    Contains("a copy of a library's variable") && Contains("timezone,"));
  CHECK_THROWS_WITH(refused(made_by_gcc("object", main, "-c")), Contains("not link"));
  CHECK_THROWS_WITH(refused(made_by_gcc("tls.so", bind + "__thread int here; int* where(void) { return &here; }",
                                        "-shared -fPIC -ftls-model=initial-exec")),
                    Contains("-ftls-model=initial-exec"));
  const std::string fake = made_by_gcc("libmpi.so.40", "int MPI_Init(void* a, void* b) { return a == b; }",
                                       "-shared -fPIC -Wl,-soname,libmpi.so.40");
  CHECK_THROWS_WITH(
      refused(made_by_gcc("other_mpi", "int MPI_Init(void*, void*); int main(void) { return MPI_Init(0, 0); }", fake)),
      Contains("another MPI (libmpi.so.40)"));
}

TEST_CASE("what only loading shows is refused then") {
  const mpi::ProgramImage missing(
      compiled(testing::written("missing.c", "int nobody(void);\nint ask(void) { return nobody(); }\n"), {"-shared"}));
  CHECK_THROWS_WITH(mpi::ProgramCopy(missing, testing::host_table()),
                    Contains(missing.file().path() + ": undefined symbol: nobody") && !Contains("/proc/self"));
  const mpi::ProgramImage image(compiled("small.c"));
  heddle_mpi_table later = testing::host_table();
  later.version += 1;
  CHECK_THROWS_WITH(mpi::ProgramCopy(image, later), Contains("another version of heddle") && Contains("heddle mpicc"));
}

TEST_CASE("damaged files are refused, never more") {
  const std::string program = compiled("small.c");
  std::ifstream file(program, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  int refused = 0;
  for (std::size_t length = 4; length < whole.size(); length += whole.size() / 60) {
    try {
      mpi::ElfFile(testing::written("cut", whole.substr(0, length)));
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused >= 60);
  // Numbers of the header, of the segments and of the tables turned over: an answer or an InputError.
  for (std::size_t at = 16; at < 0x200; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    try {
      mpi::ElfFile(testing::written("turned", damaged));
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused >= 100);
}

TEST_CASE("what ranks share is known before they run") {
  const mpi::ProgramImage image(compiled("sharing.c"));
  std::vector<std::string> names;
  for (const mpi::SharedImport& import : image.shared_imports()) {
    names.push_back(import.name);
    CHECK_FALSE(import.what.empty());
  }
  CHECK(names == std::vector<std::string>{"dlopen", "fork", "pthread_create", "setenv"});
  CHECK(mpi::ProgramImage(compiled("small.c")).shared_imports().empty());
  CHECK(mpi::ProgramImage(compiled("objects.cpp")).shared_imports().empty());
}

TEST_CASE("a library beside the program is found, and is said to be shared") {
  const std::string library = compiled(testing::written("beside.c",
                                                        "#include <mpi.h>\nint beside(void) { static int calls; MPI_Send(0, "
                                                        "++calls, MPI_INT, 0, 0, MPI_COMM_WORLD); return calls; }\n"),
                                       {"-shared", "-Wl,-soname,libbeside.so"});
  REQUIRE(std::system(("mkdir -p " + testing::scratch_folder() + "/beside && cp " + library + " " + testing::scratch_folder() +
                       "/beside/libbeside.so")
                          .c_str()) == 0);
  const std::string program = compiled(testing::written("asks.c", "int beside(void);\nint main(void) { return beside(); }\n"),
                                       {"-L" + testing::scratch_folder() + "/beside", "-l:libbeside.so", "-Wl,--no-as-needed",
                                        "-Wl,-rpath,$ORIGIN/beside", "-l:libbeside.so"});
  const mpi::ProgramImage image(program);
  REQUIRE(image.shared_imports().size() == 1);
  CHECK(image.shared_imports()[0].name == "libbeside.so");
  CHECK_THAT(image.shared_imports()[0].what, Contains("statically"));
  const mpi::ProgramCopy first(image, testing::host_table()), second(image, testing::host_table());
  host_log() = {};
  CHECK(testing::run_main(first) == 1);
  CHECK(testing::run_main(second) == 2);
  CHECK(host_log().calls == std::vector<std::string>{"Send 1 0 0", "Send 2 0 0"});  // a library's calls go to the host too
}

TEST_CASE("places are lines with -g, functions without, offsets in a stripped file") {
  struct Case {
    std::vector<std::string> flags;
    std::vector<std::string> places;
  };
  for (const Case& c :
       {Case{{"-shared", "-g", "-O2"}, {"places.c:4", "places.c:8"}}, Case{{"-shared", "-O0"}, {"inner+0x", "outer+0x"}},
        Case{{"-shared", "-O0", "-s",
              "-Wl,--version-script=" + testing::written("hide", "{ global: outer; heddle_*; local: *; };")},
             {"places_", "outer+0x"}}}) {
    CAPTURE(c.flags);
    const mpi::ProgramImage image(compiled("places.c", c.flags));
    const mpi::ProgramCopy first(image, testing::host_table()), second(image, testing::host_table());
    host_log() = {};
    ask(first, "outer");
    ask(second, "outer");
    mpi::Places places;
    places.add(first);
    places.add(second);
    std::vector<const void*> asked = host_log().places;
    asked.push_back(nullptr);
    asked.push_back(&asked);
    const std::vector<std::string> texts = places.texts(asked);
    REQUIRE(texts.size() == 6);
    for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(texts[i], Catch::StartsWith(c.places[i % 2]));
    CHECK(texts[0] == texts[2]);  // another copy, the same place
    CHECK(texts[4] == "unknown place");
    CHECK(texts[5] == "unknown place");
  }
}

TEST_CASE("more copies than the system has ranges of memory for are refused with the number that fits") {
  CHECK_NOTHROW(mpi::require_maps(1, 2));
  CHECK_THROWS_WITH(mpi::require_maps(1'000'000'000, 4),
                    Contains("1000000000 copies") && Contains("vm.max_map_count") && Contains("at most"));
}
