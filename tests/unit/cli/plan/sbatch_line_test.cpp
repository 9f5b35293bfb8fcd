// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/sbatch_line.hpp"

#include <gtest/gtest.h>

#include "../command.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

using Words = std::vector<std::string>;

std::string error_of(const Words& words) {
    try {
        (void)parse_sbatch_line(words);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SbatchLine, ReadsLongAndShortOptions) {
    const SbatchLine line =
        parse_sbatch_line({"/usr/bin/sbatch", "-N32", "--segment=16", "-t", "4:00:00",
                           "--gpus-per-node", "4", "-Hn64", "--exclusive", "--wrap=x"});
    EXPECT_EQ(line.value("nodes"), "32");
    EXPECT_EQ(line.value("segment"), "16");
    EXPECT_EQ(line.value("time"), "4:00:00");
    EXPECT_EQ(line.value("gpus-per-node"), "4");
    EXPECT_TRUE(line.has("hold"));
    EXPECT_EQ(line.value("ntasks"), "64");
    EXPECT_TRUE(line.has("exclusive"));
    EXPECT_FALSE(line.has("mem"));
}

TEST(SbatchLine, AnAbbreviationCountsWhereItFitsOneOption) {
    EXPECT_EQ(parse_sbatch_line({"sbatch", "--segm=16"}).value("segment"), "16");
    EXPECT_NE(error_of({"sbatch", "--node=2"}), "");  // --nodes, --nodelist and --nodefile
}

/// The line comes before its script, and of two equal options the last one counts.
TEST(SbatchLine, TheScriptFillsInWhatTheLineLeavesOpen) {
    const Folder folder;
    const std::string script = folder.file("job.sh",
                                           "#!/bin/bash\n"
                                           "#SBATCH -N 8 --segment=4  # two racks\n"
                                           "\n"
                                           "# a comment\n"
                                           "#SBATCH --job-name=\"a b\"\n"
                                           "#SBATCH --time=1:00 --time=2:00\n"
                                           "srun true\n"
                                           "#SBATCH --mem=1G\n");
    const SbatchLine line = parse_sbatch_line({"sbatch", "-N16", script, "-N99"});
    EXPECT_EQ(line.value("nodes"), "16");
    EXPECT_EQ(line.value("segment"), "4");
    EXPECT_EQ(line.value("job-name"), "a b");
    EXPECT_EQ(line.value("time"), "2:00");
    EXPECT_FALSE(line.has("mem"));
}

TEST(SbatchLine, SaysWhatItCannotRead) {
    EXPECT_EQ(error_of({"sbatch", "--segmnt=16"}),
              "sbatch: --segmnt is no option of sbatch; see sbatch(1); leave out options of "
              "Slurm's plugins");
    EXPECT_EQ(error_of({"sbatch", "--mem-"}),
              "sbatch: --mem- is the beginning of several options; see sbatch(1); leave out "
              "options of Slurm's plugins");
    EXPECT_EQ(error_of({"sbatch", "-N"}), "sbatch: --nodes has no value; add one");
    EXPECT_NE(error_of({"sbatch", "-N1", ":", "-N2"}), "");
    EXPECT_NE(error_of({"sbatch", "-N1", "/none/job.sh"}), "");
    EXPECT_EQ(error_of({"srun", "-N1"}),
              "plan: unexpected: srun; write the options of plan, or -- and a line of sbatch");
}

}  // namespace
}  // namespace nvl72block::cli
