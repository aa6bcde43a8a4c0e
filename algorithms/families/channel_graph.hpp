// SPDX-License-Identifier: Apache-2.0
// The rings that NCCL's search has found within a node, from the file that NCCL_GRAPH_DUMP_FILE names.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace heddle::plans {

struct ChannelGraph {
  std::string path;
  int gpus = 0;  ///< of a node
  /// By channel: the GPUs of a node as its ring passes them, from the one that it enters to the one that it leaves by. They are numbered
  /// by rising `dev`, as NCCL numbers the ranks of a node.
  std::vector<std::vector<int>> chains;
};

/// Throws InputError "PATH:LINE: what is wrong", also where the file has trees alone.
std::shared_ptr<const ChannelGraph> read_channel_graph(const std::string& path);

}  // namespace heddle::plans
