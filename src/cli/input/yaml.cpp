// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/yaml.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <stdexcept>

#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

/// Slurm's own limit.
constexpr unsigned deepest = 64;

/// An event of libyaml, freed with its owner.
struct Event {
    Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { yaml_event_delete(&event); }

    yaml_event_t event{};
};

/// What ends the reading; it becomes a Diagnostic.
struct YamlFailure : std::runtime_error {
    YamlFailure(std::size_t line_from_zero, const std::string& message, std::string what_to_do)
        : std::runtime_error(message),
          line(static_cast<unsigned>(line_from_zero) + 1),
          remedy(std::move(what_to_do)) {}

    unsigned line;
    std::string remedy;
};

class Reader {
  public:
    Reader(std::string_view text, const std::string& file, Diagnostics& diagnostics)
        : file_(file), diagnostics_(diagnostics) {
        if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's type of bytes
        const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
        yaml_parser_set_input_string(&parser_, bytes, text.size());
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { yaml_parser_delete(&parser_); }

    YamlNode document() {
        while (true) {
            Event event;
            next(event);
            if (event.event.type == YAML_STREAM_END_EVENT)
                throw YamlFailure(0, "the file is empty", "write a list of topologies");
            if (is_value(event.event)) return value(event.event, 0);
        }
    }

  private:
    static bool is_value(const yaml_event_t& event) {
        return event.type == YAML_SCALAR_EVENT || event.type == YAML_SEQUENCE_START_EVENT ||
               event.type == YAML_MAPPING_START_EVENT || event.type == YAML_ALIAS_EVENT;
    }

    static std::string scalar_text(const yaml_event_t& event) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's type of bytes
        const auto* letters = reinterpret_cast<const char*>(event.data.scalar.value);
        return {letters, event.data.scalar.length};
    }

    void next(Event& event) {
        if (yaml_parser_parse(&parser_, &event.event) != 0) return;
        throw YamlFailure(parser_.problem_mark.line,
                          fmt::format("is not YAML: {} at column {}",
                                      parser_.problem != nullptr ? parser_.problem : "no text",
                                      parser_.problem_mark.column + 1),
                          "look for tabs, wrong indentation and missing colons");
    }

    YamlNode value(const yaml_event_t& event, unsigned depth) {
        const std::size_t line = event.start_mark.line;
        if (depth > deepest)
            throw YamlFailure(line, fmt::format("more than {} levels", deepest),
                              "Slurm reads no deeper");
        YamlNode node;
        node.line = static_cast<unsigned>(line) + 1;
        switch (event.type) {
            case YAML_SCALAR_EVENT:
                node.text = scalar_text(event);
                break;
            case YAML_SEQUENCE_START_EVENT:
                read_list(node, depth);
                break;
            case YAML_MAPPING_START_EVENT:
                read_map(node, depth);
                break;
            default:
                throw YamlFailure(line, "an alias (*NAME), which Slurm does not read",
                                  "write the text out");
        }
        return node;
    }

    void read_list(YamlNode& node, unsigned depth) {
        node.kind = YamlNode::Kind::list;
        while (true) {
            Event event;
            next(event);
            if (event.event.type == YAML_SEQUENCE_END_EVENT) return;
            node.items.push_back(value(event.event, depth + 1));
        }
    }

    void read_map(YamlNode& node, unsigned depth) {
        node.kind = YamlNode::Kind::map;
        while (true) {
            Event key;
            next(key);
            if (key.event.type == YAML_MAPPING_END_EVENT) return;
            if (key.event.type != YAML_SCALAR_EVENT)
                throw YamlFailure(key.event.start_mark.line, "a key that is not a word",
                                  "write KEY: VALUE");
            Event event;
            next(event);
            add_field(node, scalar_text(key.event), value(event.event, depth + 1));
        }
    }

    void add_field(YamlNode& node, std::string key, YamlNode child) {
        const auto same = std::ranges::find_if(
            node.fields, [&](const auto& field) { return field.first == key; });
        if (same == node.fields.end()) {
            node.fields.emplace_back(std::move(key), std::move(child));
            return;
        }
        diagnostics_.push_back(
            {Severity::warning, file_, child.line,
             fmt::format("{} is written twice, the last one counts", excerpt(key)),
             fmt::format("remove the one of line {}", same->second.line)});
        same->second = std::move(child);
    }

    const std::string& file_;
    Diagnostics& diagnostics_;
    yaml_parser_t parser_{};
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
    for (const auto& [name, value] : fields)
        if (name == key) return &value;
    return nullptr;
}

std::string_view kind_name(YamlNode::Kind kind) {
    switch (kind) {
        case YamlNode::Kind::list:
            return "a list";
        case YamlNode::Kind::map:
            return "a group of keys";
        case YamlNode::Kind::scalar:
            break;
    }
    return "a text";
}

std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file,
                                   Diagnostics& diagnostics) {
    try {
        return Reader(text, file, diagnostics).document();
    } catch (const YamlFailure& failure) {
        diagnostics.push_back(
            {Severity::error, file, failure.line, failure.what(), failure.remedy});
    }
    return std::nullopt;
}

}  // namespace nvl72block::cli
