import System
import TestSupport
import Testing

@testable import Books
@testable import Formats

/// `ID,Title,Author,ISBN,Rating,Publisher,Pages,Notes`.
struct ColumnShapesTests {
    private static let fields: [LibraryField] = [
        .sourceID, .title, .author, .isbn13, .rating, .publisher, .pageCount, .privateNotes,
    ]
    private let shapes = ColumnShapes(
        ColumnMap(
            formatName: "generic", names: fields.map { "\($0)" },
            fields: Dictionary(uniqueKeysWithValues: zip(fields, 0...))))

    private func alignment(_ record: String, by delimiter: Character = ",") -> ColumnShapes.Alignment {
        shapes.alignment(
            of: record.split(separator: delimiter, omittingEmptySubsequences: false).map { Array($0.utf8) },
            delimiter: delimiter.asciiValue ?? 0)
    }

    @Test func `fitting cells stay in place, with missing or extra ones at the end`() {
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,320,good") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,9780306406157") == .inPlace)
        #expect(alignment("1") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,320,good,") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,320,good,better") == .inPlace)
        #expect(alignment("1,Reef, a tale,9780306406157,4,Tide,320,good,,") == .inPlace)
    }

    @Test func `a cell that begins with a space belongs to the one before it`() {
        #expect(alignment("1,Reef, a tale,Ana Lee,9780306406157,4,Tide,320,good") == .joined([2]))
        #expect(alignment("1,Reef,Lee, Ana,9780306406157,4,Tide,320,good") == .joined([3]))
        #expect(
            alignment("1,Guns, Germs, and Steel,Lee, Ana,9780306406157,4,Tide,320,good")
                == .joined([2, 3, 5]))
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,320,good, really") == .joined([8]))
        #expect(
            alignment("1;Reef; a tale;Ana Lee;9780306406157;4;Tide;320;good", by: ";") == .joined([2]))
        #expect(alignment("1,Reef, a tale,Ana Lee,,,Tide,320,") == .joined([2]))
    }

    @Test func `without spaces the only text column that can be split takes the extra cells`() {
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,Wave,320,good") == .joined([6]))
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,Wave,Reed,320,good") == .joined([6, 7]))
    }

    @Test func `with several possible columns or none the record is undecided`() {
        // Title or author.
        #expect(alignment("1,Reef,a tale,Ana Lee,9780306406157,4,Tide,320,good") == .unknown)
        // Extra commas in two places.
        #expect(alignment("1,Reef,a tale,Ana Lee,9780306406157,4,Tide,Wave,320,good") == .unknown)
        #expect(alignment("1,Reef,a tale,Ana Lee,9780306406157,4,Tide,x,y") == .unknown)
        // A missing cell in the middle.
        #expect(alignment("1,Reef,9780306406157,4,Tide,320,good") == .doubtful)
    }

    @Test func `cells that also fit shifted are doubtful`() {
        // 9 pages, or a publisher with a number after the comma.
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,9,320,good") == .doubtful)
        // Equal neighbours are no evidence and change nothing.
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,320,320,good") == .inPlace)
        #expect(alignment("1,Reef,,,,,,,,,") == .inPlace)
    }

    @Test func `a damaged cell has not moved`() {
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,unpaged,good,") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,not known,") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,unknown,n/a,Tide,unpaged,good") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,unpaged") == .inPlace)
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,unpaged,good,better") == .doubtful)
        #expect(alignment("1,Reef,Ana Lee,9780306406157,4,Tide,x,y,z") == .doubtful)
    }

    @Test func `spaces after every delimiter say nothing`() {
        #expect(alignment("1, Reef, Ana Lee, 9780306406157, 4, Tide, 320, good, better") == .inPlace)
        #expect(alignment("1, Reef, a tale, Ana Lee, 9780306406157, 4, Tide, 320, good") == .unknown)
    }

    @Test func `unnamed columns are left alone`() {
        let unnamed = ColumnShapes(
            ColumnMap(formatName: "generic", names: ["column 1"], fields: [.isbn13: 0]), areNamed: false)
        #expect(
            unnamed.alignment(of: [Array("Reef".utf8), Array(" tale".utf8)], delimiter: 0x2C) == .inPlace)
    }

    @Test func `joined cells get their delimiter back`() {
        let cells = ["1", "Guns", " Germs", " and Steel", "Lee"].map { Array($0.utf8) }
        #expect(
            ColumnShapes.joined(cells, at: [2, 3], by: UInt8(ascii: ",")).map {
                String(decoding: $0, as: UTF8.self)
            }
                == ["1", "Guns, Germs, and Steel", "Lee"])
    }

    /// A joined record equals the original; an ambiguous one is left alone.
    @Test
    func `a cell split at a comma is joined or rejected, never taken for another`() {
        let record = ["1", "Reef", "Ana Lee", "9780306406157", "4", "Tide", "320", "good"]
        var random = SeededGenerator(seed: 7)
        var joined = 0
        for _ in 0..<2_000 {
            var whole = record
            let column = [1, 2, 5, 7].randomElement(using: &random) ?? 1
            let blank = Bool.random(using: &random) ? " " : ""
            whole[column] += ",\(blank)\(["x", "9", "Jr.", "a 2nd"].randomElement(using: &random) ?? "")"
            let parted = whole.joined(separator: ",")
            let cells = parted.split(separator: ",", omittingEmptySubsequences: false).map { Array($0.utf8) }
            switch alignment(parted) {
            case .joined(let places):
                joined += 1
                #expect(ColumnShapes.joined(cells, at: places, by: 0x2C) == whole.map { Array($0.utf8) })
            case .inPlace: #expect(column == 7, "\(parted)")
            case .unknown, .doubtful: #expect(blank.isEmpty, "\(parted)")
            }
        }
        #expect(joined > 1_000)
    }
}

