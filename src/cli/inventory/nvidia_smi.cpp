// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvidia-smi -q` of one host: the Fabric part of each GPU.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/inventory/inventory.hpp"
#include "cli/inventory/words.hpp"

namespace nvl72block {
namespace {

/// What one GPU says of the fabric, as written.
struct GpuFabric {
    std::string gpu;
    std::string_view state, status, uuid, id;
};

/// The Fabric part ends at the first line that is indented no deeper than its title.
std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

void take_value(std::string_view line, GpuFabric& fabric) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    const std::string_view key = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "State") fabric.state = value;
    if (key == "Status") fabric.status = value;
    if (key == "ClusterUUID") fabric.uuid = value;
    if (key == "CliqueId") fabric.id = value;
}

std::vector<GpuFabric> read_gpus(std::string_view text) {
    std::vector<GpuFabric> gpus;
    bool in_fabric = false;
    std::size_t title_depth = 0;
    std::size_t value_depth = 0;  // of the part's own values; its subparts lie deeper
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::string_view words = trim(line);
        if (words.empty()) continue;
        if (line.starts_with("GPU ")) {
            gpus.emplace_back().gpu = words;
            in_fabric = false;
        } else if (!gpus.empty() && words == "Fabric") {
            in_fabric = true;
            title_depth = indentation(line);
            value_depth = 0;
        } else if (in_fabric) {
            const std::size_t depth = indentation(line);
            in_fabric = depth > title_depth;
            if (value_depth == 0) value_depth = depth;
            if (in_fabric && depth == value_depth) take_value(line, gpus.back());
        }
    }
    return gpus;
}

/// UUID and id count only once the fabric manager has completed its work on the GPU.
NodeClique clique_of(const GpuFabric& fabric) {
    if (fabric.state != "Completed" || fabric.status != "Success") return {};
    return read_clique_name(std::string(fabric.uuid) + "." + std::string(fabric.id));
}

bool same(const NodeClique& left, const NodeClique& right) {
    return left.status == right.status && left.identity == right.identity;
}

}  // namespace

void read_nvidia_smi(const InventorySource& source, Inventory& inventory,
                     Diagnostics& diagnostics) {
    const auto report = [&](const char* message, const char* remedy) {
        diagnostics.push_back({Severity::error, source.file, 0, message, remedy});
    };
    if (source.text.find(nvidia_smi_title) != source.text.rfind(nvidia_smi_title))
        return report("nvidia-smi -q of several hosts in one file",
                      "save the output of each host in a file named after it");
    const std::vector<GpuFabric> gpus = read_gpus(source.text);
    if (gpus.empty())
        return report("no GPU in the text", "save the output of nvidia-smi -q unchanged");
    const NodeClique first = clique_of(gpus.front());
    for (const GpuFabric& gpu : gpus)
        if (!same(clique_of(gpu), first))
            return inventory.add(source.host, {CliqueStatus::gpus_disagree, {}, gpu.gpu});
    inventory.add(source.host, first);
}

}  // namespace nvl72block
