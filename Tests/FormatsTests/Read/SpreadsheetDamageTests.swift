import Bytes
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Sources

/// Tables of a program that took ISBNs for numbers: ISBN-13s became floats of twelve digits, ISBN-10s lost their
/// zeros.
@Suite struct SpreadsheetDamageTests {
    private struct Row {
        var number: Int
        var ten: String
        var thirteen: String
        var verdict: RowISBN
        var warnings: [Warning]
        var image: String
    }

    private static let own = "bigbooks/etl_isbns_as_numbers.csv"

    private func rows(_ file: String) async throws -> [Row] {
        let path = TestFiles.path(file)
        let settings = ReadSettings(files: [path])
        var reader = try LibraryFileReader(
            LibraryFile(path, index: 0, settings: settings), settings: settings)
        var rows: [Row] = []
        while let chunk = try reader.next() {
            let batch = Batch(
                sequence: 0, end: chunk.end, recordsRead: chunk.recordsRead, payload: chunk.rows)
            let validated = try await ValidateISBN().process(batch).payload
            let library = validated.library
            let image = try #require(library.columns.names.firstIndex(of: "image_url"))
            for (row, verdict) in zip(library.rows, validated.isbns) {
                rows.append(
                    Row(
                        number: row.position.record, ten: library.string(.isbn10, of: row),
                        thirteen: library.string(.isbn13, of: row), verdict: verdict,
                        warnings: row.warnings,
                        image: library.arena[library.cells[row.cells.lowerBound + image]]))
            }
        }
        return rows
    }

    /// The digits without leading zeros.
    private func bare(_ digits: some StringProtocol) -> String { String(digits.drop { $0 == "0" }) }

    @Test(
        arguments: TestFiles.cases(
            own: [(own, 40, 34, 34)], shared: [("bigbooks/goodbooks-10k_books.csv", 10_000, 6_579, 9_269)]))
    func `what the row's two cells determine is restored, the rest is reported`(
        file: String, count: Int, repairs: Int, isbns: Int
    ) async throws {
        let rows = try await rows(file)
        #expect(rows.count == count)
        var repaired = 0
        for row in rows {
            let explicit = row.warnings.filter { $0.code.hasPrefix("isbn") }
            guard let isbn = row.verdict.isbn else {
                #expect(!explicit.isEmpty || (row.ten.isEmpty && row.thirteen.isEmpty), "row \(row.number)")
                continue
            }
            guard row.verdict.repair != nil else { continue }
            repaired += 1
            #expect(
                explicit.contains { $0.code == "isbn_repaired" && $0.message.contains("(rule: ") },
                "row \(row.number)")
            // A repaired number fits both cells, or the row reports that it does not.
            let ten = isbn.isbn10 ?? ""
            let fitsTen =
                row.ten.isEmpty || bare(ten) == bare(row.ten)
                || bare(ten.filter { $0 != "X" }) == bare(row.ten)
            let float = Double(row.thirteen) ?? 0
            let fitsThirteen =
                row.thirteen.isEmpty || abs(float - (Double(isbn.isbn13) ?? 0)) <= 5
                || bare(row.thirteen.prefix { $0 != "." }) == bare(row.ten)
            #expect((fitsTen && fitsThirteen) || explicit.count > 1, "row \(row.number)")
        }
        #expect(repaired == repairs)
        #expect(rows.count { $0.verdict.isbn != nil } == isbns)
    }

    @Test func `a restored ISBN is the one the row had before it was damaged`() async throws {
        for row in try await rows(Self.own) {
            // The address of the image has the ISBN before the damage.
            let original = row.image.split(separator: "/").last?.split(separator: ".").first.map(String.init)
            if row.ten.isEmpty {
                // Ten ISBNs have this float, or there never was an ISBN.
                #expect(row.verdict.isbn == nil, "row \(row.number)")
                #expect(row.thirteen.isEmpty == (original == "none"), "row \(row.number)")
            } else {
                #expect(row.verdict.isbn?.isbn13 == original, "row \(row.number)")
                #expect(row.verdict.repair != nil, "row \(row.number)")
            }
        }
    }
}
