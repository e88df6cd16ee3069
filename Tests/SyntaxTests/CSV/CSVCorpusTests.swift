import Foundation
import Pipeline
import Syntax
import TestSupport
import Testing

@Suite(.enabled(if: CSVCorpus.isPresent, Comment(rawValue: CSVCorpus.absence)))
struct CSVCorpusTests {
    static let small = CSVCorpus.files(in: "csvcorpus")
    static let exports = [
        "goodreads", "librarything", "storygraph", "calibre", "other", "openlibrary-reading-log",
    ]
    .flatMap { CSVCorpus.files(in: $0) }

    /// Encoding and dialect as guessed from the head of a file.
    private func guess(_ bytes: [UInt8]) -> (TextEncoding, Dialect) {
        let head = Array(bytes.prefix(64 * 1024))
        let encoding = TextEncoding.sniff(head: head).encoding
        return (encoding, Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect)
    }

    private func reference(_ bytes: [UInt8], _ encoding: TextEncoding, _ dialect: Dialect) -> [SeenRecord] {
        ReferenceCSVParser.parse(encoding.utf8(ofHead: bytes), dialect: dialect)
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
        let bytes = try CSVCorpus.bytes(path)
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
        let bytes = try CSVCorpus.bytes(path)
        let (encoding, dialect) = guess(bytes)
        let expected = reference(bytes, encoding, dialect)
        for block in [100, 4096, 1 << 18] {
            let reading = try CSVReading(bytes, dialect: dialect, encoding: encoding, blockBytes: block)
            #expect(withoutOffsets(reading.records) == withoutOffsets(expected))
        }
        let file = CSVCorpus.folder.appending(path: path).path
        #expect(
            try RecordReader.count(file: file, dialect: dialect, encoding: encoding)
                == expected.count { !$0.isBlank })
    }

    @Test(arguments: CSVCorpus.files(in: "goodreads"))
    func `a Goodreads export is recognized as regular UTF-8 with commas`(_ path: String) throws {
        let bytes = try CSVCorpus.bytes(path)
        let guess = Dialect.sniff(head: bytes)
        #expect(TextEncoding.sniff(head: bytes).encoding == .utf8)
        #expect(guess.dialect == .comma)
        #expect((23...31).contains(guess.columns), "\(guess.evidence)")
        let records = try CSVReading(bytes).records.filter { !$0.isBlank }
        #expect(records.allSatisfy { $0.cells.count == guess.columns && $0.flags == [] })
    }

    @Test(arguments: CSVCorpus.files(in: "csvcorpus/csv-spectrum"))
    func `csv-spectrum files have the content of their JSON`(_ path: String) throws {
        let name = path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
        let rows = try CSVReading(try CSVCorpus.bytes(path)).cells
        let header = try #require(rows.first)
        if name == "location_coordinates" {
            // In this pair the JSON has a different record than the CSV.
            #expect(rows.map(\.count) == [4, 4])
            #expect(rows[1][0] == "2095257564")
            #expect(rows[1][3] == "Stanislaus")
            return
        }
        let json = try CSVCorpus.bytes("csvcorpus/csv-spectrum/json/\(name).json")
        var expected = try JSONDecoder().decode([[String: String]].self, from: Data(json))
        if name == "newlines_crlf" {
            // The CSV lost the carriage returns that its JSON still has.
            expected = expected.map { $0.mapValues { $0.replacing("\r\n", with: "\n") } }
        }
        #expect(rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) } == expected)
    }

    @Test func `one table in five encodings gives the same records`() throws {
        let utf8 = try CSVCorpus.bytes("csvcorpus/openrefine/example-utf8.tsv")
        let forms =
            try [utf8, TextEncoding.utf8.byteOrderMark + utf8]
            + ["latin1", "utf16le-bom", "utf16be-bom"].map {
                try CSVCorpus.bytes("csvcorpus/openrefine/example-\($0).tsv")
            }
        let encodings: [TextEncoding] = [.utf8, .utf8, .windows1252, .utf16LittleEndian, .utf16BigEndian]
        let expected = try CSVReading(utf8, dialect: .tab).cells
        // The rows, unlike the header, end with a delimiter.
        #expect(expected.map(\.count) == [11, 12, 12])
        for (form, encoding) in zip(forms, encodings) {
            let (guessed, dialect) = guess(form)
            #expect(guessed == encoding)
            #expect(dialect == .tab)
            let reading = try CSVReading(form, dialect: dialect, encoding: guessed)
            #expect(reading.cells == expected)
            #expect(reading.records.map(\.position.record) == [1, 2, 3])
            #expect(reading.end.byte == Int64(form.count))
        }
    }
}
