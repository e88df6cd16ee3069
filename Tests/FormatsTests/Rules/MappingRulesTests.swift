import Bytes
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Formats

/// Files of rules, and their effects on rows.
@Suite struct MappingRulesTests {
    private static func rules(_ text: String) throws(DefinitionError) -> MappingRules {
        try MappingRules(Array(text.utf8), named: "rules.yaml")
    }

    private static let example = """
        shelves:
          tbr-2024: {status: to-read}
          "sci-fi, scifi": {tag: science fiction}
          Abandoned 2020: {status: did-not-finish, tag: [abandoned, Abandoned 2020]}
          junk: drop
        ratings:
          scale: 10
          words: {loved it: 5, meh: 1.9, unrated: none}
        authors:
          "Tolkien, J R R": J. R. R. Tolkien
          Mark Twain: Samuel Clemens
        """

    /// A row after its rules.
    private struct Ruled {
        var shelf = ""
        var shelves = ""
        var rating = ""
        var people: [String] = []
        var written: [String] = []
        var warnings: [String] = []
        var isRatingUnreadable = false
        var uses: [RuleUse] = []
    }

    /// Reads a row of a table and applies rules.
    private static func apply(
        _ text: String, shelf: String = "", shelves: String = "", rating: String = "",
        authors: String = "A B",
        format: any LibraryFormat = Generic()
    ) throws -> Ruled {
        let fields: [LibraryField: Int] = [
            .title: 0, .author: 1, .exclusiveShelf: 2, .shelves: 3, .rating: 4,
        ]
        var rows = LibraryRows(
            columns: ColumnMap(
                formatName: format.name, names: ["Title", "Author", "Shelf", "Tags", "Rating"], fields: fields
            ))
        for cell in ["Dune", authors, shelf, shelves, rating] { rows.cells.append(rows.arena.append(cell)) }
        var row = LibraryRow(position: .start, raw: .none, cells: 0..<5)
        format.interpret(&row, in: &rows)
        var ruled = Ruled()
        rows.apply(try rules(text), to: &row) { ruled.uses.append($0) }
        ruled.shelf = rows.string(.exclusiveShelf, of: row)
        ruled.shelves = rows.string(.shelves, of: row)
        ruled.rating = rows.string(.rating, of: row)
        ruled.people = row.people.map { rows.arena[rows.people[$0].name] }
        ruled.written = row.people.map { rows.arena[rows.people[$0].nameInFile] }
        ruled.warnings = row.warnings.map(\.code)
        ruled.isRatingUnreadable = row.unreadable.contains(.rating)
        // The cells stay as the file has them.
        #expect(rows.cells[row.cells].map { rows.arena[$0] } == ["Dune", authors, shelf, shelves, rating])
        return ruled
    }

    @Test(arguments: [
        ("read", "tbr-2024, kindle", "to-read", "kindle"),
        ("to-read", "to-read, TBR_2024", "to-read", "to-read"),
        ("read", "scifi, Sci-Fi,  x", "read", "science fiction, x"),
        ("", "junk", "", ""),
        ("junk", "junk, a", "", "a"),
        ("to-read", "to-read, abandoned-2020", "did-not-finish", "abandoned, Abandoned 2020"),
        ("read", "tbr 2024;a ; b", "to-read", "a; b"),
        ("sci-fi", "", "", "science fiction"),
        ("tbr-2024", "", "to-read", ""),
        ("read", "a,b", "read", "a,b"), ("", "", "", ""), ("", " , ,", "", " , ,"),
    ])
    func `a shelf becomes a status, tags or nothing`(
        shelf: String, shelves: String, status: String, tags: String
    ) throws {
        let ruled = try Self.apply(Self.example, shelf: shelf, shelves: shelves)
        #expect(ruled.shelf == status && ruled.shelves == tags, "\(ruled.shelf) | \(ruled.shelves)")
        // Rules leave their own results as they are.
        let again = try Self.apply(Self.example, shelf: ruled.shelf, shelves: ruled.shelves)
        #expect(again.shelf == ruled.shelf && again.shelves == ruled.shelves)
    }

    @Test(arguments: [
        ("8", "4.0"), ("10", "5.0"), ("7,5", "3.75"), ("0", ""), ("0.1", "0.25"), ("Loved-It", "5.0"),
        ("meh", "2.0"), ("Unrated", ""), ("", ""),
    ])
    func `ratings have another scale or are words`(cell: String, stars: String) throws {
        let ruled = try Self.apply(Self.example, rating: cell)
        #expect(ruled.rating == stars)
        #expect(!ruled.isRatingUnreadable && ruled.warnings == [])
    }

    @Test func `a rating above its scale is still refused`() throws {
        let ruled = try Self.apply(Self.example, rating: "11")
        #expect(ruled.isRatingUnreadable && ruled.warnings == ["rating_damaged"] && ruled.uses == [])
    }

