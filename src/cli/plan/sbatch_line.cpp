// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/sbatch_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/input/text_file.hpp"
#include "cli/inventory/words.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

/// sbatch's options, "name/letter"; an abbreviation of a name that fits no other one counts, too.
constexpr std::string_view with_value =
    "account/A acctg-freq array/a batch bb bbf begin/b chdir/D cluster-constraint clusters/M "
    "comment constraint/C container container-id core-spec/S cores-per-socket cpu-freq "
    "cpus-per-gpu cpus-per-task/c deadline delay-boot dependency/d distribution/m error/e "
    "exclude/x "
    "export export-file extra extra-node-info/B gid gpu-bind gpu-freq gpus/G gpus-per-node "
    "gpus-per-socket gpus-per-task gres gres-flags hint input/i job-name/J licenses/L mail-type "
    "mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus network nodefile/F "
    "nodelist/w nodes/N ntasks/n ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket "
    "open-mode output/o partition/p power prefer priority profile qos/q reservation segment signal "
    "sockets-per-node switches thread-spec threads-per-core time/t time-min tmp tres-bind "
    "tres-per-task uid wait-all-nodes wckey wrap";
constexpr std::string_view with_optional_value =
    "exclusive get-user-env kill-on-invalid-dep nice no-kill/k propagate resv-ports";
constexpr std::string_view without_value =
    "consolidate-segments contiguous hold/H ignore-pbs no-requeue oom-kill-step overcommit/O "
    "oversubscribe/s parsable quiet/Q reboot requeue spread-job spread-segments stepmgr test-only "
    "use-min-nodes verbose/v wait/W";

enum class Takes { value, optional_value, nothing };

struct Option {
    std::string name;
    Takes takes = Takes::nothing;
};

/// All options whose name begins so, or the one that is called so; of a letter that one.
std::vector<Option> options_called(std::string_view called, bool letter) {
    std::vector<Option> found;
    for (auto [list, takes] : {std::pair{with_value, Takes::value},
                               {with_optional_value, Takes::optional_value},
                               {without_value, Takes::nothing}})
        while (!list.empty()) {
            const std::string_view word = take_word(list);
            const std::string_view name = word.substr(0, word.find('/'));
            if (letter && name.size() < word.size() && word.substr(name.size() + 1) == called)
                return {{std::string(name), takes}};
            if (letter || !name.starts_with(called)) continue;
            if (name == called) return {{std::string(name), takes}};
            found.push_back({std::string(name), takes});
        }
    return found;
}

/// Reads words into options; those that are there already stay.
class Reader {
  public:
    Reader(std::string location, SbatchLine& line) : location_(std::move(location)), line_(line) {}

    /// The position of the first word that is no option, the script; words.size() for none. Of
    /// equal options the last one counts.
    std::size_t read(std::span<const std::string> words) {
        words_ = words;
        const std::size_t script = read_options();
        line_.options.merge(now_);
        return script;
    }

  private:
    std::size_t read_options() {
        for (at_ = 0; at_ < words_.size(); ++at_) {
            const std::string_view word = words_[at_];
            if (word == ":" || word == "hetjob")
                throw InputError(location_, "is of a heterogeneous job",
                                 "write one of its components");
            if (word == "--") return at_ + 1;
            if (word.starts_with("--"))
                read_long(word.substr(2));
            else if (word.size() > 1 && word.front() == '-')
                read_letters(word.substr(1));
            else
                return at_;
        }
        return at_;
    }
    [[nodiscard]] Option option(std::string_view called, bool letter) const {
        std::vector<Option> found = options_called(called, letter);
        if (found.size() != 1)
            throw InputError(location_,
                             fmt::format("{}{} is {}", letter ? "-" : "--", excerpt(called),
                                         found.empty() ? "no option of sbatch"
                                                       : "the beginning of several options"),
                             "see sbatch(1); leave out options of Slurm's plugins");
        return found.front();
    }
    std::string next_word(const std::string& name) {
        if (++at_ >= words_.size())
            throw InputError(location_, fmt::format("--{} has no value", name), "add one");
        return words_[at_];
    }
    void set(const std::string& name, std::string value) { now_[name] = std::move(value); }

    void read_long(std::string_view word) {
        const std::size_t equals = word.find('=');
        const Option found = option(word.substr(0, equals), false);
        std::string value;
        if (equals != std::string_view::npos)
            value = word.substr(equals + 1);
        else if (found.takes == Takes::value)
            value = next_word(found.name);
        set(found.name, std::move(value));
    }

    /// "N4" or "HsN4".
    void read_letters(std::string_view letters) {
        while (!letters.empty()) {
            const Option found = option(letters.substr(0, 1), true);
            letters.remove_prefix(1);
            std::string value;
            if (found.takes != Takes::nothing) value = std::exchange(letters, {});
            if (found.takes == Takes::value && value.empty()) value = next_word(found.name);
            set(found.name, std::move(value));
        }
    }

    std::string location_;
    SbatchLine& line_;
    std::map<std::string, std::string> now_;
    std::span<const std::string> words_;
    std::size_t at_ = 0;
};

/// The words of a #SBATCH line: quotes hold blanks together, # begins a comment.
std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    bool open = false;
    char quote = '\0';
    for (const char each : line) {
        const bool blank = blanks.find(each) != std::string_view::npos;
        if (quote == '\0' && blank) {
            open = false;
            continue;
        }
        if (!open && each == '#') break;
        if (!open) words.emplace_back();
        open = true;
        if (quote != '\0' ? each == quote : each == '"' || each == '\'')
            quote = quote != '\0' ? '\0' : each;
        else
            words.back() += each;
    }
    return words;
}

/// As sbatch, up to the first line that is a command.
void read_script(const std::string& file, SbatchLine& line) {
    constexpr std::string_view mark = "#SBATCH";
    check_readable("sbatch", file);
    std::ifstream stream(file);
    std::string text;
    std::vector<std::string> words;
    while (std::getline(stream, text)) {
        std::string_view rest = text;
        if (rest.starts_with(mark)) {
            const std::vector<std::string> more = words_of(rest.substr(mark.size()));
            words.insert(words.end(), more.begin(), more.end());
        } else if (const std::string_view word = take_word(rest);
                   !word.empty() && word.front() != '#') {
            break;
        }
    }
    (void)Reader(file, line).read(words);
}

}  // namespace

std::string SbatchLine::value(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
}

SbatchLine parse_sbatch_line(const std::vector<std::string>& words) {
    const std::string_view program = words.front();
    if (program.substr(program.rfind('/') + 1) != "sbatch")
        throw InputError("plan", fmt::format("unexpected: {}", excerpt(program)),
                         "write the options of plan, or -- and a line of sbatch");
    SbatchLine line;
    const auto rest = std::span(words).subspan(1);
    const std::size_t script = Reader("sbatch", line).read(rest);
    if (script < rest.size() && !line.has("wrap")) read_script(rest[script], line);
    return line;
}

}  // namespace nvl72block::cli
