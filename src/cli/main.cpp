// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdio>
#include <exception>
#include <ostream>
#include <string>
#include <vector>

#include "cli/application.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "text/printable.hpp"

namespace {

int run_command(int argc, char** argv) {
    nvl72block::cli::Console console = nvl72block::cli::standard_console();
    const int status =
        nvl72block::cli::run(std::vector<std::string>(argv + 1, argv + argc), console);
    if (console.out.flush()) return status;
    console.err << "nvl72block: cannot write the output\n";
    return nvl72block::cli::exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run_command(argc, argv);
    } catch (const std::exception& error) {
        const std::string message = nvl72block::printable(error.what());
        (void)std::fprintf(stderr, "nvl72block: %s\n", message.c_str());
        return nvl72block::cli::exit_bad_input;
    }
}
