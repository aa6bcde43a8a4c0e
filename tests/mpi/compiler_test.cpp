// SPDX-License-Identifier: Apache-2.0
// What `heddle mpicc` makes of its arguments.
#include <filesystem>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "mpi/compiler/compiler_call.hpp"
#include "mpi/compiler/compiler_files.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/compiled.hpp"

using namespace heddle;
using Catch::Contains;

namespace {

const mpi::CompilerSettings kSettings{{"ccache", "gcc"}, {"/h/include"}, "/h/lib/libheddle_mpi_entry.a", "", ""};

const std::string kCompile = "ccache gcc -I/h/include -fstack-protector-strong";
const std::string kFirst = " -Wl,-u,heddle_mpi_bind /h/lib/libheddle_mpi_entry.a";
const std::string kShared = " -fPIC -shared -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-Bsymbolic -Wl,--gc-sections";
const std::string kProgram = kShared +
                             " -Wl,-z,defs -Wl,--entry=_start -Wl,--undefined=main -Wl,--undefined=heddle_mpi_interpreter "
                             "-Wl,-l:Scrt1.o /h/lib/libheddle_mpi_entry.a";
const std::string kShown =
    "-shared "
    "-Wl,-u,heddle_mpi_host,--export-dynamic-symbol=heddle_mpi_bind,-z,noseparate-code,-z,norelro,-Bsymbolic,--gc-sections";
const std::string kLibrary = kShared + " /h/lib/libheddle_mpi_entry.a";

mpi::CompilerCall call(const std::vector<std::string>& arguments) { return mpi::compiler_call(kSettings, arguments); }

std::string run(const std::vector<std::string>& arguments) {
  const auto made = call(arguments);
  CHECK(made.kind == mpi::CompilerCall::Kind::run);
  return mpi::shell_text(made.words);
}

std::string shown(const std::vector<std::string>& arguments) {
  const auto made = call(arguments);
  CHECK(made.kind == mpi::CompilerCall::Kind::print);
  return mpi::shell_text(made.words);
}

}  // namespace

TEST_CASE("a program is linked as a shared object that can be started") {
  CHECK(run({"a.c", "-o", "a"}) == kCompile + kFirst + " a.c -o a" + kProgram);
  CHECK(run({"-O2", "a.o", "-lm"}) == kCompile + kFirst + " -O2 a.o -lm" + kProgram);
  CHECK(run({"-pie", "a.o", "-no-pie"}) == kCompile + kFirst + " a.o" + kProgram);
  CHECK(run({"-x", "c", "-"}) == kCompile + kFirst + " -x c - -fPIC -x none" + kProgram.substr(6));
}

TEST_CASE("a library is one") {
  CHECK(run({"-shared", "a.c", "-o", "liba.so"}) == kCompile + kFirst + " a.c -o liba.so" + kLibrary);
}

TEST_CASE("what does not link is compiled position-independently, whatever stands there") {
  CHECK(run({"-c", "a.c"}) == kCompile + " -c a.c -fPIC");
  CHECK(run({"-E", "a.c", "-fno-pic"}) == kCompile + " -E a.c -fno-pic -fPIC");
  CHECK(run({"-shared", "-c", "a.c"}) == kCompile + " -c a.c -fPIC -shared");
  CHECK(run({"-MM", "a.c"}) == kCompile + " -MM a.c -fPIC");
}

TEST_CASE("questions to the compiler are passed on") {
  CHECK(run({"--version"}) == kCompile + " --version -fPIC");
  CHECK(run({"-v"}) == kCompile + " -v -fPIC");
  CHECK(run({}) == kCompile + " -fPIC");
  // A value is no input.
  CHECK(run({"-o", "a"}) == kCompile + " -o a -fPIC");
}

