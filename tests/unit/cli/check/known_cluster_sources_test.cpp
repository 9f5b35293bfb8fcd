// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/known_cluster_sources.hpp"

#include <gtest/gtest.h>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

class FileOfCluster : public testing::Test {
  protected:
    /// Of a controller whose slurm.conf is in the folder.
    [[nodiscard]] std::string file_with(const std::string& version) const {
        ConfigRecord config;
        config.slurm_version = version;
        config.slurm_conf = folder_.path() + "/slurm.conf";
        return file_of_cluster(config);
    }
    Folder folder_;
};

TEST_F(FileOfCluster, ThatOfATopologyYamlComesFirst) {
    EXPECT_EQ(file_with("25.05.8"), "") << "the cluster's files are on another host";
    const std::string conf = folder_.file("topology.conf", "");
    EXPECT_EQ(file_with("25.05.8"), conf);
    const std::string yaml = folder_.file("topology.yaml", "");
    EXPECT_EQ(file_with("25.05.8"), yaml);
    EXPECT_EQ(file_of_cluster({}), "");
}

/// A topology.yaml that waits for the upgrade was checked in place of the topology.conf in use.
TEST_F(FileOfCluster, SlurmBefore25DoesNotReadATopologyYaml) {
    (void)folder_.file("topology.yaml", "");
    EXPECT_EQ(file_with("24.11.5"), "");
    const std::string conf = folder_.file("topology.conf", "");
    EXPECT_EQ(file_with("24.11.5"), conf);
}

}  // namespace
}  // namespace nvl72block::cli
