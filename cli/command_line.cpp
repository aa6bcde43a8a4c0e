// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"
#include "cli/process/process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <optional>
#include <ostream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/commands/compiler_command.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/flags/flag_texts.hpp"
#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/run/tasks_ahead.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

constexpr std::string_view kNoMemory =
    "heddle: the system has no memory left; fewer ranks or a smaller --data-memory need less\n";

struct CommandEntry {
  const char* name;
  const char* description;
  std::function<Command(CLI::App*)> add;  ///< its flags
};

/// All commands by name. `words`, of the command line, say whether one of them alone has its flags, too, or all have them. Most starts
/// need those of one, and a short run takes less time than to make all.
std::vector<Command> add_commands(CLI::App& app, const std::vector<std::string>& words, std::optional<std::size_t> columns) {
  app.name("heddle");
  app.description(
      "Runs real collective-communication code on an emulated fabric, checks the answer, and only then reports the time.");
  app.set_version_flag("-V,--version", fmt::format("heddle {}", version()));
  app.formatter(std::make_shared<HelpFormatter>(columns));
  app.footer(
      "Exit status: 0 all is right, 1 a check failed or an output could not be written, 2 bad input; more: man heddle.\n"
      "A first run: heddle run allreduce --topo torus:8x8 --size 1MiB --preset swing-nsdi24\n"
      "More of each: heddle help run");
  app.require_subcommand(0, 1);  // which one, require_command says better
  const std::array<CommandEntry, 17> entries = {{
      {"run", "Run a collective on a fabric: each result checked, then timed", add_run_command},
      {"sweep", "Run a collective at many sizes, fabrics, ranks: who is best where",
       [&](CLI::App* command) { return add_sweep_command(command, words); }},
      {"merge", "The whole of a sweep from the parts that 'heddle sweep --shard' ran", add_merge_command},
      {"compare", "Whether results are slower than before: two JSON files, cell by cell", add_compare_command},
      {"list", "List the algorithms: rounds, bytes, needs and source of each", add_list_command},
      {"topo", "Describe a fabric: size, degree, diameter, bisection, latency", add_topo_command},
      {"traffic", "Count what algorithms send between a fabric's groups, over many placements", add_traffic_command},
      {"credits", "Find how little buffering algorithms need, and what less costs", add_credits_command},
      {"claims", "Run what the sources of the algorithms claim, beside what they print", add_claims_command},
      {"fuzz", "Run drawn calls of all algorithms, or of your own, until one is wrong", add_fuzz_command},
      {"export", "Files for other programs: decisions for Open MPI, MPICH and NCCL, schedules for MSCCL and GOAL",
       add_export_command},
      {"launch", "Start a program once for each rank of a run over TCP", add_launch_command},
      {"fit", "A fabric's speeds from runs over a real network, and how well they predict others", add_fit_command},
      {"mpicc", "Compile a C program or library that is written against MPI", add_compiler_command},
      {"mpicxx", "The same for C++", add_compiler_command},
      {"mpirun", "Run an MPI program on emulated ranks, in virtual time",
       [&](CLI::App* command) { return add_mpirun_command(command, words); }},
      {"help", "Show an overview, or what --help says of a command", add_help_command},
  }};
  const std::string_view named = words.empty() ? "" : std::string_view(words.front());
  const bool is_of_one = named != "help" && std::ranges::find(entries, named, &CommandEntry::name) != entries.end();
  std::vector<Command> commands;
  for (const CommandEntry& entry : entries) {
    CLI::App* const command = app.add_subcommand(entry.name, entry.description);
    if (!is_of_one || named == entry.name) commands.push_back(entry.add(command));
  }
  return commands;
}

/// Names of flags that other tools have, and ours.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kElsewhere = {{{"algorithm", "algo"},
                                                                                       {"algorithms", "algo"},
                                                                                       {"bandwidth", "bw"},
                                                                                       {"dtype", "datatype"},
                                                                                       {"type", "datatype"},
                                                                                       {"redop", "op"},
                                                                                       {"reduction", "op"},
                                                                                       {"bytes", "size"},
                                                                                       {"msg-size", "size"},
                                                                                       {"np", "ranks"},
                                                                                       {"nprocs", "ranks"},
                                                                                       {"topology", "topo"}}};

/// All long names, without dashes.
std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    known.insert(known.end(), option->get_lnames().begin(), option->get_lnames().end());
  return known;
}

bool has_flag(const CLI::App& command, std::string_view name) { return std::ranges::count(flags_of(command), name) > 0; }

