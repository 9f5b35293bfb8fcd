// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/json_line.hpp"
#include "cli/output/replace_file.hpp"
#include "cli/shadow/shadow_export.hpp"
#include "cli/shadow/shadow_file.hpp"
#include "cli/shadow/shadow_page.hpp"
#include "cli/shadow/shadow_report.hpp"
#include "cli/state/readers.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* shadow_footer = R"(
TopologyParam=Nvl72Shadow=on makes slurmctld load nvl72block while Slurm's own topology/block decides
every job; what nvl72block would have decided is recorded in StateSaveLocation.

Examples:
  nvl72block shadow
  nvl72block shadow --html shadow.html
  nvl72block shadow --export 17 > decision-17.txt)";

constexpr const char* file_name = "nvl72block_shadow";

/// Where the running slurmctld's plugin writes.
std::string file_of_the_cluster() {
    const std::string folder = read_config(live_configuration()).state_save_location;
    if (folder.empty())
        throw InputError("the cluster's configuration", "has no StateSaveLocation",
                         "pass the file with --file");
    return folder + "/" + file_name;
}

const ShadowDecision& chosen(const ShadowFile& file, const std::string& text) {
    const std::uint32_t number = parse_count("--export", text, 1);
    if (number > file.decisions.size())
        throw InputError(
            "--export",
            fmt::format("there is no decision {}; {} are recorded", number, file.decisions.size()),
            "write a number that nvl72block shadow shows");
    return file.decisions[number - 1];
}

}  // namespace

CLI::App& add_shadow(CLI::App& app, ShadowOptions& options) {
    CLI::App& shadow = *app.add_subcommand(
        "shadow", "Report what nvl72block would have decided beside topology/block");
    shadow
        .add_option("--file", options.file,
                    "The file of records, or a copy (default: the running cluster's; with a "
                    "topology.yaml, StateSaveLocation/TOPOLOGY_nvl72block_shadow)")
        ->type_name("FILE");
    CLI::Option* json = shadow.add_flag("--json", options.json, "Print JSON, on one line");
    CLI::Option* html = shadow.add_option("--html", options.html, "Write a web page with pictures")
                            ->type_name("FILE")
                            ->excludes(json);
    shadow
        .add_option("--export", options.export_number,
                    "Print what repeats decision N: configuration, commands, both answers")
        ->type_name("N")
        ->excludes(json)
        ->excludes(html);
    shadow.footer(shadow_footer);
    return shadow;
}

int run_shadow(const ShadowOptions& options, Console& console) {
    const ShadowFile file =
        read_shadow_file(options.file.empty() ? file_of_the_cluster() : options.file);
    if (!options.export_number.empty()) {
        console.out << shadow_export(chosen(file, options.export_number));
        return exit_ok;
    }
    const ShadowSummary summary = summarize(file);
    if (!options.html.empty())
        replace_file("--html", options.html, shadow_page(file, summary));
    else if (options.json)
        console.out << json_line(shadow_json(file, summary)) << '\n';
    else
        console.out << shadow_text(file, summary);
    return exit_ok;
}

}  // namespace nvl72block::cli
