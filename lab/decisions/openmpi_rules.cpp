// SPDX-License-Identifier: Apache-2.0
// Open MPI's rules. The text is of whole numbers between blanks and line feeds, where # begins a comment; "rule-file-version-2" may
// stand before them:
//
//   file          collectives  collective…
//   collective    id  communicators  communicator…     ids as COLLTYPE has them
//   communicator  ranks  rules  rule…                   ascending
//   rule          bytes  algorithm  faninout  segsize  [requests]   ascending, the first at 0; requests in version 2 alone
//
// The last communicator and the last rule count that are not above the call's; fewer ranks than the first's have the first's. Of
// JSON, which versions after 5.0 read, the first counts whose ranks and bytes fit. Algorithm 0 and no rule at all leave a call to
// Open MPI (coll_tuned_dynamic_file.c, coll_tuned_dynamic_rules.c).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/decisions/library_algorithms.hpp"
#include "topo/files/file_fields.hpp"

namespace heddle::decisions {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

struct Rule {
  std::int64_t least = 0;
  std::int64_t most = kMost;
  LibraryChoice choice = {};
};

struct Communicator {
  std::int64_t least = 0;
  std::int64_t most = kMost;
  std::vector<Rule> rules = {};
};

/// By the numbers of collectives.
using Rules = std::map<int, std::vector<Communicator>>;

class OpenmpiRules : public DecisionFile {
 public:
  explicit OpenmpiRules(Rules rules) : rules_(std::move(rules)), builtin_(builtin_decisions(openmpi_target())) {}

  const Target& target() const override { return openmpi_target(); }

  std::optional<LibraryChoice> choose(const TargetCollective& collective, const Call& call) const override {
    if (const Rule* rule = rule_of(collective.id, call); rule != nullptr && rule->choice.id != 0) return rule->choice;
    return builtin_->choose(collective, call);
  }

 private:
  const Rule* rule_of(int id, const Call& call) const {
    const auto rules = rules_.find(id);
    if (rules == rules_.end()) return nullptr;
    const auto fits = [](std::int64_t value) {
      return [value](const auto& of) { return of.least <= value && value <= of.most; };
    };
    const auto communicator = std::ranges::find_if(rules->second, fits(call.ranks));
    if (communicator == rules->second.end()) return nullptr;
    const auto rule =
        std::ranges::find_if(communicator->rules, fits(call.collective == Collective::barrier ? 0 : call.bytes()));
    return rule == communicator->rules.end() ? nullptr : &*rule;
  }

  Rules rules_;
  std::shared_ptr<const DecisionFile> builtin_;
};

/// Of the text: numbers with their lines.
class RulesText {
 public:
  RulesText(const std::string& path, std::string_view text) : path_(path) {
    constexpr std::string_view kVersion = "rule-file-version-";
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == '#') {
        at = std::min(text.find('\n', at), text.size());
      } else if (std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
        line += text[at++] == '\n' ? 1 : 0;
      } else {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n#", at), text.size());
        std::string_view word = text.substr(at, end - at);
        at = end;
        if (words_.empty() && word.starts_with(kVersion)) {
          version_ = read_number<int>(word.substr(kVersion.size())).value_or(0);
          if (version_ < 1 || version_ > 2) fail(line, fmt::format("'{}': versions 1 and 2 are known", printable(word)));
          continue;
        }
        const auto number = read_number<std::int64_t>(word);
        if (!number || *number < 0)
          fail(line, fmt::format("'{}': the rules are of whole numbers; # begins a comment", printable(word)));
        words_.push_back({line, *number});
      }
    }
  }

  Rules read() {
    Rules rules;
    const std::int64_t collectives = next("how many collectives there are", 100);
    for (std::int64_t i = 0; i < collectives; ++i) {
      const int id = static_cast<int>(next("a collective's number", 100));
      if (rules.contains(id)) fail(line_, fmt::format("the collective {} is there twice", id));
      read_collective(rules[id]);
    }
    if (place_ < words_.size()) fail(words_[place_].line, "more numbers than the counts before them say");
    return rules;
  }

 private:
  struct Word {
    int line;
    std::int64_t number;
  };
  [[noreturn]] void fail(int line, std::string_view what) const {
    throw InputError(fmt::format("{}:{}: {}", path_, line, what));
  }

  std::int64_t next(std::string_view what, std::int64_t most = kMost) {
    if (place_ == words_.size()) fail(words_.empty() ? 1 : words_.back().line, fmt::format("the file ends before {}", what));
    const Word& word = words_[place_++];
    line_ = word.line;
    if (word.number > most) fail(word.line, fmt::format("{} is too much for {}: at most {}", word.number, what, most));
    return word.number;
  }

  void read_collective(std::vector<Communicator>& communicators) {
    const std::int64_t many = next("how many communicators a collective has", 1'000'000);
    for (std::int64_t i = 0; i < many; ++i) {
      Communicator of{.least = next("a communicator's ranks")};
      if (!communicators.empty()) {
        if (of.least <= communicators.back().least) fail(line_, "numbers of ranks must grow from one to the next");
        communicators.back().most = of.least - 1;
      }
      read_rules(of.rules);
      communicators.push_back(std::move(of));
    }
    if (!communicators.empty()) communicators.front().least = 0;
  }

  void read_rules(std::vector<Rule>& rules) {
    const std::int64_t many = next("how many rules a communicator has", 1'000'000);
    for (std::int64_t i = 0; i < many; ++i) {
      Rule rule{.least = next("a rule's bytes")};
      const int line = line_;
      if (rules.empty() && rule.least != 0) fail(line, "the first rule of a communicator is at 0 bytes");
      if (!rules.empty()) {
        if (rule.least <= rules.back().least) fail(line, "bytes must grow from one rule to the next");
        rules.back().most = rule.least - 1;
      }
      rule.choice.id = static_cast<int>(next("a rule's algorithm", 1000));
      next("a rule's fan-in and fan-out");
      rule.choice.segment = next("a rule's segment size");
      if (version_ == 2 && place_ < words_.size() && words_[place_].line == line_) next("a rule's requests");
      rules.push_back(rule);
    }
  }

  std::string path_;
  int version_ = 1;
  std::vector<Word> words_;
  std::size_t place_ = 0;
  int line_ = 1;
};

