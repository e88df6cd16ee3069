import Books
import System
import Testing

@testable import Formats

@Suite
struct LibraryThingTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private static let header = [
        "Book Id", "Title", "Sort Character", "Primary Author", "Primary Author Role", "Secondary Author",
        "Secondary Author Roles", "Publication", "Date", "Review", "Rating", "Private Comment", "Media",
        "Page Count", "Date Read", "Tags", "Collections", "Languages", "ISBN", "ISBNs", "Subjects",
        "Entry Date",
        "Work id",
    ]

    /// A row of the tab-delimited export by column names.
    private static func row(_ cells: [String: String]) -> String {
        header.map { cells[$0] ?? "" }.joined(separator: "\t")
    }

    private func tabbed(_ rows: [String: String]...) throws -> String {
        let lines = [Self.header.joined(separator: "\t")] + rows.map(Self.row)
        return try files.write(lines.joined(separator: "\n") + "\n", as: "lt.tsv")
    }

    @Test func `values in brackets are read without them`() throws {
        let path = try tabbed([
            "Book Id": "1", "Title": "Reef", "Date Read": "[2007-05-08]", "Entry Date": "[2006-08-09]",
            "ISBN": "[0306406152]", "Rating": "4.5", "Languages": "French, English",
            "Collections": "Your library",
            "Publication": "Gull (1979), Poche",
        ])
        let facts = try RowFacts.of(
            path, [.sourceID, .dateRead, .dateAdded, .rating, .language, .exclusiveShelf, .publisher])
        #expect(facts.formatName == "librarything")
        #expect(facts.rows == [["1", "2007-05-08", "2006-08-09", "4.5", "fr", "read", "Gull"]])
    }

    @Test(arguments: [
        ("Your library, Kids shelf", "", "", "Kids shelf"),
        ("To read, Holiday pile", "beach", "to-read", "beach, Holiday pile"),
        ("Your library", "beach", "", "beach"), ("Wishlist, Currently reading", "", "currently-reading", ""),
        ("Lent to friends,Lent to friends", "Lent to friends", "", "Lent to friends"), ("", "", "", ""),
    ])
    func `collections are the reading status, and one's own are shelves`(
        collections: String, tags: String, shelf: String, shelves: String
    ) throws {
        let path = try tabbed(["Title": "Reef", "Collections": collections, "Tags": tags])
        #expect(try RowFacts.of(path, [.exclusiveShelf, .shelves]).rows == [[shelf, shelves]])
    }

    @Test(arguments: [
        ("Your library", "1"), ("Wishlist", "0"), ("Read but unowned", "0"), ("To read, Your library", "1"),
        ("Wishlist, Your library", "1"), ("Kids shelf", "1"), ("Wishlist, To read", "0"), ("", "1"),
    ])
    func `books on a wish list, and books that were read without being owned, are not owned`(
        collections: String, copies: String
    ) throws {
        let path = try files.write(
            (Self.header + ["Copies", "Barcode", "Lending Patron"]).joined(separator: "\t") + "\n"
                + Self.row(["Title": "Reef", "Collections": collections]) + "\t1\tK1\tBo Ek\n", as: "lt.tsv")
        let facts = try RowFacts.of(path, [.ownedCopies, .barcode, .lentTo])
        #expect(facts.rows == [[copies, "K1", "Bo Ek"]])
    }

    @Test func `a comma within a subject heading does not separate`() throws {
        let path = try tabbed(
            ["Title": "Reef", "Subjects": "Cortázar, Julio. Rayuela"],
            ["Title": "Tide", "Subjects": "Women, England|Poetry"])
        #expect(
            try RowFacts.of(path, [.subjects]).rows == [
                ["Cortázar, Julio. Rayuela"], ["Women, England; Poetry"],
            ])
    }

    @Test func `roles are matched to people by position, separated by bars`() throws {
        let path = try tabbed([
            "Title": "Reef", "Primary Author": "Lee, Ana", "Secondary Author": "Ek, Bo|Ro, Kim|Fo, Di",
            "Secondary Author Roles": "Translator||Cover designer",
        ])
        #expect(
            try RowFacts.people(path) == [
                "Reef: Ana Lee (author), Bo Ek (translator), Kim Ro (contributor), Di Fo (illustrator)"
            ])
    }

    @Test func `films and music are set aside, audiobooks are not`() throws {
        let path = try tabbed(
            ["Title": "A film", "Media": "DVD"], ["Title": "A record", "Media": "LP Record"],
            ["Title": "A book", "Media": "Audio CD"], ["Title": "Another", "Primary Author": "NOT A BOOK"])
        let facts = try RowFacts.of(path, [.title])
        #expect(facts.rows == [["A book"]])
        #expect(facts.rejects == ["not_a_book", "not_a_book", "not_a_book"])
    }

    @Test func `the old CSV has quoted header names and several values per cell`() throws {
        let path = try files.write(
            """
            'TITLE',"'AUTHOR (first, last)'","'AUTHOR (last, first)'",'DATE','LCC','DDC','ISBNs',\
            "'PUBLICATION INFO'",'COMMENT','RATINGS','REVIEWS',"'ENTRY DATE'",'COPIES','SUBJECTS','COLLECTIONS','TAGS'
            Reef,"Ana Lee","Lee, Ana",?,,,[],"Publisher Unknown",,0,,"2014-01-21 18:49:25",1,,"Your library","a,b"
            Tide,"Bo Ek","Ek, Bo",2011,,,[0306406152],"Gull (2011), Edition: Reprint, Hardcover, 528 pages",,4,,,1,,,

            """)
        let facts = try RowFacts.of(path, [.yearPublished, .publisher, .pageCount, .rating])
        #expect(facts.formatName == "librarything")
        #expect(facts.rows == [["", "", "", "0"], ["2011", "Gull", "528", "4"]])
        #expect(try RowFacts.people(path).last == "Tide: Bo Ek (author)")
    }

    @Test func `cells that are not UTF-8 are decoded one by one and reported`() async throws {
        var bytes = Array((Self.header.joined(separator: "\t") + "\n").utf8)
        bytes += Array("1\tNj".utf8) + [0xE2] + Array("al\t\t".utf8)  // MARC-8: acute before its letter
        bytes += Array("Löwe, Åsa".utf8)  // UTF-8
        bytes += Array(String(repeating: "\t", count: 17).utf8)
        bytes += Array("G".utf8) + [0xF6] + Array("del > Nikola".utf8) + [0xE6] + Array("i\t\t\n".utf8)
        let path = try files.write(bytes, as: "mixed.tsv")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.titles == ["Njál"])
        let cells = try #require(reading.fact(7).first).split(
            separator: "\u{1E}", omittingEmptySubsequences: false)
        #expect(cells.contains("Löwe, Åsa"))
        #expect(cells.contains("Gödel > Nikolaĭ"))
        #expect(reading.fact(5).first?.hasPrefix("text_decoded:Title:Nj") == true)
    }
}
