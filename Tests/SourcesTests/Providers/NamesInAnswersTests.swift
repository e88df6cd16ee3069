import Books
import Syntax
import TestSupport
import Testing

@testable import Sources

/// Services' answers name people as cells of files do.
@Suite struct NamesInAnswersTests {
    private static func json(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func people(in packed: [UInt8]) -> [PeopleCell.Named] {
        var people: [PeopleCell.Named] = []
        packed.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, author, range in
                let text = String(decoding: bytes[range], as: UTF8.self)
                if field == .authorName { people.append(.init(name: text)) }
                if field == .authorRole { people[Int(author)].role = ContributorRole(word: text) }
            }
        }
        return people
    }

    private static func withoutAuthors(_ people: [PeopleCell.Named]) -> [PeopleCell.Named] {
        people.map { PeopleCell.Named(name: $0.name, role: $0.role == .author ? nil : $0.role) }
    }

    @Test(arguments: NameCase.all)
    func `an answer names the people of the table of names`(_ known: NameCase) throws {
        let name = Self.json(known.text)
        let google = try GoogleVolume(
            Array(#"{"id":"a","volumeInfo":{"title":"Reef","authors":[\#(name)]}}"#.utf8))
        #expect(Self.people(in: google.packed.bytes) == Self.withoutAuthors(known.people))
        let isbndb = try ISBNdbBook(
            Array(#"{"title":"Reef","isbn13":"9780306406157","authors":[\#(name)]}"#.utf8))
        #expect(Self.people(in: isbndb.packed.bytes) == Self.withoutAuthors(known.people))
        // A record of Open Library is one person's; a key belongs to it.
        let expected = known.people.count == 1 ? known.people[0].name : known.text
        let doc =
            #"{"docs":[{"key":"/works/OL1W","title":"Reef","author_name":[\#(name)],"author_key":["OL2A"]}]}"#
        #expect(OpenLibraryDoc.works(in: Array(doc.utf8))?.map(\.authors) == [[[expected]]])
        var reader = OpenLibraryRecords(fetchedAt: 1_750_000_000_000)
        let found = reader.author(Array(#"{"key":"/authors/OL2A","name":\#(name)}"#.utf8))
        let author = try #require(found)
        #expect(Self.people(in: Array(author.body)).map(\.name) == [expected])
    }

    @Test func `a degree in an answer is no given name`() throws {
        let json =
            #"{"title":"Reef","isbn13":"9780306406157","authors":["Ana Lee, Ph.D.","Bo Ek (translator)"]}"#
        let people = Self.people(in: try ISBNdbBook(Array(json.utf8)).packed.bytes)
        #expect(people == [.init(name: "Ana Lee Ph.D."), .init(name: "Bo Ek", role: .translator)])
    }
}
