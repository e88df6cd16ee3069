import Foundation
import System
import TestSupport
import Testing

@testable import Syntax

/// Files with all kinds of quoting, encodings and damage, and exports.
@Suite struct CSVCorpusTests {
    private static func files(in folders: String...) -> [String] {
        folders.flatMap { TestFiles.names(in: $0, ".csv", ".tsv", ".psv") }
    }

    static let small = files(
        in: "csvcorpus/etl", "csvcorpus/etl/csvs", "csvcorpus/csv-spectrum/csvs", "csvcorpus/openrefine",
        "csvcorpus/rust-csv")
    static let exports = files(
        in: "goodreads", "librarything", "storygraph", "calibre", "other", "openlibrary-reading-log")
    /// Files with their content as JSON in a folder next to theirs.
    static let pairs = files(in: "csvcorpus/etl/csvs", "csvcorpus/csv-spectrum/csvs")

    /// Encoding and dialect as guessed from the head of a file.
    private func guess(_ bytes: [UInt8]) -> (TextEncoding, Dialect) {
        let head = Array(bytes.prefix(64 * 1024))
        let encoding = TextEncoding.sniff(head: head).encoding
        return (encoding, Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect)
    }

    private func reference(_ bytes: [UInt8], _ encoding: TextEncoding, _ dialect: Dialect) -> [SeenRecord] {
        let text = encoding.utf8(ofHead: bytes)
        guard dialect.escapesQuotes, let quote = dialect.quote else {
            return ReferenceCSVParser.parse(text, dialect: dialect)
        }
        // The reference parser knows doubled quotes only.
        return ReferenceCSVParser.parse(BackslashQuotes.replaced(in: text, quote: quote), dialect: dialect)
    }

    /// Without byte offsets: they are positions on disk, which the reference parser does not know.
    private func withoutOffsets(_ records: [SeenRecord]) -> [SeenRecord] {
        records.map { record in
            var record = record
            record.position.byte = 0
            return record
        }
    }

    @Test(arguments: small) func `every cut of a small file agrees with the reference parser`(_ path: String)
        throws
    {
        let bytes = try TestFiles.bytes(path)
        let (encoding, dialect) = guess(bytes)
        let expected = withoutOffsets(reference(bytes, encoding, dialect))
        for cut in 1...min(bytes.count, 600) {
            let reading = try CSVReading(
                bytes, dialect: dialect, encoding: encoding, pieces: [cut, 0], blockBytes: cut)
            #expect(withoutOffsets(reading.records) == expected, "cut at \(cut)")
            #expect(reading.end.byte == Int64(bytes.count))
        }
        let byteByByte = try CSVReading(
            bytes, dialect: dialect, encoding: encoding, pieces: [1], blockBytes: 1)
        #expect(withoutOffsets(byteByByte.records) == expected)
    }

