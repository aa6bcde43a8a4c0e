// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "claims/claims_table.hpp"
#include "cli/commands/claims_command.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/effort.hpp"

namespace heddle::claims {

using Json = nlohmann::json;
using test::run_heddle;

namespace {

Claim claim_of(std::string name, std::vector<Finding> findings) {
  return {
      .name = std::move(name), .section = "§1", .statement = "A sentence.", .check = [findings = std::move(findings)](Lab&) {
        return findings;
      }};
}

Claim large_claim(std::string name) {
  Claim claim = claim_of(std::move(name), {compare_exactly("p = 4096", 12, 12)});
  claim.full = true;
  return claim;
}

Source source_of(std::vector<Claim> claims) {
  return {.name = "paper", .title = "A Paper", .setting = "Links of 1 GB/s.", .claims = std::move(claims)};
}

Source sample() {
  return source_of({claim_of("paper/sum", {compare("p = 8", 18.8, 1, 18.78, "us", 0.01, "heddle run sum")}),
                    claim_of("paper/sorts", {compare_words("first", "ring", "tree", false, "",
                                                           refuted("rings win", "The ring has 7 rounds."))}),
                    large_claim("paper/sum-large")});
}

struct Called {
  int status;
  std::string out;
  std::string err;
};

Called call(const Source& source, const ClaimsOptions& options = {}) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = claims_command(options, std::span(&source, 1), out, err);
  return {.status = status, .out = out.str(), .err = err.str()};
}

std::vector<std::string> names_of(const std::vector<Selected>& selected) {
  std::vector<std::string> names;
  for (const Selected& it : selected) names.push_back(it.claim->name + (it.runs ? "" : " not"));
  return names;
}

std::vector<std::string> select(const Source& source, const std::vector<std::string>& names, bool full = false) {
  return names_of(select_claims(std::span(&source, 1), names, full));
}

}  // namespace

TEST_CASE("a printed value holds to the digits that are printed, then within a tolerance") {
  CHECK(compare("of", 18.8, 1, 18.7501, "us", 0.01, "").verdict == Verdict::holds);
  CHECK(compare("of", 18.8, 1, 18.8499, "us", 0.01, "").verdict == Verdict::holds);
  const Finding within = compare("of", 18.8, 1, 18.9, "us", 0.01, "heddle run x", "unused");
  CHECK(within.verdict == Verdict::holds_within);
  CHECK(verdict_text(within) == "holds within 1 %");
  CHECK(within.printed == "18.8 us");
  CHECK(within.measured == "18.90 us");
  CHECK(difference_text(within) == "+0.5 %");
  CHECK(within.why.empty());
  CHECK(within.command == "heddle run x");
  const Finding beyond = compare("of", 18.8, 1, 20, "", 0.01, "", "because");
  CHECK(beyond.verdict == Verdict::run_differs);
  CHECK(beyond.why == "because");
  CHECK(beyond.printed == "18.8");
}

TEST_CASE("a printed value may be rounded to tens, or zero") {
  CHECK(compare("of", 1460, -1, 1464.9, "us", 0, "").verdict == Verdict::holds);
  CHECK(compare("of", 1460, -1, 1465.1, "us", 0, "", "why").verdict == Verdict::run_differs);
  CHECK(compare("of", 1460, -1, 1461.8, "us", 0, "").printed == "1460 us");
  CHECK_FALSE(compare("of", 0, 0, 3, "", 0.1, "", "why").difference);
  CHECK_FALSE(compare_exactly("of", 0, 3, "", "why").difference);
}

TEST_CASE("integers and words are the same or not") {
  CHECK(compare_exactly("of", 5, 5).verdict == Verdict::holds);
  CHECK(compare_exactly("of", 5, 6, "", "why").verdict == Verdict::run_differs);
  CHECK(compare_words("of", "ring", "ring", true).verdict == Verdict::holds);
  CHECK(compare_words("of", "ring", "tree", false, "", "why").why == "why");
}

