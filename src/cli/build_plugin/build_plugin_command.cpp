// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/build_plugin_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

#include "cli/build_plugin/build_tools.hpp"
#include "cli/build_plugin/release.hpp"
#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* build_plugin_footer = R"help(
Examples:
  nvl72block build-plugin --slurm-source /usr/src/slurm-24.11.5
  nvl72block build-plugin --slurm-source /usr/src/slurm-24.11.5 --install)help";

constexpr std::size_t shown_log_lines = 20;

/// What is built, from what, and where.
struct Build {
    std::string version;  ///< of Slurm
    fs::path tree, source, folder, log;
    std::string plugin_dir;  ///< empty: not installed
};

/// The sources that are installed with this command, wherever its package was unpacked.
fs::path installed_source() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program.parent_path().parent_path() / "share/nvl72block/source";
}

fs::path find_source(const BuildPluginOptions& options) {
    const fs::path source = options.source.empty() ? installed_source() : fs::path(options.source);
    if (!fs::exists(source / "plugin/CMakeLists.txt"))
        throw InputError("--source",
                         fmt::format("{} does not have the sources of the plugin", source.string()),
                         "install the package nvl72block-source, or give the unpacked nvl72block "
                         "of this version with --source DIR");
    return fs::absolute(source);
}

/// Slurm loads only a plugin of exactly its own version.
void check_version(const std::string& version, const BuildPluginOptions& options, Console& console,
                   const RunProgram& run) {
    if (options.other_hosts) return;
    const auto installed = installed_release(run);
    if (!installed) {
        console.err << "note: slurmctld, slurmd and scontrol are not installed on this host; the "
                       "plugin can be loaded by Slurm "
                    << version << " only\n";
    } else if (installed->version != version) {
        throw InputError(
            "--slurm-source",
            fmt::format("{} is Slurm {}, but {} on this host is {}: Slurm loads only plugins of "
                        "exactly its own version",
                        options.slurm_source, version, installed->program, installed->version),
            fmt::format("give the source of Slurm {}, or --other-hosts to build for hosts that run "
                        "Slurm {}",
                        installed->version, version));
    }
}

std::string find_plugin_dir(const BuildPluginOptions& options, const RunProgram& run) {
    if (!options.install) return "";
    if (options.other_hosts)
        throw InputError("--install", "cannot be combined with --other-hosts",
                         "copy the plugin to the other hosts' PluginDir");
    if (!options.plugin_dir.empty()) return options.plugin_dir;
    if (const auto found = plugin_folder(run)) return *found;
    throw InputError("--install",
                     "slurmctld does not answer, and no usual directory has Slurm's plugins",
                     "give Slurm's PluginDir with --plugin-dir DIR");
}

void check_tools(const RunProgram& run) {
    const std::vector<BuildTool> missing = missing_tools(run);
    if (missing.empty()) return;
    std::ifstream file("/etc/os-release");
    const std::string os_release{std::istreambuf_iterator<char>(file), {}};
    throw InputError("build-plugin", missing_message(missing, os_release), "");
}

std::string last_lines(const fs::path& log) {
    std::ifstream file(log);
    std::deque<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
        if (lines.size() > shown_log_lines) lines.pop_front();
    }
    return fmt::format("  {}", fmt::join(lines, "\n  "));
}

void run_step(const Build& build, const std::vector<std::string>& command, const RunProgram& run) {
    const ProgramResult result = run(command, build.log.string());
    if (result.status != 0)
        throw InputError(fmt::format(
            "{} ended with status {}; its output is in {} and ends with:\n{}",
            fmt::join(command, " "), result.status, build.log.string(), last_lines(build.log)));
}

void compile(const Build& build, const BuildPluginOptions& options, const RunProgram& run) {
    std::vector<std::string> configure = {
        "cmake", "--fresh", "-S", build.source.string(), "-B", build.folder.string(), "-G", "Ninja",
        "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DNVL72BLOCK_BUILD_TESTS=OFF",
        "-DNVL72BLOCK_BUILD_TOOL=OFF",
        // Compilers that are newer than this release may have new warnings.
        "-DNVL72BLOCK_WARNINGS_AS_ERRORS=OFF", "-DSLURM_SOURCE_DIR=" + build.tree.string()};
    if (options.accept_patched) configure.emplace_back("-DNVL72BLOCK_ACCEPT_PATCHED_SLURM=ON");
    if (!build.plugin_dir.empty())
        configure.push_back("-DNVL72BLOCK_PLUGIN_DIR=" + build.plugin_dir);
    run_step(build, configure, run);
    run_step(build, {"cmake", "--build", build.folder.string(), "--target", "nvl72block_plugin"},
             run);
}

