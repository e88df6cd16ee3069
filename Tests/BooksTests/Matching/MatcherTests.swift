import Testing

@testable import Books

@Suite struct MatcherTests {
    private func work(
        _ record: String, _ title: String, _ author: String = "Ada Example", year: Int32? = nil,
        editions: Int64 = 1
    ) -> MatchCandidate {
        var book = MatchCandidate(record: record, title: title)
        book.authors = [[author]]
        book.year = year
        book.weight = editions
        return book
    }

    private func verdict(_ wanted: MatchQuery, _ books: [MatchCandidate]) -> Matcher.Verdict {
        Matcher(wanted).decide(among: books).verdict
    }

    @Test func `no books give no match, and neither do books of another author`() {
        let wanted = MatchQuery(title: "The Lighthouse", author: "Ada Example")
        #expect(verdict(wanted, []) == .nothing)
        #expect(verdict(wanted, [work("1", "The Lighthouse", "Ada Sample")]) == .nothing)
        #expect(verdict(wanted, [work("1", "The Lightship")]) == .nothing)
    }

    @Test func `two books with one title are distinguished by year or not at all`() {
        let books = [work("1", "Selected Poems", year: 1950), work("2", "Selected Poems", year: 1990)]
        #expect(
            verdict(MatchQuery(title: "Selected Poems", author: "Ada Example"), books) == .abstain(.tooClose))
        let dated = MatchQuery(title: "Selected Poems", author: "Ada Example", firstYear: 1990)
        #expect(verdict(dated, books) == .match(1))
    }

    @Test func `of several records of a book the more popular one wins`() {
        let wanted = MatchQuery(title: "Lighthouse", author: "Ada Example")
        let books = [work("1", "The Lighthouse", editions: 3), work("2", "The Lighthouse", editions: 40)]
        #expect(verdict(wanted, books) == .match(1))
        #expect(verdict(wanted, [books[0], work("2", "The Lighthouse", editions: 5)]) == .match(1))
        // Of records with equally many editions, the one with the lower id.
        #expect(verdict(wanted, [work("12", "The Lighthouse"), work("9", "The Lighthouse")]) == .match(1))
    }

    @Test func `a title by two people with similar short names is ambiguous`() {
        let wanted = MatchQuery(title: "Poems", author: "J. Smith")
        let books = [work("1", "Poems", "John Smith", editions: 40), work("2", "Poems", "Jane Smith")]
        #expect(verdict(wanted, books) == .abstain(.tooClose))
        #expect(verdict(wanted, [books[0], work("2", "Poems", "John A. Smith")]) == .match(0))
    }

    @Test(arguments: [Int32.min, .max]) func `extreme years do not overflow`(year: Int32) {
        for other in [Int32.min, 0, .max] {
            let book = work("1", "Lighthouse", year: other)
            let first = MatchQuery(title: "Lighthouse", author: "Ada Example", firstYear: year)
            let published = MatchQuery(title: "Lighthouse", author: "Ada Example", year: year)
            for wanted in [first, published] { #expect(Matcher(wanted).score(book).value > 0.5) }
        }
    }

    @Test func `a record offered twice is one option`() {
        let books = [work("1", "Poems"), work("1", "Poems"), work("2", "Poems"), work("3", "Poems")]
        let ranking = Matcher(MatchQuery(title: "Poems", author: "Ada Example")).decide(among: books).ranking
        #expect(Matcher.options(ranking, of: books, from: .openLibrary).map(\.record) == ["1", "2", "3"])
    }

    @Test func `evidence says whether it is for or against a book`() throws {
        let book = work("1", "Lighthouse", year: 1950)
        let wanted = MatchQuery(title: "Lighthouse", author: "Ada Example", firstYear: 1990)
        let ranking = Matcher(wanted).decide(among: [book]).ranking
        let option = try #require(Matcher.options(ranking, of: [book], from: .openLibrary).first)
        #expect(option.evidence == ["for:title_same", "for:author_same", "against:year_differs"])
    }

    @Test func `an ISBN outweighs the title`() {
        let isbn = ISBN("9780306406157")
        var book = work("1", "Something Else", "Somebody Else")
        book.isbns = [isbn].compactMap(\.self)
        #expect(verdict(MatchQuery(title: "T", author: "A", isbn: isbn), [book]) == .match(0))
    }

    @Test func `of editions with one title the user's language and year come first`() {
        var books = [work("de", "Momo", year: 1973), work("en", "Momo", year: 1985), work("fr", "Momo")]
        for index in books.indices {
            books[index].isEdition = true
            books[index].language = books[index].record
        }
        let english = MatchQuery(title: "Momo", author: "Ada Example", year: 1985, language: "en")
        #expect(verdict(english, books) == .match(1))
        #expect(verdict(english, books.reversed()) == .match(1))
    }

    @Test(arguments: [
        ("The Lighthouse", "A Study Guide"), ("The Lighthouse: The Graphic Novel", ""),
        ("The Lighthouse, Volume 2", ""), ("The Lighthouse (2 of 2)", ""),
        ("The Lighthouse (Gesamtausgabe)", ""), ("The Lighthouse Boxed Set", ""),
        ("Summary of The Lighthouse", ""),
    ])
    func `a book about a book, or a part of it, does not match`(title: String, subtitle: String) {
        var book = work("1", title)
        book.subtitle = subtitle
        let wanted = MatchQuery(title: "The Lighthouse", author: "Ada Example")
        if case .match = verdict(wanted, [book]) { Issue.record("\(title) was matched") }
    }

    @Test func `any text has a score from 0 to 1, and the verdict follows from the score`() {
        let texts = [
            "", " ", ":", "()", "(((", "]", "#1", "Vol.", "Volume 99999999999999999999", "й", "😀", "a\u{0}b",
            "- – /",
        ]
        for title in texts {
            for author in texts {
                let wanted = MatchQuery(title: title, author: author)
                for other in texts {
                    let book = work("1", other, author)
                    let score = Matcher(wanted).score(book)
                    #expect((0...1).contains(score.value), "\(title) by \(author), \(other)")
                    #expect(!score.evidence.isEmpty)
                    let expected: Matcher.Verdict =
                        score.value >= Matcher.threshold
                        ? .match(0) : score.value >= Matcher.plausible ? .abstain(.notSure) : .nothing
                    let decision = Matcher(wanted).decide(among: [book])
                    #expect(decision.verdict == expected, "\(title) by \(author), \(other)")
                    #expect(decision.ranking.isEmpty == (expected == .nothing))
                }
            }
        }
    }
}
