// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "readers.hpp"

namespace nvl72block {
namespace {

const std::string head =
    "\n==============NVSMI LOG==============\n\nTimestamp      : Sat Nov 21 10:00:00 2026\n"
    "Driver Version : 580.65.06\nAttached GPUs  : 4\n";

std::string gpu(const std::string& bus, const std::string& state, const std::string& uuid,
                const std::string& id) {
    return "GPU 00000008:" + bus +
           ":00.0\n    Product Name                       : NVIDIA GB200\n"
           "    Fabric\n        State                          : " +
           state + "\n        Status                         : " +
           (state == "Completed" ? "Success" : "N/A") +
           "\n        CliqueId                       : " + id +
           "\n        ClusterUUID                    : " + uuid +
           "\n        Health\n            Bandwidth                  : Full\n"
           "            State                      : nothing of the fabric's\n"
           "    Processes                          : None\n"
           "        State                          : nor this\n\n";
}

const std::string uuid_a = clique_a.substr(0, 36);
const std::string uuid_b = clique_b.substr(0, 36);

TEST(NvidiaSmi, AllGpusAgree) {
    EXPECT_EQ(read_text(head + gpu("01", "Completed", uuid_a, "32766") +
                        gpu("02", "Completed", uuid_a, "32766")),
              "h1=" + clique_a);
}

TEST(NvidiaSmi, GpusThatDisagree) {
    const std::string message = "h1=its GPUs report different cliques [GPU 00000008:02:00.0]";
    const std::string first = gpu("01", "Completed", uuid_a, "32766");
    EXPECT_EQ(read_text(head + first + gpu("02", "Completed", uuid_b, "32766")), message);
    EXPECT_EQ(read_text(head + first + gpu("02", "Completed", uuid_a, "1")), message);
    EXPECT_EQ(read_text(head + first + gpu("02", "In Progress", uuid_a, "32766")), message);
}

TEST(NvidiaSmi, OffTheFabric) {
    EXPECT_EQ(read_text(head + gpu("01", "N/A", "N/A", "N/A")), "h1=-");
    EXPECT_EQ(read_text(head + "GPU 00000000:01:00.0\n    Product Name : NVIDIA L40S\n"), "h1=-");
    EXPECT_EQ(read_text(head + gpu("01", "Completed", "00000000-0000-0000-0000-000000000000", "0")),
              "h1=the ClusterUUID is all zero [00000000-0000-0000-0000-000000000000.0]");
}

TEST(NvidiaSmi, NoGpu) {
    EXPECT_EQ(read_text(head),
              "file: no GPU in the text; save the output of nvidia-smi -q unchanged");
}

/// Hosts in one file were one node, named after the file.
TEST(NvidiaSmi, OneHostPerFile) {
    const std::string host = head + gpu("01", "Completed", uuid_a, "32766");
    EXPECT_EQ(read_text(host + host),
              "file: nvidia-smi -q of several hosts in one file; save the output of each host in a "
              "file named after it");
}

}  // namespace
}  // namespace nvl72block
