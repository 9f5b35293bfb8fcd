// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/node_sets.hpp"

#include <set>
#include <string_view>
#include <utility>

#include "cli/inventory/words.hpp"
#include "files/read_file.hpp"
#include "text/ignoring_case.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

class NodeSetReader {
  public:
    explicit NodeSetReader(fs::path folder) : folder_(std::move(folder)) {}

    void read(const fs::path& file) {
        std::string text;
        // once: files may include each other
        if (!files_.insert(file.lexically_normal()).second) return;
        if (read_file(file, longest_configuration, text)) return;
        for (std::string_view rest = text; !rest.empty();) {
            std::string_view line = take_line(rest);
            read_line(take_item(line, '#'));
        }
    }

    std::unordered_map<std::string, std::string> sets;

  private:
    void read_line(std::string_view line) {
        std::string_view word = take_word(line);
        if (equals_ignoring_case(word, "Include")) return read(folder_ / trim(line));
        if (!equals_ignoring_case(take_item(word, '='), "NodeSet")) return;
        const std::string name(word);
        std::string nodes;
        while (!(word = take_word(line)).empty()) {
            const std::string_view key = take_item(word, '=');
            if (!nodes.empty()) nodes += ',';
            if (equals_ignoring_case(key, "Nodes")) nodes += word;
            if (equals_ignoring_case(key, "Feature")) nodes.append("feature{").append(word) += '}';
        }
        sets.try_emplace(name, std::move(nodes));
    }

    const fs::path folder_;
    std::set<fs::path> files_;
};

}  // namespace

std::unordered_map<std::string, std::string> node_sets_of(const fs::path& slurm_conf) {
    NodeSetReader reader(slurm_conf.parent_path());
    reader.read(slurm_conf);
    return std::move(reader.sets);
}

}  // namespace nvl72block::cli
