import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Store

/// An impossible number is kept or reported, whichever exporter wrote it and whichever column it is in.
@Suite struct ImpossibleNumbersTests {
    /// A cell and the reason code it is reported with; nil if it is not reported.
    struct Case: Sendable, CustomTestStringConvertible {
        var field: LibraryField
        var cell: String
        var code: ReasonCode?

        var testDescription: String { "\(field) \(cell)" }
    }

    private static func cases(
        _ fields: [LibraryField], _ code: ReasonCode, explicit: [String], silent: [String]
    ) -> [Case] {
        fields.flatMap { field in
            explicit.map { Case(field: field, cell: $0, code: code) }
                + silent.map { Case(field: field, cell: $0, code: nil) }
        }
    }

    static let all =
        cases(
            [.pageCount], .numberDamaged,
            explicit: ["-5", "999999999", "1000000", "1,02", "412 x", "4.5", "########", "+7", "9999999 p."],
            silent: [
                "412", "1,024", "1.024 Seiten", "412 p.", "xii, 340 pages", "0", "00", "0.0", "-", "",
                " 412 ", "412.0", "999999",
            ])
        + cases(
            [.readCount, .ownedCopies], .numberDamaged,
            explicit: ["-3", "1.5", "99999999999999999999", "2 times", "########"],
            silent: ["3", "0", "-", "", " 3 ", "2.0", "1000000"])
        + cases(
            [.averageRating], .numberDamaged, explicit: ["-1", "4.1.7", "4/5", "########"],
            silent: ["4.17", "4,17", "0", "0.00", "", "-"])
        + cases(
            [.rating], .ratingDamaged, explicit: ["9", "-1", "5.5", "11/10", "six", "########"],
            silent: ["0", "0.0", "", "-", "5", "4.5", "8/10"])
        + cases(
            [.yearPublished], .yearDamaged, explicit: ["2500", "9999", "999", "-850", "20015", "########"],
            silent: ["0", "", "1999", "1999.0", "2026-04-02", "2199", "1000"])
        + cases(
            [.originalYear], .yearDamaged, explicit: ["2500", "-9999", "20015", "########"],
            silent: ["0", "", "1999", "-850", "800", "2199", "-4000"])

    /// The formats with a header.
    private static let formats = LibraryFormats.all.filter {
        !($0 is any StructuredFormat) && !($0 is any HeaderlessFormat)
    }

    @Test(arguments: all)
    func `lost numbers are reported, placeholders are not`(_ one: Case) throws {
        let folder = try TemporaryFolder()
        for format in Self.formats {
            // A separate column, so that each format meets each field.
            let path = try folder.write(
                "Title\tISBN\tProbe\nReef\t9780306406157\t\(one.cell)\n", to: "\(format.name).tsv")
            var settings = ReadSettings(files: [path], format: format.name)
            settings.columns = try ColumnOptions(parsing: "title=Title,isbn13=ISBN,\(one.field)=Probe")
            let file = try LibraryFile(path, index: 0, settings: settings)
            var reader = try LibraryFileReader(file, settings: settings)
            let rows = try #require(try reader.next()?.rows)
            let row = try #require(rows.rows.first, "\(format.name)")
            let explicit = row.warnings.map { "\($0.code) \($0.field ?? "") \($0.value)" }
            let expected = one.code.map { ["\($0.code) Probe \(one.cell)"] } ?? []
            #expect(explicit == expected, "\(format.name)")
            #expect(row.unreadable.contains(one.field) == (one.code != nil), "\(format.name)")
        }
    }

    @Test func `impossible numbers are not stored, valid ones are`() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        let header =
            "Book Id,Title,Author,ISBN13,My Rating,Average Rating,Number of Pages,Year Published,"
            + "Original Publication Year,Read Count,Owned Copies,Exclusive Shelf,Date Added\n"
        func stored(_ name: String, _ row: String) async throws -> [String] {
            sample.files = [try sample.folder.write(header + row + "\n", to: "\(name).csv")]
            try await sample.run("\(name).sqlite")
            let connection = try StoreFile.openForReading(sample.folder.file("\(name).sqlite"))
            let read = try connection.query(
                """
                SELECT e.rating, e.read_count, e.owned_copies, d.page_count, d.average_rating, d.publication_date,
                    w.first_publication_year
                FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
                """)
            try #require(try read.next())
            return (0..<7).map { read.string($0) }
        }
        let impossible = "1,Reef,Ann Lee,9780306406157,9,-1,-5,2500,2500,-3,-1,read,2020/01/02"
        #expect(try await stored("bad", impossible) == ["", "", "", "", "", "", ""])
        let whole = "1,Reef,Ann Lee,9780306406157,4,4.2,412.0,1999.0,-850,2.0,1,read,2020/01/02"
        #expect(try await stored("good", whole) == ["4.0", "2", "1", "412", "4.2", "1999", "-850"])
    }
}
