import System
import TestSupport
import Testing

@testable import Formats

/// A cell over the limits costs its own record and no other.
@Suite struct LongCellsTests {
    private static let header = "Title,Author\n"
    private static func rows(_ numbers: Range<Int>) -> String {
        numbers.map { "Book \($0),Ann Lee\n" }.joined()
    }

    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    /// Reads in small batches, and again from the end of each batch.
    private func reading(_ bytes: [UInt8]) async throws -> Reading {
        let settings = ReadSettings(files: [try files.write(bytes)], batchRecords: 3)
        let reading = try await Reading.of(settings)
        #expect(try await ReadLibrary(settings).surveyLibrary().recordCount == reading.recordsRead)
        for (index, end) in reading.ends.enumerated().dropLast() {
            let rest = try await Reading.of(settings, from: end)
            #expect(Array(reading.records.suffix(rest.records.count)) == rest.records, "after batch \(index)")
        }
        return reading
    }

    @Test(arguments: [
        // Prose, a table with as many columns as the file, text that looks like quoted cells.
        ("Cut,\"", "a line of prose\n", "end\"\n"), ("\"", "some, table\n", "x\",Ann Lee\n"),
        ("Cut,\"", "with \"\"words\"\", of others\n", "\"\r\n"),
    ])
    func `rows around an overlong cell are read, and it is rejected once`(
        head: String, line: String, tail: String
    )
        async throws
    {
        let before = Self.header + Self.rows(0..<4)
        let cell = String(repeating: line, count: (5 << 20) / line.utf8.count)
        let text = before + head + cell + tail + Self.rows(4..<9)
        for bytes in [Array(text.utf8), GzipBytes.stored(Array(text.utf8))] {
            let reading = try await reading(bytes)
            #expect(reading.titles == (0..<9).map { "Book \($0)" })
            #expect(reading.rejects.map(\.code) == ["record_too_large"])
            let place = Position(byte: Int64(before.utf8.count), line: 6, record: 6)
            #expect(reading.rejects.first?.position == place)
        }
    }

    @Test func `an unclosed quote costs its line, whatever follows it`() async throws {
        let row = "Another book of some length,\"Lee, Ann\"\n"
        for between in [0, 200_000] {
            let text =
                Self.header + Self.rows(0..<4) + "\"Lost,Ann Lee\n" + Self.rows(0..<300_000)
                + String(repeating: row, count: between)
            let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
            #expect(reading.titles.count == 300_004 + between)
            #expect(reading.rejects.map(\.code) == ["record_unreadable"])
        }
    }
}
