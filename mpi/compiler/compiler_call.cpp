// SPDX-License-Identifier: Apache-2.0
#include "mpi/compiler/compiler_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "heddle/errors.hpp"
#include "heddle/version.hpp"

namespace heddle::mpi {

namespace {

using Words = std::vector<std::string>;

// After these, nothing is linked.
constexpr auto kNoLink = std::to_array<std::string_view>({"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only", "-r"});

// These take the next word as their value.
constexpr auto kWithValue = std::to_array<std::string_view>({"-o",          "-x",
                                                             "-I",          "-L",
                                                             "-D",          "-U",
                                                             "-B",          "-T",
                                                             "-u",          "-z",
                                                             "-e",          "-l",
                                                             "-F",          "-include",
                                                             "-imacros",    "-isystem",
                                                             "-iquote",     "-idirafter",
                                                             "-iprefix",    "-iwithprefix",
                                                             "-isysroot",   "-MF",
                                                             "-MT",         "-MQ",
                                                             "-Xlinker",    "-Xpreprocessor",
                                                             "-Xassembler", "-Xclang",
                                                             "-mllvm",      "-target",
                                                             "-arch",       "-aux-info",
                                                             "--param",     "--sysroot",
                                                             "-specs"});

// A rank's program is position-independent and shared, whatever is asked for.
constexpr auto kDropped =
    std::to_array<std::string_view>({"-pie", "-no-pie", "-nopie", "-Wl,-pie", "-Wl,-no-pie", "-Wl,--no-pie"});

struct Refusal {
  std::string_view flag;
  std::string_view why;
};

constexpr std::string_view kOneForTheProcess =
    "its memory is one for the process, and each rank has a copy of the program; leave it out";

// Refused where the argument begins with the flag.
constexpr auto kRefused = std::to_array<Refusal>({
    {"-static-pie", "a rank's copy takes the C library from the process; link single libraries statically, as -l:libx.a"},
    {"-ftls-model=initial-exec", "a process has no room for many copies of such variables; leave it out"},
    {"-ftls-model=local-exec", "a rank's copy is no executable; leave it out"},
    {"-fsanitize=address", kOneForTheProcess},
    {"-fsanitize=thread", kOneForTheProcess},
    {"-fsanitize=memory", kOneForTheProcess},
    {"-fsanitize=hwaddress", kOneForTheProcess},
    {"-fsanitize=leak", kOneForTheProcess},
});

template <class List>
bool has(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// A shell takes it as it is.
bool is_plain(std::string_view word) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%^";
  return word.find_first_not_of(kPlain) == std::string_view::npos;
}

// What the arguments ask for.
struct Request {
  Words words;  // for the compiler
  bool links = true;
  bool makes_library = false;
  bool has_input = false;
  std::optional<std::string> shown;  // "", "compile", "link", …
};

std::optional<std::string> shown_by(std::string_view word) {
  if (word == "-show" || word == "-showme" || word == "--showme") return "";
  if (word == "-compile_info" || word == "-compile-info") return "compile";
  if (word == "-link_info" || word == "-link-info") return "link";
  for (const std::string_view start : {"-showme:", "--showme:"}) {
    if (word.starts_with(start)) return std::string(word.substr(start.size()));
  }
  return std::nullopt;
}

Request request_of(std::span<const std::string> arguments) {
  Request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (auto shown = shown_by(word)) {
      request.shown = std::move(shown);
      continue;
    }
    for (const Refusal& refusal : kRefused) {
      if (word.starts_with(refusal.flag)) throw InputError(fmt::format("{}: {}", word, refusal.why));
    }
    if (word == "-static") throw InputError(fmt::format("-static: {}", kRefused[0].why));
    if (has(kDropped, word)) continue;
    if (has(kNoLink, word)) request.links = false;
    if (word == "-shared" || word == "--shared") {
      request.makes_library = true;
      continue;  // stands among what is added
    }
    request.words.push_back(word);
    if (has(kWithValue, word)) {
      if (word == "-l") request.has_input = true;
      if (i + 1 < arguments.size()) request.words.push_back(arguments[++i]);
    } else if (!word.starts_with('-') || word == "-" || word.starts_with("-l")) {
      request.has_input = true;
    }
  }
  // `mpicc --version`, `mpicc -v`, `mpicc -print-search-dirs`: there is nothing to link.
  request.links = request.links && request.has_input;
  return request;
}

// A function that writes behind its arrays is found when it returns: __stack_chk_fail of mpi/libc says so.
constexpr std::string_view kGuardStack = "-fstack-protector-strong";

Words compile_words(const CompilerSettings& settings) {
  Words words;
  for (const std::string& folder : settings.include_folders) words.push_back("-I" + folder);
  words.emplace_back(kGuardStack);
  words.emplace_back("-fPIC");
  return words;
}

// What a program needs beside what a library does. -z defs: a function that nobody has is an error as in a program, on which
// configure relies. --undefined=main: it may be in an archive, which the linker reads before Scrt1.o.
constexpr std::string_view kDefined = "-z,defs";
constexpr auto kOfProgram = std::to_array<std::string_view>(
    {kDefined, "--entry=_start", "--undefined=main", "--undefined=heddle_mpi_interpreter", "-l:Scrt1.o"});

// One segment for code and constants, nothing made read-only later: fewer maps for each rank. -Bsymbolic: a program's function is its
// own even where a library has one of the same name, as in a program that is linked as usual.
constexpr auto kOfBoth = std::to_array<std::string_view>({"-z,noseparate-code", "-z,norelro", "-Bsymbolic", "--gc-sections"});

Words link_words(const CompilerSettings& settings, bool makes_library) {
  Words words{"-shared"};
  for (const std::string_view option : kOfBoth) words.push_back(fmt::format("-Wl,{}", option));
  if (!makes_library)
    for (const std::string_view option : kOfProgram) words.push_back(fmt::format("-Wl,{}", option));
  if (!settings.command_folder.empty()) append(words, {"-Xlinker", "-rpath", "-Xlinker", settings.command_folder});
  words.push_back(settings.entry_archive);
  return words;
}

std::string folder_of_archive(const CompilerSettings& settings) {
  return std::filesystem::path(settings.entry_archive).parent_path().string();
}

// As -l takes it.
std::string name_of_archive(const CompilerSettings& settings) {
  return std::filesystem::path(settings.entry_archive).stem().string().substr(3);
}

// For those who link without this command. A shell's compiler makes of them what link_words() makes. CMake's find_package(MPI) leaves
// out all words but -Wl,… and libraries, and of these those with -Wl,-z at their start; Meson's dependency('mpi') -shared and
// --for-linker. What is left makes an executable whose copies are ranks too: it shows heddle its entry, which is its own even behind a
// library that has one (heddle_mpi_host is hidden there).
Words shown_link_words(const CompilerSettings& settings, bool makes_library) {
  Words words{"-shared",
              fmt::format("-Wl,-u,heddle_mpi_host,--export-dynamic-symbol=heddle_mpi_bind,{}", fmt::join(kOfBoth, ","))};
  if (!makes_library)
    for (const std::string_view option : kOfProgram)
      words.push_back(option == kDefined ? fmt::format("-Wl,{}", option) : fmt::format("--for-linker={}", option));
  const std::string& folder = settings.command_folder;
  if (!folder.empty() && is_plain(folder) && folder.find(',') == std::string::npos)
    words.push_back(fmt::format("-Wl,-rpath,{}", folder));
  append(words, {"-L" + folder_of_archive(settings), "-l" + name_of_archive(settings)});
  return words;
}

// Before the user's libraries as well: a shared one has a heddle_mpi_bind too, which is not the program's.
Words first_link_words(const CompilerSettings& settings) { return {"-Wl,-u,heddle_mpi_bind", settings.entry_archive}; }

CompilerCall shown_call(const CompilerSettings& settings, const Request& request, Words command) {
  const std::string& what = *request.shown;
  if (what.empty()) return {CompilerCall::Kind::print, std::move(command)};
  if (what == "compile") return {CompilerCall::Kind::print, compile_words(settings)};
  if (what == "link") {
    return {CompilerCall::Kind::print, shown_link_words(settings, request.makes_library)};
  }
  if (what == "incdirs") return {CompilerCall::Kind::print, settings.include_folders};
  if (what == "libdirs") return {CompilerCall::Kind::print, {folder_of_archive(settings)}};
  if (what == "libs") return {CompilerCall::Kind::print, {name_of_archive(settings)}};
  if (what == "version") return {CompilerCall::Kind::print, {"heddle", std::string(version())}};
  if (what == "command") return {CompilerCall::Kind::print, settings.compiler};
  if (what == "home") {
    if (settings.home.empty()) throw InputError("-showme:home: this heddle is in a build folder; 'cmake --install' makes one");
    return {CompilerCall::Kind::print, {settings.home}};
  }
  throw InputError(fmt::format("-showme:{}: there are compile, link, incdirs, libdirs, libs, command, version and home", what));
}

}  // namespace

