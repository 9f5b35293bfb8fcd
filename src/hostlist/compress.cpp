// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <charconv>
#include <cstdint>

#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

/// A name as a prefix and the number it ends with.
struct NumberedName {
    std::string_view prefix;
    std::string_view digits;  ///< empty: the name ends with no number
    std::uint64_t number = 0;
    /// Zero-padding widths that print the number as it is written.
    std::size_t min_width = 0;
    std::size_t max_width = 0;
};

NumberedName split(std::string_view name) {
    const std::size_t last_other = name.find_last_not_of("0123456789");
    std::size_t begin = last_other == std::string_view::npos ? 0 : last_other + 1;
    // What is in front of a number belongs to the prefix.
    begin = std::max(begin, name.size() - std::min(name.size(), max_hostlist_digits));
    NumberedName out{name.substr(0, begin), name.substr(begin)};
    if (out.digits.empty()) return out;
    std::from_chars(out.digits.data(), out.digits.data() + out.digits.size(), out.number);
    out.max_width = out.digits.size();
    out.min_width = out.digits.front() == '0' ? out.digits.size() : 1;
    return out;
}

/// Names of one prefix and one zero-padding, written with one pair of brackets.
class Group {
  public:
    explicit Group(const NumberedName& name)
        : prefix_(name.prefix),
          min_width_(name.min_width),
          max_width_(name.max_width),
          first_(name),
          last_(name) {}

    /// Takes the name in if it belongs here.
    bool add(const NumberedName& name) {
        if (first_.digits.empty() || name.digits.empty() || name.prefix != prefix_) return false;
        const std::size_t min_width = std::max(min_width_, name.min_width);
        const std::size_t max_width = std::min(max_width_, name.max_width);
        if (min_width > max_width) return false;
        min_width_ = min_width;
        max_width_ = max_width;
        if (name.number == last_.number + 1) {
            last_ = name;
        } else {
            close_range();
            first_ = last_ = name;
        }
        return true;
    }

    void write(std::string& out) {
        const bool single = ranges_.empty() && first_.number == last_.number;
        close_range();
        if (!out.empty()) out += ',';
        out += prefix_;
        if (!single) out += '[';
        out += ranges_;
        if (!single) out += ']';
    }

  private:
    void close_range() {
        if (!ranges_.empty()) ranges_ += ',';
        ranges_ += first_.digits;
        if (first_.number != last_.number) {
            ranges_ += '-';
            ranges_ += last_.digits;
        }
    }

    std::string_view prefix_;
    std::size_t min_width_;
    std::size_t max_width_;
    NumberedName first_;  // the range that is still open
    NumberedName last_;
    std::string ranges_;
};

}  // namespace

std::string compress_hostlist(std::span<const std::string> names) {
    std::string out;
    std::optional<Group> group;
    for (const std::string& name : names) {
        const NumberedName next = split(name);
        if (group && group->add(next)) continue;
        if (group) group->write(out);
        group.emplace(next);
    }
    if (group) group->write(out);
    return out;
}

}  // namespace nvl72block
