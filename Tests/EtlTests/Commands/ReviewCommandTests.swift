import Foundation
import TestSupport
import Testing

/// `etl review` of the built tool, with a catalog of two books with one title.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ReviewCommandTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("s.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        let works = (1...2).map { number in
            #"""
            /type/work	/works/OL\#(number)W	1	2024-01-02T00:00:00	{"key": "/works/OL\#(number)W", "title": "Poems", "first_publish_date": "19\#(number)0", "authors": [{"author": {"key": "/authors/OL1A"}}]}
            """#
        }
        let author =
            "/type/author\t/authors/OL1A\t1\t2024-01-02T00:00:00\t"
            + #"{"key": "/authors/OL1A", "name": "Ada Example"}"#
        let edition =
            "/type/edition\t/books/OL1M\t1\t2024-01-02T00:00:00\t"
            + #"{"key": "/books/OL1M", "title": "Poems", "isbn_13": ["9780306406157"], "works": [{"key": "/works/OL1W"}]}"#
        let dump = try folder.write(
            (works + [author, edition]).joined(separator: "\n") + "\n", to: "dump.txt")
        #expect(try BuiltTool.run(["catalog", "build", "--out", folder.file("c.sqlite"), dump]) == 0)
    }

    private func etl(_ words: String..., input: String? = nil) throws -> BuiltTool.Ending {
        try BuiltTool.ending(words + ["--db", store], input: input)
    }

    private func importing() throws {
        let ending = try etl(
            "import", "--catalog", folder.file("c.sqlite"), "--job", "spring", "-",
            input: "Title,Author\nPoems,Ada Example\n")
        #expect(ending.status == 0, "\(ending.errors)")
    }

    @Test func `a pending record is decided, applied and withdrawn, even from standard input`() throws {
        try importing()
        let spools = folder.names.filter { $0.hasSuffix(".stdin") }
        #expect(spools.count == 1, "standard input is kept because a decision reads it again")
        let list = try etl("review")
        #expect(list.errors.contains("1 record of job `spring` waits for a decision"))
        #expect(list.output.split(separator: "\n").count == 3)
        #expect(list.errors.contains("`etl review --apply FILE --db \(store) spring`"))

        let accepted = try etl(
            "review", "--apply", "-", input: "row,record,decision\n2,openlibrary/OL2W, accept \n")
        #expect(
            accepted.status == 0
                && accepted.errors.contains("1 match accepted, 0 records left without a match."),
            "\(accepted.errors)")
        let taken = try etl("resume")
        #expect(taken.status == 0)
        #expect(taken.output.contains("Completed 1 of 1 pending record of standard input"))
        #expect(try etl("explain", "row:2").output.contains("OL2W"))
        #expect(try etl("review").errors.contains("has no uncertain matches"))

        let decided = try etl("review", "--decided", "--csv-safe")
        #expect(decided.output.contains(",accept\n"))
        #expect(decided.errors.contains("1 record of job `spring` is decided"))
        let undone = try etl("review", "--apply", "-", input: "row,record,decision\n2,,undo\n")
        #expect(undone.errors.contains("1 decision undone"), "\(undone.errors)")
        #expect(try etl("review").errors.contains("1 record of job `spring` waits"))
    }

    /// Two rows have one ISBN, and one of them names another author. In either order, the book is the other row's.
    @Test(arguments: [false, true])
    func `a row with another author than its ISBN's book stays doubtful beside the right row`(isFirst: Bool)
        throws
    {
        let rows = ["Poems,Jane Roe,9780306406157\n", "Poems,Ada Example,9780306406157\n"]
        let file = try folder.write(
            "Title,Author,ISBN\n" + (isFirst ? rows : rows.reversed()).joined(), to: "library.csv")
        let ending = try etl("import", "--catalog", folder.file("c.sqlite"), "--job", "spring", file)
        #expect(ending.output.contains("etl review --db \(store) spring"), "\(ending.output)")
        #expect(
            try books() == [
                [
                    "authors": "Ada Example", "reviewStatus": "verified", "matchScore": "1",
                    "userAuthors": "",
                ],
                [
                    "authors": "Ada Example", "reviewStatus": "needsReview", "matchScore": "0.9",
                    "userAuthors": "Jane Roe",
                ],
            ])
        let lines = try etl("review").output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.last?.hasSuffix(
                ",Poems,Jane Roe,0.9,openlibrary/OL1M,Poems,Ada Example,1910,for:isbn_same against:author_differs,"
            )
                == true)

        let row = isFirst ? 2 : 3
        _ = try etl("review", "--apply", "-", input: "row,record,decision\n\(row),,none\n")
        #expect(try etl("resume").status == 0)
        #expect(try books().map { $0["authors"] } == ["Ada Example", "Jane Roe"])
        _ = try etl("review", "--apply", "-", input: "row,record,decision\n\(row),openlibrary/OL1M,accept\n")
        #expect(try etl("resume").status == 0)
        #expect(try books().map { $0["authors"] } == ["Ada Example", "Ada Example"])
        #expect(try books().allSatisfy { $0["reviewStatus"] != "needsReview" })
    }

    /// Some columns of the exported books, by author in the user's own row.
    private func books() throws -> [[String: String]] {
        let columns = ["authors", "reviewStatus", "matchScore", "userAuthors"]
        let lines = try etl("export", "--format", "csv").output.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = try #require(lines.first)
        return lines.dropFirst().map { cells in
            let pairs = columns.compactMap { name in names.firstIndex(of: name).map { (name, cells[$0]) } }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
    }

    @Test(arguments: [["--json"], ["--decided"]])
    func `a list is either applied or written`(option: [String]) throws {
        let ending = try BuiltTool.ending(["review", "--db", store, "--apply", "review.csv"] + option)
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--apply"))
    }
}
