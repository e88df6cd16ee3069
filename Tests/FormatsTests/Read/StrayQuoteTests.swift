import System
import Testing

@testable import Books
@testable import Formats
@testable import Syntax

/// A stray quote that a quote in a later record closes costs only its own line, if the resulting record has
/// the wrong number of cells and the lines it swallowed have the right one.
@Suite
struct StrayQuoteTests {
    private static let header =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"

    /// A record with all 24 cells, some of them given.
    private static func row(_ number: Int, _ cells: [Int: String] = [:]) -> String {
        let common = [0: "\(number)", 1: "Book \(number)", 2: "Ana Lee", 3: "Lee, Ana", 7: "4", 18: "read"]
        return (0..<24).map { column in
            cells[column] ?? (column == 3 ? "\"Lee, Ana\"" : common[column] ?? "")
        }.joined(separator: ",") + "\n"
    }

    /// Records without quotes.
    private static func plainRows(_ numbers: Range<Int>) -> String {
        numbers.map { row($0, [3: "Lee"]) }.joined()
    }

    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    /// Reads in batches of many sizes, and again from the end of each batch.
    private func reading(_ text: String, limits: RecordLimits = .standard) async throws -> Reading {
        let path = try files.write(text)
        let whole = try await Reading.of(ReadSettings(files: [path], batchRecords: 1_000, limits: limits))
        for size in [1, 3, 60] {
            let settings = ReadSettings(files: [path], batchRecords: size, limits: limits)
            let reading = try await Reading.of(settings)
            #expect(reading.records == whole.records, "in batches of \(size)")
            #expect(reading.rejects == whole.rejects, "in batches of \(size)")
            #expect(try await ReadLibrary(settings).surveyLibrary().recordCount == reading.recordsRead)
            for (index, end) in reading.ends.enumerated().dropLast() {
                let rest = try await Reading.of(settings, from: end)
                #expect(
                    reading.records.suffix(rest.records.count).elementsEqual(rest.records),
                    "resumed after batch \(index) of \(size)")
            }
        }
        return whole
    }

    private func expect(
        _ text: String, reads numbers: [Int], rejecting lines: [Int], limits: RecordLimits = .standard,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let reading = try await reading(text, limits: limits)
        let ids = reading.fact(7).map { String($0.prefix { $0 != "\u{1E}" }) }
        #expect(ids == numbers.map(String.init), sourceLocation: location)
        #expect(reading.rejects.map(\.position.line) == lines, sourceLocation: location)
        #expect(reading.rejects.allSatisfy { $0.code == "record_unreadable" }, sourceLocation: location)
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `a stray quote in one record does not swallow ten others`(
        ending: String
    )
        async throws
    {
        let lost = Self.row(3, [3: "Lee", 18: "\"read"])
        let text =
            Self.header + Self.plainRows(0..<3) + lost + Self.plainRows(4..<14)
            + Self.row(14, [1: "\"Emma, and more\""]) + Self.plainRows(15..<20)
        let reading = try await reading(text.replacing("\n", with: ending))
        #expect(reading.recordsRead == 20)
        #expect(reading.titles.count == 19)
        #expect(reading.titles.dropFirst(13).first == "Emma, and more")
        let reject = try #require(reading.rejects.first)
        #expect(reading.rejects.count == 1)
        #expect(reject.code == "record_unreadable")
        #expect(reject.position.line == 5)
        #expect(reject.position.record == 5)
        #expect(reject.raw == Array(lost.dropLast().utf8))
    }

    @Test func `a quote in a title that the next ISBN closes costs one record`() async throws {
        let text =
            Self.header + Self.row(0) + Self.row(1, [1: "\"The Thing", 3: "Lee", 5: "=\"\"", 6: "=\"\""])
            + Self.row(2, [3: "Lee", 5: "=\"0439708184\"", 6: "=\"9780439708180\""]) + Self.row(3)
        try await expect(text, reads: [0, 2, 3], rejecting: [3])
    }

    @Test func `the record that closes the quote may itself have several lines`() async throws {
        let review = "\"Great, really.\nA second line.\n\nAnd a \"\"third\"\" one.\""
        let text =
            Self.header + Self.row(0, [3: "Lee", 21: "\"a note"]) + Self.row(1, [3: "Lee", 19: review])
            + Self.row(2)
            + Self.row(3)
        try await expect(text, reads: [1, 2, 3], rejecting: [2])
    }

    @Test func `there may be commas after the unclosed quote`() async throws {
        let text =
            Self.header + Self.row(0, [1: "\"Peace, War, and so on", 3: "Lee"]) + Self.plainRows(1..<5)
            + Self.row(5) + Self.row(6)
        try await expect(text, reads: [1, 2, 3, 4, 5, 6], rejecting: [2])
    }

    @Test func `several unclosed quotes cost one line each`() async throws {
        let text =
            Self.header
            + (0..<5).map { round in
                Self.row(10 * round, [3: "Lee", 9: "\"Tor"]) + Self.plainRows(10 * round + 1..<10 * round + 9)
                    + Self.row(10 * round + 9)
            }.joined()
        try await expect(
            text, reads: (0..<50).filter { $0 % 10 != 0 }, rejecting: (0..<5).map { 10 * $0 + 2 })
    }

    @Test func `a quoted review earlier in the line is not unclosed`() async throws {
        let text =
            Self.header + Self.row(0, [3: "Lee", 19: "\"Good.\nVery, very good.\"", 21: "\"a note"])
            + Self.plainRows(1..<5) + Self.row(5) + Self.row(6)
        try await expect(text, reads: [1, 2, 3, 4, 5, 6], rejecting: [2])
    }

    @Test func `a quote that closes correctly is recognized by the lines it swallowed`() async throws {
        let text =
            Self.header + Self.row(0, [3: "Lee", 9: "\"Tor"]) + Self.plainRows(1..<5)
            + Self.row(5, [3: "Lee", 10: "6\""]) + Self.plainRows(6..<8)
        try await expect(text, reads: [1, 2, 3, 4, 5, 6, 7], rejecting: [2])
    }

    @Test(arguments: [
        // Too many or too few cells, and a review of several lines.
        [1: "One, two", 19: "\"Good.\nVery, very good.\""],
        [19: "\"Good.\nVery, very good.\",and,more,cells"],
        // A review that quotes a table with lines as wide as this one.
        [1: "One, two", 19: "\"Look:\n" + row(7, [3: "Lee"]) + row(8, [3: "Lee"]) + "Nice.\""],
        [1: "One, two", 19: "\"Look:\n" + row(7, [3: "Lee"]).dropLast() + "\""],
        [1: "One, two", 19: "\"Look:\n" + row(7, [3: "\"\"Lee, Ana\"\""]) + row(8, [3: "Lee"]) + "\""],
    ])
    func `a review of several lines stays one, however malformed its record is`(cells: [Int: String])
        async throws
    {
        let text = Self.header + Self.row(0) + Self.row(1, cells) + Self.row(2) + Self.row(3)
        let reading = try await reading(text)
        // The record stays whole, whatever is wrong with its other cells.
        #expect(reading.rejects.allSatisfy { $0.code == "shifted_record" && $0.raw.contains(0x0A) })
        #expect(reading.recordsRead == 4)
        #expect(reading.titles.first == "Book 0")
        #expect(reading.titles.suffix(2) == ["Book 2", "Book 3"])
        #expect(reading.rejects.isEmpty == reading.fact(7).contains { $0.contains("\n") })
    }

    @Test func `a record with the right number of cells is not changed`() async throws {
        let rows = Self.row(7, [3: "Lee"]) + Self.row(8, [3: "Lee"])
        let text = Self.header + Self.row(0) + Self.row(1, [19: "\"Look:\n\(rows)\""]) + Self.row(2)
        let reading = try await reading(text)
        #expect(reading.titles == ["Book 0", "Book 1", "Book 2"])
        #expect(reading.rejects.isEmpty)
    }

    @Test func `in a narrow table all swallowed lines must fit`() async throws {
        let header = "Title,Author,ISBN13,Date Read\n"
        let rows = (0..<4).map { "Book \($0),Ana Lee,,2024\n" }.joined()
        let stray = "Lost,\"Ana Lee,,\n" + rows + "\"Emma, too\",Ana Lee,,\n"
        let reading = try await reading(header + rows + stray + rows)
        #expect(reading.titles.count == 13)
        #expect(reading.rejects.map(\.position.line) == [6])
        let prose = "Dune,Frank,5,\"Sand\nWorms, spice, storms, politics\na, b, c, d\ne, f, \"g, h\",more\n"
        let kept = try await self.reading(header + rows + prose + rows)
        #expect(kept.titles.count == 9)
        #expect(kept.rejects.isEmpty)
    }

    @Test func `an unclosed quote is found in a record over the limits`() async throws {
        let limits = RecordLimits(fieldBytes: 400, recordBytes: 2_000)
        for count in [4, 8, 20, 60] {
            let text =
                Self.header + Self.row(0, [3: "Lee", 18: "\"read"]) + Self.plainRows(1..<count)
                + Self.row(count, [1: "\"Emma, too\""]) + Self.row(count + 1)
            try await expect(text, reads: Array(1...count + 1), rejecting: [2], limits: limits)
        }
    }

    @Test func `a last record with missing cells is still reported as cut off`() async throws {
        let text = Self.header + Self.row(0) + "1,One,\"Ana\nLee\",Lee"
        let settings = ReadSettings(files: [try files.write(text)])
        let survey = try await ReadLibrary(settings).surveyLibrary()
        #expect(survey.files.first?.cutOff.map { [$0.record, $0.line] } == [3, 3])
        #expect(try await reading(text).titles == ["Book 0", "One"])
    }

    @Test func `positions are those of the bytes on disk`() async throws {
        let head = Self.header + Self.plainRows(0..<3_000)
        let text =
            head + Self.row(3_000, [2: "Zoë", 3: "Lee", 18: "\"read"]) + Self.plainRows(3_001..<3_011)
            + Self.row(3_011, [1: "\"Emma, too\""])
        let units = text.utf16.flatMap { unit in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let wide: [UInt8] = [0xFF, 0xFE] + units
        let reading = try await Reading.of(ReadSettings(files: [try files.write(wide)]))
        #expect(reading.titles.count == 3_011)
        #expect(reading.rejects.map(\.position.byte) == [Int64(head.utf16.count * 2 + 2)])
        #expect(reading.ends.last?.byte == Int64(wide.count))
    }
}
