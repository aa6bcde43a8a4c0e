// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/claims_options.hpp"

#include <CLI/App.hpp>

namespace heddle {

void add_claims_command(CLI::App& app, ClaimsOptions& options) {
  CLI::App* command = app.add_subcommand("claims", "Run what the sources of the algorithms claim, beside what they print");
  command->add_option("NAME", options.names, "Claims by name, or by how their names begin: traeff, swing/fig (all)")
      ->type_name("");
  command->add_flag("--list", options.list, "Only names, sections and statements");
  command->add_flag("--full", options.full, "Those on 4,096 ranks and more as well, which take many minutes");
  command->add_option("--json", options.json, "All findings as JSON; '-' to standard output, instead of the table")
      ->type_name("FILE")
      ->group("Output");
  command->add_option("--html", options.html, "The same as one page that a browser opens (docs/page.md)")
      ->type_name("FILE")
      ->group("Output");
  command
      ->add_option(
          "--markdown", options.markdown,
          "The same as pages with pictures: docs/claims.md and, for each source, in docs/claims/; '-' pages to standard "
          "output")
      ->type_name("FILE")
      ->group("Output");
  command->add_option("--plot", options.plot, "The figure of one claim, what its source prints as marks, as .svg or .png")
      ->type_name("FILE")
      ->group("Output");
  command->footer(
      "Without a name: a line for each claim. With one: what is printed, what a run shows, the difference, and why where they\n"
      "differ. A claim that does not hold is a result; the exit status is 1 only if a check of a run fails.\n"
      "\nExamples:\n  heddle claims\n  heddle claims traeff/theorem-1\n  heddle claims swing/figure-6 --plot figure-6.svg\n  "
      "heddle claims --full --markdown claims.md");
}

}  // namespace heddle
