package import Bytes
import Pipeline

/// Lines of one dump as they were read, not looked at yet: what ``ReadDumps`` gives.
package struct RawDumpLines: Payload {
    /// A line's place.
    package struct Line: Sendable, Hashable {
        /// Its bytes without the line end; only the head of a line that is too long.
        package var text: Text
        /// Line number in its file, from 1.
        package var number: Int
        /// Whether it goes on beyond ``DumpLines/byteLimit``.
        package var isTooLong: Bool
        /// Whether a line end closed it.
        package var isEnded: Bool
    }

    /// Index of the file among those of the run, from 0.
    package let file: Int
    package private(set) var arena: Arena
    package private(set) var lines: [Line] = []
    /// Whether the file ends with them, and something follows its packed data.
    package var endsInGarbage = false

    package var count: Int { lines.count }
    package var byteCount: Int { arena.byteCount + lines.count * MemoryLayout<Line>.stride }

    /// - Parameter capacity: Bytes of text to make room for.
    package init(file: Int, capacity: Int = 0) {
        self.file = file
        arena = Arena(capacity: capacity)
    }

    /// Copies a line.
    package mutating func append(_ line: DumpLines.Line) {
        lines.append(
            Line(
                text: arena.append(line.bytes), number: line.number, isTooLong: line.isTooLong,
                isEnded: line.isEnded))
    }
}
