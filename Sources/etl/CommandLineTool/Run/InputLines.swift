import Glibc
import System

/// The lines of standard input, one after the other, in bounded memory.
struct InputLines {
    /// Maximum length of a line in bytes.
    static let longest = 1 << 20

    private var buffer: [UInt8] = []
    private var block = [UInt8](repeating: 0, count: 64 * 1024)
    /// The part of the buffer that was not returned yet.
    private var start = 0
    private var isAtEnd = false
    private var number = 0

    /// The next line without its end, LF or CRLF; nil at the end.
    ///
    /// - Throws: `.unusableInput` for a line over the maximum, `.inputOutput` if reading fails.
    mutating func next() throws(CommandFailure) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return line(start..<end)
            }
            searched = buffer.count
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return line(start..<buffer.count)
            }
            guard buffer.count - start <= Self.longest else {
                throw CommandFailure(
                    .unusableInput,
                    "Line \(number + 1) of standard input is longer than \(HumanText.bytes(Self.longest)).",
                    advice: "Check that the input is text with one item per line.")
            }
            if start > 0 {
                buffer.removeFirst(start)
                searched -= start
                start = 0
            }
            try fill()
        }
    }

    private mutating func line(_ range: Range<Int>) -> [UInt8] {
        number += 1
        let line = buffer[range]
        return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    private mutating func fill() throws(CommandFailure) {
        var count = 0
        repeat { count = read(STDIN_FILENO, &block, block.count) } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw CommandFailure(
                .inputOutput, "Standard input cannot be read: \(String(cString: strerror(errno))).")
        }
        buffer.append(contentsOf: block[..<count])
        isAtEnd = count == 0
    }
}
