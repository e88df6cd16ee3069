import Pipeline
import Testing

@testable import Books
@testable import Syntax

/// A quote too many that a quote of a later record closes costs the line it stands in, where the record that it makes has
/// another number of cells than the table and the lines that it has swallowed have not.
@Suite
struct ClosedLoneQuoteTests {
    private static let header =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"

    /// A record of all 24 cells, some of them as they are told.
    private static func row(_ number: Int, _ cells: [Int: String] = [:]) -> String {
        let common = [0: "\(number)", 1: "Book \(number)", 2: "Ana Lee", 3: "Lee, Ana", 7: "4", 18: "read"]
        return (0..<24).map { column in
            cells[column] ?? (column == 3 ? "\"Lee, Ana\"" : common[column] ?? "")
        }.joined(separator: ",") + "\n"
    }

    /// Records without a single quote.
    private static func plainRows(_ numbers: Range<Int>) -> String {
        numbers.map { row($0, [3: "Lee"]) }.joined()
    }

    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    /// Reads in batches of many sizes, and from the end of each batch again.
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
                    "taken up after batch \(index) of \(size)")
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

    @Test(arguments: ["\n", "\r\n", "\r"]) func `ten books are not lost in a cell of an eleventh`(
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

    @Test func `a title's quote is closed by the next ISBN`() async throws {
        let text =
            Self.header + Self.row(0) + Self.row(1, [1: "\"The Thing", 3: "Lee", 5: "=\"\"", 6: "=\"\""])
            + Self.row(2, [3: "Lee", 5: "=\"0439708184\"", 6: "=\"9780439708180\""]) + Self.row(3)
        try await expect(text, reads: [0, 2, 3], rejecting: [3])
    }

    @Test func `the record that closes it may be of several lines itself`() async throws {
        let review = "\"Great, really.\nA second line.\n\nAnd a \"\"third\"\" one.\""
        let text =
            Self.header + Self.row(0, [3: "Lee", 21: "\"a note"]) + Self.row(1, [3: "Lee", 19: review])
            + Self.row(2)
            + Self.row(3)
        try await expect(text, reads: [1, 2, 3], rejecting: [2])
    }

    @Test func `a quote whose other one is lost may have commas behind it`() async throws {
        let text =
            Self.header + Self.row(0, [1: "\"Peace, War, and so on", 3: "Lee"]) + Self.plainRows(1..<5)
            + Self.row(5) + Self.row(6)
        try await expect(text, reads: [1, 2, 3, 4, 5, 6], rejecting: [2])
    }

    @Test func `several of them cost a line each`() async throws {
        let text =
            Self.header
            + (0..<5).map { round in
                Self.row(10 * round, [3: "Lee", 9: "\"Tor"]) + Self.plainRows(10 * round + 1..<10 * round + 9)
                    + Self.row(10 * round + 9)
            }.joined()
        try await expect(
            text, reads: (0..<50).filter { $0 % 10 != 0 }, rejecting: (0..<5).map { 10 * $0 + 2 })
    }

    @Test func `a review before it in its line is no lone quote`() async throws {
        let text =
            Self.header + Self.row(0, [3: "Lee", 19: "\"Good.\nVery, very good.\"", 21: "\"a note"])
            + Self.plainRows(1..<5) + Self.row(5) + Self.row(6)
        try await expect(text, reads: [1, 2, 3, 4, 5, 6], rejecting: [2])
    }

    @Test func `one that ends as it should is told by the lines alone`() async throws {
        let text =
            Self.header + Self.row(0, [3: "Lee", 9: "\"Tor"]) + Self.plainRows(1..<5)
            + Self.row(5, [3: "Lee", 10: "6\""]) + Self.plainRows(6..<8)
        try await expect(text, reads: [1, 2, 3, 4, 5, 6, 7], rejecting: [2])
    }

    @Test(arguments: [
        // Cells too many or too few, and a review of several lines.
        [1: "One, two", 19: "\"Good.\nVery, very good.\""],
        [19: "\"Good.\nVery, very good.\",and,more,cells"],
        // One that quotes a table, each of its lines as wide as this.
        [1: "One, two", 19: "\"Look:\n" + row(7, [3: "Lee"]) + row(8, [3: "Lee"]) + "Nice.\""],
        [1: "One, two", 19: "\"Look:\n" + row(7, [3: "Lee"]).dropLast() + "\""],
        [1: "One, two", 19: "\"Look:\n" + row(7, [3: "\"\"Lee, Ana\"\""]) + row(8, [3: "Lee"]) + "\""],
    ])
    func `a review of several lines stays one, whatever its record lacks`(cells: [Int: String]) async throws {
        let text = Self.header + Self.row(0) + Self.row(1, cells) + Self.row(2) + Self.row(3)
        let reading = try await reading(text)
        // As a whole, whatever is wrong with its other cells.
        #expect(reading.rejects.allSatisfy { $0.code == "shifted_record" && $0.raw.contains(0x0A) })
        #expect(reading.recordsRead == 4)
        #expect(reading.titles.first == "Book 0")
        #expect(reading.titles.suffix(2) == ["Book 2", "Book 3"])
        #expect(reading.rejects.isEmpty == reading.fact(7).contains { $0.contains("\n") })
    }

    @Test func `a record of as many cells as the table is left as it is`() async throws {
        let rows = Self.row(7, [3: "Lee"]) + Self.row(8, [3: "Lee"])
        let text = Self.header + Self.row(0) + Self.row(1, [19: "\"Look:\n\(rows)\""]) + Self.row(2)
        let reading = try await reading(text)
        #expect(reading.titles == ["Book 0", "Book 1", "Book 2"])
        #expect(reading.rejects.isEmpty)
    }

    @Test func `of a narrow table all lines tell`() async throws {
        let header = "Title,Author,ISBN13,Date Read\n"
        let rows = (0..<4).map { "Book \($0),Ana Lee,,2024\n" }.joined()
        let lone = "Lost,\"Ana Lee,,\n" + rows + "\"Emma, too\",Ana Lee,,\n"
        let reading = try await reading(header + rows + lone + rows)
        #expect(reading.titles.count == 13)
        #expect(reading.rejects.map(\.position.line) == [6])
        let prose = "Dune,Frank,5,\"Sand\nWorms, spice, storms, politics\na, b, c, d\ne, f, \"g, h\",more\n"
        let kept = try await self.reading(header + rows + prose + rows)
        #expect(kept.titles.count == 9)
        #expect(kept.rejects.isEmpty)
    }

    @Test func `what is over a limit by it is told as well`() async throws {
        let limits = RecordLimits(fieldBytes: 400, recordBytes: 2_000)
        for count in [4, 8, 20, 60] {
            let text =
                Self.header + Self.row(0, [3: "Lee", 18: "\"read"]) + Self.plainRows(1..<count)
                + Self.row(count, [1: "\"Emma, too\""]) + Self.row(count + 1)
            try await expect(text, reads: Array(1...count + 1), rejecting: [2], limits: limits)
        }
    }

    @Test func `an end of the file that lacks cells is told of all the same`() async throws {
        let text = Self.header + Self.row(0) + "1,One,\"Ana\nLee\",Lee"
        let settings = ReadSettings(files: [try files.write(text)])
        let survey = try await ReadLibrary(settings).surveyLibrary()
        #expect(survey.files.first?.cutOff.map { [$0.record, $0.line] } == [3, 3])
        #expect(try await reading(text).titles == ["Book 0", "One"])
    }

    @Test func `places are those of the bytes on disk`() async throws {
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
