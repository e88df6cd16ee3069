package import System

/// Text whose rows were each encoded twice: every row is a single quoted cell that holds the row. Such rows are
/// replaced by what they hold; others stay.
package struct UnwrappedRows: ByteSource {
    private var source: any ByteSource
    private let delimiter: UInt8
    private var input: [UInt8] = []
    private var isAtEnd = false
    private var output: ArraySlice<UInt8> = []

    /// A longer row is passed on as it is.
    private static let longestRow = 4 << 20
    private static let quote = UInt8(ascii: "\"")

    package init(_ source: any ByteSource, delimiter: UInt8) {
        (self.source, self.delimiter) = (source, delimiter)
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while output.isEmpty {
            guard let row = try nextRow() else { return 0 }
            output = row[...]
        }
        let piece = output.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        output = output.dropFirst(piece.count)
        return piece.count
    }

    /// The next row with its line end; nil at the end.
    private mutating func nextRow() throws(ETLError) -> [UInt8]? {
        var (at, isQuoted) = (0, false)
        while true {
            while at < input.count {
                if input[at] == Self.quote { isQuoted.toggle() }
                at += 1
                if !isQuoted, input[at - 1] == UInt8(ascii: "\n") { return take(at) }
            }
            if isAtEnd || input.count > Self.longestRow { return input.isEmpty ? nil : take(at) }
            try refill()
        }
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let row = Array(input[..<count])
        input.removeFirst(count)
        return Self.unwrapped(row, delimiter) ?? row
    }

    private mutating func refill() throws(ETLError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        let count = try source.read(into: buffer)
        isAtEnd = count == 0
        input += buffer[..<count]
    }

    /// The row in a row that is a single quoted cell, with its line end; nil for another row.
    private static func unwrapped(_ row: [UInt8], _ delimiter: UInt8) -> [UInt8]? {
        let end = row.lastIndex { $0 != 0x0A && $0 != 0x0D } ?? 0
        guard end > 1, row[0] == quote, row[end] == quote, row[1..<end].contains(delimiter) else {
            return nil
        }
        var inner: [UInt8] = []
        var at = 1
        while at < end {
            if row[at] == quote {
                guard at + 1 < end, row[at + 1] == quote else { return nil }
                at += 1
            }
            inner.append(row[at])
            at += 1
        }
        return inner + row[(end + 1)...]
    }

    /// Whether the rows of a text are encoded twice: each of them, perhaps except for the header, is a single quoted
    /// cell with several cells in it.
    ///
    /// - Parameter head: The beginning of a text in UTF-8 or an encoding that contains ASCII.
    /// - Returns: The delimiter of the rows; nil for usual rows.
    package static func delimiter(in head: [UInt8]) -> UInt8? {
        guard head.contains(quote) else { return nil }
        let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return delimiters.first { areWrapped(in: head, delimiter: $0) }
    }

    private static func areWrapped(in head: [UInt8], delimiter: UInt8) -> Bool {
        let lines = head.split(separator: UInt8(ascii: "\n"), maxSplits: 20).prefix(20).map { Array($0) }
        // The last line may be cut off.
        let rows = lines.count > 2 ? lines.dropLast() : lines[...]
        let header = rows.first.map { unwrapped($0, delimiter) ?? $0 } ?? []
        let width = header.count { $0 == delimiter }
        let records = rows.dropFirst()
        guard width > 0, !records.isEmpty else { return false }
        return records.allSatisfy { row in
            unwrapped(row, delimiter).map { inner in inner.count { $0 == delimiter } >= width } ?? false
        }
    }
}
