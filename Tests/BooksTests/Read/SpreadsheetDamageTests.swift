import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books

/// goodbooks-10k went through a program that took ISBNs for numbers: ISBN-13s became floats of twelve digits,
/// ISBN-10s lost their zeros.
@Suite(.enabled(if: SharedData.isPresent, "needs real files that are not in the repository"))
struct SpreadsheetDamageTests {
    private struct Row {
        var number: Int
        var ten: String
        var thirteen: String
        var verdict: RowISBN
        var notices: [Warning]
    }

    private func rows() async throws -> [Row] {
        let path = "\(ProjectFiles.root)/../shared/data/bigbooks/goodbooks-10k_books.csv"
        let settings = ReadSettings(files: [path])
        var reader = try LibraryFileReader(
            LibraryFile(path, index: 0, settings: settings), settings: settings)
        var rows: [Row] = []
        while let portion = try reader.next() {
            let batch = Batch(
                sequence: 0, end: portion.end, recordsRead: portion.recordsRead, payload: portion.rows)
            let validated = try await ValidateISBN().process(batch).payload
            for (row, verdict) in zip(validated.library.rows, validated.isbns) {
                rows.append(
                    Row(
                        number: row.position.record, ten: validated.library.string(.isbn10, of: row),
                        thirteen: validated.library.string(.isbn13, of: row), verdict: verdict,
                        notices: row.notices))
            }
        }
        return rows
    }

    /// The digits without leading zeros.
    private func bare(_ digits: some StringProtocol) -> String { String(digits.drop { $0 == "0" }) }

    @Test func `what the row's two cells determine is restored, the rest is reported`() async throws {
        let rows = try await rows()
        #expect(rows.count == 10_000)
        var repaired = 0
        for row in rows {
            let explicit = row.notices.filter { $0.code.hasPrefix("isbn") }
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
        #expect(repaired == 6_579)
        #expect(rows.count { $0.verdict.isbn != nil } == 9_269)
    }
}
