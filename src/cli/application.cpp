// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/application.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include "cli/build_plugin/build_plugin_command.hpp"
#include "cli/capacity/capacity_command.hpp"
#include "cli/check/check_command.hpp"
#include "cli/exit_code.hpp"
#include "cli/generate/generate_command.hpp"
#include "cli/graph/graph_command.hpp"
#include "cli/input/input_error.hpp"
#include "cli/learn/learn_command.hpp"
#include "cli/metrics/metrics_command.hpp"
#include "cli/output/printable_stream.hpp"
#include "cli/plan/plan_command.hpp"
#include "cli/replay/replay_command.hpp"
#include "cli/report/report_command.hpp"
#include "cli/shadow/shadow_command.hpp"
#include "cli/show/show_command.hpp"
#include "cli/snapshot/snapshot_command.hpp"
#include "cli/why/why_command.hpp"

namespace nvl72block::cli {
namespace {

std::vector<const CLI::App*> all_subcommands(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "show, plan, …", for messages.
std::string subcommand_names(const CLI::App& app) {
    std::string names;
    for (const CLI::App* subcommand : all_subcommands(app))
        names += (names.empty() ? "" : ", ") + subcommand->get_name();
    return names;
}

/// CLI11 alone would only say that a subcommand is missing.
void check_subcommand(const CLI::App& app, const std::vector<std::string>& arguments) {
    if (arguments.empty())
        throw InputError("nvl72block", "needs a subcommand", "write " + subcommand_names(app));
    const std::string& first = arguments.front();
    if (!first.empty() && first.front() == '-') return;
    const std::vector<const CLI::App*> known = all_subcommands(app);
    if (std::none_of(known.begin(), known.end(),
                     [&first](const CLI::App* each) { return each->get_name() == first; }))
        throw InputError("nvl72block", "unknown subcommand \"" + first + "\"",
                         "write " + subcommand_names(app));
}

/// Takes what follows "--" away: to CLI11 a positional argument would be any word that it does not
/// know.
std::vector<std::string> words_after_dashes(std::vector<std::string>& arguments) {
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
    if (dashes == arguments.end()) return {};
    std::vector<std::string> words(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
    return words;
}

/// A list of nodes may be empty, and what names a prefix or the plugin's options.
bool may_be_empty(const CLI::Option& option) {
    static const std::array names{"--busy",    "--drained", "--reserved",
                                  "--exclude", "--param",   "--clique-prefix"};
    return std::ranges::any_of(names, [&](const char* name) { return option.check_name(name); });
}

/// The value of a variable that a script did not set is no request for the default.
void check_values(const CLI::App& subcommand) {
    for (const CLI::Option* option : subcommand.get_options())
        if (!may_be_empty(*option) && std::ranges::count(option->results(), "") != 0)
            throw InputError(option->get_name(), "is empty",
                             "write a value, or leave the option out");
}

std::string failure_message(const CLI::App* app, const CLI::Error& error) {
    std::string what = error.what();
    if (error.get_exit_code() ==
        static_cast<int>(CLI::ExitCodes::ExtrasError)) {  // CLI11 tells them in reverse order
        what = "unexpected:";
        for (const std::string& each : app->remaining(true)) what += ' ' + each;
    }
    return what + "; see --help for the options\n";
}

/// Help and version are answers, all else is wrong input.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error, Console& console) {
    const bool answer = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error, console.out, console.err);
    return answer ? exit_ok : exit_bad_input;
}

int run_subcommand(std::vector<std::string> arguments, Console& console) {
    CLI::App app("Show, explain and plan block scheduling on NVL72 racks", "nvl72block");
    app.set_version_flag("--version", "nvl72block " NVL72BLOCK_VERSION);
    app.require_subcommand(1);
    app.footer("\nSee nvl72block SUBCOMMAND --help for options and examples.");
    ShowOptions show_options;
    PlanOptions plan_options;
    CapacityOptions capacity_options;
    WhyOptions why_options;
    SnapshotOptions snapshot_options;
    CheckOptions check_options;
    GenerateOptions generate_options;
    GraphOptions graph_options;
    MetricsOptions metrics_options;
    ReplayOptions replay_options;
    LearnOptions learn_options;
    ReportOptions report_options;
    ShadowOptions shadow_options;
    BuildPluginOptions build_plugin_options;
    const CLI::App& show = add_show(app, show_options);
    const CLI::App& plan = add_plan(app, plan_options);
    const CLI::App& capacity = add_capacity(app, capacity_options);
    const CLI::App& why = add_why(app, why_options);
    const CLI::App& snapshot = add_snapshot(app, snapshot_options);
    const CLI::App& check = add_check(app, check_options);
    const CLI::App& generate = add_generate(app, generate_options);
    const CLI::App& graph = add_graph(app, graph_options);
    const CLI::App& metrics = add_metrics(app, metrics_options);
    const CLI::App& replay = add_replay(app, replay_options);
    const CLI::App& learn = add_learn(app, learn_options);
    const CLI::App& report = add_report(app, report_options);
    const CLI::App& shadow = add_shadow(app, shadow_options);
    const CLI::App& build_plugin = add_build_plugin(app, build_plugin_options);
    app.failure_message(failure_message);
    try {
        check_subcommand(app, arguments);
        if (arguments.front() == "plan") plan_options.sbatch = words_after_dashes(arguments);
        std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 takes them in
        app.parse(std::move(arguments));
        for (const CLI::App* subcommand : app.get_subcommands()) check_values(*subcommand);
        if (show.parsed()) return run_show(show_options, console);
        if (plan.parsed()) return run_plan(plan_options, console);
        if (capacity.parsed()) return run_capacity(capacity_options, console);
        if (why.parsed()) return run_why(why_options, console);
        if (snapshot.parsed()) return run_snapshot(snapshot_options, console);
        if (check.parsed()) return run_check(check_options, console);
        if (generate.parsed()) return run_generate(generate_options, console);
        if (graph.parsed()) return run_graph(graph_options, console);
        if (metrics.parsed()) return run_metrics(metrics_options, console);
        if (replay.parsed()) return run_replay(replay_options, console);
        if (learn.parsed()) return run_learn(learn_options, console);
        if (report.parsed()) return run_report(report_options, console);
        if (shadow.parsed()) return run_shadow(shadow_options, console);
        if (build_plugin.parsed()) return run_build_plugin(build_plugin_options, console);
    } catch (const CLI::ParseError& error) {
        return report_parse_error(app, error, console);
    } catch (const InputError& error) {
        console.err << error.what() << '\n';
    }
    return exit_bad_input;
}

}  // namespace

int run(std::vector<std::string> arguments, Console& console) {
    PrintableStream out(console.out);
    PrintableStream err(console.err);
    Console safe{out,
                 err,
                 console.color,
                 console.unicode,
                 console.err_terminal,
                 console.width,
                 console.out_terminal};
    return run_subcommand(std::move(arguments), safe);
}

}  // namespace nvl72block::cli
