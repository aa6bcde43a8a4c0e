// SPDX-License-Identifier: Apache-2.0
#include "show/reports/algorithm_list.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

using namespace test;

namespace {

std::vector<const Algorithm*> all_rows() {
  std::vector<const Algorithm*> rows;
  for (const Algorithm& row : registry()) rows.push_back(&row);
  return rows;
}

/// Rows as a registry might have them, so that the text below does not change with the algorithms that there are.
std::vector<Algorithm> sample_rows() {
  Algorithm plain{};
  plain.collective = Collective::allreduce;
  plain.name = "plain";
  plain.summary = "Everyone sends to everyone.";
  plain.source = "folklore";
  plain.rounds.text = "⌈log₂ p⌉";
  plain.bytes.text = "(p-1)·M";
  Algorithm demanding = plain;
  demanding.name = "demanding";
  demanding.summary = "Uses |every| port.";
  demanding.source = "[author-1999] §3";
  demanding.needs = {.commutative = true, .grid = true};
  demanding.rounds.text = "2(p-1)";
  demanding.same_bits = false;
  Algorithm adjustable = plain;
  adjustable.name = "adjustable";
  adjustable.needs = {.equal_blocks = true, .more = "an even number of ranks"};
  adjustable.parameters = {{.name = "segments", .default_value = "optimal", .meaning = "how many, 1 | more"}};
  return {plain, demanding, adjustable};
}

}  // namespace

TEST_CASE("list shows an algorithm's sentence, formulas, needs and source below its name") {
  const std::vector<Algorithm> rows = sample_rows();
  CHECK(list_as_text(std::vector{&rows[0], &rows[1]}) ==
        "allreduce\n"
        "\n"
        "  plain\n"
        "    Everyone sends to everyone.\n"
        "    rounds  ⌈log₂ p⌉\n"
        "    bytes   (p-1)·M\n"
        "    bits    the same on all ranks\n"
        "    needs   nothing\n"
        "    source  folklore\n"
        "\n"
        "  demanding\n"
        "    Uses |every| port.\n"
        "    rounds  2(p-1)\n"
        "    bytes   (p-1)·M\n"
        "    bits    may differ between ranks\n"
        "    needs   commutative op, grid\n"
        "    source  [author-1999] §3\n"
        "\n"
        "# [key]: an entry of docs/sources.md\n");
  CHECK_THAT(list_as_text(std::vector{&rows[2]}), Catch::EndsWith("    needs   an even number of ranks, equal blocks\n"
                                                                  "    option  segments=optimal: how many, 1 | more\n"
                                                                  "    source  folklore\n"
                                                                  "\n"
                                                                  "# [key]: an entry of docs/sources.md\n"));
}

TEST_CASE("list as Markdown has a table per collective, its bars escaped") {
  const std::vector<Algorithm> rows = sample_rows();
  const std::string text = list_as_markdown(std::vector{&rows[0], &rows[1]});
  CHECK_THAT(text,
             Catch::EndsWith("\n## allreduce\n\n"
                             "| algorithm | rounds | bytes | bits | needs | how | source |\n"
                             "|---|---|---|---|---|---|---|\n"
                             "| `plain` | ⌈log₂ p⌉ | (p-1)·M | the same on all ranks | nothing | Everyone sends to everyone. "
                             "| folklore |\n"
                             "| `demanding` | 2(p-1) | (p-1)·M | may differ between ranks | commutative op, grid | "
                             "Uses \\|every\\| port. | "
                             "[author-1999](sources.md#author-1999) §3 |\n"));
}

TEST_CASE("list as Markdown and JSON has needs and options") {
  const std::vector<Algorithm> rows = sample_rows();
  CHECK_THAT(list_as_markdown(std::vector{&rows[2]}),
             Catch::EndsWith("| `adjustable` | ⌈log₂ p⌉ | (p-1)·M | the same on all ranks | an even number of ranks, equal "
                             "blocks | Everyone sends to everyone. "
                             "Option segments=optimal: how many, 1 \\| more | folklore |\n"));
  const nlohmann::json json = nlohmann::json::parse(list_as_json(std::vector{&rows[0], &rows[2]}))["algorithms"];
  CHECK(json[0]["needs"] ==
        nlohmann::json(
            {{"commutative", false}, {"grid", false}, {"equal_blocks", false}, {"in_network", false}, {"more", nullptr}}));
  CHECK(json[0]["options"] == nlohmann::json::array());
  CHECK(json[1]["needs"]["equal_blocks"] == true);
  CHECK(json[1]["needs"]["more"] == "an even number of ranks");
  CHECK(json[1]["options"] ==
        nlohmann::json::array({{{"name", "segments"}, {"default", "optimal"}, {"meaning", "how many, 1 | more"}}}));
}

TEST_CASE("list says of each row whether its ranks share the same bits, where they share a result") {
  std::vector<Algorithm> rows = sample_rows();
  rows[0].same_bits_in_any_order = false;
  CHECK_THAT(list_as_text(std::vector{&rows[0]}),
             Catch::Contains("    bits    the same on all ranks, may change with the order of events\n"));
  rows[1].collective = Collective::reduce;
  CHECK(list_as_text(std::vector{&rows[1]}).find("bits ") == std::string::npos);
  CHECK(list_as_markdown(std::vector{&rows[1]}).find("| bits |") == std::string::npos);
  rows[2].collective = Collective::allgather;
  CHECK_THAT(list_as_text(std::vector{&rows[2]}), Catch::Contains("    bits    the same on all ranks\n"));
  const nlohmann::json json = nlohmann::json::parse(list_as_json(std::vector{&rows[0], &rows[1], &rows[2]}))["algorithms"];
  CHECK(json[0]["same_bits"] == true);
  CHECK(json[0]["same_bits_in_any_order"] == false);
  CHECK(json[1]["same_bits"].is_null());
  CHECK(json[2]["same_bits"] == true);
}

