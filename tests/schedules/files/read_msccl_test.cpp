// SPDX-License-Identifier: Apache-2.0
// What MSCCL's XML may hold, and what is said of the rest.
#include "schedules/files/msccl.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

/// A copy on each of two gpus, with some words exchanged.
std::string file_with(const std::string& what, const std::string& by) {
  std::string text =
      "<algo name=\"a\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"alltoall\" inplace=\"0\">\n"
      "<gpu id=\"0\" i_chunks=\"2\" o_chunks=\"2\" s_chunks=\"0\">\n"
      "<tb id=\"0\" send=\"1\" recv=\"1\" chan=\"0\">\n"
      "<step s=\"0\" type=\"s\" srcbuf=\"i\" srcoff=\"1\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" "
      "hasdep=\"0\"/>\n"
      "</tb>\n</gpu>\n<gpu id=\"1\"/>\n</algo>\n";
  if (what.empty()) return text;
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string refusal_of(const std::string& text) {
  try {
    require_valid(read_msccl(text, "f.xml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("what is wrong in a file is one line with file, line, gpu, tb and step") {
  struct Case {
    std::string what, by, text;
  };
  for (const auto& [what, by, text] : std::vector<Case>{
           {"alltoall", "alltonext", "f.xml:1: coll=\"alltonext\" is no collective but a traffic pattern"},
           {" coll=\"alltoall\"", "", "f.xml:1: <algo> without coll"},
           {"nchunksperloop=\"2\"", "nchunksperloop=\"0\"", "f.xml:1: nchunksperloop=\"0\": a whole number from 1"},
           {"nchunksperloop=\"2\"", "nchunksperloop=\"3\"", "f.xml:1: nchunksperloop=\"3\": the chunks of the whole vector"},
           {" nchunksperloop=\"2\"", "", "f.xml:1: <algo> without nchunksperloop"},
           {"ngpus=\"2\"", "ngpus=\"3\"", "f.xml:1: ngpus=\"3\", and it has 2 elements <gpu>"},
           {"<gpu id=\"1\"/>", "<gpu id=\"0\"/>", "f.xml:7: gpu id=\"0\" comes twice"},
           {"<gpu id=\"1\"/>", "<gpu id=\"2\"/>", "f.xml:7: gpu id=\"2\": with 2 gpus they are 0 to 1"},
           {"<gpu id=\"1\"/>", "<cpu id=\"1\"/>", "f.xml:7: <cpu> where <gpu> is expected"},
           {"type=\"s\"", "type=\"send\"", "f.xml:4: gpu 0, tb 0, step 0: unknown type of step 'send'"},
           {"srcbuf=\"i\"", "srcbuf=\"x\"", "f.xml:4: gpu 0, tb 0, step 0: srcbuf=\"x\": i (input), o (output) or s (scratch)"},
           {"srcoff=\"1\"", "srcoff=\"one\"", "f.xml:4: gpu 0, tb 0, step 0: srcoff=\"one\": a whole number"},
           {"srcoff=\"1\"", "srcoff=\"2\"", "f.xml:4: gpu 0, tb 0, step 0: src i[2]: the input of gpu 0 has chunks 0 to 1"},
           {"srcbuf=\"i\"", "srcbuf=\"s\"", "f.xml:4: gpu 0, tb 0, step 0: src s[1]: gpu 0 has no scratch"},
           {"cnt=\"1\"", "cnt=\"0\"", "f.xml:4: gpu 0, tb 0, step 0: cnt is 0"},
           {"step s=\"0\"", "step s=\"1\"", "f.xml:4: gpu 0, tb 0: step s=\"1\" where 0 is expected"},
           {"depid=\"-1\"", "depid=\"0\"", "f.xml:4: gpu 0, tb 0, step 0: depid=\"0\" deps=\"-1\""},
           {"depid=\"-1\" deps=\"-1\"", "depid=\"7\" deps=\"0\"",
            "f.xml:4: gpu 0, tb 0, step 0: depid=\"7\": gpu 0 has no such tb"},
           {"send=\"1\"", "send=\"-1\"", "f.xml:4: gpu 0, tb 0, step 0: it sends, and its tb has no peer"},
           {"send=\"1\"", "send=\"5\"", "f.xml:4: gpu 0, tb 0, step 0: send=\"5\": the gpus are 0 to 1"},
           {"send=\"1\"", "send=\"0\"", "f.xml:4: gpu 0, tb 0, step 0: send=\"0\" is its own gpu"},
           {"type=\"s\"", "type=\"re\"",
            "f.xml:4: gpu 0, tb 0, step 0: 're' reduces, and alltoall is a collective that does not"},
           {"inplace=\"0\"", "inplace=\"0\" outofplace=\"0\"", "f.xml:1: inplace=\"0\" outofplace=\"0\""},
           {"chan=\"0\"", "chan=\"-1\"", "f.xml:4: gpu 0, tb 0, step 0: 's' in a tb with chan=\"-1\", which has no channel"},
           {"cnt=\"1\"", "cnt=\"1\" cnt=\"1\"", "f.xml:4: gpu 0, tb 0: cnt is given twice"},
           {"</algo>", "</algo><algo/>", "f.xml:8: a second <algo> (the first is in line 1)"},
           {"</algo>", "</algo>\nrest", "f.xml:9: the text 'rest' outside of <algo>"},
           {"</algo>", "</algo><gpu/>", "f.xml:8: <gpu> outside of <algo>"},
           {"<tb id", "words <tb id", "f.xml:3: gpu 0: the text 'words ' where <tb> is expected"},
           {"</algo>", std::string("</algo>") + '\0', "f.xml:8: a byte 0, which no XML has"},
           {"<tb id", "<copy i_off=\"0\"/><tb id", "f.xml:3: gpu 0: <copy> without o_off"},
           {"<tb id", "<copy i_off=\"-1\" o_off=\"0\"/><tb id", "f.xml:3: gpu 0: i_off=\"-1\": a whole number from 0"},
           {"<tb id", "<copy i_off=\"0\" o_off=\"0\"><x/></copy><tb id", "f.xml:3: gpu 0: <x> in a <copy>, which has no parts"},
           {"</tb>", "", "f.xml:"},
           {"<algo", "<algorithm", "f.xml:"},
           {"", "", "f.xml:4: gpu 0, tb 0, step 0: nobody receives it: gpu 1 receives 0 messages from gpu 0 on channel 0"}}) {
    const std::string refusal = refusal_of(file_with(what, by));
    INFO(what << " -> " << by << ": " << refusal);
    CHECK(refusal.rfind(text, 0) == 0);
    CHECK(refusal.find('\n') == std::string::npos);
  }
  CHECK(refusal_of("").rfind("f.xml:1: ", 0) == 0);
}

TEST_CASE("who waits for a step that tells nobody waits for ever") {
  std::string text = file_with("</tb>", "</tb><tb id=\"1\"><step s=\"0\" type=\"nop\" depid=\"0\" deps=\"0\"/></tb>");
  CHECK(refusal_of(text).find("neither that step nor one after it has hasdep=\"1\"") != std::string::npos);
}

TEST_CASE("a file that says no collective is for the one that is asked for; one that says another is refused") {
  CHECK(read_msccl(file_with(" coll=\"alltoall\"", ""), "f.xml", Collective::alltoall).collective == Collective::alltoall);
  CHECK_THROWS_WITH(read_msccl(file_with("", ""), "f.xml", Collective::allreduce),
                    "f.xml:1: a schedule for alltoall, and allreduce is asked for");
}

TEST_CASE("what other tools write beside the steps is read") {
  // A comment, a declaration, attributes of theirs, a thread without a channel, steps that say nothing of whom they tell.
  std::string text = file_with(" hasdep=\"0\"", " mscclflowid=\"4\" rate=\"12.5\"");
  text = "<?xml version=\"1.0\"?>\n<!-- made by a tool -->\n" + text + "<!-- the end -->\n";
  text.replace(text.find("<gpu id=\"1\"/>"), 13,
               "<gpu id=\"1\"><tb id=\"3\" send=\"-1\" recv=\"-1\" chan=\"-1\"/>"
               "<tb id=\"4\" recv=\"0\"><step s=\"0\" type=\"r\" srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"0\"/>"
               "<step s=\"1\" type=\"nop\" srcoff=\"-1\" dstoff=\"-1\" cnt=\"0\" depid=\"3\" deps=\"-1\"/></tb></gpu>");
  text.replace(text.find("depid=\"3\" deps=\"-1\""), 19, "depid=\"-1\" deps=\"-1\"");
  CHECK(refusal_of(text) == "read");
}

TEST_CASE("what is written is read back the same") {
  for (const char* name : {"ring", "tree", "allpairs", "two_channels", "broadcast", "copies"}) {
    const ScheduleProgram program = testing::read_schedule(name);
    std::ostringstream once;
    write_msccl(program, once);
    std::ostringstream again;
    write_msccl(read_msccl(once.str(), "again.xml"), again);
    CHECK(once.str() == again.str());
    CHECK(read_msccl(once.str(), "again.xml").steps() == program.steps());
  }
}

TEST_CASE("a hundred thousand steps are read and looked through") {
  std::string text = "<algo name=\"long\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"allreduce\" inplace=\"1\">\n";
  for (int gpu = 0; gpu < 2; ++gpu) {
    text += fmt::format("<gpu id=\"{0}\" s_chunks=\"1\"><tb id=\"0\" send=\"{1}\" recv=\"{1}\" chan=\"0\">\n", gpu, 1 - gpu);
    for (int step = 0; step < 50'000; ++step)
      text += fmt::format("<step s=\"{}\" type=\"{}\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"s\" dstoff=\"0\" cnt=\"1\"/>\n", step,
                          (step % 2 == 0) == (gpu == 0) ? "s" : "r");
    text += "</tb></gpu>\n";
  }
  text += "</algo>\n";
  const CompiledSchedule schedule(read_msccl(text, "long.xml"));
  CHECK(schedule.program().steps() == 100'000);
}

}  // namespace heddle
