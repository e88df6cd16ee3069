public import Books
import Bytes
import Services

/// The rules for every provider (``BookProvider``), checked by asking it.
public struct BookProviderContract: Sendable {
    private let provider: any BookProvider
    /// ISBNs it knows.
    private let known: [ISBN]
    /// ISBNs it does not know.
    private let unknown: [ISBN]
    /// A title and an author it knows, in another spelling.
    private let title: (title: String, author: String)

    /// Takes a provider and what the test knows about it.
    public init(
        _ provider: any BookProvider, known: [ISBN], unknown: [ISBN], title: (title: String, author: String)
    ) {
        self.provider = provider
        self.known = known
        self.unknown = unknown
        self.title = title
    }

    /// The violations, one sentence each; empty for a provider that conforms.
    public func violations() async -> [String] {
        var broken: [String] = []
        do {
            if try await !provider.answer(BookQueries()).answers.isEmpty {
                broken.append("A look-up without questions has answers.")
            }
            let questions = try await ask(&broken)
            for (question, answer) in zip(questions.questions.questions, questions.answers.answers) {
                check(question, answer, questions.answers, &broken)
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
    ) async throws -> (questions: BookQueries, answers: BookAnswers) {
        var questions = BookQueries()
        let title = BookQueries.Question.described(
            BookDescription(
                title: questions.arena.append(title.title), author: questions.arena.append(title.author)))
        let unknownBook = BookQueries.Question.described(
            BookDescription(
                title: questions.arena.append(self.title.title),
                author: questions.arena.append("Nobody at All")))
        for (known, unknown) in zip(known, unknown) {
            questions.questions += [.isbn(known), title, .isbn(unknown), unknownBook]
        }
        questions.questions += questions.questions.reversed()
        let together = try await provider.answer(questions)
        guard together.answers.count == questions.questions.count else {
            broken.append("\(questions.questions.count) questions have \(together.answers.count) answers.")
            return (BookQueries(), BookAnswers())
        }
        for (question, answer) in zip(questions.questions, together.answers) {
            let alone = try await provider.answer(
                BookQueries(arena: questions.arena, questions: [question]))
            if alone.answers.first.map({ Self.spelled($0, alone) }) != Self.spelled(answer, together) {
                broken.append("\(question) has another answer when asked alone.")
            }
            let expected: LookupOutcome =
                switch question {
                case .isbn(let isbn): known.contains(isbn) ? .found : .notFound
                case .described: question == title ? .found : .notFound
                case .openLibrary: .notFound
                }
            if answer.outcome != expected {
                broken.append("\(question) is \(answer.outcome), not \(expected).")
            }
        }
        return (questions, together)
    }

    private func check(
        _ question: BookQueries.Question, _ answer: BookAnswer, _ answers: BookAnswers,
        _ broken: inout [String]
    ) {
        guard answer.outcome == .found else {
            if !answer.record.isEmpty || !answer.values.isEmpty {
                broken.append("\(question) is \(answer.outcome) but has a record or values.")
            }
            return
        }
        guard answer.values.upperBound <= answers.values.count, answer.values.lowerBound >= 0,
            !answer.values.isEmpty,
            !answer.record.isEmpty
        else {
            broken.append("\(question) is found, but its answer has no record or no values.")
            return
        }
        let values = answers.values[answer.values]
        for text in values.map(\.value) + [answer.record]
        where Int(text.offset) + Int(text.length) > answers.arena.byteCount {
            broken.append("\(question) has a text outside the arena.")
        }
        if case .isbn(let isbn) = question {
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
