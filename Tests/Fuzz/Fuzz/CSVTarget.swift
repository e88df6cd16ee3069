import Syntax
import System
import TestSupport

/// Reads an input whole, in pieces, and with the reference parser: all three must agree, both literally and
/// as a table with unclosed quotes.
///
/// The first four bytes choose the pieces and the limits, so that the fuzzer controls the cuts.
enum CSVTarget {
    static func read(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return }
        let input = Array(bytes.dropFirst(4))
        let limits =
            bytes[0] & 1 == 0
            ? RecordLimits.standard
            : RecordLimits(
                fieldBytes: Int(bytes[0]), recordBytes: 2 * Int(bytes[1]), columns: 1 + Int(bytes[1] & 7))
        let expected = ReferenceCSVParser.parse(withoutMark(input), limits: limits)
        do {
            try expect(CSVReading(input, limits: limits), expected, input.count)
            try expect(
                CSVReading(
                    input, limits: limits, pieces: [1 + Int(bytes[2]), 0, 1], blockBytes: 1 + Int(bytes[3]),
                    maxRecords: 1 + Int(bytes[2] & 3), maxBytes: 1 + Int(bytes[3])),
                expected, input.count)
            let columns = 1 + Int(bytes[1] >> 4)
            let table = try CSVReading(input, limits: limits, columns: columns)
            let pieced = try CSVReading(
                input, limits: limits, columns: columns, pieces: [1 + Int(bytes[2]), 0, 1],
                blockBytes: 1 + Int(bytes[3]), maxRecords: 1 + Int(bytes[2] & 3), maxBytes: 1 + Int(bytes[3]))
            demand(table == pieced, "a table differs when it is cut elsewhere")
            if bytes[0] & 1 == 0 {
                expect(table, ReferenceCSVParser.parse(withoutMark(input), columns: columns), input.count)
            }
            for encoding in TextEncoding.allCases {
                let reading = try CSVReading(
                    input, encoding: encoding, limits: limits, blockBytes: 1 + Int(bytes[3]))
                // Half a character at the end does not belong to a record.
                let left = Int64(input.count) - reading.end.byte
                demand((0..<4).contains(left), "\(encoding) reading lost count of bytes")
            }
        } catch {
            fatalError("reading memory failed: \(error)")
        }
        _ = Dialect.sniff(head: input)
        _ = TextEncoding.sniff(head: input)
    }

    private static func withoutMark(_ input: [UInt8]) -> [UInt8] {
        let mark = TextEncoding.utf8.byteOrderMark
        return input.starts(with: mark) ? Array(input.dropFirst(mark.count)) : input
    }

    private static func expect(_ reading: CSVReading, _ expected: [SeenRecord], _ length: Int) {
        demand(
            reading.end.byte == Int64(length), "reading ended at \(reading.end.byte) of \(length) bytes")
        var records = reading.records
        // The reference parser gets the input without its byte order mark.
        let offset = (records.first?.position.byte ?? 0) - (expected.first?.position.byte ?? 0)
        for index in records.indices { records[index].position.byte -= offset }
        demand(records == expected, "the parser and the reference parser disagree")
    }
}
