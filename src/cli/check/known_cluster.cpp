// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/known_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"
#include "text/ignoring_case.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::string_view feature_function = "feature{";

/// The parts of a list that stand outside all brackets, and its functions: "n[1,3]", "feature{a}".
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char letter : text) {
        if (letter == '[' || letter == '{') ++depth;
        if (letter == ']' || letter == '}') --depth;
        if (letter == ',' && depth == 0)
            parts.emplace_back();
        else
            parts.back() += letter;
    }
    return parts;
}

bool has_feature(std::string_view features, std::string_view name) {
    const std::vector<std::string> all = parts_of(features);
    return std::ranges::find(all, name) != all.end();
}

/// Resolves one text; what is left open is collected for one sentence.
class Resolution {
  public:
    Resolution(const KnownCluster& known, const NodeTable& table, std::vector<NodeIndex>& nodes)
        : known_(known), table_(table), nodes_(nodes) {}

    bool resolve(std::string_view text, std::string& error) {
        if (known_.complete && equals_ignoring_case(text, "ALL")) {
            for (NodeIndex node = 0; node < table_.size(); ++node) nodes_.push_back(node);
            return true;
        }
        for (const std::string& part : parts_of(text))
            if (part.find('{') != std::string::npos)
                add_function(part);
            else if (!add_names(part, error))
                return false;
        if (nodes_.empty() && missing_.empty() && open_.empty()) {
            error = fmt::format("no node matches {}", excerpt(text));
            return false;
        }
        if (!open_.empty())
            error = fmt::format("only slurmctld can resolve {}, which is not checked", open_);
        else if (!empty_.empty())
            error = fmt::format("{} names no node when the file is read", empty_);
        else if (!missing_.empty())
            error = fmt::format("{} that no node has yet: {}", plural(missing_.size(), "node name"),
                                excerpt(compress_hostlist(missing_)));
        return true;
    }

  private:
    bool add_names(const std::string& part, std::string& error) {
        const auto names = expand_hostlist(part, error);
        if (!names) return false;
        for (const std::string& name : *names) {
            if (const auto node = table_.find(name)) {
                nodes_.push_back(*node);
            } else if (known_.complete && !known_.grows) {
                error = fmt::format("slurm.conf has no node named {}", excerpt(name));
                return false;
            } else {
                missing_.push_back(name);
            }
        }
        return true;
    }

    /// Functions of blocks and switches find nothing: there are none while the file is read.
    void add_function(const std::string& part) {
        const bool feature = part.starts_with(feature_function) && part.ends_with('}');
        if (feature && known_.features.empty()) return note(open_, part);
        const std::size_t before = nodes_.size();
        if (feature)
            add_nodes_with(std::string_view(part).substr(
                feature_function.size(), part.size() - feature_function.size() - 1));
        if (nodes_.size() == before) note(empty_, part);
    }

    void add_nodes_with(std::string_view feature) {
        for (NodeIndex node = 0; node < table_.size(); ++node) {
            const auto features = known_.features.find(table_.name(node));
            if (features != known_.features.end() && has_feature(features->second, feature))
                nodes_.push_back(node);
        }
    }

    static void note(std::string& parts, const std::string& part) {
        parts += (parts.empty() ? "" : ", ") + part;
    }

    const KnownCluster& known_;
    const NodeTable& table_;
    std::vector<NodeIndex>& nodes_;
    std::vector<std::string> missing_;
    std::string open_;
    std::string empty_;
};

}  // namespace

NodeResolver resolver_of(const KnownCluster& known, const NodeTable& table) {
    return
        [&known, &table](std::string_view text, std::vector<NodeIndex>& nodes, std::string& error) {
            return Resolution(known, table, nodes).resolve(text, error);
        };
}

}  // namespace nvl72block::cli
