// SPDX-License-Identifier: Apache-2.0
#include "show/document/output_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;

namespace {

/// Files in the directory of `path` whose names begin with its name.
int files_beside(const std::string& path) {
  int count = 0;
  const std::filesystem::path file(path);
  for (const auto& entry : std::filesystem::directory_iterator(file.parent_path()))
    count += entry.path().filename().string().starts_with(file.filename().string());
  return count;
}

}  // namespace

TEST_CASE("opening an output file changes nothing; each write replaces the whole content") {
  const TemporaryFile temporary("replace");
  std::ofstream(temporary.path()) << "old";
  const OutputFile file(temporary.path());
  CHECK(file_content(temporary.path()) == "old");
  file.write("a longer text");
  CHECK(file_content(temporary.path()) == "a longer text");
  file.write("short");
  CHECK(file_content(temporary.path()) == "short");
  CHECK(files_beside(temporary.path()) == 1);
}

TEST_CASE("an output file that is never written leaves no trace") {
  const TemporaryFile temporary("trace");
  const OutputFile file(temporary.path());
  CHECK(files_beside(temporary.path()) == 0);
}

TEST_CASE("through a symbolic link the file is replaced, not the link") {
  const TemporaryFile target("target");
  const TemporaryFile link("link");
  std::ofstream(target.path()) << "old";
  std::filesystem::create_symlink(target.path(), link.path());
  OutputFile(link.path()).write("new");
  CHECK(std::filesystem::is_symlink(link.path()));
  CHECK(file_content(target.path()) == "new");
}

TEST_CASE("a device is written directly and stays a device") {
  const OutputFile file("/dev/null");
  CHECK(file.is_stream());
  file.write("gone");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("what fails while it is written is no bad input") {
  CHECK_THROWS_AS(OutputFile("/dev/full").write("text"), OutputError);
  CHECK_THROWS_WITH(OutputFile("/dev/full").write("text"), Catch::Contains("'/dev/full': cannot be written: No space left") &&
                                                               Catch::EndsWith("; name a file where there is room"));
}

TEST_CASE("a pipe that nobody reads is given up once heddle is to end") {
  const TemporaryFile pipe("pipe");
  REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
  int asked = 0;
  const OutputFile file(pipe.path(), [&asked] { return ++asked > 3; });
  CHECK(file.is_stream());
  CHECK_THROWS_WITH(file.write("text"),
                    Catch::EndsWith("cannot be written: nobody reads it; read the pipe meanwhile, or name a file"));
  CHECK(asked == 4);
}

TEST_CASE("a pipe gets all of a text that it cannot hold at once") {
  const TemporaryFile pipe("read_pipe");
  REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
  const std::string text(1'000'000, 'x');
  std::string read;
  std::thread reader([&] { read = file_content(pipe.path()); });
  OutputFile(pipe.path()).write(text);
  reader.join();
  CHECK(read == text);
}

TEST_CASE("what is printed before a report is seen while its pipe waits for a reader") {
  struct KeepsWhatIsFlushed final : std::stringbuf {
    int sync() override {
      seen = str();
      return 0;
    }
    std::string seen;
  } buffer;
  std::ostream out(&buffer);
  out << "table";
  CHECK(buffer.seen.empty());
  ReportOutput("--json", "/dev/null").write("text", out);
  CHECK(buffer.seen == "table");
}

TEST_CASE("two outputs are one file by whatever names") {
  const TemporaryFile target("apart");
  const TemporaryFile link("apart_link");
  std::ofstream(target.path()) << "there";
  std::filesystem::create_symlink(target.path(), link.path());
  const auto are_apart = [](const std::string& one, const std::string& other) {
    try {
      require_apart({{"--a", one}, {"--b", other}});
      return true;
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::StartsWith("--a and --b: both would write '"));
      return false;
    }
  };
  CHECK_FALSE(are_apart(target.path(), link.path()));
  CHECK_FALSE(are_apart("nowhere/x", "./nowhere/../nowhere/x"));
  CHECK_FALSE(are_apart("-", "/dev/stdout"));
  CHECK(are_apart("x", "y"));
  CHECK(are_apart("/dev/null", "/dev/null"));
  CHECK(are_apart("-", target.path()));
}

TEST_CASE("what cannot be written is refused before the first write") {
  CHECK_THROWS_WITH(OutputFile("/nowhere/report.json"),
                    "'/nowhere/report.json': cannot be written: No such file or directory; "
                    "name a file in a directory that you may write to");
  CHECK_THROWS_WITH(OutputFile("/"), Catch::Contains("it is a directory"));
  CHECK_THROWS_AS(OutputFile(""), InputError);
  CHECK_THROWS_WITH(OutputFile("-"), "'-': standard output is not for this; name a file");
  CHECK_THROWS_WITH(OutputFile("/dev/null/report.json"), Catch::Contains("Not a directory"));
}

TEST_CASE("a report goes to a file, to standard output or nowhere") {
  std::ostringstream out;
  const ReportOutput nowhere("--json", std::nullopt);
  CHECK_FALSE(nowhere.is_wanted());
  nowhere.write("lost", out);
  CHECK(out.str().empty());
  const ReportOutput standard("--json", "-");
  CHECK(standard.is_standard_output());
  standard.write("shown", out);
  CHECK(out.str() == "shown");
  const TemporaryFile temporary("report");
  const ReportOutput file("--json", temporary.path());
  CHECK(file.is_wanted());
  CHECK_FALSE(file.is_standard_output());
  file.write_by([](std::ostream& to) { to << "kept"; }, out);
  CHECK(file_content(temporary.path()) == "kept");
  CHECK(out.str() == "shown");
  CHECK_THROWS_WITH(ReportOutput("--json", "/nonexistent/report"),
                    Catch::StartsWith("--json '/nonexistent/report': cannot be written: "));
}

}  // namespace heddle