/// Of JSON: {"collectives": {"allreduce": [{"comm_size_min": 4, "rules": [{"msg_size_max": 4096, "alg": "ring"}]}]}}.
class RulesJson : private FileFields {
 public:
  explicit RulesJson(std::string path) : FileFields(std::move(path)) {}

  Rules read(std::string_view text) const {
    const LocatedJson root = read_located_json(text, path());
    require_kind(root, LocatedJson::Kind::object, "the rules");
    const LocatedJson& collectives = required(root, "collectives", "the rules");
    require_kind(collectives, LocatedJson::Kind::object, "'collectives'");
    Rules rules;
    for (const LocatedJson& collective : collectives.parts) {
      const auto known = std::ranges::find(openmpi_target().collectives, collective.key, &TargetCollective::name);
      if (known == openmpi_target().collectives.end()) continue;  // one that heddle does not have
      require_kind(collective, LocatedJson::Kind::array, "a collective's rules");
      for (const LocatedJson& one : collective.parts)
        if (auto communicator = read_communicator(*known, one)) rules[known->id].push_back(std::move(*communicator));
    }
    return rules;
  }

 private:
  std::int64_t bound(const LocatedJson& object, std::string_view name, std::int64_t otherwise) const {
    const LocatedJson* value = object.find(name);
    if (value == nullptr) return otherwise;
    if (value->kind == LocatedJson::Kind::string && (value->text == "inf" || value->text == "Inf" || value->text == "INF"))
      return kMost;
    const double given = number(*value, fmt::format("'{}'", name));
    if (!(given >= 0 && given < 9e18)) fail(*value, fmt::format("'{}' is a whole number from 0 on, or \"inf\"", name));
    return static_cast<std::int64_t>(given);
  }

  /// No value: it is for communicators that heddle has none of.
  std::optional<Communicator> read_communicator(const TargetCollective& collective, const LocatedJson& one) const {
    require_kind(one, LocatedJson::Kind::object, "a communicator's rules");
    Communicator communicator{bound(one, "comm_size_min", 0), bound(one, "comm_size_max", kMost), {}};
    if (const LocatedJson* ranks = one.find("comm_rank_distribution")) {
      const std::string& name = text(*ranks, "'comm_rank_distribution'");
      if (name != "any")
        fail(*ranks, fmt::format("'{}': rules that depend on where ranks sit are not taken, \"any\" alone", printable(name)));
    }
    const LocatedJson& rules = required(one, "rules", "a communicator's rules");
    require_kind(rules, LocatedJson::Kind::array, "'rules'");
    for (const LocatedJson& rule : rules.parts) {
      require_kind(rule, LocatedJson::Kind::object, "a rule");
      LibraryChoice choice{.segment = bound(rule, "seg_size", 0)};
      const LocatedJson& algorithm = required(rule, "alg", "a rule");
      if (algorithm.kind == LocatedJson::Kind::string)
        choice.id = id_of(collective, algorithm);
      else
        choice.id = count(algorithm, "'alg'", 0);
      communicator.rules.push_back({bound(rule, "msg_size_min", 0), bound(rule, "msg_size_max", kMost), choice});
    }
    return communicator;
  }

  int id_of(const TargetCollective& collective, const LocatedJson& algorithm) const {
    if (algorithm.text == "ignore") return 0;
    if (const auto id = id_of_name(openmpi_target(), collective, algorithm.text)) return *id;
    fail(algorithm, fmt::format("'{}': no algorithm of Open MPI's {}", printable(algorithm.text), collective.name));
  }
};

}  // namespace

std::shared_ptr<const DecisionFile> read_openmpi_rules(const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '{') return std::make_shared<OpenmpiRules>(RulesJson(path).read(text));
  return std::make_shared<OpenmpiRules>(RulesText(path, text).read());
}

}  // namespace heddle::decisions