TEST_CASE("claims are called by their whole names or by how these begin") {
  const Source source = sample();
  CHECK(select(source, {}) == std::vector<std::string>{"paper/sum", "paper/sorts", "paper/sum-large not"});
  CHECK(select(source, {}, true) == std::vector<std::string>{"paper/sum", "paper/sorts", "paper/sum-large"});
  CHECK(select(source, {"paper/sum"}) == std::vector<std::string>{"paper/sum"});
  CHECK(select(source, {"paper/su"}) == std::vector<std::string>{"paper/sum", "paper/sum-large not"});
  CHECK(select(source, {"paper/sum-large", "paper/sorts", "paper/so"}) ==
        std::vector<std::string>{"paper/sorts", "paper/sum-large"});
}

TEST_CASE("an unknown claim is refused with the nearest name") {
  const test::CommandResult result = run_heddle("claims tivance");
  CHECK(result.status == 2);
  CHECK(result.err == "heddle: no claim is called 'tivance': did you mean 'trivance'? 'heddle claims --list' names them all\n");
}

TEST_CASE("the overview has a line for each claim and ends with the sum") {
  const Called called = call(sample());
  CHECK(called.status == 0);
  CHECK(called.err == "");
  CHECK(called.out ==
        "paper: A Paper\n"
        "  paper/sum          1  [paper] §1  holds\n"
        "  paper/sorts        1  [paper] §1  does not hold: a run shows otherwise\n"
        "  paper/sum-large       [paper] §1  not run\n"
        "\n# 2 claims, 2 rows: 1 holds; 1 does not hold: a run shows otherwise; 1 on 4,096 ranks and more not run (--full)\n"
        "# heddle claims NAME shows the findings of one, and why; docs/sources.md has each [key]\n");
}

TEST_CASE("one claim shows its findings, the reasons and the commands") {
  CHECK(call(sample(), {.names = {"paper/sorts"}}).out ==
        "paper/sorts  (A Paper, [paper] §1): does not hold: a run shows otherwise\n"
        "\n"
        "  A sentence.\n"
        "\n"
        "  of     printed  measured  differs  verdict\n"
        "  first  ring     tree               does not hold: a run shows otherwise\n"
        "\n"
        "  first:\n"
        "    The source: \"rings win\"\n"
        "    The ring has 7 rounds.\n");
  CHECK_THAT(call(sample(), {.names = {"paper/sum"}}).out,
             Catch::Contains("\n  p = 8  18.8 us  18.78 us   -0.1 %  holds\n\n  heddle run sum\n"));
}

TEST_CASE("a claim that fails is reported and the others go on") {
  Source source = sample();
  source.claims.insert(source.claims.begin(), claim_of("paper/breaks", {}));
  source.claims.front().check = [](Lab&) -> std::vector<Finding> { throw std::runtime_error("a wrong sum"); };
  const Called called = call(source);
  CHECK(called.status == 1);
  CHECK(called.err == "heddle: claim paper/breaks: a wrong sum\n");
  CHECK_THAT(called.out, Catch::Contains("paper/breaks       0  [paper] §1  no verdict") && Catch::Contains(": 1 holds; ") &&
                             Catch::Contains("; 1 failed"));
}

TEST_CASE("a verdict without its reason is refused") {
  Finding finding = compare_words("first", "ring", "tree", false);
  CHECK(
      call(source_of({claim_of("paper/silent", {finding})})).err ==
      "heddle: claim paper/silent: 'first' does not hold: a run shows otherwise (printed ring, measured tree) and nothing says "
      "why\n");
  finding.why = "A tree is quicker.";
  CHECK(call(source_of({claim_of("paper/silent", {finding})})).err ==
        "heddle: claim paper/silent: 'first' does not hold: a run shows otherwise, and nothing quotes what it contradicts\n");
  finding.why = "";
  finding.verdict = Verdict::holds_within;
  CHECK(call(source_of({claim_of("paper/silent", {finding})})).status == 1);
  finding.tolerance = 0.02;
  CHECK(call(source_of({claim_of("paper/silent", {finding})})).status == 0);
  CHECK(call(source_of({claim_of("paper/empty", {})})).err ==
        "heddle: claim paper/empty: its check found nothing to compare\n");
}

