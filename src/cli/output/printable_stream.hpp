// SPDX-License-Identifier: GPL-2.0-or-later
//
// What stands between the command and a terminal: whatever is written, only printable text, line
// feeds, and the command's own control sequences come out.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace nvl72block::cli {

class PrintableBuffer : public std::streambuf {
  public:
    explicit PrintableBuffer(std::ostream& target) : target_(target) {}
    PrintableBuffer(const PrintableBuffer&) = delete;
    PrintableBuffer& operator=(const PrintableBuffer&) = delete;
    ~PrintableBuffer() override;

    /// Writes `sequence`, which is the command's own, as it is.
    void write_control(std::string_view sequence);
    /// From now on the sequences that set the colour of letters, and end it, pass too.
    void pass_colors() { colors_ = true; }

  protected:
    int_type overflow(int_type letter) override;
    std::streamsize xsputn(const char* text, std::streamsize length) override;
    int sync() override;

  private:
    /// Writes the first `length` bytes of what waits.
    void write(std::size_t length);

    std::ostream& target_;
    bool colors_ = false;
    std::string waiting_;  ///< up to the next line feed: characters stay in one piece
};

/// A stream whose text passes a PrintableBuffer on its way to `target`.
class PrintableStream : public std::ostream {
  public:
    explicit PrintableStream(std::ostream& target) : std::ostream(nullptr), buffer_(target) {
        rdbuf(&buffer_);
    }

  private:
    PrintableBuffer buffer_;
};

/// Writes a control sequence of the command's own to `stream`, whatever stream it is.
void write_control(std::ostream& stream, std::string_view sequence);

/// Lets colours pass, if `stream` is a PrintableStream.
void pass_colors(std::ostream& stream);

}  // namespace nvl72block::cli
