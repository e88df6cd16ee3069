import Books
import System
import Testing

/// Lines between the records of a table that are not records.
@Suite struct CommentLinesTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func read(_ line: String, header: String = "Title,Author,ISBN,Rating,Shelf") throws -> (
        titles: [String], rejects: [String]
    ) {
        let facts = try RowFacts.of(
            try files.write("\(header)\nReef,Ana Lee\n\(line)\nTide,Bo Ek\n"), [.title])
        return (facts.rows.map { $0[0] }, facts.rejects)
    }

    @Test(arguments: [
        "# a comment", "# a comment, with comma", "#comment,,,,", "#comment, and more of it",
        "// slash comment",
        "// slash, with comma", ";;;;", "--------", "-,-,-,-,-", "====", "* * *", "\"# quoted comment\",,,,",
        "##",
    ])
    func `comments and rows of signs are set aside`(_ line: String) throws {
        let found = try read(line)
        #expect(found.titles == ["Reef", "Tide"])
        #expect(found.rejects == ["comment_line"])
    }

    @Test(arguments: [
        ("#GirlBoss,Sophia Amoruso,,,", "#GirlBoss"), ("#GirlBoss,Sophia Amoruso", "#GirlBoss"),
        ("#GirlBoss, Sophia Amoruso", "#GirlBoss"), ("#GirlBoss,,9780306406157,,", "#GirlBoss"),
        ("#GirlBoss,,,5,", "#GirlBoss"), ("???,Ana Lee,,,", "???"), ("...,Ana Lee,,,", "..."), ("?", "?"),
        ("# 9, 9780306406157", "# 9"), ("1984,,,,", "1984"), ("日本,,,,", "日本"),
    ])
    func `a title may begin with a sign`(_ line: String, _ title: String) throws {
        let found = try read(line)
        #expect(found.titles == ["Reef", title, "Tide"])
        #expect(found.rejects == [])
    }

    @Test func `a row with a source id is a book`() throws {
        let text = "Book Id,Title,Author,ISBN\n7,#GirlBoss,,\n8,Reef,,\n"
        let facts = try RowFacts.of(try files.write(text), [.title])
        #expect(facts.rows == [["#GirlBoss"], ["Reef"]])
        #expect(facts.rejects == [])
    }
}