TEST_CASE("claims as JSON and as a page") {
  const Json json = Json::parse(call(sample(), {.json = "-"}).out);
  REQUIRE(json["claims"].size() == 3);
  CHECK(json["claims"][0]["citation"] == "[paper] §1");
  CHECK(json["claims"][0]["verdict"] == "holds");
  CHECK(json["claims"][0]["findings"][0]["printed"] == "18.8 us");
  CHECK(json["claims"][0]["findings"][0]["tolerance"].is_null());
  CHECK(json["claims"][1]["findings"][0]["why"] == "The ring has 7 rounds.");
  CHECK(json["claims"][2]["ran"] == false);
  CHECK(json["claims"][2]["verdict"].is_null());
}

namespace {

/// With a finding for authors and a figure.
Source sample_with_figure() {
  Source source = sample();
  source.claims[1].for_authors = "Trees are slower\nThe ring has *fewer* hops.";
  source.claims[0].figure = Figure{.shows = "Sums", .chart = [](Lab&) {
                                     return pictures::Chart{.title = "Sums & times",
                                                            .panels = {{.title = "all",
                                                                        .x = {.title = "Ranks"},
                                                                        .y = {.title = "Time (us)"},
                                                                        .lines = {{.name = "ring", .points = {{1, 2}, {3, 4}}}},
                                                                        .printed = {{.line = "ring", .at = {2, 3}}}}}};
                                   }};
  return source;
}

}  // namespace

