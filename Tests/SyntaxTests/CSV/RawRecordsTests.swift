import Foundation
import Syntax
import System
import TestSupport
import Testing

@Suite struct RawRecordsTests {
    private func convert(_ bytes: [UInt8], limits: RecordLimits = .standard) throws -> (
        String, RawRecords.Outcome
    ) {
        var output: [UInt8] = []
        let outcome = try RawRecords.write(
            RecordReader(PiecewiseBytes(bytes), dialect: .comma, encoding: .utf8, limits: limits)
        ) { output.append(contentsOf: $0) }
        return (String(decoding: output, as: UTF8.self), outcome)
    }

    @Test func `records become arrays of strings`() throws {
        let (output, outcome) = try convert(Array("Title,Note\n\n\"a \"\"b\"\"\",\"x\r\ny\tz\\\"\n,\n".utf8))
        #expect(
            output == #"""
                ["Title","Note"]
                ["a \"b\"","x\r\ny\tz\\"]
                ["",""]

                """#)
        #expect(outcome.written == 3)
        #expect(outcome.empty == 1)
    }

    @Test func `every control character is escaped`() throws {
        let controls = (UInt8(0)..<0x20).filter { $0 != 0x0A && $0 != 0x0D }
        let (output, _) = try convert([0x22] + controls + [0x0A, 0x0D, 0x22, 0x2C, 0x7F, 0x2F])
        let decoded = try JSONDecoder().decode([String].self, from: Data(output.utf8))
        #expect(decoded == [String(decoding: controls + [0x0A, 0x0D], as: UTF8.self), "\u{7F}/"])
        #expect(output.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
        #expect(output.hasPrefix(#"["\u0000\u0001"#))
        #expect(output.contains(#"\u001f\n\r","#))
    }

    @Test func `Unicode line separators do not end a line`() throws {
        let (output, _) = try convert(Array("a\u{2028}b\u{2029}c\n".utf8))
        #expect(output == #"["a\u2028b\u2029c"]"# + "\n")
    }

    @Test func `invalid UTF-8 becomes replacement characters`() throws {
        let (output, _) = try convert([0x61, 0xFF, 0x62, 0x2C, 0xC3, 0xA9, 0x2C, 0xE2, 0x82, 0x0A])
        #expect(output == "[\"a\u{FFFD}b\",\"é\",\"\u{FFFD}\"]\n")
    }

    @Test func `a record over a limit is reported and omitted`() throws {
        let (output, outcome) = try convert(
            Array("a\n1,2,3\nb\n4,5,6\n".utf8), limits: RecordLimits(columns: 2))
        #expect(output == "[\"a\"]\n[\"b\"]\n")
        #expect(outcome.written == 2)
        #expect(outcome.overLimit == 2)
        #expect(outcome.firstOverLimit == Position(byte: 2, line: 2, record: 2))
    }

    @Test func `the output has the records that were read`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            let input = CSVRandomInputTests.randomInput(maxSymbols: 60, &generator)
            let (output, _) = try convert(input)
            let lines = try output.split(separator: "\n").map {
                try JSONDecoder().decode([String].self, from: Data($0.utf8))
            }
            let expected = ReferenceCSVParser.parse(input).filter { $0.rawLength > 0 }
            #expect(
                lines == expected.map { $0.cells.map { String(decoding: $0, as: UTF8.self) } }, "\(input)")
        }
    }

    private func stop(_ bytes: UnsafeRawBufferPointer) throws(ETLError) {
        throw ETLError(.inputOutput, "The disk is full.")
    }

    @Test func `a failing writer ends the conversion`() throws {
        let reader = try RecordReader(PiecewiseBytes([0x61]), dialect: .comma, encoding: .utf8)
        do {
            _ = try RawRecords.write(reader, to: stop)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.kind == .inputOutput)
        }
    }
}
