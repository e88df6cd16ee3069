package import Books
import Bytes
package import Sources
import System

/// The rules for every provider (``BookProvider``), checked by asking it.
package struct BookProviderContract: Sendable {
    private let provider: any BookProvider
    /// ISBNs it knows.
    private let known: [ISBN]
    /// ISBNs it does not know.
    private let unknown: [ISBN]
    /// A title and an author it knows, in another spelling.
    private let title: (title: String, author: String)

    /// Takes a provider and what the test knows about it.
    package init(
        _ provider: any BookProvider, known: [ISBN], unknown: [ISBN], title: (title: String, author: String)
    ) {
        self.provider = provider
        self.known = known
        self.unknown = unknown
        self.title = title
    }

    /// The violations, one sentence each; empty for a provider that conforms.
    package func violations() async -> [String] {
        var broken: [String] = []
        do {
            if try await !provider.answer(BookQueries()).answers.isEmpty {
                broken.append("A look-up without questions has answers.")
            }
            let queries = try await ask(&broken)
            for (query, answer) in zip(queries.queries.queries, queries.answers.answers) {
                check(query, answer, queries.answers, &broken)
            }
        } catch {
            broken.append("A look-up threw: \(error)")
        }
        return broken
    }

    /// Asks everything together, each question twice and mixed with questions of the other kind, and then
    /// each alone.
    private func ask(
        _ broken: inout [String]
    ) async throws -> (queries: BookQueries, answers: BookAnswers) {
        var queries = BookQueries()
        let title = BookQueries.Query.described(
            BookDescription(
                title: queries.arena.append(title.title), author: queries.arena.append(title.author)))
        let unknownBook = BookQueries.Query.described(
            BookDescription(
                title: queries.arena.append(self.title.title),
                author: queries.arena.append("Nobody at All")))
        for (known, unknown) in zip(known, unknown) {
            queries.queries += [.isbn(known), title, .isbn(unknown), unknownBook]
        }
        queries.queries += queries.queries.reversed()
        let together = try await provider.answer(queries)
        guard together.answers.count == queries.queries.count else {
            broken.append("\(queries.queries.count) questions have \(together.answers.count) answers.")
            return (BookQueries(), BookAnswers())
        }
        for (query, answer) in zip(queries.queries, together.answers) {
            let alone = try await provider.answer(
                BookQueries(arena: queries.arena, queries: [query]))
            if alone.answers.first.map({ Self.spelled($0, alone) }) != Self.spelled(answer, together) {
                broken.append("\(query) has another answer when asked alone.")
            }
            let expected: LookupOutcome =
                switch query {
                case .isbn(let isbn): known.contains(isbn) ? .found : .notFound
                case .described: query == title ? .found : .notFound
                case .openLibrary, .identifiers: .notFound
                }
            if answer.outcome != expected {
                broken.append("\(query) is \(answer.outcome), not \(expected).")
            }
        }
        return (queries, together)
    }

    private func check(
        _ query: BookQueries.Query, _ answer: BookAnswer, _ answers: BookAnswers,
        _ broken: inout [String]
    ) {
        guard answer.outcome == .found else {
            if !answer.record.isEmpty || !answer.values.isEmpty {
                broken.append("\(query) is \(answer.outcome) but has a record or values.")
            }
            return
        }
        guard answer.values.upperBound <= answers.values.count, answer.values.lowerBound >= 0,
            !answer.values.isEmpty,
            !answer.record.isEmpty
        else {
            broken.append("\(query) is found, but its answer has no record or no values.")
            return
        }
        let values = answers.values[answer.values]
        for text in values.map(\.value) + [answer.record]
        where Int(text.offset) + Int(text.length) > answers.arena.byteCount {
            broken.append("\(query) has a text outside the arena.")
        }
        if case .isbn(let isbn) = query {
            let baseline = values.filter { $0.field == .isbn13 }.map { answers.arena[$0.value] }
            if !baseline.contains(isbn.isbn13) {
                broken.append("\(isbn) is found in a record without this ISBN.")
            }
        }
    }

    /// An answer with its texts as strings, comparable across arenas.
    private static func spelled(_ answer: BookAnswer, _ answers: BookAnswers) -> [String] {
        ["\(answer.outcome)", answers.arena[answer.record], "\(answer.isSynthetic)"]
            + answers.values[answer.values].map { "\($0.field) \($0.author) \(answers.arena[$0.value])" }
    }
}