TEST_CASE("claims as pages: the first has totals, findings for authors and a list, each source its own") {
  const test::TemporaryFile page("pages.md");
  const std::string folder = page.path().substr(0, page.path().size() - 3);
  CHECK(call(sample_with_figure(), {.markdown = page.path()}).status == 0);
  const std::string name = std::filesystem::path(folder).filename().string();
  const std::string link = name + "/paper.md";
  CHECK_THAT(
      test::file_content(page.path()),
      Catch::StartsWith("# Claims\n") &&
          Catch::Contains("\n| A Paper [paper](sources.md#paper) | 3 | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |\n") &&
          Catch::Contains("\n## Findings for authors\n\n### Trees are slower\n\n[paper/sorts](" + link + "#papersorts), ") &&
          Catch::Contains("\nThe ring has *fewer* hops.\n\n| of | printed |") &&
          Catch::Contains("\n```sh\nheddle claims paper/sorts\n```\n") &&
          Catch::Contains("\n| [paper/sum](" + link + "#papersum) | [paper](sources.md#paper) §1 | holds |\n"));
  CHECK_THAT(test::file_content(folder + "/paper.md"),
             Catch::StartsWith("# A Paper\n") &&
                 Catch::Contains("\n\nLinks of 1 GB/s.\n\n## paper/sum\n\n"
                                 "**[paper](../sources.md#paper) §1: holds.** A sentence.\n\n"
                                 "![Sums](paper-sum.svg)\n") &&
                 Catch::Contains("\n| p = 8 | 18.8 us | 18.78 us | -0.1 % | holds |\n\n```sh\nheddle run sum\n```\n"));
  CHECK_THAT(test::file_content(folder + "/paper-sum.svg"), Catch::Contains(">Sums &amp; times<"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("all pages of claims to standard output, one after another, draw nothing") {
  Source source = sample_with_figure();
  source.claims[0].figure->chart = [](Lab&) -> pictures::Chart { throw std::runtime_error("drawn"); };
  const Called called = call(source, {.markdown = "-"});
  CHECK(called.status == 0);
  CHECK_THAT(called.out, Catch::StartsWith("# Claims\n") && Catch::Contains("\n# A Paper\n"));
}

TEST_CASE("the figure of one claim") {
  const test::TemporaryFile picture("sum.svg");
  CHECK(call(sample_with_figure(), {.names = {"paper/sum"}, .plot = picture.path()}).status == 0);
  CHECK_THAT(test::file_content(picture.path()), Catch::Contains("<svg ") && Catch::Contains(">ring<"));
  const std::string refused = "a picture is of one";
  CHECK_THROWS_WITH(call(sample_with_figure(), {.names = {"paper/s"}, .plot = picture.path()}), Catch::Contains(refused));
  CHECK_THROWS_WITH(call(sample_with_figure(), {.names = {"paper/sorts"}, .plot = picture.path()}),
                    Catch::Contains("'paper/sorts' has no figure"));
  CHECK_THROWS_WITH(call(sample_with_figure(), {.names = {"paper/sum"}, .plot = "sum.gif"}),
                    Catch::Contains("ends in .svg or .png"));
}

TEST_CASE("a finding for authors that no run shows any more is refused") {
  Source source = sample();
  source.claims[0].for_authors = "Sums are wrong\nNo.";
  const Called called = call(source);
  CHECK(called.status == 1);
  CHECK_THAT(called.err, Catch::Contains("claim paper/sum: is a finding for authors, and no run shows otherwise"));
}

TEST_CASE("findings for authors: ten at most, each with a place of its own") {
  std::set<int> places;
  for (const Source& source : all_sources())
    for (const Claim& claim : source.claims) {
      INFO(claim.name);
      CHECK(claim.for_authors.empty() == (claim.place_for_authors == 0));
      if (claim.for_authors.empty()) continue;
      CHECK(places.insert(claim.place_for_authors).second);
      CHECK(claim.for_authors[claim.for_authors.find('\n') - 1] != '.');
      CHECK(std::ranges::count(claim.for_authors, '\n') == 1);
      CHECK(claim.for_authors.size() < 1500);
    }
  CHECK(places.size() <= 10);
}

TEST_CASE("what Träff prints of p = 22 is what a run adds up") {
  const Json json = Json::parse(run_heddle("claims traeff/p22-order --json -").out);
  const Json& finding = json["claims"][0]["findings"][0];
  CHECK(finding["measured"] == "21+10+(15+4)+(18+7+(12+1))+(19+8+(13+2)+(16+5))+(20+9+(14+3)+(17+6+(11+0)))");
  CHECK(finding["verdict"] == "holds");
}

TEST_CASE("claims of a source run end to end, to the same bytes each time") {
  const bool all = testing::effort() == testing::Effort::thorough;
  const std::string arguments = std::string("claims ") + (all ? "traeff/corollary" : "traeff/commutativity") + " --json -";
  const test::CommandResult result = run_heddle(arguments);
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const Json json = Json::parse(result.out);
  CHECK(json["claims"].size() == (all ? 4 : 1));
  for (const Json& claim : json["claims"]) CHECK_FALSE(claim["findings"].empty());
  CHECK(run_heddle(arguments).out == result.out);
}

TEST_CASE("the pages of docs/claims have every claim, in order, and the pictures of those that have one") {
  INFO("to renew them: heddle claims --full --markdown docs/claims.md");
  const std::string folder = HEDDLE_SOURCE_DIR "/docs/claims/";
  for (const Source& source : all_sources()) {
    const std::string page = test::file_content(folder + source.name + ".md");
    std::vector<std::string> headings;
    for (const std::string& line : test::lines_of(page))
      if (line.starts_with("## ")) headings.push_back(line.substr(3));
    std::vector<std::string> names;
    for (const Claim& claim : source.claims) {
      names.push_back(claim.name);
      if (!claim.figure) continue;
      INFO(claim.name);
      CHECK_THAT(page, Catch::Contains("](" + figure_file(claim) + ")"));
      CHECK_THAT(test::file_content(folder + figure_file(claim)), Catch::Contains("<svg "));
    }
    CHECK(headings == names);
  }
}

TEST_CASE("claims have names of their own, sections and statements") {
  std::set<std::string> names;
  for (const Source& source : all_sources()) {
    CHECK_FALSE(source.title.empty());
    CHECK_FALSE(source.setting.empty());
    for (const Claim& claim : source.claims) {
      INFO(claim.name);
      CHECK(names.insert(claim.name).second);
      CHECK_THAT(claim.name, Catch::StartsWith(source.name + (source.name == "explainer" ? "/0" : "/")));
      CHECK(claim.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-./") == std::string::npos);
      CHECK_FALSE(claim.section.empty());
      CHECK_FALSE(claim.statement.empty());
      CHECK(claim.check != nullptr);
    }
  }
}

TEST_CASE("claims: two outputs to one file") {
  const test::CommandResult result = test::run_heddle("claims --list --json x --markdown x");
  CHECK(result.status == 2);
  CHECK(result.err.starts_with("heddle: --json and --markdown: both would write 'x'"));
}

}  // namespace heddle::claims
