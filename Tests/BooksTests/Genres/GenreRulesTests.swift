import Pipeline
import Testing

@testable import Books

@Suite struct GenreRulesTests {
    private static func rules(_ text: String) throws(DefinitionError) -> GenreRules {
        try GenreRules(Array(text.utf8), named: "genres.yaml")
    }

    private static func genres(_ subjects: [String], _ rules: GenreRules) -> [String] {
        var line = GenreLine(rules: rules)
        return line.genres(of: subjects.map { Array($0.utf8) })
    }

    @Test func `rules add genres and spellings, and override the built-in table`() throws {
        let rules = try Self.rules(
            """
            genres:
              Solarpunk: [solarpunk, Hopepunk]
              science fiction: space cowboys
              Fantasy: [magic]
              Cozy: [Cozy mystery]
            topics: [horror, "Fiction / Sagas"]
            """)
        #expect(Self.genres(["Hopepunk", "solar-punk"], rules) == ["Solarpunk"])
        // The name of a known genre keeps etl's spelling.
        #expect(Self.genres(["Space cowboys", "SF"], rules) == ["Science Fiction"])
        #expect(Self.genres(["Magic"], rules) == ["Fantasy"])
        #expect(Self.genres(["Cozy mysteries"], rules) == ["Cozy"])
        #expect(Self.genres(["Horror", "Horror fiction"], rules) == ["Horror"])
        #expect(Self.genres(["Horror"], rules) == [])
        #expect(Self.genres(["Thrillers"], rules) == ["Thriller"])
    }

    @Test(arguments: ["", "genres:\n", "genres: {}\ntopics: []\n", "# nothing\n"])
    func `a file without rules changes nothing`(text: String) throws {
        let rules = try Self.rules(text)
        #expect(rules.isEmpty)
        #expect(Self.genres(["Horror"], rules) == ["Horror"])
    }

    @Test(arguments: [
        ("genre: {}", "genres.yaml:1:1"), ("genres: [a]", "genres.yaml:1:9"),
        ("genres: {A: {b: c}}", "genres.yaml:1:13"), ("topics: [[a]]", "genres.yaml:1:10"),
        ("genres: {A: [x]}\ntopics: [X]", "`X` is listed under `A` and `topics`"),
        ("genres: {A: [x], B: [x]}", "listed under `A` and `B`"),
        ("genres: {'---': [x]}", "genres.yaml:1:10"),
        ("topics: ['']", "genres.yaml:1:10"), ("genres: {A: [x]", "is not closed"),
    ])
    func `each mistake is reported with its place`(text: String, words: String) {
        #expect {
            _ = try Self.rules(text)
        } throws: { error in
            "\(error)".contains(words)
        }
    }
}
