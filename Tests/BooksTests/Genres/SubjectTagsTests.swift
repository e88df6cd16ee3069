import Testing

@testable import Books

@Suite struct SubjectTagsTests {
    private static func tags(_ genres: [String], _ subjects: [String]) -> [String] {
        var tags = SubjectTags()
        return tags.tags(genres: genres, subjects: subjects)
    }

    @Test func `topics follow the genres, in their own spelling, each once`() {
        let subjects = [
            "Fantasy", "Magic", "Friendship", "Orphans", "magic", "Great Britain",
            "fantasy fiction",
        ]
        #expect(
            Self.tags(["Fantasy", "Fiction"], subjects)
                == ["Fantasy", "Fiction", "Magic", "Friendship", "Orphans", "Great Britain"])
    }

    @Test func `a topic in a compound is kept, whatever genre the compound has`() {
        let subjects = [
            "Magic -- Juvenile fiction", "Friendship -- Fiction", "Football -- Fiction",
            "Orphans, fiction", "Great Britain -- Fiction", "Fantasy fiction", "Juvenile fiction",
        ]
        #expect(
            Self.tags(["Fantasy", "Fiction"], subjects)
                == ["Fantasy", "Fiction", "Magic", "Friendship", "Football", "Orphans", "Great Britain"])
        // A heading of the book trade is a genre as a whole.
        #expect(Self.tags(["Fiction"], ["Fiction / Friendship", "FICTION / General"]) == ["Fiction"])
    }

    @Test func `flags of lending and lists are no topics`() {
        #expect(
            Self.tags([], ["Accessible book", "Protected DAISY", "nyt:hardcover-fiction=2012-05-06"]).isEmpty)
    }

    @Test func `there are at most 12 tags, unless there are more genres`() {
        let topics = [
            "Owls", "Foxes", "Bears", "Trains", "Ships", "Kites", "Clocks", "Lakes", "Rivers", "Stones",
        ]
        let genres = ["Fantasy", "Fiction", "Horror", "Poetry"]
        #expect(Self.tags(genres, topics) == genres + topics.prefix(8))
        let many = (1...14).map { "Genre \($0)" }
        #expect(Self.tags(many, topics) == many)
    }
}
