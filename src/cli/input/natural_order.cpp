// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/natural_order.hpp"

#include <cstddef>

namespace nvl72block::cli {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Cuts the leading run of digits off `text` and returns it.
std::string_view take_digits(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
}

std::string_view without_leading_zeros(std::string_view digits) {
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return digits;
}

/// Negative, zero or positive, by value; no conversion, so that no length of digits overflows.
int compare_numbers(std::string_view left, std::string_view right) {
    left = without_leading_zeros(left);
    right = without_leading_zeros(right);
    if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
    return left.compare(right);
}

}  // namespace

bool natural_less(std::string_view left, std::string_view right) {
    int width_order = 0;  // decides only where everything else is equal
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view left_digits = take_digits(left);
            const std::string_view right_digits = take_digits(right);
            const int order = compare_numbers(left_digits, right_digits);
            if (order != 0) return order < 0;
            if (width_order == 0 && left_digits.size() != right_digits.size())
                width_order = left_digits.size() < right_digits.size() ? -1 : 1;
        } else {
            if (left.front() != right.front()) return left.front() < right.front();
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    if (left.empty() != right.empty()) return left.empty();
    return width_order < 0;
}

}  // namespace nvl72block::cli
