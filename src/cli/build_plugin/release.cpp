// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/release.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <regex>
#include <vector>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* give_the_tree =
    "give the unpacked source of exactly the Slurm version that the cluster runs";

/// Folders of Slurm's plugins: Debian's packages, those built from Slurm's source, RPMs.
std::vector<fs::path> usual_folders(const fs::path& root) {
    std::vector<fs::path> folders = {root / "usr/lib64/slurm", root / "usr/lib/slurm",
                                     root / "usr/local/lib/slurm"};
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root / "usr/lib", error)) {
        folders.push_back(entry.path() / "slurm-wlm");
        folders.push_back(entry.path() / "slurm");
    }
    return folders;
}

/// The last folder of the PluginDir line in `scontrol show config`; others may be a drop-in's.
std::optional<std::string> last_folder(const std::string& configuration) {
    static const std::regex line(R"((?:^|\n)PluginDir\s*=\s*(\S+))");
    std::smatch match;
    if (!std::regex_search(configuration, match, line)) return std::nullopt;
    const std::string folders = match[1];
    return folders.substr(folders.rfind(':') + 1);
}

}  // namespace

std::string tree_version(const fs::path& tree) {
    static const std::regex name(R"(\s*Name:\s*slurm\s*)");
    static const std::regex version(R"(\s*Version:\s*(\d+\.\d+\.\d+\S*)\s*)");
    std::ifstream meta(tree / "META");
    std::string found;
    bool is_slurm = false;
    std::smatch match;
    for (std::string line; std::getline(meta, line);) {
        is_slurm = is_slurm || std::regex_match(line, name);
        if (found.empty() && std::regex_match(line, match, version)) found = match[1];
    }
    if (!is_slurm || found.empty() || !fs::exists(tree / "src/interfaces/topology.c"))
        throw InputError("--slurm-source",
                         fmt::format("{} is not a Slurm source tree", tree.string()),
                         give_the_tree);
    return found;
}

std::optional<InstalledRelease> installed_release(const RunProgram& run) {
    // "slurm 24.11.5"; Debian's says "slurm-wlm 24.11.5".
    static const std::regex answer(R"(slurm\S*\s+(\d+\.\d+\.\d+\S*))");
    for (const std::string program :
         {"slurmctld", "/usr/sbin/slurmctld", "slurmd", "/usr/sbin/slurmd", "scontrol"}) {
        const ProgramResult result = run({program, "-V"}, "");
        std::smatch match;
        if (result.status == 0 && std::regex_search(result.output, match, answer))
            return InstalledRelease{program, match[1]};
    }
    return std::nullopt;
}

std::optional<std::string> plugin_folder(const RunProgram& run, const fs::path& root) {
    const ProgramResult shown = run({"scontrol", "show", "config"}, "");
    if (shown.status == 0)
        if (const auto folder = last_folder(shown.output)) return folder;
    std::vector<fs::path> found;
    for (const fs::path& folder : usual_folders(root))
        if (fs::exists(folder / "topology_block.so")) found.push_back(folder);
    if (found.size() != 1) return std::nullopt;
    return found.front().string();
}

}  // namespace nvl72block::cli
