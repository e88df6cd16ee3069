import System
import Testing

@testable import Formats
@testable import Syntax

/// A quote that is never closed costs its own line if the lines after it still form a table.
@Suite
struct UnclosedQuoteTests {
    private static let header = "Title,Author,ISBN13,Date Read\n"
    private static func rows(_ numbers: Range<Int>) -> String {
        numbers.map { "Book \($0),Ana Lee,,2024/01/0\($0 % 9 + 1)\n" }.joined()
    }

    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func reading(_ text: String, limits: RecordLimits = .standard) async throws -> Reading {
        try await reading(Array(text.utf8), limits: limits)
    }

    /// Reads in small batches, and again from the end of each batch.
    private func reading(_ bytes: [UInt8], limits: RecordLimits = .standard) async throws -> Reading {
        let settings = ReadSettings(files: [try files.write(bytes)], batchRecords: 60, limits: limits)
        let reading = try await Reading.of(settings)
        #expect(try await ReadLibrary(settings).surveyLibrary().recordCount == reading.recordsRead)
        for (index, end) in reading.ends.enumerated().dropLast() {
            let rest = try await Reading.of(settings, from: end)
            #expect(reading.records.hasSuffix(rest.records), "resumed after batch \(index)")
        }
        return reading
    }

    @Test(arguments: ["\n", "\r\n"]) func `the line is rejected and all others are read`(ending: String)
        async throws
    {
        let text = Self.header + Self.rows(0..<3) + "\"Lost,Ana Lee,,\n" + Self.rows(3..<500)
        let reading = try await reading(text.replacing("\n", with: ending))
        #expect(reading.titles == (0..<500).map { "Book \($0)" })
        #expect(reading.recordsRead == 501)
        let reject = try #require(reading.rejects.first)
        #expect(reading.rejects.count == 1)
        #expect(reject.code == "record_unreadable")
        #expect(reject.position.line == 5)
        #expect(reject.raw == Array("\"Lost,Ana Lee,,".utf8))
        #expect(reject.message.contains("The record has an unclosed quote"))
    }

    @Test func `the lines before it in the record belong to it`() async throws {
        let text = Self.header + "\"A\nlong title\",\"Ana \"\"Lee,,\n" + Self.rows(0..<9)
        let reading = try await reading(text)
        #expect(reading.titles.count == 9)
        let before = Self.header + "\"A\nlong title\",\"Ana \"\"Lee,,\n"
        #expect(reading.fact(0).first == "\(Position(byte: Int64(before.utf8.count), line: 4, record: 3))")
        #expect(reading.rejects.map(\.raw) == [Array("\"A\nlong title\",\"Ana \"\"Lee,,".utf8)])
    }

    @Test func `an unclosed quote in the last line swallows nothing`() async throws {
        let reading = try await reading(Self.header + Self.rows(0..<9) + "\"Last,Ana Lee,,")
        #expect(reading.titles.count == 10)
        #expect(reading.rejects.isEmpty)
        #expect(reading.fact(5).last?.contains("unterminated_quote") == true)
    }

    @Test func `a review cut off by an incomplete download stays a review`() async throws {
        let review = (0..<40).map { "Line \($0), of a review; with commas, too.\n" }.joined()
        let reading = try await reading(Self.header + Self.rows(0..<9) + "Cut,Ana Lee,,\"" + review)
        #expect(reading.titles == (0..<9).map { "Book \($0)" } + ["Cut"])
        #expect(reading.rejects.isEmpty)
    }

    @Test(arguments: [
        "Title,Review\nDune,\"Great book.\nReally, really great",
        "Title,Review\nDune,\"Great book.\nReally, really great\n",
        "Title,Author,Rating,Review\nDune,Frank Herbert,5,\"Sand.\nWorms, spice, storms, politics\n",
        "Title,Author\nDune,\"Frank, Herbert\nwas, I think\nnobody\nat all, really\nno, not, he\na, b\nc, d\ne, f\n",
        "Title\n\"Dune\nEmma\nIlium\nReef\nSolaris\nUbik\nValis\nVurt\nWool\nYou\n",
    ])
    func `lines that are not clearly a table stay part of the cell`(text: String) async throws {
        let reading = try await reading(text)
        #expect(reading.titles.count == 1)
        #expect(reading.titles.first?.hasPrefix("Dune") == true)
        #expect(reading.rejects.isEmpty)
    }

    @Test func `in a narrow table all following lines must fit`() async throws {
        let text = "Title,Author\n\"Lost,Ana Lee\n" + String(repeating: "A book,Ana Lee\n", count: 9)
        let reading = try await reading(text)
        #expect(reading.titles.count == 9)
        #expect(reading.rejects.count == 1)
    }

    @Test func `positions are those of the bytes on disk, across block borders too`() async throws {
        let head = Self.header + Self.rows(0..<20_000)
        let text = head + "\"Lost ö,Ana Lee,,\n" + Self.rows(0..<100)
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles.count == 20_100)
        #expect(reading.rejects.map(\.position.byte) == [Int64(head.utf8.count)])
        let units = text.utf16.flatMap { unit in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let wide: [UInt8] = [0xFF, 0xFE] + units
        let widely = try await Reading.of(ReadSettings(files: [try files.write(wide)]))
        #expect(widely.titles == reading.titles)
        #expect(widely.rejects.map(\.position.byte) == [Int64(head.utf16.count * 2 + 2)])
        #expect(widely.ends.last?.byte == Int64(wide.count))
    }

    @Test func `an unclosed quote is found if the rest is longer than a record may be`() async throws {
        let limits = RecordLimits(fieldBytes: 1_000, recordBytes: 4_000)
        for count in [30, 100, 2_000] {
            let text = Self.header + "\"Lost,Ana Lee,,\n" + Self.rows(0..<count)
            let reading = try await reading(text, limits: limits)
            #expect(reading.titles.count == count)
            #expect(reading.rejects.map(\.code) == ["record_unreadable"])
        }
    }

    @Test func `rows between two quotes in the same column are rejected with them`() async throws {
        let text =
            Self.header + Self.rows(0..<4) + "\"One,A,,\n" + Self.rows(4..<8) + "\"Two,B,,\n"
            + Self.rows(8..<12)
            + "\"Three,C,,\n" + Self.rows(12..<40)
        let reading = try await reading(text)
        #expect(reading.titles == (Array(0..<4) + Array(8..<40)).map { "Book \($0)" })
        #expect(reading.rejects.map(\.code) == ["records_merged", "record_unreadable"])
    }
}

extension [String] {
    fileprivate func hasSuffix(_ other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}
