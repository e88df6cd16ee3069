import Bytes
package import Syntax
package import System

/// Bytes in memory as an input that arrives in pieces of given lengths, repeatedly; 0 means any length.
package struct PiecewiseBytes: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let lengths: [Int]
    private var turn = 0

    package init(_ bytes: [UInt8], pieces lengths: [Int] = [0]) {
        rest = bytes[...]
        self.lengths = lengths
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        let length = lengths[turn % lengths.count]
        turn += 1
        let piece = rest.prefix(min(buffer.count, length == 0 ? .max : length))
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    package func ahead() -> (any ByteSource)? { self }
}

/// Records that a ``RecordReader`` reads from an input, and its position afterwards.
package struct CSVReading: Hashable, Sendable {
    package var records: [SeenRecord] = []
    package var end: Position = .start

    /// The cells as strings.
    package var cells: [[String]] { records.map { $0.cells.map { String(decoding: $0, as: UTF8.self) } } }

    /// A description of the first record that differs from the expected one; nil if all are equal.
    package func difference(from expected: [SeenRecord]) -> String? {
        for index in 0..<max(records.count, expected.count) {
            let seen = index < records.count ? records[index] : nil
            let meant = index < expected.count ? expected[index] : nil
            if seen != meant {
                return
                    "record \(index): \(String(describing: seen)), not \(String(describing: meant))"
            }
        }
        return nil
    }

    /// Reads an input to its end.
    ///
    /// - Parameters:
    ///   - columns: Cells of a valid record; nil to skip the search for unclosed quotes.
    ///   - pieces: Lengths of the pieces in which the bytes arrive.
    ///   - blockBytes: Bytes the reader looks at in one step.
    ///   - maxRecords: Records per batch; each batch has its own arena.
    package init(
        _ bytes: [UInt8], dialect: Dialect = .comma, encoding: TextEncoding = .utf8,
        limits: RecordLimits = .standard, columns: Int? = nil, from start: Position = .start,
        pieces: [Int] = [0],
        blockBytes: Int? = nil, maxRecords: Int = 1000, maxBytes: Int = 1 << 20
    ) throws(ETLError) {
        let rest = Array(bytes[Int(start.byte)...])
        var reader = try RecordReader(
            PiecewiseBytes(rest, pieces: pieces), dialect: dialect, encoding: encoding, limits: limits,
            from: start, columns: columns, blockBytes: blockBytes)
        try self.init(&reader, maxRecords: maxRecords, maxBytes: maxBytes)
    }

    package init(
        _ reader: inout RecordReader, maxRecords: Int = 1000, maxBytes: Int = 1 << 20
    ) throws(ETLError) {
        while true {
            // The batch is not empty, so that nothing can rely on offsets from 0.
            var arena = Arena()
            _ = arena.append("before")
            var cells: [Text] = [.none]
            var batch: [Record] = []
            let isMore = try reader.fill(
                arena: &arena, cells: &cells, records: &batch, maxRecords: maxRecords, maxBytes: maxBytes)
            end = reader.position
            guard isMore else { return }
            for record in batch {
                records.append(
                    SeenRecord(
                        position: record.position, raw: arena.bytes(record.raw),
                        cells: cells[record.cells].map { arena.bytes($0) }, flags: record.flags,
                        rawLength: record.rawLength, isBlank: record.isBlank))
            }
        }
    }
}

/// Collects written bytes and the sizes of the pieces.
package final class ByteCollector {
    package private(set) var bytes: [UInt8] = []
    package private(set) var largestPiece = 0
    package private(set) var pieces = 0
    /// Whether the bytes are kept.
    private let keeps: Bool

    package init(keeps: Bool = true) { self.keeps = keeps }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The records as CSV, read by the reference parser.
    package var records: [[String]] {
        ReferenceCSVParser.parse(bytes).map { $0.cells.map { String(decoding: $0, as: UTF8.self) } }
    }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }

    package func take(_ piece: UnsafeRawBufferPointer) {
        pieces += 1
        largestPiece = max(largestPiece, piece.count)
        if keeps { bytes.append(contentsOf: piece) }
    }
}

/// A head, one byte many times, and a tail.
package struct LongBytes: ByteSource {
    package var head: [UInt8]
    package var byte: UInt8
    package var count: Int
    package var tail: [UInt8]

    package init(head: [UInt8], byte: UInt8, count: Int, tail: [UInt8]) {
        self.head = head
        self.byte = byte
        self.count = count
        self.tail = tail
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        if !head.isEmpty { return Self.take(&head, buffer) }
        if count == 0 { return Self.take(&tail, buffer) }
        let length = min(count, buffer.count)
        buffer.baseAddress?.initializeMemory(as: UInt8.self, repeating: byte, count: length)
        count -= length
        return length
    }

    package func ahead() -> (any ByteSource)? { self }

    private static func take(_ bytes: inout [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes.prefix(length))
        bytes.removeFirst(length)
        return length
    }
}
