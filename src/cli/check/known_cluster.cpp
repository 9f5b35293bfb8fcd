// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/known_cluster.hpp"

#include <fmt/format.h>

#include <string_view>

#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"
#include "text/has_word.hpp"
#include "text/ignoring_case.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::string_view feature_function = "feature{";

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
        if (!add_items(text, error)) return false;
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
    bool add_items(std::string_view text, std::string& error) {
        for (const std::string_view item : hostlist_items(text))
            if (!(item.starts_with(feature_function) ? add_features(item, error)
                                                     : add_names(item, error)))
                return false;
        return true;
    }

    /// A set has no sets in it.
    bool add_set(const std::string& text, std::string& error) {
        in_set_ = true;
        const bool added = add_items(text, error);
        in_set_ = false;
        return added;
    }

    bool add_names(std::string_view item, std::string& error) {
        const auto names = expand_hostlist(item, error);
        if (!names) return false;
        for (const std::string& name : *names) {
            if (const auto node = table_.find(name)) {
                nodes_.push_back(*node);
            } else if (const auto set = known_.sets.find(name);
                       set != known_.sets.end() && !in_set_) {
                if (!add_set(set->second, error)) return false;
            } else if (known_.complete && !known_.grows) {
                error = fmt::format("slurm.conf has no node named {}", excerpt(name));
                return false;
            } else {
                missing_.push_back(name);
            }
        }
        return true;
    }

    bool add_features(std::string_view item, std::string& error) {
        if (known_.features.empty()) {
            note(open_, item);
            return true;
        }
        std::string_view list = item.substr(feature_function.size());
        list.remove_suffix(list.ends_with('}') ? 1 : 0);
        const auto features = expand_hostlist(list, error);
        if (!features) return false;
        const std::size_t before = nodes_.size();
        for (const std::string& feature : *features) add_nodes_with(feature);
        if (nodes_.size() == before) note(empty_, item);
        return true;
    }

    void add_nodes_with(std::string_view feature) {
        for (NodeIndex node = 0; node < table_.size(); ++node) {
            const auto features = known_.features.find(table_.name(node));
            if (features != known_.features.end() && has_word(features->second, feature))
                nodes_.push_back(node);
        }
    }

    static void note(std::string& items, std::string_view item) {
        items.append(items.empty() ? "" : ", ").append(item);
    }

    const KnownCluster& known_;
    const NodeTable& table_;
    std::vector<NodeIndex>& nodes_;
    std::vector<std::string> missing_;
    std::string open_;
    std::string empty_;
    bool in_set_ = false;
};

}  // namespace

NodeResolver resolver_of(const KnownCluster& known, const NodeTable& table) {
    return
        [&known, &table](std::string_view text, std::vector<NodeIndex>& nodes, std::string& error) {
            return Resolution(known, table, nodes).resolve(text, error);
        };
}

}  // namespace nvl72block::cli
