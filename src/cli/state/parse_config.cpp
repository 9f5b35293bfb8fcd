// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/input_error.hpp"
#include "cli/inventory/words.hpp"
#include "cli/state/parse.hpp"
#include "text/blanks.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::string_view first_words = "Configuration data as of ";

/// The value of "KEY   = value"; the field that it belongs to, or nullptr.
std::string* field(ConfigText& config, std::string_view key) {
    if (key == "ClusterName") return &config.cluster_name;
    if (key == "SLURM_VERSION") return &config.slurm_version;
    if (key == "TopologyPlugin") return &config.topology_plugin;
    if (key == "TopologyParam") return &config.topology_param;
    if (key == "PrivateData") return &config.private_data;
    if (key == "SLURM_CONF") return &config.slurm_conf;
    if (key == "MaxNodeCount") return &config.max_nodes;
    if (key == "StateSaveLocation") return &config.state_save_location;
    return nullptr;
}

}  // namespace

ConfigText parse_config(std::string_view text) {
    ConfigText config;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.starts_with(first_words))
            config.now = parse_time(trim(line.substr(first_words.size()))).value_or(0);
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        std::string* value = field(config, trim(line.substr(0, equals)));
        const std::string_view written = trim(line.substr(equals + 1));
        if (value != nullptr && written != "(null)") *value = written;
    }
    if (config.now == 0 || config.slurm_version.empty())
        throw InputError("scontrol show config", "has no time or no SLURM_VERSION",
                         "save its output unchanged");
    return config;
}

}  // namespace nvl72block::cli
