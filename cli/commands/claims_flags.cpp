// SPDX-License-Identifier: Apache-2.0
// With claims or without, what heddle shows of its flags is the same.
#include <CLI/App.hpp>
#include <memory>

#include "cli/commands/claims_command.hpp"
#include "cli/commands/commands.hpp"
#include "cli/flags/flag_group.hpp"

namespace heddle {

Command add_claims_command(CLI::App* command) {
  const auto options = std::make_shared<ClaimsOptions>();
  const FlagGroup flags(*command);
  flags.add("NAME", options->names, "", "Claims by name, or by how their names begin: traeff, swing/fig (all)");
  flags.add_switch("--list", options->list, "Only names, sections and statements");
  flags.add_switch("--full", options->full, "Those on 4,096 ranks and more as well, which take many minutes");
  const FlagGroup output(*command, "Output");
  output.add_json(options->json);
  output.add("--html", options->html, "FILE", "The same as one page that a browser opens (docs/page.md)");
  output.add("--markdown", options->markdown, "FILE",
             "The same as pages with pictures: docs/claims.md and, for each source, in docs/claims/; '-' pages to standard "
             "output");
  output.add("--plot", options->plot, "FILE", "The figure of one claim, what its source prints as marks, as .svg or .png");
  command->footer(
      "Without a name: a line for each claim. With one: what is printed, what a run shows, the difference, and why where they\n"
      "differ. A claim that does not hold is a result; the exit status is 1 only if a check of a run fails.\n"
      "\nExamples:\n  heddle claims\n  heddle claims traeff/theorem-1\n  heddle claims swing/figure-6 --plot figure-6.svg\n  "
      "heddle claims --full --markdown claims.md");
  return {command, [options](std::ostream& out, std::ostream& err) { return claims_command(*options, out, err); }, true};
}

}  // namespace heddle
