// SPDX-License-Identifier: Apache-2.0
#include "show/report_output.hpp"

#include <ostream>

#include "lab/describe/flag_value.hpp"

namespace heddle {

ReportOutput::ReportOutput(std::string_view flag, const std::optional<std::string>& path) : is_standard_output_(path == "-") {
  if (path && !is_standard_output_) file_ = read_flag(flag, *path, [&](std::string_view) { return OutputFile(*path); });
}

void ReportOutput::write(std::string_view content, std::ostream& out) const {
  if (is_standard_output_) out << content;
  if (file_) file_->write(content);
}

void ReportOutput::write_by(const std::function<void(std::ostream&)>& writer, std::ostream& out) const {
  if (is_standard_output_) writer(out);
  if (file_) file_->write_by(writer);
}

}  // namespace heddle
