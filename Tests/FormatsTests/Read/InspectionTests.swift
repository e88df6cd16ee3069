import Queries
import System
import Testing

@testable import Books
@testable import Formats
@testable import Syntax

@Suite
struct InspectionTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `an inspection shows what the importer sees`() throws {
        let path = try files.write(
            "My books\n" + GoodreadsFixture.header24 + ",Mood\n"
                + GoodreadsFixture.row(1, title: "Reef (The Tide, #2)", additional: "Bo Ek") + ",glad\n"
                + GoodreadsFixture.row(2, read: "########") + ",\n\n"
                + GoodreadsFixture.row(3, read: "soon") + ",\n")
        let inspection = try Inspection(ReadSettings(files: [path]), samples: 1)
        #expect(inspection.text?.encoding.encoding == .utf8)
        #expect(inspection.text?.dialect.dialect == .comma)
        #expect(inspection.text?.preamble == [["My books"]])
        #expect(inspection.text?.headerPosition == Position(byte: 9, line: 2, record: 2))
        #expect(inspection.formatName == "goodreads")
        #expect(inspection.scores.first?.formatName == "goodreads")
        #expect(inspection.columns.count == 25)
        #expect(inspection.columns[5] == .init(number: 6, name: "ISBN", field: .isbn10))
        #expect(inspection.unmapped.map(\.name) == ["Mood"])
        #expect(inspection.recordCount == 3)
        #expect(
            inspection.samples == [
                .init(
                    record: 3, title: "Reef", series: ["The Tide #2"], people: ["An Author", "Bo Ek"],
                    isbns: ["=\"9780306406157\"", "=\"0306406152\""], format: .paperback, rating: "4",
                    shelf: "to-read", dateRead: "2020-10-25")
            ])
        #expect(
            inspection.problems == [
                .init(
                    code: "date_damaged", count: 2, firstRecords: [4, 6],
                    example: "Date Read \u{201C}########\u{201D}: \(ReasonCode.dateDamaged.sentence)")
            ])
    }

    @Test(arguments: [
        (
            "Title,Author,Hardcover Book ID,Hardcover Edition ID,Lists,Tags,Media", "Tags",
            LibraryField.shelves
        ),
        ("Title,Author,Hardcover Book ID,Hardcover Edition ID,Binding,Media", "Media", .binding),
        ("Title,Author,Author (Last, First),Google VolumeID,Genre,Category,Up Next", "Category", .subjects),
    ])
    func `columns that a format reads in addition are not called unused`(
        _ header: String, _ name: String, _ field: LibraryField
    ) throws {
        let quoted = header.replacing("Author (Last, First)", with: "\"Author (Last, First)\"")
        let inspection = try Inspection(ReadSettings(files: [try files.write("\(quoted)\nReef,Ana Lee\n")]))
        #expect(inspection.columns.first { $0.name == name }?.field == field, "\(inspection.formatName)")
    }

    @Test func `rejects count as problems, up to the record limit`() throws {
        let path = try files.write("Title,Author\n" + String(repeating: "abcdefg,X\nabcdef,Y\n", count: 20))
        var settings = ReadSettings(files: [path], batchRecords: 3, limits: RecordLimits(fieldBytes: 6))
        let inspection = try Inspection(settings)
        #expect(inspection.problems.map(\.code) == ["field_too_large"])
        #expect(inspection.problems.first?.count == 20)
        #expect(inspection.problems.first?.firstRecords == [2, 4, 6, 8, 10])
        #expect(inspection.recordCount == 40)
        settings.limit = 5
        #expect(try Inspection(settings).recordCount == 5)
    }

    @Test func `the report says whether the date order was given or found`() throws {
        let path = try files.write("Title,Author,Date Read\nA,Ana Lee,9/2/2020\nB,Ana Lee,10/16/2020\n")
        var settings = ReadSettings(files: [path])
        func json() throws -> String {
            var json = JSONWriter()
            try Inspection(settings).write(into: &json) { String(describing: $0) }
            return String(decoding: json.bytes, as: UTF8.self)
        }
        #expect(try json().contains(#""dateOrder":"month-first","dateOrderTold":false,"#))
        settings.explicitDateOrder = .dayFirst
        let inspection = try Inspection(settings)
        #expect(inspection.dates.order == .dayFirst)
        #expect(inspection.warnings == [])
        #expect(try json().contains(#""dateOrder":"day-first","dateOrderTold":true,"#))
    }

    @Test func `an inspection fails as an import would`() throws {
        let path = try files.write("a,b\n1,2\n")
        do throws(ETLError) {
            _ = try Inspection(ReadSettings(files: [path]))
            Issue.record("inspected")
        } catch {
            #expect(error.kind == .unusableInput)
        }
    }
}
