import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources
@testable import System

@Suite struct LookUpBooksTests {
    /// A batch of rows with title, author and ISBN.
    private func batch(_ rows: [(title: String, author: String, isbn: String)]) -> Batch<ValidatedRows> {
        var library = LibraryRows(columns: ColumnMap(formatName: "test", names: [], fields: [:]))
        var isbns: [RowISBN] = []
        for (number, row) in rows.enumerated() {
            var made = LibraryRow(
                position: Position(byte: 0, line: number + 1, record: number + 1), raw: .none, cells: 0..<0)
            made.title = library.arena.append(row.title)
            if !row.author.isEmpty {
                library.people.append(Person(name: library.arena.append(row.author), role: .author))
                made.people = library.people.count - 1..<library.people.count
            }
            library.rows.append(made)
            isbns.append(RowISBN(isbn: ISBN(row.isbn)))
        }
        return Batch(
            sequence: 4, end: .start, recordsRead: rows.count,
            payload: ValidatedRows(library: library, isbns: isbns))
    }

    private func records(_ batch: Batch<MatchedRows>) -> [[String]] {
        batch.payload.candidatesOfRow.map { range in
            batch.payload.candidates[range].map { candidate in
                "\(candidate.provider) \(batch.payload.library.arena[candidate.record]) \(candidate.match)"
            }
        }
    }

    private func catalog() async throws -> CatalogFixture {
        try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(1, #""title": "Dune""#, author: 1),
            DumpFixture.edition(1, #""isbn_13": ["9780306406157"], "title": "Dune""#, work: 1),
            DumpFixture.edition(2, #""isbn_13": ["9780140328721"], "title": "Alone""#),
            DumpFixture.work(2, #""title": "Poems", "first_publish_date": "1950""#, author: 1),
            DumpFixture.work(3, #""title": "Poems", "first_publish_date": "1990""#, author: 1),
        ])
    }

    @Test func `every identifier of a row is asked for, and an ASIN in a column for ISBNs too`() async throws
    {
        let fields: [LibraryField] = [
            .goodreadsBook, .asin, .oclcNumber, .lccn, .libraryThingWork, .isbn10,
        ]
        var library = LibraryRows(
            columns: ColumnMap(
                formatName: "test", names: fields.map { "\($0)" },
                fields: Dictionary(uniqueKeysWithValues: zip(fields, 0...))))
        for cells in [["11", "", "12345", "85-2", "77", ""], ["", "", "", "", "", "B00ABCDEF1"]] {
            let start = library.cells.count
            for cell in cells { library.cells.append(library.arena.append(cell)) }
            library.rows.append(
                LibraryRow(
                    position: Position(byte: 0, line: 1, record: library.rows.count + 1), raw: .none,
                    cells: start..<library.cells.count))
        }
        let asked = Guarded<[[String]]>([])
        let stage = LookUpBooks(providers: [Recorder(provider: .openLibrary, asked: asked)])
        _ = try await stage.process(
            Batch(
                sequence: 0, end: .start, recordsRead: 2,
                payload: ValidatedRows(library: library, isbns: [RowISBN(), RowISBN()])))
        #expect(
            asked.withLock { $0 }.first == [
                "goodreads 11, oclc 12345, lccn 85-2, libraryThing 77", "amazon B00ABCDEF1",
            ])
    }

    @Test func `books are found by ISBN, else by title and author`() async throws {
        let fixture = try await catalog()
        let stage = LookUpBooks(providers: [CatalogProvider(fixture.catalog)])
        let matched = try await stage.process(
            batch([
                ("Dune", "Frank Herbert", "9780306406157"),
                ("DUNE!", "Herbert, Frank", ""),
                // Its ISBN is valid but not in the catalog: the title finds the work.
                ("Dune: Deluxe Edition", "Frank Herbert", "9780547928227"),
                ("Dune", "Brian Herbert", ""), ("Dune", "", ""), ("", "Frank Herbert", ""),
                ("Alone", "Nobody", "9780140328721"),
            ]))
        #expect(
            matched.payload.library.rows.allSatisfy { !$0.warnings.contains { $0.code == "isbn_other_book" } }
        )
        #expect(
            records(matched) == [
                ["openLibrary OL1M isbn"], ["openLibrary OL1W titleAuthor"], ["openLibrary OL1W titleAuthor"],
                [], [], [],
                ["openLibrary OL2M isbn"],
            ])
        #expect(matched.payload.candidates.map(\.isSynthetic) == [false, true, false, false])
        let dune = matched.payload.candidates[matched.payload.candidatesOfRow[0]][0]
        let texts = matched.payload.values[dune.values].map {
            "\($0.field)=\(matched.payload.library.arena[$0.value])"
        }
        #expect(texts.contains("editionTitle=Dune"))
        #expect(texts.contains("authorName=Frank Herbert"))
        #expect(matched.sequence == 4)
        #expect(matched.payload.library.arena[matched.payload.library.rows[1].title] == "DUNE!")
    }