void install(const Build& build, bool dropin, const RunProgram& run) {
    std::vector<std::string> components = {"plugin"};
    if (dropin) components.emplace_back("dropin");
    for (const std::string& component : components)
        run_step(build, {"cmake", "--install", build.folder.string(), "--component", component},
                 run);
}

std::string plugin_steps(const std::string& hosts) {
    return fmt::format(
        "  1. Copy topology_nvl72block.so and nvl72block-records into Slurm's plugin directory on "
        "all {}.\n"
        "  2. Set TopologyPlugin=topology/nvl72block in slurm.conf on all hosts.\n"
        "  3. Restart slurmctld, then slurmd; running jobs continue.\n"
        "  4. scontrol show config | grep TopologyPlugin\n",
        hosts);
}

/// With a topology.yaml or a partition's Topology= Slurm knows its own plugins' names only.
std::string dropin_steps(const std::string& hosts, const std::string& plugin_dir) {
    return fmt::format(
        "  1. Copy {0}/nvl72block to all {1}.\n"
        "  2. Set PluginDir={0}/nvl72block:{0} in slurm.conf on all hosts, with "
        "TopologyPlugin=topology/block.\n"
        "  3. Restart slurmctld, then slurmd; running jobs continue.\n"
        "  4. Look for \"topology nvl72block plugin\" in slurmctld's log.\n",
        plugin_dir, hosts);
}

void print_next_steps(const Build& build, bool dropin, std::ostream& out) {
    const fs::path plugin = build.folder / "plugin";
    out << fmt::format("built for Slurm {}:\n  {}\n  {}\n  {}\n", build.version,
                       (plugin / "topology_nvl72block.so").string(),
                       (plugin / "nvl72block-records").string(),
                       (plugin / "dropin/topology_block.so").string());
    if (!build.plugin_dir.empty())
        out << fmt::format("installed in {}{}\n", build.plugin_dir,
                           dropin ? ", the drop-in in nvl72block below it" : "");
    const std::string hosts = fmt::format("{}controllers, compute nodes and login nodes",
                                          build.plugin_dir.empty() ? "" : "other ");
    out << "next:\n"
        << (build.plugin_dir.empty() || !dropin ? plugin_steps(hosts)
                                                : dropin_steps(hosts, build.plugin_dir));
}

}  // namespace

CLI::App& add_build_plugin(CLI::App& app, BuildPluginOptions& options) {
    CLI::App& command = *app.add_subcommand(
        "build-plugin", "Build the Slurm plugin for the Slurm version of this host");
    command
        .add_option("--slurm-source", options.slurm_source,
                    "Unpacked source of exactly the Slurm version that the cluster runs")
        ->type_name("DIR")
        ->required();
    CLI::Option* install = command.add_flag("--install", options.install,
                                            "Install the plugin in Slurm's plugin directory");
    command
        .add_flag("--dropin", options.dropin,
                  "With --install, the drop-in too, in nvl72block below the plugin directory")
        ->needs(install);
    command
        .add_option("--plugin-dir", options.plugin_dir,
                    "With --install, Slurm's plugin directory (default: PluginDir of scontrol show "
                    "config)")
        ->type_name("DIR")
        ->needs(install);
    command
        .add_option(
            "--source", options.source,
            "Sources of nvl72block (default: ../share/nvl72block/source beside the command)")
        ->type_name("DIR");
    command
        .add_option("--build-dir", options.build_dir,
                    "Where to build (default: nvl72block-plugin-VERSION in the current directory)")
        ->type_name("DIR");
    command.add_flag("--other-hosts", options.other_hosts,
                     "Build although this host has another Slurm version");
    command.add_flag("--accept-patched-slurm", options.accept_patched,
                     "Accept a Slurm source whose patches move members of its structures");
    command.footer(build_plugin_footer);
    return command;
}

int run_build_plugin(const BuildPluginOptions& options, Console& console, const RunProgram& run) {
    Build build;
    build.version = tree_version(options.slurm_source);
    build.tree = fs::absolute(options.slurm_source);
    build.source = find_source(options);
    check_version(build.version, options, console, run);
    build.plugin_dir = find_plugin_dir(options, run);
    check_tools(run);
    build.folder = fs::absolute(options.build_dir.empty() ? "nvl72block-plugin-" + build.version
                                                          : options.build_dir);
    build.log = build.folder / "build.log";
    std::error_code error;
    fs::create_directories(build.folder, error);
    if (error)
        throw InputError("--build-dir", build.folder.string() + " cannot be created",
                         error.message());
    fs::remove(build.log, error);
    console.err << fmt::format("building for Slurm {} in {} (a minute or two)\n", build.version,
                               build.folder.string())
                << std::flush;
    compile(build, options, run);
    if (options.install) install(build, options.dropin, run);
    print_next_steps(build, options.dropin, console.out);
    return exit_ok;
}

}  // namespace nvl72block::cli
