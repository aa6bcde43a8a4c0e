// SPDX-License-Identifier: Apache-2.0
// Pages as text; tests/page looks at them in a browser.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "show/outputs.hpp"
#include "show/page/page.hpp"
#include "show/page/page_data.hpp"
#include "show/reports/explanation.hpp"
#include "show/reports/run_table.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle::pages {

using Json = nlohmann::ordered_json;

namespace {

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// Of the page's own script element.
Json data_of(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="data">)";
  const std::size_t first = page.find(begin) + begin.size();
  return Json::parse(page.substr(first, page.find("</script>", first) - first));
}

struct Ran {
  Setup setup;
  Outcome outcome;
};

Ran run_of(const std::string& line) {
  Setup setup = set_up(Experiment::parse(line));
  setup.keep_sample = setup.asked.keep_timeline = true;
  Outcome outcome = run_algorithm(setup, setup.algorithms.chosen.front());
  return {std::move(setup), std::move(outcome)};
}

}  // namespace

TEST_CASE("page: no text ends its script, and bytes that are no text are replaced") {
  const std::string name = "</script><script>alert(1)</script><!-- <b>&\xff";
  const Json data = {{"kind", "run"}, {"title", name}, {"runs", {{{"algorithm", name}}}}};
  const std::string page = page_text(data);
  const std::string plain = page_text({{"kind", "run"}, {"title", "x"}});
  CHECK(count_of(page, "</script>") == count_of(plain, "</script>"));
  CHECK(count_of(page, "<script") == count_of(plain, "<script"));
  CHECK(page.find("<title>&lt;/script&gt;") != std::string::npos);
  CHECK(data_of(page)["runs"][0]["algorithm"] == "</script><script>alert(1)</script><!-- <b>&\xEF\xBF\xBD");
}

TEST_CASE("page: nothing in it is elsewhere") {
  const std::string page = page_text({{"kind", "run"}, {"title", "x"}});
  for (const char* word : {"src=\"", "@import", "url(http", "<link rel=\"stylesheet\"", "{{"}) CHECK(count_of(page, word) == 0);
}

TEST_CASE("page: its sample is what the run's timeline has, and ends on the same path") {
  const auto [setup, outcome] = run_of("allreduce --algo swing_bandwidth --topo torus:4x4 --size 1MiB");
  const Report& report = *outcome.report();
  const Timeline& timeline = *outcome.timeline;
  const std::vector<MessageRecord> messages = outcome.sample->messages();
  REQUIRE(messages.size() == timeline.messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    CHECK(messages[i].source == timeline.messages[i].source);
    CHECK(messages[i].drained == timeline.messages[i].drained);
    CHECK(messages[i].arrived == timeline.messages[i].arrived);
  }
  const auto chain = outcome.sample->chain(report.critical_path);
  REQUIRE(chain);
  CHECK(chain->size() == static_cast<std::size_t>(report.critical_path.messages));
  Report ending = report;
  ending.critical_path.last_record = static_cast<std::uint32_t>(chain->size() - 1);
  const std::vector<RoundCost> costs = costs_by_round(ending, timeline_of(*outcome.sample, *chain));
  const std::vector<RoundCost> expected = costs_by_round(report, timeline);
  REQUIRE(costs.size() == expected.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    CHECK(costs[i].round == expected[i].round);
    CHECK(costs[i].time == expected[i].time);
    CHECK(costs[i].contention == expected[i].contention);
  }
  const std::vector<PhaseCost> phases = costs_by_phase(ending, timeline_of(*outcome.sample, *chain));
  const std::vector<PhaseCost> expected_phases = costs_by_phase(report, timeline);
  REQUIRE(phases.size() == 2);
  REQUIRE(expected_phases.size() == 2);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    CHECK(outcome.sample->phases()[phases[i].phase].name == timeline.phases[expected_phases[i].phase].name);
    CHECK(phases[i].on_path == expected_phases[i].on_path);
    CHECK(phases[i].mean == expected_phases[i].mean);
    CHECK(phases[i].most == expected_phases[i].most);
  }
}

