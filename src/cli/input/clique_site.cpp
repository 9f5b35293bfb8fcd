// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/clique_site.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <span>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

template <typename Value, std::size_t count>
Value checked_value(std::span<const NamedValue<Value>, count> values, const std::string& option,
                    const std::string& name, const std::string& remedy) {
    const std::optional<Value> value = value_named(values, name);
    if (!value) throw InputError(option, fmt::format("\"{}\" is unknown", name), remedy);
    return *value;
}

Options cluster_options(const CliqueOptions& options) {
    Options result;
    // "off" is for a controller: a command that is not to hear of cliques is given no --features
    result.cliques = checked_value(std::span(clique_mode_values).first<3>(), "--clique",
                                   options.mode, "write verify, enforce or derive");
    result.aggregation = checked_value(std::span(aggregation_values), "--aggregate",
                                       options.aggregate, "write position or name");
    if (result.cliques != CliqueMode::verify && options.features.files.empty())
        throw InputError("--clique", fmt::format("{} needs the nodes' cliques", options.mode),
                         "name their source with --features");
    return result;
}

}  // namespace

void add_clique_options(CLI::App& command, CliqueOptions& options) {
    add_feature_options(command, options.features);
    command
        .add_option("--clique", options.mode,
                    "Use of the cliques, as Nvl72Clique: verify, enforce or derive")
        ->type_name("MODE")
        ->capture_default_str();
    command
        .add_option(
            "--aggregate", options.aggregate,
            "How base blocks are joined into larger blocks, as Nvl72Aggregate: position or name")
        ->type_name("HOW")
        ->capture_default_str();
}

Site load_clique_site(const std::string& topology_file, const std::vector<NamedList>& lists,
                      const CliqueOptions& options, std::ostream& notes) {
    SiteSource source{topology_file, lists, {}, cluster_options(options)};
    if (options.features.files.empty()) return load_site(source, notes);
    const Inventory inventory = read_features(options.features);
    source.more = nodes_with_word(inventory);
    Site site = load_site(source, notes);
    const auto cliques = std::make_shared<const CliqueMap>(clique_map(site, inventory, notes));
    if (source.options.cliques != CliqueMode::derive) {
        const CliqueReport report = compare_cliques(site.topology(), *cliques);
        if (!report.findings.empty())
            notes << "note: " << summary(report) << "; nvl72block check lists them\n";
    }
    site.cluster = site.cluster.with_cliques(cliques);
    return site;
}

}  // namespace nvl72block::cli