struct ColumnShapeTests {
    @Test(arguments: [
        (
            LibraryField.pageCount, ["", " ", "-", "320", "320 p.", "xii, 320 p.", "########"],
            ["Paperback", "Ana Lee", "9780306406157", "страниц"]
        ),
        (
            .dateRead,
            [
                "2026/04/02", "20260402", "[2007-04-16]", "Apr 2, 2026",
                "2025/05/18-2025/05/26, 2026/01/01-2026/01/02", "--",
            ], ["read", "to-read (#12345678901)"]
        ),
        (.originalYear, ["-850", "1999", "c1999", "1999.0"], ["Penguin", "0306406152"]),
        (
            .rating, ["", "0", "4", "4.5", "4,5", "8/10", "85", "★★★★", "4 stars"],
            ["9780306406157", "Penguin", "=\"0306406152\""]
        ),
        (
            .isbn13,
            [
                "9780306406157", "=\"0306406152\"", "978-0-306-40615-7", "978 0 306 40615 7", "080442957X",
                "9.78030640616e+12", "[0306406152]", "B00ABC1234", "fbdd6b7c-f512-47f2-aa94-d8bf0d5f5175",
            ], ["Paperback", "Ana Lee", "Apr 2, 2026", "é"]
        ),
    ])
    func `a column allows its own values and rejects those of others`(
        field: LibraryField, fits: [String], unknownColumns: [String]
    ) throws {
        let shape = try #require(ColumnShape(field))
        for cell in fits { #expect(shape.allows(Array(cell.utf8)), "\(cell)") }
        for cell in unknownColumns { #expect(!shape.allows(Array(cell.utf8)), "\(cell)") }
    }

    @Test(arguments: [LibraryField.title, .author, .publisher, .binding, .shelves, .review, .sourceID])
    func `text columns allow anything`(field: LibraryField) {
        #expect(ColumnShape(field) == nil)
    }
}
