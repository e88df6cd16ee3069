import Bytes
package import Syntax
package import System

/// A record from a stream, as comparable values.
package struct StreamedRecord: Equatable, CustomStringConvertible {
    package var position: Position
    package var raw: [UInt8]
    package var rawLength: Int
    package var cells: [String]
    package var flags: RecordFlags

    package var description: String {
        "\(position.byte)/\(position.line)/\(position.record) \(flags.rawValue) \(rawLength) \(cells)"
    }

    /// All remaining records of a stream, and its position after each.
    package static func all(
        of stream: consuming some SingleRecordStream & ~Copyable
    ) throws(ETLError) -> (records: [StreamedRecord], ends: [Position]) {
        var records: [StreamedRecord] = []
        var ends: [Position] = []
        while true {
            var arena = Arena()
            var cells: [Text] = []
            guard let record = try stream.next(arena: &arena, cells: &cells) else { return (records, ends) }
            records.append(
                StreamedRecord(
                    position: record.position, raw: arena.bytes(record.raw), rawLength: record.rawLength,
                    cells: cells[record.cells].map { arena[$0] }, flags: record.flags))
            ends.append(stream.position)
        }
    }
}

extension StreamedRecord {
    /// Reads a stream to its end without keeping anything.
    ///
    /// - Returns: The number of records.
    package static func count(in stream: inout some SingleRecordStream & ~Copyable) throws(ETLError)
        -> Int
    {
        var count = 0
        while true {
            var arena = Arena()
            var cells: [Text] = []
            guard try stream.next(arena: &arena, cells: &cells) != nil else { return count }
            count += 1
        }
    }
}

/// Bytes as a source that delivers them in pieces.
package struct PiecedBytes: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let piece: Int

    /// - Parameter piece: The maximum number of bytes per read.
    package init(_ bytes: some Collection<UInt8>, piece: Int = .max) {
        rest = Array(bytes)[...]
        self.piece = piece
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let taken = rest.prefix(min(piece, buffer.count))
        buffer.copyBytes(from: taken)
        rest = rest.dropFirst(taken.count)
        return taken.count
    }
}

/// Bytes repeated many times without ever being in memory as a whole.
package struct RepeatedBytes: ByteSource {
    private let part: [UInt8]
    private var left: Int
    private var offset = 0

    /// - Parameter times: The number of repetitions.
    package init(_ part: [UInt8], times: Int) {
        self.part = part
        left = times
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var made = 0
        while made < buffer.count, left > 0 {
            let count = min(buffer.count - made, part.count - offset)
            UnsafeMutableRawBufferPointer(rebasing: buffer[made...]).copyBytes(
                from: part[offset..<offset + count])
            made += count
            offset += count
            if offset == part.count {
                offset = 0
                left -= 1
            }
        }
        return made
    }
}

/// The rules for every structured stream, whatever its syntax.
package enum StreamContract {
    /// The violations; empty if there are none.
    ///
    /// - Parameters:
    ///   - bytes: An input.
    ///   - open: Makes a stream of bytes that begin at a position, with a block size.
    package static func violations<Stream: SingleRecordStream & ~Copyable>(
        _ bytes: [UInt8], pieces: [Int] = [1, 7, 64],
        _ open: (PiecedBytes, Position, Int) -> Stream
    ) throws(ETLError) -> [String] {
        var violations: [String] = []
        let whole = try StreamedRecord.all(of: open(PiecedBytes(bytes), .start, 1 << 16))
        for piece in pieces {
            let cut = try StreamedRecord.all(of: open(PiecedBytes(bytes, piece: piece), .start, 16))
            if cut.records != whole.records { violations.append("pieces of \(piece) give other records") }
        }
        for (index, end) in whole.ends.enumerated() {
            let rest = try StreamedRecord.all(of: open(PiecedBytes(bytes[Int(end.byte)...]), end, 1 << 16))
            if rest.records != Array(whole.records[(index + 1)...]) {
                violations.append("resuming after record \(index + 1) gives other records")
            }
        }
        for record in whole.records where record.rawLength == record.raw.count {
            let start = Int(record.position.byte)
            let lies =
                start + record.raw.count <= bytes.count
                && Array(bytes[start..<start + record.raw.count]) == record.raw
            if !lies { violations.append("record \(record.position.record) does not lie where it says") }
        }
        return violations
    }

    /// The violations for damaged JSON: 150 times a few bytes are replaced by others with a meaning.
    package static func violationsOfDamagedJSON<Stream: SingleRecordStream & ~Copyable>(
        _ bytes: [UInt8], seed: UInt64, _ open: (PiecedBytes, Position, Int) -> Stream
    ) throws(ETLError) -> [String] {
        var random = SeededGenerator(seed: seed)
        var violations: [String] = []
        for _ in 0..<150 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: bytes.indices, using: &random)] =
                    Array("{}[]\",:\\\n9".utf8).randomElement(using: &random) ?? 0
            }
            violations += try self.violations(damaged, pieces: [5], open)
        }
        return violations
    }
}