    @Test func `the scale is not applied to files of a program, unless they are named`() throws {
        #expect(try Self.apply(Self.example, rating: "4", format: Goodreads()).rating == "4")
        let named = "ratings: {scale: 10, formats: [goodreads]}"
        #expect(try Self.apply(named, rating: "4", format: Goodreads()).rating == "2.0")
        #expect(try Self.apply(named, rating: "4").rating == "4")
    }

    @Test(arguments: [
        ("J.R.R. Tolkien", ["J. R. R. Tolkien"]), ("Tolkien, J. R. R.", ["J. R. R. Tolkien"]),
        ("J. R. R. Tolkien; JRR Tolkien", ["J. R. R. Tolkien"]),
        ("Mark Twain; Samuel Clemens; X Y", ["Samuel Clemens", "X Y"]), ("X Y", ["X Y"]),
    ])
    func `an author gets the name of the rule`(cell: String, names: [String]) throws {
        #expect(try Self.apply(Self.example, authors: cell).people == names)
    }

    @Test func `keys of entries are made of the name in the file`() throws {
        #expect(try Self.apply(Self.example, authors: "Mark Twain").written == ["Mark Twain"])
        #expect(try Self.apply("authors: {A: B}", authors: "Mark Twain").written == ["Mark Twain"])
    }

    @Test func `each change names its rule`() throws {
        let ruled = try Self.apply(
            Self.example, shelf: "read", shelves: "scifi", rating: "8", authors: "Mark Twain")
        #expect(
            ruled.uses.map { "\($0.field) \($0.before) \($0.after) \($0.origin)" } == [
                "shelves scifi science fiction rules.yaml:3:3", "rating 8 4.0 rules.yaml:7:10",
                "author Mark Twain Samuel Clemens rules.yaml:11:3",
            ])
    }

    @Test(arguments: ["", "# nothing", "shelves:", "shelves: {}\nratings: {}\nauthors:\n", "~"])
    func `a file without rules changes nothing`(text: String) throws {
        #expect(try Self.rules(text).count == 0)
        let ruled = try Self.apply(text, shelf: "x", shelves: "a,, b", rating: "3", authors: "C D")
        #expect(ruled.shelf == "x" && ruled.shelves == "a,, b" && ruled.rating == "3" && ruled.uses == [])
    }

    @Test func `all mistakes are reported at once, each with its place`() {
        let text = """
            shelfs: {}
            shelves:
              a: {status: reed}
              b: keep
              c: {}
              d: {tag: [x, ""]}
              e: {tags: x}
              "f,,g": drop
              h: {tag: "x, y"}
              A: {tag: z}
              i: {tag: j}
              j: {tag: k}
            ratings: {scale: 0, formats: x, words: {great: 6, ok: [1]}}
            authors:
              "!!!": X
              Y: ""
              P: Q
              Q: R
            """
        #expect {
            _ = try Self.rules(text)
        } throws: { error in
            let problems = (error as? DefinitionError)?.problems.map(\.description) ?? []
            let places = [
                ":1:1:", ":3:15:", ":4:6:", ":5:6:", ":6:16:", ":7:7:", ":8:3:", ":9:12:", ":11:3:",
                ":13:18:",
                ":13:30:", ":13:48:", ":13:55:", ":15:3:", ":16:6:", ":17:3:",
            ]
            for place in places {
                #expect(
                    problems.contains { $0.contains(place) }, "\(place)\n\(problems.joined(separator: "\n"))")
            }
            return problems.count >= places.count
        }
    }

    @Test(arguments: [
        ("shelves: [a]", "rules.yaml:1:10"), ("authors: x", "rules.yaml:1:10"), ("- a", "rules.yaml:1:1"),
        ("shelves: {a: drop, A: {tag: b}}", "has two rules"), ("shelves: {a: drop, a: drop}", "`a`"),
        ("authors: {A B: X, 'B, A': Y}", "has two rules"), ("shelves: {a: {tag: b}", "not closed"),
        ("shelves: {to-read: drop, a: {status: to-read}}", "has its own rule"),
        ("ratings: {scale: 10, formats: [goodread]}", "Did you mean `goodreads`?"),
        ("shelves: &x {}", "rules.yaml:1:10"), ("\u{0}", "rules.yaml"),
    ])
    func `each mistake says what is wrong`(text: String, words: String) {
        #expect {
            _ = try Self.rules(text)
        } throws: { error in
            "\(error)".contains(words)
        }
    }

    @Test func `a rule of a status may have the same status as another`() throws {
        let rules = try Self.rules(
            "shelves: {dnf-2020: {status: did-not-finish, tag: dnf-2020}, Did Not Finish: {status: did-not-finish}}"
        )
        #expect(rules.count == 2)
    }

    @Test func `any bytes are rules or mistakes`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "shelves", "ratings", "authors", ":", " ", "\n", "{", "}", "[", "]", ",", "status", "to-read",
            "tag",
            "drop", "scale", "10", "words", "none", "\"", "'", "#", "- ", "é", "\u{0}", "x",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<24, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let rules = try? Self.rules(text) else { continue }
            #expect((try? MappingRules(rules.file)) == rules)
        }
    }
}