    @Test func `a row that contradicts the book with its ISBN gets no book, and both sides are shown`()
        async throws
    {
        let fixture = try await catalog()
        let stage = LookUpBooks(providers: [CatalogProvider(fixture.catalog)])
        let matched = try await stage.process(
            batch([
                ("Cooking for Beginners", "Jane Smith", "9780306406157"), ("Dune", "Nobody", "9780306406157"),
            ])
        ).payload
        #expect(matched.candidatesOfRow[0].isEmpty)
        #expect(matched.isbns[0].isContradicted)
        #expect(matched.library.rows[0].warnings.map(\.code) == ["isbn_other_book"])
        let abstention = try #require(matched.abstentions.first)
        #expect(
            (abstention.row, abstention.title, abstention.author) == (
                0, "Cooking for Beginners", "Jane Smith"
            ))
        #expect(abstention.options.map(\.record) == ["OL1M"])
        #expect(abstention.options.first?.title == "Dune")
        #expect(
            abstention.options.first?.evidence == ["for:isbn_same", "against:title_differs"])
        // A row can name a translator. The book is used, and shown for review.
        #expect(matched.candidatesOfRow[1].count == 1 && !matched.isbns[1].isContradicted)
        #expect(matched.isbns[1].doubt == .people)
        #expect(matched.library.rows[1].warnings.map(\.code) == ["isbn_other_author"])
    }

    private func twoBooksOfOneAuthor() async throws -> CatalogFixture {
        try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#), DumpFixture.author(2, #""name": "Jane Roe""#),
            DumpFixture.work(1, #""title": "Dune""#, author: 1),
            DumpFixture.edition(1, #""isbn_13": ["9780306406157"], "title": "Dune""#, work: 1),
            DumpFixture.work(2, #""title": "The Dosadi Experiment""#, author: 1),
            DumpFixture.edition(2, #""title": "The Dosadi Experiment""#, work: 2),
            DumpFixture.work(3, #""title": "Dune""#, author: 2),
            DumpFixture.edition(3, #""title": "Dune""#, work: 3),
        ])
    }

    @Test(arguments: [
        // The ISBN of another book of the author, and of a book of the same title.
        ("The Dosadi Experiment", "Frank Herbert", ["OL1M", "OL2W"]), ("Dune", "Jane Roe", ["OL1M", "OL3W"]),
    ])
    func `a row whose title is another book of the catalog gets none, and both are shown`(
        title: String, author: String, options: [String]
    ) async throws {
        let stage = LookUpBooks(providers: [CatalogProvider(try await twoBooksOfOneAuthor().catalog)])
        let matched = try await stage.process(batch([(title, author, "9780306406157")])).payload
        #expect(matched.candidatesOfRow[0].isEmpty && matched.isbns[0].isContradicted)
        #expect(matched.library.rows[0].warnings.map(\.code) == ["isbn_other_book"])
        #expect(matched.abstentions.first?.options.map(\.record).sorted() == options)
        #expect(matched.matches.isEmpty)
    }

    @Test func `a title in no catalog keeps the book with the ISBN, and a warning`() async throws {
        let stage = LookUpBooks(providers: [CatalogProvider(try await twoBooksOfOneAuthor().catalog)])
        let rows = batch([
            ("Der Wüstenplanet", "Frank Herbert", "9780306406157"),
            ("Dune", "Frank Herbert", "9780306406157"),
            ("The Dosadi Experiment", "Frank Herbert", ""),
        ])
        let matched = try await stage.process(rows)
        #expect(
            records(matched) == [
                ["openLibrary OL1M isbn"], ["openLibrary OL1M isbn"], ["openLibrary OL2W titleAuthor"],
            ])
        #expect(
            matched.payload.library.rows.map { $0.warnings.map(\.code) } == [["isbn_other_title"], [], []])
        #expect(matched.payload.isbns.map(\.doubt) == [.title, nil, nil])
    }

    @Test func `a choice between the book with the ISBN and the one with the title is kept`() async throws {
        let fixture = try await twoBooksOfOneAuthor()
        let key = MatchKey.key(title: "The Dosadi Experiment", author: "Frank Herbert")
        func records(_ decision: MatchDecisions.Decision) async throws -> [[String]] {
            let stage = LookUpBooks(
                providers: [CatalogProvider(fixture.catalog)], decisions: MatchDecisions([key: decision]))
            return self.records(
                try await stage.process(batch([("The Dosadi Experiment", "Frank Herbert", "9780306406157")])))
        }
        let (byISBN, byTitle) = ("OL1M", "OL2W")
        #expect(
            try await records(.accepted(ChosenRecord(provider: .openLibrary, record: byISBN)))
                == [["openLibrary OL1M reviewed"]])
        #expect(
            try await records(.accepted(ChosenRecord(provider: .openLibrary, record: byTitle)))
                == [["openLibrary OL2W reviewed"]])
        #expect(try await records(.refused) == [[]])
    }

    @Test func `an ISBN that is only likely is used if its book has the row's title and author`() async throws
    {
        let stage = LookUpBooks(providers: [CatalogProvider(try await catalog().catalog)])
        var rows = batch([
            ("Dune", "Frank Herbert", ""), ("Cooking for Beginners", "Jane Smith", ""), ("Alone", "", ""),
        ])
        for row in rows.payload.isbns.indices {
            rows.payload.isbns[row] = RowISBN(proposal: ISBN("9780306406157"))
        }
        let matched = try await stage.process(rows)
        #expect(records(matched) == [["openLibrary OL1M isbn"], [], []])
        let isbns = matched.payload.isbns
        #expect(isbns[0].isbn == ISBN("9780306406157") && isbns[0].repair == .titleConfirmed)
        #expect(isbns[1].isbn == nil && isbns[2].isbn == nil)
        #expect(matched.payload.library.rows.map { $0.warnings.map(\.code) } == [["isbn_repaired"], [], []])
    }

    @Test func `a row that matches several works is left undecided and reported`() async throws {
        let fixture = try await catalog()
        let stage = LookUpBooks(providers: [CatalogProvider(fixture.catalog)])
        let matched = try await stage.process(
            batch([("Poems", "Frank Herbert", ""), ("Dune", "Frank Herbert", "")]))
        #expect(records(matched).first == [])
        #expect(matched.payload.library.rows[0].warnings.map(\.code) == ["ambiguous_match"])
        #expect(matched.payload.library.rows[0].warnings.first?.value == "Poems")
        #expect(matched.payload.library.rows[1].warnings.isEmpty)
    }

    @Test func `an option from two providers or two searches is shown once`() async throws {
        let stage = LookUpBooks(providers: [
            Undecided(records: ["1", "1", "2"]), Undecided(records: ["1", "2", "3", "4"]),
        ])
        let matched = try await stage.process(batch([("Poems", "Frank Herbert", "")]))
        #expect(matched.payload.abstentions.map { $0.options.map(\.record) } == [["1", "2", "3"]])
    }

    @Test func `a mismatched answer is reported for an ISBN, never for a title`() async throws {
        struct MismatchingProvider: BookProvider {
            let provider = Provider.isbndb
            func answer(_ queries: BookQueries) async -> BookAnswers {
                BookAnswers(answers: queries.queries.map { _ in BookAnswer(.mismatch) })
            }
        }
        let matched = try await LookUpBooks(providers: [MismatchingProvider()]).process(
            batch([("Dune", "Frank Herbert", ""), ("Dune", "Frank Herbert", "9780306406157")]))
        #expect(matched.payload.library.rows.map { $0.warnings.map(\.value) } == [[], ["9780306406157"]])
    }

    @Test func `each book is asked for once`() async throws {
        let asked = Guarded<[[String]]>([])
        let stage = LookUpBooks(providers: [Recorder(provider: .isbndb, asked: asked)])
        let matched = try await stage.process(
            batch([
                ("A", "X", "9780306406157"), ("Dune", "Frank Herbert", ""), ("B", "Y", "9780140328721"),
                ("C", "Z", "0306406152"),
                ("dune", "Frank  HERBERT", ""), ("Emma", "Jane Austen", ""),
            ]))
        #expect(
            asked.withLock { $0 } == [
                ["9780140328721", "9780306406157"], ["Dune/Frank Herbert", "Emma/Jane Austen"],
            ])
        #expect(
            records(matched) == [
                ["isbndb 9780306406157 isbn"], ["isbndb Dune/Frank Herbert titleAuthor"],
                ["isbndb 9780140328721 isbn"],
                ["isbndb 9780306406157 isbn"], ["isbndb Dune/Frank Herbert titleAuthor"],
                ["isbndb Emma/Jane Austen titleAuthor"],
            ])
    }

    @Test func `titles that are split in other ways are asked for apart`() async throws {
        let asked = Guarded<[[String]]>([])
        let stage = LookUpBooks(providers: [Recorder(provider: .isbndb, asked: asked)])
        let titles = [
            "Dune / Dune Messiah", "Dune: Dune Messiah", "Dune (Dune Messiah)", "dune: dune  messiah",
        ]
        _ = try await stage.process(batch(titles.map { ($0, "Frank Herbert", "") }))
        #expect(asked.withLock { $0.joined().count } == 3)
    }

    @Test func `providers are asked in order, and only for what is still unknown`() async throws {
        let asked = Guarded<[[String]]>([])
        let stage = LookUpBooks(providers: [
            Recorder(provider: .isbndb, asked: asked, knows: ["9780306406157"]),
            Recorder(provider: .openLibrary, asked: asked, knows: ["9780306406157", "Dune/Frank Herbert"]),
        ])
        let matched = try await stage.process(
            batch([("A", "X", "9780306406157"), ("Dune", "Frank Herbert", "9780140328721")]))
        #expect(
            records(matched) == [
                ["isbndb 9780306406157 isbn", "openLibrary 9780306406157 isbn"],
                ["openLibrary Dune/Frank Herbert titleAuthor"],
            ])
        #expect(asked.withLock { $0.count } == 4)
    }

    /// Records the title and author of each question.
    private struct QuestionRecorder: BookProvider {
        let provider = Provider.openLibrary
        let asked: Guarded<[String]>

        func answer(_ queries: BookQueries) async -> BookAnswers {
            for case .described(let book) in queries.queries {
                let words = "\(queries.arena[book.title])/\(queries.arena[book.author])"
                asked.withLock { $0.append(words) }
            }
            return BookAnswers(answers: queries.queries.map { _ in BookAnswer(.notFound) })
        }
    }

    @Test func `titles that differ in symbols are two questions, titles of only symbols are none`()
        async throws
    {
        let asked = Guarded<[String]>([])
        let rows = ["C", "C++", "c!", "???", "🐉"].map { (title: $0, author: "A", isbn: "") }
        _ = try await LookUpBooks(providers: [QuestionRecorder(asked: asked)]).process(batch(rows))
        #expect(asked.withLock { $0 } == ["C/A", "C++/A"])
    }

    @Test func `the place of a row in its file does not matter`() async throws {
        let asked = Guarded<[String]>([])
        let rows = [(title: "Dune", author: "A", isbn: ""), (title: "Alone", author: "", isbn: "")]
        for first in [1, 5_001, 5_000_001] {
            var batch = batch(rows)
            for row in rows.indices { batch.payload.library.rows[row].position.record = first + row }
            _ = try await LookUpBooks(providers: [QuestionRecorder(asked: asked)]).process(batch)
        }
        #expect(asked.withLock { $0 } == ["Dune/A", "Alone/", "Dune/A", "Alone/", "Dune/A", "Alone/"])
    }

    @Test func `without providers every row passes`() async throws {
        let matched = try await LookUpBooks(providers: []).process(
            batch([("Dune", "Frank Herbert", "9780306406157")]))
        #expect(records(matched) == [[]])
        #expect(matched.payload.count == 1)
        #expect(matched.payload.isbns.first?.isbn?.isbn13 == "9780306406157")
    }

    @Test func `an empty batch asks no provider`() async throws {
        let asked = Guarded<[[String]]>([])
        let matched = try await LookUpBooks(providers: [Recorder(provider: .isbndb, asked: asked)]).process(
            batch([]))
        #expect(matched.payload.count == 0)
        #expect(asked.withLock { $0.isEmpty })
    }

    @Test func `a failing provider fails the batch`() async {
        struct Broken: BookProvider {
            let provider = Provider.openLibrary
            func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers {
                throw ETLError(.inputOutput, "The disk is gone.")
            }
        }
        let stage = LookUpBooks(providers: [Broken()])
        let rows = batch([("Dune", "Frank Herbert", "")])
        await #expect(throws: ETLError.self) { _ = try await stage.process(rows) }
    }
}

/// A provider that finds the books it knows (by default all) and records its questions.
private struct Recorder: BookProvider {
    var provider: Provider
    let asked: Guarded<[[String]]>
    var knows: [String]?

    func answer(_ queries: BookQueries) async -> BookAnswers {
        var answers = BookAnswers()
        let names = queries.queries.map { query in
            switch query {
            case .isbn(let isbn): isbn.isbn13
            case .described(let book): "\(queries.arena[book.title])/\(queries.arena[book.author])"
            case .openLibrary(let work, let edition): "OL\(work)W/\(edition.map { "OL\($0)M" } ?? "")"
            case .identifiers(let identifiers):
                identifiers.all.map { "\($0.kind) \(queries.arena[$0.text])" }.joined(separator: ", ")
            }
        }
        asked.withLock { $0.append(names) }
        for name in names {
            guard knows?.contains(name) != false else {
                answers.answers.append(BookAnswer(.notFound))
                continue
            }
            let record = answers.arena.append(name)
            answers.values.append(CandidateValue(.title, record))
            answers.answers.append(
                BookAnswer(.found, record: record, values: answers.values.count - 1..<answers.values.count))
        }
        return answers
    }
}
