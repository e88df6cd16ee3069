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
        let dump = try folder.write((works + [author]).joined(separator: "\n") + "\n", to: "dump.txt")
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
        #expect(undone.errors.contains("1 decision taken back"), "\(undone.errors)")
        #expect(try etl("review").errors.contains("1 record of job `spring` waits"))
    }

    @Test(arguments: [["--json"], ["--decided"]])
    func `a list is either applied or written`(option: [String]) throws {
        let ending = try BuiltTool.ending(["review", "--db", store, "--apply", "review.csv"] + option)
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--apply"))
    }
}