TEST_CASE("page: loads over time add up to what the links carried") {
  for (const char* line : {"allreduce --algo rabenseifner --topo torus:4x4 --size 1MiB",
                           "alltoall --algo pairwise --topo clos:hosts=4,leaves=4,spines=2 --size 1MiB",
                           "allreduce --algo ring --topo ring:6 --size 1MiB --model alpha-beta"}) {
    CAPTURE(line);
    const auto [setup, outcome] = run_of(line);
    const Report& report = *outcome.report();
    const LoadHistory& loads = outcome.sample->loads();
    double carried = 0;
    for (const LinkReport& link : report.links) carried += static_cast<double>(link.bytes.count());
    double added = 0;
    const Topology& topology = setup.fabric.topology();
    for (LinkId id = 0; id < topology.links() + topology.trunks(); ++id)
      for (std::size_t span = 0; span < loads.spans(); ++span) added += loads.of(id, span).bytes;
    CHECK(added == Approx(carried).epsilon(1e-6));
    std::vector<LinkId> links;
    for (const LinkReport& link : report.links) links.push_back(link.link);
    const Json json = json_of_loads(*outcome.sample, report, topology, links, {}, 64 * links.size());
    CHECK(json["spans"].get<std::size_t>() <= 64);
    CHECK(json["bytes"].get<std::string>().size() == (json["spans"].get<std::size_t>() * links.size() * 2 + 2) / 3 * 4);
    CHECK(json["span_ps"].get<double>() * json["spans"].get<double>() >= static_cast<double>(report.completion.ps()) * 0.5);
  }
}

TEST_CASE("page: of more than 64 ranks one of each class that does the same is shown") {
  Setup setup = set_up(Experiment::parse("broadcast --algo binomial_halving --topo ring:100 --size 1KiB"));
  const Json json = json_of_steps(block_steps(setup, setup.algorithms.chosen.front()));
  CHECK(json["ranks"] == 100);
  REQUIRE(json["rows"].size() == json["classes"].size());
  CHECK(json["rows"].size() < 64);
  int ranks = 0;
  for (const Json& size : json["classes"]) ranks += size.get<int>();
  CHECK(ranks == 100);
}

TEST_CASE("what a run's files hold can be had as texts") {
  const Setup setup = [] {
    Experiment what = Experiment::parse("allreduce --topo torus:4x4 --size 64KiB");
    what.keep_timeline = true;
    return set_up(what, "ring,rabenseifner");
  }();
  std::vector<Outcome> outcomes;
  for (const PlannedAlgorithm& planned : setup.planned()) {
    outcomes.push_back(run_algorithm(*planned.setup, *planned.algorithm));
    outcomes.back().setup = std::shared_ptr<const Setup>(std::shared_ptr<const Setup>(), planned.setup);
  }
  const std::string command = "allreduce --algo ring,rabenseifner --topo torus:4x4 --size 64KiB";
  const test::TemporaryFile page("texts.html");
  const test::TemporaryFile map("texts.svg");
  const test::TemporaryFile trace("texts.json");
  const std::string printed =
      test::run_heddle("run " + command + " --heatmap " + map.path() + " --trace " + trace.path() + " --html " + page.path())
          .out;
  CHECK(table_text_of(setup, outcomes, TableReporter::kUsualWidth) == printed);
  CHECK(heatmaps_of(setup, outcomes, pictures::HeatmapOf::utilisation) ==
        std::vector<std::string>{test::file_content(map.path().substr(0, map.path().size() - 4) + "-ring.svg"),
                                 test::file_content(map.path().substr(0, map.path().size() - 4) + "-rabenseifner.svg")});
  CHECK(trace_text_of(outcomes[1]) ==
        test::file_content(trace.path().substr(0, trace.path().size() - 5) + "-rabenseifner.json"));
  CHECK(Json::parse(json_text_of(setup, outcomes))["runs"].size() == 2);
  CHECK(data_of(page_text_of(setup, outcomes, "heddle run " + command))["runs"].size() == 2);
  CHECK_THROWS_AS(heatmaps_of(setup, outcomes, pictures::HeatmapOf::queue), InputError);
  outcomes[0].timeline = nullptr;
  CHECK_THROWS_AS(trace_text_of(outcomes[0]), InputError);
  CHECK_THROWS_AS(heatmaps_of(setup, outcomes, pictures::HeatmapOf::contention), InputError);
  for (const char* name : {"-ring.svg", "-rabenseifner.svg"})
    std::filesystem::remove(map.path().substr(0, map.path().size() - 4) + name);
  for (const char* name : {"-ring.json", "-rabenseifner.json"})
    std::filesystem::remove(trace.path().substr(0, trace.path().size() - 5) + name);
}

}  // namespace heddle::pages
