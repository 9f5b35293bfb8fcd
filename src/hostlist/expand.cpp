// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <utility>

#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

// All names together; a long text around a wide range must not exhaust memory either.
constexpr std::size_t max_characters = std::size_t{64} << 20;

struct NumberRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t width = 0;
};

/// A text followed by one bracket group; `numbers` is empty for the text after the last group.
struct Part {
    std::string_view literal;
    std::vector<NumberRange> numbers;
    std::uint64_t choices = 1;
};

bool is_separator(char letter) {
    return letter == ',' || letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool parse_number(std::string_view text, std::uint64_t& value) {
    if (text.empty() || text.size() > max_hostlist_digits || !is_digit(text.front())) return false;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size();
}

/// Reads a list item by item.
class Reader {
  public:
    explicit Reader(std::string& error) : error_(error) {}

    /// Counts the names of one item, whose parts are then there for write().
    bool read(std::string_view item) {
        item_ = item;
        parts_.clear();
        return split(item) && check_size();
    }

    /// Appends the names of the item that was read last.
    void write(std::vector<std::string>& names) const {
        std::vector<Wheel> wheels(parts_.size());
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (!parts_[i].numbers.empty()) wheels[i].number = parts_[i].numbers.front().first;
        do {
            names.push_back(spell(wheels));
        } while (advance(wheels));
    }

    /// Names of all items so far.
    [[nodiscard]] std::size_t names() const { return names_; }

  private:
    bool fail(std::string_view reason) {
        error_ = fmt::format("'{}': {}", excerpt(item_), reason);
        return false;
    }

    bool split(std::string_view rest) {
        while (true) {
            const std::size_t open = rest.find_first_of("[]{}");
            if (open == std::string_view::npos) break;
            if (rest[open] == ']') return fail("']' without '['");
            if (rest[open] != '[') return fail("'{' and '}' are not allowed in a node name");
            const std::size_t close = rest.find_first_of("[]", open + 1);
            if (close == std::string_view::npos) return fail("'[' without ']'");
            if (rest[close] == '[') return fail("'[' inside brackets");
            Part part{rest.substr(0, open), {}, 0};
            if (!parse_group(rest.substr(open + 1, close - open - 1), part)) return false;
            parts_.push_back(std::move(part));
            rest.remove_prefix(close + 1);
        }
        parts_.push_back({rest, {}, 1});
        return true;
    }

    bool parse_group(std::string_view group, Part& part) {
        while (true) {
            const std::size_t comma = group.find(',');
            if (!parse_range(group.substr(0, comma), part)) return false;
            if (comma == std::string_view::npos) return true;
            group.remove_prefix(comma + 1);
        }
    }

    bool parse_range(std::string_view text, Part& part) {
        const std::size_t dash = text.find('-');
        const std::string_view first = text.substr(0, dash);
        const std::string_view last =
            dash == std::string_view::npos ? first : text.substr(dash + 1);
        NumberRange range{0, 0, first.size()};
        if (!parse_number(first, range.first) || !parse_number(last, range.last))
            return fail(fmt::format("'{}' is not a number or a range of numbers", excerpt(text)));
        if (range.first > range.last)
            return fail(fmt::format("the range '{}' ends before it begins", excerpt(text)));
        part.choices += range.last - range.first + 1;
        if (part.choices > max_hostlist_names) return fail_too_many();
        part.numbers.push_back(range);
        return true;
    }

    bool fail_too_many() {
        return fail(fmt::format("the list has more than {} names", max_hostlist_names));
    }

    bool check_size() {
        std::uint64_t names = 1;
        std::uint64_t longest = 0;
        for (const Part& part : parts_) {
            names *= part.choices;  // both factors are at most max_hostlist_names
            if (names_ + names > max_hostlist_names) return fail_too_many();
            longest += part.literal.size() + (part.numbers.empty() ? 0 : max_hostlist_digits);
        }
        names_ += names;
        characters_ += names * longest;
        if (characters_ > max_characters)
            return fail(fmt::format("the names of the list have more than {} characters together",
                                    max_characters));
        return true;
    }

    /// Where one bracket group stands: the range and the number in it.
    struct Wheel {
        std::size_t range = 0;
        std::uint64_t number = 0;
    };

    [[nodiscard]] std::string spell(const std::vector<Wheel>& wheels) const {
        std::string name;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            name += parts_[i].literal;
            if (parts_[i].numbers.empty()) continue;
            const std::string digits = std::to_string(wheels[i].number);
            const std::size_t width = parts_[i].numbers[wheels[i].range].width;
            if (digits.size() < width) name.append(width - digits.size(), '0');
            name += digits;
        }
        return name;
    }

    /// Turns the last group by one, and the one before it when it wraps; false after the last name.
    bool advance(std::vector<Wheel>& wheels) const {
        for (std::size_t i = parts_.size(); i-- > 0;) {
            const std::vector<NumberRange>& numbers = parts_[i].numbers;
            if (numbers.empty()) continue;
            Wheel& wheel = wheels[i];
            if (wheel.number < numbers[wheel.range].last) {
                ++wheel.number;
                return true;
            }
            const bool wraps = wheel.range + 1 == numbers.size();
            wheel.range = wraps ? 0 : wheel.range + 1;
            wheel.number = numbers[wheel.range].first;
            if (!wraps) return true;
        }
        return false;
    }

    std::string& error_;
    std::string_view item_;
    std::vector<Part> parts_;
    std::uint64_t names_ = 0;
    std::uint64_t characters_ = 0;
};

/// Length of the first name of `text`: up to a separator that stands outside brackets.
std::size_t item_length(std::string_view text) {
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[') inside = true;
        if (text[i] == ']') inside = false;
        if (!inside && is_separator(text[i])) return i;
    }
    return text.size();
}

}  // namespace

std::vector<std::string_view> hostlist_items(std::string_view text) {
    std::vector<std::string_view> items;
    while (true) {
        while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
        if (text.empty()) return items;
        items.push_back(text.substr(0, item_length(text)));
        text.remove_prefix(items.back().size());
    }
}

std::optional<std::vector<std::string>> expand_hostlist(std::string_view text, std::string& error) {
    std::vector<std::string> names;
    Reader reader(error);
    for (const std::string_view item : hostlist_items(text)) {
        if (!reader.read(item)) return std::nullopt;
        reader.write(names);
    }
    return names;
}

std::optional<std::size_t> count_hostlist(std::string_view text, std::string& error) {
    Reader reader(error);
    for (const std::string_view item : hostlist_items(text))
        if (!reader.read(item)) return std::nullopt;
    return reader.names();
}

}  // namespace nvl72block
