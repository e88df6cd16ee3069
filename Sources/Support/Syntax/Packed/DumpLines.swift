import Glibc
package import System

/// The lines of a dump, one at a time, in bounded memory.
///
/// Lines of Open Library's dumps reach hundreds of kilobytes. Of a line longer than ``byteLimit``, only the
/// beginning is returned.
package struct DumpLines: ~Copyable {
    /// Maximum bytes of a line.
    package static let byteLimit = 8 << 20
    /// Bytes returned of a longer line.
    private static let headLength = 4_096

    /// A line; valid until the next one is requested.
    package struct Line {
        /// Its bytes without the line ending; only the beginning of a line that is too long.
        package var bytes: UnsafeRawBufferPointer
        /// Line number, from 1.
        package var number: Int
        /// Whether the line is longer than ``DumpLines/byteLimit``.
        package var isTooLong: Bool
        /// Whether the line has a line ending, or, if it is too long, a closing brace. The last line of a
        /// truncated file has neither.
        package var isEnded: Bool
    }

    private let file: DecompressedFile
    private var buffer: UnsafeMutableRawBufferPointer
    /// The part of the buffer that is filled and not yet returned.
    private var filled = 0..<0
    /// Number of the last returned line; 0 before the first.
    package private(set) var number: Int
    /// Offset of the buffer's start in the text.
    private var bufferStart: Int64
    private var isAtEnd = false

    /// Offset of the next line in the file's text.
    package var offset: Int64 { bufferStart + Int64(filled.lowerBound) }

    /// - Parameters:
    ///   - file: A file whose text was skipped up to `start`.
    ///   - start: The start of a line.
    package init(_ file: DecompressedFile, from start: Position = .start) {
        self.file = file
        number = start.line - 1
        bufferStart = start.byte
        buffer = .allocate(byteCount: 1 << 20, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The next line; nil at the end.
    package mutating func next() throws(ETLError) -> Line? {
        var searched = filled.lowerBound
        while true {
            if let end = lineEnd(from: searched) {
                let isTooLong = end - filled.lowerBound > Self.byteLimit
                let shown = isTooLong ? filled.lowerBound + Self.headLength : end
                let line = line(filled.lowerBound..<shown, isEnded: true, isTooLong: isTooLong)
                filled = end + 1..<filled.upperBound
                return line
            }
            searched = filled.upperBound
            if filled.count > Self.byteLimit { return try passOver() }
            if isAtEnd {
                guard !filled.isEmpty else { return nil }
                defer { filled = filled.upperBound..<filled.upperBound }
                return line(filled, isEnded: false)
            }
            searched -= filled.lowerBound
            try fill()
            searched += filled.lowerBound
        }
    }

    private func lineEnd(from start: Int) -> Int? {
        guard start < filled.upperBound, let base = buffer.baseAddress,
            let found = memchr(base + start, 0x0A, filled.upperBound - start)
        else { return nil }
        return found - UnsafeMutableRawPointer(base)
    }

    private mutating func line(_ range: Range<Int>, isEnded: Bool, isTooLong: Bool = false) -> Line {
        number += 1
        var range = range
        // A byte order mark is not part of the first record.
        if number == 1, buffer[range].starts(with: [0xEF, 0xBB, 0xBF]) { range.removeFirst(3) }
        if !range.isEmpty, buffer[range.upperBound - 1] == 0x0D { range.removeLast() }
        return Line(
            bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[range]),
            number: number, isTooLong: isTooLong, isEnded: isEnded)
    }

    /// Skips to the end of a line that is too long and keeps its beginning.
    private mutating func passOver() throws(ETLError) -> Line {
        let head = Self.headLength
        if let base = buffer.baseAddress { memmove(base, base + filled.lowerBound, head) }
        var isEnded = false
        var last: UInt8?
        while !isEnded, !isAtEnd {
            last = buffer[filled].last { $0 > 0x20 } ?? last
            bufferStart += Int64(filled.upperBound - head)
            filled = head..<head
            try fill(keeping: head)
            if let end = lineEnd(from: head) {
                filled = end + 1..<filled.upperBound
                isEnded = true
            }
        }
        if !isEnded {
            filled = filled.upperBound..<filled.upperBound
            isEnded = last == UInt8(ascii: "}")
        }
        return line(0..<head, isEnded: isEnded, isTooLong: true)
    }

    /// Makes room and reads more, after the first `keeping` bytes of the buffer, which stay.
    private mutating func fill(keeping: Int = 0) throws(ETLError) {
        if filled.lowerBound > keeping, let base = buffer.baseAddress {
            memmove(base + keeping, base + filled.lowerBound, filled.count)
            bufferStart += Int64(filled.lowerBound - keeping)
            filled = keeping..<keeping + filled.count
        }
        if filled.upperBound == buffer.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
            larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
            buffer.deallocate()
            buffer = larger
        }
        let count = try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled.upperBound...]))
        if count == 0 { isAtEnd = true }
        filled = filled.lowerBound..<filled.upperBound + count
    }
}
