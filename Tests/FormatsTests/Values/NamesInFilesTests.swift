import Books
import TestSupport
import Testing

@testable import Formats

/// The rules for names are the same in every format.
@Suite struct NamesInFilesTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func shown(_ people: [PeopleCell.Named], first: ContributorRole = .author) -> String {
        let texts = people.enumerated().map { number, person in
            "\(person.name) (\(person.role ?? (number == 0 ? first : .contributor)))"
        }
        return "Reef: \(texts.joined(separator: ", "))"
    }

    private func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

    @Test(arguments: NameCase.all)
    func `a cell of a table names the people of the table of names`(_ known: NameCase) throws {
        let goodreads = GoodreadsFixture.header31.split(separator: ",").map(String.init)
        var cells = goodreads.map { _ in "" }
        cells[1] = "Reef"
        cells[2] = quoted(known.text)
        let row = cells.joined(separator: ",")
        #expect(
            try RowFacts.people(try files.write(GoodreadsFixture.header31 + "\n" + row + "\n")) == [
                shown(known.people)
            ])
        let table = try files.write("Title,Author,Year\nReef,\(quoted(known.text)),2001\n")
        // A table may begin with someone else than the author.
        var people = known.people
        if !people.contains(where: { $0.role == nil || $0.role == .author }), people.count == 1 {
            #expect(try RowFacts.people(table) == [shown(people)])
        } else {
            if let first = people.indices.first(where: { people[$0].role == nil }) {
                people[first].role = .author
            }
            #expect(try RowFacts.people(table) == [shown(people)])
        }
    }

    @Test(arguments: [
        ("King, Martin Luther, Jr.", "Martin Luther King Jr."), ("Costa, Jr., P. T.", "P. T. Costa Jr."),
        ("Salinger, J.D.", "J.D. Salinger"), ("Nelson, Bob, Ph.D.", "Bob Nelson Ph.D."),
        ("Strabo,", "Strabo"),
    ])
    func `references have the family name first`(_ name: String, _ expected: String) throws {
        let ris = try files.write("TY  - BOOK\nTI  - Reef\nAU  - \(name)\nER  - \n", as: "a.ris")
        #expect(try RowFacts.people(ris) == ["Reef: \(expected) (author)"])
        let bibtex = try files.write("@book{a, title = {Reef}, author = {\(name)}}\n", as: "a.bib")
        #expect(try RowFacts.people(bibtex) == ["Reef: \(expected) (author)"])
    }

    @Test func `references name nobody by a placeholder, and A3 is an editor`() throws {
        let ris = try files.write(
            "TY  - BOOK\nTI  - Reef\nAU  - Lee, Ana\nAU  - Ek, Bo; Roe, Cy\nA3  - Ro, Kim\nAU  - Anon.\nER  - \n",
            as: "a.ris")
        #expect(
            try RowFacts.people(ris) == [
                "Reef: Ana Lee (author), Bo Ek (author), Cy Roe (author), Kim Ro (editor)"
            ])
        let bibtex = try files.write(
            "@book{a, title = {Reef}, author = {{Ana Lee and Bo Ek} and Lee, Ana}}\n", as: "a.bib")
        #expect(try RowFacts.people(bibtex) == ["Reef: Ana Lee and Bo Ek (author), Ana Lee (author)"])
    }

    @Test func `a cell that stands for nobody by name is told`() throws {
        let path = try files.write("Title,Author\nReef,AA. VV.\nTide,-\nFoam,Ana Lee\n")
        let settings = ReadSettings(files: [path])
        var reader = try LibraryFileReader(
            LibraryFile(path, index: 0, settings: settings), settings: settings)
        var codes: [[String]] = []
        while let chunk = try reader.next() { codes += chunk.rows.rows.map { $0.warnings.map(\.code) } }
        #expect(codes == [["nobody_named"], [], []])
    }
}
