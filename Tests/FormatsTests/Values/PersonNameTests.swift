import Formats
import System
import Testing

@testable import Books
@testable import Bytes

@Suite
struct PersonNameTests {
    @Test(arguments: [
        ("Dan Simmons", "", ["Dan Simmons"]),
        ("David   Epstein", "", ["David Epstein"]),
        (" Thomas \u{A0} Day ", "", ["Thomas Day"]),
        ("A", "B, C, D", ["A", "B", "C", "D"]),
        ("A", "B,C ,, D,", ["A", "B", "C", "D"]),
        (
            "A", "Walter M. Miller, Jr., Jane Doe, PhD, Ph.D., Bob",
            ["A", "Walter M. Miller Jr.", "Jane Doe PhD Ph.D.", "Bob"]
        ),
        ("A", "Edward E. Ericson Jr.", ["A", "Edward E. Ericson Jr."]),
        (
            "A", "Martin Hammond, عادل مصطفى, Simone Mooij-Valk",
            ["A", "Martin Hammond", "عادل مصطفى", "Simone Mooij-Valk"]
        ),
        ("A", "B, A, B, b", ["A", "B", "b"]),
        ("McKinsey & Company, Inc.", "", ["McKinsey & Company Inc."]),
        ("Miller, Walter M.", "", ["Walter M. Miller"]),
        (
            "Le Guin, Ursula K.; Atwood, Margaret; Barnes, PhD", "",
            ["Ursula K. Le Guin", "Margaret Atwood", "Barnes PhD"]
        ),
        ("", "First, Second", ["First", "Second"]),
        ("", "", []),
        (" ", " , ", []),
        ("Jr.", "Sr., A", ["Jr.", "Sr.", "A"]),
    ])
    func `names are split as intended`(author: String, additional: String, names: [String]) {
        #expect(Self.read(author: author, additional: additional).map(\.name) == names)
    }

    @Test func `the first person is the author, the others are contributors`() {
        let people = Self.read(author: "A", additional: "B, C")
        #expect(people.map(\.role) == [.author, .contributor, .contributor])
        #expect(Self.read(author: "", additional: "B, C").map(\.role) == [.author, .contributor])
    }

    @Test(arguments: [
        ("Guin, Ursula K. Le", "Ursula K. Le Guin"),
        ("Jr., Walter M. Miller", "Walter M. Miller Jr."),
        ("Inc., McKinsey & Company", "McKinsey & Company Inc."),
        ("Voltaire", "Voltaire"),
        ("Voltaire,", "Voltaire"),
        (", Voltaire", "Voltaire"),
    ])
    func `an inverted name is put into reading order`(written: String, name: String) {
        #expect(Self.read(author: "", inverted: written, additional: "").map(\.name) == [name])
    }

    @Test func `people beyond the limit are reported, not kept`() {
        let (rows, row) = Self.row(
            author: "A", inverted: "", additional: (0..<50_000).map { "N\($0)" }.joined(separator: ", "))
        #expect(row.people.count == LibraryRows.maxPeople)
        #expect(row.warnings.map(\.code) == ["too_many_people"])
        #expect(row.warnings.first?.field == "More")
        #expect(rows.people.count == LibraryRows.maxPeople)
    }

    private struct Named: Equatable {
        var name: String
        var role: ContributorRole
    }

    private static func read(author: String, inverted: String = "", additional: String) -> [Named] {
        let (rows, row) = row(author: author, inverted: inverted, additional: additional)
        return rows.people[row.people].map { Named(name: rows.arena[$0.name], role: $0.role) }
    }

    private static func row(author: String, inverted: String, additional: String) -> (LibraryRows, LibraryRow)
    {
        let columns = ColumnMap(
            formatName: "test", names: ["Author", "Inverted", "More"],
            fields: [.author: 0, .authorLastFirst: 1, .additionalAuthors: 2])
        var rows = LibraryRows(columns: columns)
        for cell in [author, inverted, additional] { rows.cells.append(rows.arena.append(cell)) }
        var row = LibraryRow(position: .start, raw: .none, cells: 0..<3)
        rows.readPeople(of: &row)
        return (rows, row)
    }
}