TEST_CASE("list prints every row of the registry") {
  const CommandResult result = run_heddle("list");
  CHECK(result.status == 0);
  CHECK(result.err == "");
  CHECK(result.out == list_as_text(all_rows()));
  for (const Algorithm& row : registry()) CHECK_THAT(result.out, Catch::Contains("\n  " + std::string(row.name) + "\n"));
}

TEST_CASE("list can be narrowed to one collective or one algorithm") {
  CHECK(run_heddle("list --collective allreduce").out == list_as_text(algorithms_of(Collective::allreduce)));
  const Algorithm ring = find_algorithm(Collective::allreduce, "ring");
  CHECK(run_heddle("list --collective allreduce --algo ring").out == list_as_text(std::vector{&ring}));
}

TEST_CASE("list finds names that others have for an algorithm") {
  const auto names = [](const std::string& flags) {
    std::string found;
    const nlohmann::json listed = nlohmann::json::parse(run_heddle("list --json - " + flags).out);
    for (const auto& row : listed["algorithms"])
      found += row["collective"].get<std::string>() + ' ' + row["name"].get<std::string>() + "; ";
    return found;
  };
  CHECK(names("--algo one-shot") == "allreduce bruck_latency; ");
  CHECK(names("--algo TwoShot") == "allreduce bruck_bandwidth; ");
  CHECK(names("--algo direct") ==
        "allreduce bruck_bandwidth; reduce_scatter pairwise; allgather pairwise; gather linear; scatter linear; "
        "alltoall linear; ");
  CHECK(run_heddle("list --algo one-shot").out.find("\n    called  one-shot with ports=p-1\n") != std::string::npos);
}

TEST_CASE("list takes words: a collective, and whatever is said of a row") {
  CHECK(run_heddle("list reduce").out == list_as_text(algorithms_of(Collective::reduce)));
  CHECK(run_heddle("list allreduce").out == run_heddle("list --collective allreduce").out);
  const std::string swing = run_heddle("list allreduce Swing").out;
  CHECK(run_heddle("list swing --collective allreduce").out == swing);
  CHECK_THAT(swing, Catch::Contains("\n  swing_latency\n"));
  CHECK_THAT(swing, Catch::Contains("\n  bucket\n"));  // by its source
  CHECK(swing.find("\n  census\n") == std::string::npos);
  // The beginning of a word, not any letters: "strings" has none of "ring".
  CHECK(run_heddle("list allreduce ing").status == 2);
  CHECK(run_heddle("list allreduce grid").out.find("grid") != std::string::npos);
  const CommandResult unknown = run_heddle("list allredcue");
  CHECK(unknown.status == 2);
  CHECK(unknown.err ==
        "heddle: 'allredcue': no algorithm here has this word in what 'heddle list' says of it; did you mean 'allreduce'?\n");
  CHECK(run_heddle("list allreduce --algo ring --schedule p=4").status == 2);
}

TEST_CASE("the JSON of list has every row with all of its fields") {
  const nlohmann::json json = nlohmann::json::parse(run_heddle("list --json -").out);
  const std::vector<const Algorithm*> rows = all_rows();
  REQUIRE(json["algorithms"].size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const nlohmann::json& row = json["algorithms"][i];
    CHECK(row["collective"] == to_string(rows[i]->collective));
    CHECK(row["name"] == rows[i]->name);
    CHECK(row["summary"] == rows[i]->summary);
    CHECK(row["source"] == rows[i]->source);
    CHECK(row["needs"]["commutative"] == rows[i]->needs.commutative);
    CHECK(row["needs"]["grid"] == rows[i]->needs.grid);
    CHECK(row["rounds"] == rows[i]->rounds.text);
    CHECK(row["bytes"] == rows[i]->bytes.text);
  }
}

TEST_CASE("docs/algorithms.md is what the registry says") {
  INFO("to renew it: heddle list --markdown > docs/algorithms.md");
  CHECK(test::file_content(HEDDLE_SOURCE_DIR "/docs/algorithms.md") == run_heddle("list --markdown").out);
}

TEST_CASE("presets are listed with their figures, and as JSON that a preset's file takes") {
  const CommandResult text = run_heddle("list --presets");
  CHECK(text.status == 0);
  for (const FabricPreset& preset : fabric_presets()) CHECK_THAT(text.out, Catch::Contains(std::string(preset.name) + "\n"));
  CHECK_THAT(text.out,
             Catch::Contains("  tier 0 900GB/s, 250ns; tier 1 50GB/s, 1us; tier 2 50GB/s, 3us; hop 0ps; alpha 0ps; "));
  CHECK_THAT(text.out, Catch::Contains("  links 50GB/s, 100ns; hop 300ns; alpha 0ps; host link 100ns; routing adaptive\n"));
  const nlohmann::json listed = nlohmann::json::parse(run_heddle("list --presets --json -").out)["presets"];
  REQUIRE(listed.size() == fabric_presets().size());
  CHECK(listed[0]["name"] == "swing-nsdi24");
  CHECK(listed[0]["tiers"][0]["bandwidth"] == "50GB/s");
  CHECK(run_heddle("list --presets --algo ring").status == 2);
}

}  // namespace heddle