/// "did you mean --algo?", "'heddle sweep' has it", or neither. `given`: with its dashes.
std::string guess_flag(const CLI::App& command, std::string_view given) {
  const std::string_view flag = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  std::vector<std::string> commands;
  CLI::App all;
  const std::vector<Command> with_flags = add_commands(all, {}, std::nullopt);
  for (const CLI::App* other : commands_to_run(all))
    if (has_flag(*other, flag)) commands.push_back(fmt::format("'heddle {}'", full_name(*other)));
  if (!commands.empty()) return fmt::format(" {} {} it;", fmt::join(commands, ", "), commands.size() == 1 ? "has" : "have");
  const auto elsewhere = std::ranges::find(kElsewhere, flag, &std::pair<std::string_view, std::string_view>::first);
  if (elsewhere != kElsewhere.end() && has_flag(command, elsewhere->second))
    return fmt::format(" did you mean --{}?", elsewhere->second);
  const std::vector<std::string> known = flags_of(command);
  const std::string_view nearest = nearest_name(flag, std::vector<std::string_view>(known.begin(), known.end()));
  return nearest.empty() ? "" : fmt::format(" did you mean --{}?", nearest);
}

/// Of the commands that a command has.
std::vector<std::string> names_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* own : command.get_subcommands(nullptr)) names.push_back(own->get_name());
  return names;
}

/// An argument that no option took: a misspelt flag or one word too many.
std::string explain_extra(const CLI::App& command, const std::string& argument) {
  const std::string help = fmt::format("'heddle {} --help'", full_name(command));
  const std::vector<std::string> own = names_below(command);
  if (!own.empty() && !argument.starts_with('-'))
    return unknown_name_message(fmt::format("{} format", command.get_name()), argument,
                                std::vector<std::string_view>(own.begin(), own.end()));
  if (!argument.starts_with('-')) return fmt::format("'{}' is one argument too many; {} shows what it takes", argument, help);
  const std::string flag = argument.substr(0, argument.find('='));
  const std::string_view renamed = renamed_flag(flag);
  if (!renamed.empty() && command.get_option_no_throw(std::string(renamed)) != nullptr)
    return fmt::format("{} is called {} now", flag, renamed);
  return fmt::format("{} is no flag of 'heddle {}';{} {} lists them", flag, full_name(command), guess_flag(command, flag),
                     help);
}

/// CLI11 says "At Most 1 required but received 2" and "1 required SIZE missing".
std::string explain_mismatch(const CLI::App& command, std::string_view complaint) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 1) return fmt::format("{} is given {} times; once is enough", option->get_name(), option->count());
  const std::string_view flag = complaint.substr(0, complaint.find(':'));
  if (flag == "--json") return fmt::format("--json: {}", FlagGroup::kJsonMisses);
  return fmt::format("{}: its value is missing; 'heddle {} --help' shows what it takes", flag, full_name(command));
}

std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  if (app.get_subcommands().empty()) return error.what();
  const CLI::App& command = given_command(app);
  const std::vector<std::string> left = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !left.empty()) return explain_extra(command, left.front());
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return explain_mismatch(command, error.what());
  return error.what();
}

int run_given(const std::vector<Command>& commands, std::ostream& out, std::ostream& err) {
  const auto given = std::ranges::find_if(commands, [](const Command& command) { return command.parser->parsed(); });
  if (!given->runs_algorithms) return given->run(out, err);
  int status = kExitOk;
  run_on_few_threads([&] { status = given->run(out, err); });
  return status;
}

constexpr std::string_view kNoFortran = "not served, as Fortran is not; heddle mpicc and heddle mpicxx compile C and C++";

/// What people look for as a command of its own, and where it is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kNoCommands = {
    {{"presets", "heddle list --presets"},
     {"algorithms", "heddle list"},
     {"topologies", "heddle topo --help"},
     {"explain", "heddle run … --explain"},
     {"heatmap", "heddle run … --heatmap -"},
     {"trace", "heddle run … --trace out.json"},
     {"plot", "heddle sweep … --plot out.svg"},
     {"tune", "heddle run … --tune options, or heddle sweep … --tune options"},
     {"bench", "heddle run, or heddle sweep for several sizes"},
     {"test", "heddle fuzz"},
     {"check", "heddle fuzz, or heddle run"},
     {"verify", "heddle fuzz, or heddle run"},
     {"mpiexec", "heddle mpirun"},
     {"mpic++", "heddle mpicxx"},
     {"mpiCC", "heddle mpicxx"},
     {"mpif77", kNoFortran},
     {"mpif90", kNoFortran},
     {"mpifort", kNoFortran}}};

/// Refuses what is no command before the parser sees it: it would only say that an argument was not expected.
void require_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return;
  const std::string& first = arguments.front();
  const std::array<std::string_view, 4> flags = {"--help", "-h", "--version", "-V"};
  const std::vector<std::string> names = names_below(app);
  if (std::ranges::find(names, first) != names.end() || std::ranges::find(flags, first) != flags.end()) return;
  const auto elsewhere = std::ranges::find(kNoCommands, first, &std::pair<std::string_view, std::string_view>::first);
  if (elsewhere != kNoCommands.end()) throw InputError(fmt::format("unknown command '{}': it is {}", first, elsewhere->second));
  throw InputError(unknown_name_message("command", first, std::vector<std::string_view>(names.begin(), names.end())));
}

