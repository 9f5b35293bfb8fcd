// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"
#include "cli/state/records_program.hpp"
#include "files/read_file.hpp"
#include "files/write_whole.hpp"
#include "text/printable.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

// The jobs of a large cluster have some hundred megabytes.
constexpr std::size_t longest_text = std::size_t{1} << 30;
constexpr const char* document_name = "state.json";
constexpr const char* first_manifest = "snapshot.json";  ///< of format 1, text of scontrol's
constexpr std::uint32_t format = 2;
constexpr double widest_offset = 86'400;  ///< no clock is a day ahead of UTC

/// The only file that the plugin keeps a learned demand in; that of a topology.yaml has the
/// topology's name before its own.
std::string read_demand(const fs::path& state_save_location) {
    std::error_code error;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(state_save_location, error))
        if (entry.path().filename().string().ends_with("nvl72block_demand"))
            found.push_back(entry.path());
    std::string text;
    if (found.size() != 1 || nvl72block::read_file(found.front(), longest_text, text)) return {};
    return text;
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
        throw InputError(folder.string(), "is not a directory", "choose another one");
    if (fs::is_directory(folder, error) && !fs::is_empty(folder, error) &&
        !fs::exists(folder / document_name, error))
        throw InputError(folder.string(), "contains files that are not a snapshot",
                         "pass a new directory");
    fs::create_directories(folder, error);
    if (error)
        throw InputError(folder.string(), "cannot be made: " + error.message(),
                         "choose a directory that can be written");
}

}  // namespace

Document::Document(std::string_view text, const std::string& file)
    : json_(nlohmann::json::parse(text, nullptr, false)), facts_{file, 0} {
    const char* remedy = "pass a directory that nvl72block snapshot wrote";
    if (!json_.is_object()) throw InputError(file, "is not a JSON document", remedy);
    const auto found = root().find<std::uint32_t>("format");
    if (!found) throw InputError(file, "has no \"format\"", remedy);
    if (*found != format)
        throw InputError(file,
                         fmt::format("has format {}; this command reads format {}", *found, format),
                         "use the nvl72block and nvl72block-records of one version");
    const auto offset = json_.find("utc_offset");
    if (offset == json_.end()) return;
    // As a double, because it may be beyond the range of either type.
    if (!offset->is_number_integer() || std::abs(offset->get<double>()) > widest_offset)
        root().reject("utc_offset", "is not a number of seconds within a day");
    facts_.utc_offset = offset->get<std::int64_t>();
}

Document live_document() {
    Document document(ask_records({}), records_name);
    const std::string demand = read_demand(read_config(document).state_save_location);
    if (!demand.empty()) document.add_demand(printable_lines(demand));
    return document;
}

Document live_configuration() {
    return {ask_records({"--config"}), records_name};
}

Document read_snapshot(const std::string& folder) {
    const fs::path path = fs::path(folder) / document_name;
    std::error_code error;
    if (!fs::exists(path, error) && fs::exists(fs::path(folder) / first_manifest, error))
        throw InputError(folder, "is a snapshot of nvl72block 0.2.0 or earlier, text of scontrol's",
                         "read it with that version, or take a new one");
    std::string text;
    if (const auto failure = nvl72block::read_file(path, longest_text, text))
        throw InputError(path.string(), "cannot be read: " + failure->reason,
                         "pass a directory that nvl72block snapshot wrote");
    return {text, path.string()};
}

void write_snapshot(const std::string& folder, const Document& document) {
    make_folder(folder);
    const std::string failure =
        write_whole(fs::path(folder) / document_name, document.json().dump(1, ' ', true) + '\n',
                    Readers::usual);
    if (!failure.empty())
        throw InputError(folder, failure, "choose a directory that can be written");
}

}  // namespace nvl72block::cli
