import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Services
@testable import Sources
@testable import System

/// Whether a service is asked after others have answered.
@Suite struct LookupStrategyTests {
    /// A service that answers each question with values, or not at all.
    private struct Service: BookProvider {
        var provider: Provider
        var values: [(Field, String)] = []
        var outcome = LookupOutcome.found
        var asked = Guarded(0)
        var asksNetwork: Bool { true }

        func answer(_ queries: BookQueries) async -> BookAnswers {
            asked.withLock { $0 += queries.queries.count }
            var answers = BookAnswers(arena: queries.arena)
            for _ in queries.queries {
                let first = answers.values.count
                for (field, text) in values {
                    answers.values.append(CandidateValue(field, answers.arena.append(text)))
                }
                answers.answers.append(
                    BookAnswer(
                        outcome, record: answers.arena.append("R"), values: first..<answers.values.count))
            }
            return answers
        }
    }

    private static let whole: [(Field, String)] = [
        (.title, "Dune"), (.authorName, "Frank Herbert"), (.description, "Sand."), (.editionCover, "c"),
        (.subject, "s"),
        (.publisher, "p"), (.publicationDate, "1965"), (.pageCount, "412"), (.format, "Paperback"),
        (.language, "en"),
    ]

    /// Number of queries to the second service about a book that the first one knows so far.
    private func asked(_ first: Service, _ strategy: LookupStrategy) async throws -> (Int, MatchedRows) {
        let second = Service(provider: .googleBooks, values: [(.title, "Dune")])
        let stage = LookUpBooks(providers: [first, second], strategies: [.googleBooks: strategy])
        var library = LibraryRows(columns: ColumnMap(formatName: "test", names: [], fields: [:]))
        library.rows.append(
            LibraryRow(position: Position(byte: 0, line: 1, record: 1), raw: .none, cells: 0..<0))
        let isbn = RowISBN(isbn: ISBN("9780306406157"))
        let matched = try await stage.process(
            Batch(
                sequence: 0, end: .start, recordsRead: 1,
                payload: ValidatedRows(library: library, isbns: [isbn]))
        ).payload
        return (second.asked.withLock { $0 }, matched)
    }

    @Test func `a fallback is asked only while something is missing`() async throws {
        #expect(try await asked(Service(provider: .openLibrary, values: Self.whole), .fallback).0 == 0)
        #expect(try await asked(Service(provider: .openLibrary, values: Self.whole), .all).0 == 1)
        for place in Self.whole.indices {
            var values = Self.whole
            let missing = values.remove(at: place)
            let (count, _) = try await asked(Service(provider: .openLibrary, values: values), .fallback)
            #expect(count == 1, "\(missing.0)")
        }
        #expect(try await asked(Service(provider: .openLibrary, outcome: .notFound), .fallback).0 == 1)
    }

    @Test func `a fallback waits for a service that is only slow, and replaces one that does not answer`()
        async throws
    {
        let (waiting, matched) = try await asked(
            Service(provider: .openLibrary, outcome: .queued), .fallback)
        #expect(matched.unanswered.map(\.service) == ["openlibrary"])
        #expect(waiting == 0)
        for outcome in [LookupOutcome.timeout, .malformed, .down] {
            #expect(try await asked(Service(provider: .openLibrary, outcome: outcome), .fallback).0 == 1)
        }
    }

    @Test func `Google Books and ISBNdb are fallbacks unless the user says otherwise`() {
        let strategies = ServiceDefinition.all.filter(\.isOfBooks).map {
            "\($0.name) \($0.strategy.rawValue)"
        }
        #expect(strategies == ["openlibrary all", "google-books fallback", "isbndb fallback"])
    }
}