CompilerCall compiler_call(const CompilerSettings& settings, std::span<const std::string> arguments) {
  const Request request = request_of(arguments);
  Words command = settings.compiler;
  for (const std::string& folder : settings.include_folders) command.push_back("-I" + folder);
  command.emplace_back(kGuardStack);  // first: -fno-stack-protector of the user's holds
  if (request.links) append(command, first_link_words(settings));
  append(command, request.words);
  command.emplace_back("-fPIC");  // last: the last one of -fPIC, -fPIE and their like holds
  if (request.links) {
    // An input's language is not the archive's.
    if (has(request.words, "-x")) append(command, {"-x", "none"});
    append(command, link_words(settings, request.makes_library));
  } else if (request.makes_library) {
    command.emplace_back("-shared");
  }
  if (request.shown) return shown_call(settings, request, std::move(command));
  return {CompilerCall::Kind::run, std::move(command)};
}

std::string shell_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && is_plain(word)) {
      text += word;
    } else if (const std::size_t path = word.find('/'); path != std::string::npos &&
                                                        word.find_first_of("\"$`\\\n!'") == std::string::npos &&
                                                        is_plain(word.substr(0, path))) {
      // As CMake's find_package(MPI) takes apart what wrappers print: -I"/a folder".
      text += fmt::format("{}\"{}\"", word.substr(0, path), word.substr(path));
    } else {
      text += '\'';
      for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
      text += '\'';
    }
  }
  return text;
}

}  // namespace heddle::mpi