TEST_CASE("the flags are shown, as other wrappers show them") {
  CHECK(shown({"-show", "a.c"}) == kCompile + kFirst + " a.c" + kProgram);
  CHECK(shown({"-show"}) == kCompile + " -fPIC");
  CHECK(shown({"-showme:compile"}) == "-I/h/include -fstack-protector-strong -fPIC");
  CHECK(shown({"-showme:link"}) == kShown +
                                       " -Wl,-z,defs --for-linker=--entry=_start --for-linker=--undefined=main "
                                       "--for-linker=--undefined=heddle_mpi_interpreter"
                                       " --for-linker=-l:Scrt1.o -L/h/lib -lheddle_mpi_entry");
  CHECK(shown({"-shared", "-link_info"}) == kShown + " -L/h/lib -lheddle_mpi_entry");
  CHECK(shown({"--showme:incdirs"}) == "/h/include");
  CHECK(shown({"-showme:libdirs"}) == "/h/lib");
  CHECK(shown({"-showme:libs"}) == "heddle_mpi_entry");
  CHECK(shown({"-showme:command"}) == "ccache gcc");
  CHECK(shown({"-showme:version"}) == "heddle " + std::string(version()));
  const std::vector<std::string> link{"-showme:link"};
  const mpi::CompilerSettings installed{{"cc"}, {"/h h/mpi"}, "/h h/libheddle_mpi_entry.a", "/h/bin", "/h h/mpi"};
  CHECK_THAT(mpi::shell_text(mpi::compiler_call(installed, link).words),
             Contains(" -Wl,-rpath,/h/bin -L\"/h h\" -lheddle_mpi_entry"));
  const std::vector<std::string> home{"-showme:home"};
  CHECK(mpi::shell_text(mpi::compiler_call(installed, home).words) == "\"/h h/mpi\"");
  CHECK_THROWS_WITH(call({"-showme:home"}), Contains("cmake --install"));
  CHECK_THROWS_WITH(call({"-showme:everything"}), Contains("-showme:everything") && Contains("compile, link"));
}

TEST_CASE("what cannot be a rank's program is refused, with what would be right") {
  for (const char* const flag : {"-static", "-static-pie", "-ftls-model=initial-exec", "-ftls-model=local-exec",
                                 "-fsanitize=address,undefined", "-fsanitize=thread"}) {
    CAPTURE(flag);
    CHECK_THROWS_AS(call({flag, "a.c"}), InputError);
    CHECK_THROWS_WITH(call({flag, "a.c"}), Contains(std::string(flag) + ": "));
  }
  CHECK_NOTHROW(call({"-fsanitize=undefined", "-static-libgcc", "-ftls-model=global-dynamic", "a.c"}));
}

TEST_CASE("words are quoted where a shell would read them otherwise") {
  const std::vector<std::string> words{"-DNAME=\"a b\"", "it's", "", "plain-1.c", "-I/a folder", "-I/a$b"};
  CHECK(mpi::shell_text(words) == "'-DNAME=\"a b\"' 'it'\\''s' '' plain-1.c -I\"/a folder\" '-I/a$b'");
}

TEST_CASE("headers and archive are beside the installed command, else in the build") {
  using mpi::CompilerLanguage;
  const mpi::CompilerSettings built = mpi::installed_compiler(CompilerLanguage::c, "/nowhere/bin/heddle", {});
  CHECK(built.compiler == std::vector<std::string>{"cc"});
  CHECK(built.entry_archive == testing::compiler_settings("cc").entry_archive);
  CHECK(built.include_folders == testing::compiler_settings("cc").include_folders);
  const std::filesystem::path prefix = testing::scratch_folder() + "/prefix";
  std::filesystem::create_directories(prefix / "lib/heddle/mpi");
  for (const char* const name : {"prefix/lib/heddle/libheddle_mpi_entry.a", "prefix/lib/heddle/mpi/mpi.h"})
    testing::written(name, "");
  const mpi::CompilerSettings installed = mpi::installed_compiler(CompilerLanguage::cxx, prefix / "bin/heddle", "");
  CHECK(installed.compiler == std::vector<std::string>{"c++"});
  CHECK(installed.entry_archive == (prefix / "lib/heddle/libheddle_mpi_entry.a").string());
  CHECK(installed.include_folders == std::vector<std::string>{(prefix / "lib/heddle/mpi").string()});
  CHECK(mpi::installed_compiler(CompilerLanguage::c, "/bin/heddle", " ccache  clang ").compiler ==
        std::vector<std::string>{"ccache", "clang"});
}