    @Test(arguments: exports) func `an export agrees with the reference parser`(_ path: String) throws {
        let bytes = try TestFiles.bytes(path)
        let (encoding, dialect) = guess(bytes)
        let expected = reference(bytes, encoding, dialect)
        for block in [100, 4096, 1 << 18] {
            let reading = try CSVReading(bytes, dialect: dialect, encoding: encoding, blockBytes: block)
            #expect(withoutOffsets(reading.records) == withoutOffsets(expected))
        }
        #expect(
            try RecordReader.count(file: TestFiles.path(path), dialect: dialect, encoding: encoding)
                == expected.count { !$0.isBlank })
    }

    @Test(arguments: files(in: "goodreads"))
    func `a Goodreads export is recognized as regular UTF-8 with commas`(_ path: String) throws {
        let bytes = try TestFiles.bytes(path)
        let guess = Dialect.sniff(head: bytes)
        #expect(TextEncoding.sniff(head: bytes).encoding == .utf8)
        #expect(guess.dialect == .comma)
        #expect((23...31).contains(guess.columns), "\(guess.evidence)")
        let records = try CSVReading(bytes).records.filter { !$0.isBlank }
        #expect(records.allSatisfy { $0.cells.count == guess.columns && $0.flags == [] })
    }

    @Test(arguments: pairs)
    func `a file has the content of its JSON`(_ path: String) throws {
        let rows = try CSVReading(try TestFiles.bytes(path)).cells
        let header = try #require(rows.first)
        if path.hasSuffix("location_coordinates.csv") {
            // In this pair the JSON has a different record than the CSV.
            #expect(rows.map(\.count) == [4, 4])
            #expect(rows[1][0] == "2095257564")
            #expect(rows[1][3] == "Stanislaus")
            return
        }
        let json = try TestFiles.bytes(
            path.replacing("/csvs/", with: "/json/").replacing(".csv", with: ".json"))
        var expected = try JSONDecoder().decode([[String: String]].self, from: Data(json))
        if path.hasSuffix("newlines_crlf.csv") {
            // The CSV lost the carriage returns that its JSON still has.
            expected = expected.map { $0.mapValues { $0.replacing("\r\n", with: "\n") } }
        }
        #expect(rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) } == expected)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [("csvcorpus/etl/ports", [4, 4, 4, 4])],
            // The rows, unlike the header, end with a delimiter.
            shared: [("csvcorpus/openrefine/example", [11, 12, 12])]))
    func `one table in five encodings gives the same records`(table: String, counts: [Int]) throws {
        let utf8 = try TestFiles.bytes("\(table)-utf8.tsv")
        let forms =
            try [utf8, TextEncoding.utf8.byteOrderMark + utf8]
            + ["latin1", "utf16le-bom", "utf16be-bom"].map { try TestFiles.bytes("\(table)-\($0).tsv") }
        let encodings: [TextEncoding] = [.utf8, .utf8, .windows1252, .utf16LittleEndian, .utf16BigEndian]
        let expected = try CSVReading(utf8, dialect: .tab).cells
        #expect(expected.map(\.count) == counts)
        for (form, encoding) in zip(forms, encodings) {
            let (guessed, dialect) = guess(form)
            #expect(guessed == encoding)
            #expect(dialect == .tab)
            let reading = try CSVReading(form, dialect: dialect, encoding: guessed)
            #expect(reading.cells == expected)
            #expect(reading.records.map(\.position.record) == Array(1...counts.count))
            #expect(reading.end.byte == Int64(form.count))
        }
    }

    @Test func `damage in a file has the expected result`() throws {
        func cells(_ name: String) throws -> [[String]] {
            let bytes = try TestFiles.bytes("csvcorpus/etl/\(name).csv")
            let records = try CSVReading(bytes, dialect: guess(bytes).1).records
            return records.filter { !$0.isBlank }
                .map { $0.cells.map { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(try cells("carriage_returns") == [["port", "ships"], ["Pirita", "12"], ["Salme", "3"]])
        #expect(try cells("colons").last == ["a:b", "1", "2"])
        #expect(try cells("nul") == [["port", "ships"], ["Piri\u{0}ta", "12"], ["Salme", "\u{0}"]])
        #expect(
            try cells("ragged") == [
                ["port", "ships", "since"], ["Pirita", "12"], ["Salme", "3", "1950", "extra", "cells"],
                ["Vergi", "2 ships", "1999"],
            ])
        // The first quote is never closed. It costs its own line if the number of columns is known.
        let unclosed = try CSVReading(TestFiles.bytes("csvcorpus/etl/unclosed_quote.csv"), columns: 3)
        #expect(
            unclosed.cells == [
                ["port", "ships", "since"], [], ["Salme", "0", "1950"], ["Vergi", "1", "1951"],
                ["Kunda", "2", "1952"], ["Nasva", "3", "1953"], ["Kuivastu", "4", "1954"],
                ["Virtsu", "5", "1955"],
            ])
        #expect(unclosed.records[1].flags.contains(.unterminatedQuote))
    }
}
