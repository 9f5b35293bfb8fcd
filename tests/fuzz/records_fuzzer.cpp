// SPDX-License-Identifier: GPL-2.0-or-later
//
// The document of nvl72block-records, or of a snapshot: it is read, or there is one clear sentence.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"

using namespace nvl72block::cli;  // NOLINT(google-build-using-namespace)

namespace {

void read(const Document& document) {
    const NodeTable table({"n1", "n2", "n3"});
    Notes notes;
    (void)read_config(document);
    (void)cliques_of_nodes(read_nodes(document, notes), "");
    (void)read_partitions(document, table, notes);
    (void)read_reservations(document, table, notes);
    for (const JobRecord& job : read_jobs(document, table, notes))
        if (job.label().find('\n') != std::string::npos ||
            job.name.find('\x1b') != std::string::npos)
            std::abort();
    (void)read_blocks(document);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        read({std::string_view(reinterpret_cast<const char*>(data), size), "state.json"});
    } catch (const InputError& error) {
        if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    }
    return 0;
}
