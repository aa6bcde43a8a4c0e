// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "schedules/files/msccl.hpp"

namespace heddle {

namespace {

std::string escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return escaped;
}

std::int32_t channels_of(const ScheduleProgram& program) {
  std::int32_t most = 0;
  for (const RankSchedule& rank : program.ranks) {
    for (const Strand& strand : rank.strands) most = std::max(most, strand.channel);
  }
  return most + 1;
}

/// Steps that others wait for: strand by place, step.
std::set<std::pair<std::int32_t, std::int32_t>> awaited_steps(const RankSchedule& rank) {
  std::set<std::pair<std::int32_t, std::int32_t>> awaited;
  for (const Strand& strand : rank.strands) {
    for (const Step& step : strand.steps) {
      if (step.after_strand >= 0) awaited.insert({step.after_strand, step.after_step});
    }
  }
  return awaited;
}

std::string place_text(const char* which, bool is_used, ChunkPlace place) {
  return fmt::format("{0}buf=\"{1}\" {0}off=\"{2}\"", which, is_used ? letter_of(place.buffer) : 'i',
                     is_used ? place.first : 0);
}

}  // namespace

void write_msccl(const ScheduleProgram& program, std::ostream& out) {
  out << fmt::format(
      "<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" inplace=\"{}\" "
      "outofplace=\"{}\" minBytes=\"{}\" maxBytes=\"{}\"{}>\n",
      escaped(program.name), channels_of(program), program.chunks, program.size(), to_string(program.collective),
      program.modes.in_place ? 1 : 0, program.modes.out_of_place ? 1 : 0, program.sizes.least, program.sizes.most,
      program.root == 0 ? "" : fmt::format(" root=\"{}\"", program.root));
  for (int r = 0; r < program.size(); ++r) {
    const RankSchedule& rank = program.ranks[static_cast<std::size_t>(r)];
    const auto awaited = awaited_steps(rank);
    out << fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", r,
                       program.chunks_in(r, ChunkBuffer::input), program.chunks_in(r, ChunkBuffer::output),
                       rank.scratch_chunks);
    for (const StartCopy& copy : rank.copies)
      out << fmt::format("    <copy i_off=\"{}\" o_off=\"{}\"/>\n", copy.input, copy.output);
    for (std::size_t s = 0; s < rank.strands.size(); ++s) {
      const Strand& strand = rank.strands[s];
      out << fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", strand.id, strand.send_to,
                         strand.receive_from, strand.channel);
      for (std::size_t i = 0; i < strand.steps.size(); ++i) {
        const Step& step = strand.steps[i];
        const bool is_awaited = awaited.contains({static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)});
        out << fmt::format("      <step s=\"{}\" type=\"{}\" {} {} cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n", i,
                           code_of(step.kind), place_text("src", reads_source(step.kind), step.source),
                           place_text("dst", writes_target(step.kind), step.target), step.chunks,
                           step.after_strand < 0 ? -1 : rank.strands[static_cast<std::size_t>(step.after_strand)].id,
                           step.after_step, is_awaited ? 1 : 0);
      }
      out << "    </tb>\n";
    }
    out << "  </gpu>\n";
  }
  out << "</algo>\n";
}

}  // namespace heddle