/// Launchers of MPI take -np N, which is two letters to our parser, and -- before the program, behind which our parser knows no program:
/// --np, and no --. What follows the program is its own.
std::vector<std::string> with_long_np(const CLI::App& app, std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "mpirun") return arguments;
  const CLI::App& command = *app.get_subcommand("mpirun");
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    if (word == "--") arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i));
    if (i == arguments.size() || !arguments[i].starts_with('-')) break;
    if (word == "-np") arguments[i] = "--np";
    const CLI::Option* const option = command.get_option_no_throw(arguments[i]);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;  // its value
  }
  return arguments;
}

/// Returns all commands, one of which was given; none if nothing is to be run, because the arguments ask for help or the version, which
/// is on `out` then.
std::vector<Command> parse(CLI::App& app, const std::vector<std::string>& arguments, std::ostream& out) {
  std::vector<Command> commands = add_commands(app, arguments, columns_of(out));
  require_command(app, arguments);
  try {
    std::vector<std::string> given = with_long_np(app, arguments);
    std::ranges::reverse(given);  // CLI11 takes them last first
    app.parse(std::move(given));
    return commands;
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return {};
  } catch (const CLI::CallForVersion& version_text) {
    out << version_text.what() << '\n';
    return {};
  } catch (const CLI::ParseError& error) {
    throw InputError(explain(error, app));
  }
}

/// What the build and the shells call: `heddle manual` writes the man page, `heddle complete WORD…` says how a line goes on.
/// Help lists neither. Null: it is another command.
std::optional<std::string> text_for_programs(const std::vector<std::string>& arguments) {
  const bool is_manual = arguments.front() == "manual" && arguments.size() == 1;
  if (!is_manual && arguments.front() != "complete") return std::nullopt;
  CLI::App app;
  const std::vector<Command> commands = add_commands(app, arguments, std::nullopt);
  if (is_manual) return man_page(app);
  return to_lines(complete(app, std::vector<std::string>(arguments.begin() + 1, arguments.end())));
}

int parse_and_run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  if (arguments.empty()) {
    out << guide();
    return kExitOk;
  }
  if (const auto text = text_for_programs(arguments)) {
    out << *text;
    return kExitOk;
  }
  if (is_compiler_command(arguments.front())) return run_compiler(arguments, out);
  CLI::App app;
  const std::vector<Command> commands = parse(app, arguments, out);
  return commands.empty() ? kExitOk : run_given(commands, out, err);
}

}  // namespace

void check_command_line(const std::vector<std::string>& arguments) {
  CLI::App app;
  std::ostringstream help;
  parse(app, arguments, help);
}

int run_command_line(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) noexcept {
  int status = kExitOk;
  // One write for a line: ranks that are processes share standard error.
  const auto end_with = [&](int exit_status, const std::string& line) {
    err << fmt::format("heddle: {}\n", line);
    status = exit_status;
  };
  try {
    status = parse_and_run(arguments, out, err);
  } catch (const InputError& error) {
    end_with(kExitBadInput, printable(error.what()));
  } catch (const CheckError& error) {
    end_with(kExitCheckFailed, fmt::format("{}: {}", to_string(error.kind()), error.what()));
  } catch (const Error& error) {
    end_with(kExitCheckFailed, printable(error.what()));
  } catch (const std::bad_alloc&) {
    err << kNoMemory;
    status = kExitBadInput;
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::not_enough_memory) {  // as std::filesystem says it
      err << kNoMemory;
      status = kExitBadInput;
    } else if (error.code() == std::errc::resource_unavailable_try_again) {
      end_with(kExitBadInput, "the system has no thread left for it; a higher limit (ulimit -u) or a smaller --jobs may help");
    } else {
      end_with(kExitBadInput, fmt::format("the system refuses something that heddle needs: {}", printable(error.what())));
    }
  } catch (const std::exception& error) {
    end_with(kExitCheckFailed, fmt::format("this should not happen: {}", printable(error.what())));
  }
  if (!out.flush()) {
    end_with(std::max(status, kExitCheckFailed), "standard output cannot be written");
  }
  return status;
}

std::string command_of_link(std::string_view program) {
  constexpr std::string_view kPrefix = "heddle-";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kUsual = {
      {{"mpicc", "mpicc"}, {"mpicxx", "mpicxx"}, {"mpic++", "mpicxx"}, {"mpirun", "mpirun"}, {"mpiexec", "mpirun"}}};
  std::string_view name = program.substr(program.rfind('/') + 1);
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  const auto usual = std::ranges::find(kUsual, name, &std::pair<std::string_view, std::string_view>::first);
  return usual != kUsual.end() ? std::string(usual->second) : "";
}

bool keeps_long_lines(const std::vector<std::string>& arguments) {
  constexpr std::array<std::string_view, 3> kForPrograms = {"export", "manual", "complete"};
  if (!arguments.empty() && std::ranges::find(kForPrograms, arguments.front()) != kForPrograms.end() &&
      std::ranges::find(arguments, "--help") == arguments.end())
    return true;
  return std::ranges::any_of(arguments, [](std::string_view word) {
    return word == "-" || word.ends_with("=-") || word == "--wide" || word == "--markdown" || word.starts_with("--format");
  });
}

}  // namespace heddle
