// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output/printable_stream.hpp"

#include <algorithm>

#include "text/printable.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::string_view escape = "\x1b";

/// The length of the sequence ESC [ NUMBER m at the beginning of `text`, which sets a colour or
/// ends it; 0 where there is none.
std::size_t color_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789", 2);
    if (end == std::string_view::npos || text[end] != 'm' || end < 3 || end > 4) return 0;
    const std::string_view number = text.substr(2, end - 2);
    const bool color =
        number.size() == 2 && (number[0] == '3' || number[0] == '9') && number[1] < '8';
    return number == "0" || color ? end + 1 : 0;
}

}  // namespace

PrintableBuffer::~PrintableBuffer() {
    try {
        write(waiting_.size());
    } catch (...) {  // a stream that throws has said so to its owner
    }
}

void PrintableBuffer::write(std::size_t length) {
    std::string_view text = std::string_view(waiting_).substr(0, length);
    while (colors_ && !text.empty()) {
        const std::size_t begin = std::min(text.find(escape), text.size());
        target_ << printable_lines(text.substr(0, begin));
        text.remove_prefix(begin);
        if (text.empty()) break;
        const std::size_t color = color_length(text);
        if (color > 0)
            target_ << text.substr(0, color);
        else
            target_ << printable(escape);
        text.remove_prefix(std::max(color, escape.size()));
    }
    target_ << printable_lines(text);
    waiting_.erase(0, length);
}

void PrintableBuffer::write_control(std::string_view sequence) {
    write(waiting_.size());
    target_ << sequence;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type letter) {
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    const char text = traits_type::to_char_type(letter);
    return xsputn(&text, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize length) {
    const std::size_t before = waiting_.size();
    waiting_.append(text, static_cast<std::size_t>(length));
    const std::size_t newline = waiting_.rfind('\n');
    if (newline != std::string::npos && newline >= before) write(newline + 1);
    return target_ ? length : 0;
}

int PrintableBuffer::sync() {
    write(waiting_.size());
    target_.flush();
    return target_ ? 0 : -1;
}

void write_control(std::ostream& stream, std::string_view sequence) {
    if (auto* buffer = dynamic_cast<PrintableBuffer*>(stream.rdbuf()))
        buffer->write_control(sequence);
    else
        stream << sequence;
}

void pass_colors(std::ostream& stream) {
    if (auto* buffer = dynamic_cast<PrintableBuffer*>(stream.rdbuf())) buffer->pass_colors();
}

}  // namespace nvl72block::cli
