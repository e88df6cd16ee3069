import Pipeline

/// A batch's questions as keys of a service, and the answers put together again.
struct ServiceQuestions {
    /// For each question its key; nil where the service is not asked such a thing.
    let keys: [ServiceKey?]

    /// - Parameter asksTitles: Whether the service is asked by title and author.
    init(_ questions: BookQuestions, asksTitles: Bool) {
        keys = questions.questions.map { question in
            switch question {
            case .isbn(let isbn): ServiceKey(.isbn, isbn.isbn13)
            case .titleAuthor(let title, let author):
                asksTitles ? ServiceKey(.title, Self.text(title, author, questions.arena)) : nil
            }
        }
    }

    /// Each key once, in the questions' order.
    var distinct: [ServiceKey] { keys.compactMap { $0 }.deduplicated }

    /// Asks a service whose answer to a key is the whole of what it knows of a book.
    ///
    /// - Parameter pack: Reads such an answer; nil for one that cannot be read.
    func answers(
        of desk: ServiceDesk, packing pack: ([UInt8]) -> PackedRecordWriter?
    ) async throws(StageFailure) -> BookAnswers {
        let answers = try await desk.ask(distinct, deadline: LookUpDeadline(desk.tools).instant)
        var result = BookAnswers()
        for key in keys {
            let answer = key.flatMap { answers[$0] } ?? .notFound
            if let body = answer.body {
                result.append(pack(body) ?? PackedRecordWriter(), isSynthetic: true)
            } else {
                result.answers.append(BookAnswer(answer.outcome))
            }
        }
        return result
    }

    /// A title and an author as a key: folded, so that two spellings ask once.
    private static func text(_ title: Text, _ author: Text, _ arena: Arena) -> String {
        "\(Folding.fold(arena[title]))\t\(Folding.fold(arena[author]))"
    }
}

extension Array where Element: Hashable {
    /// Each element once, at its first place.
    var deduplicated: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension BookAnswers {
    /// Appends what a record packed from a service's words says; a record without values counts as malformed.
    mutating func append(_ packed: PackedRecordWriter, isSynthetic: Bool) {
        let first = values.count
        let isWhole = packed.bytes.withUnsafeBytes {
            PackedRecord.decode($0, into: &arena, values: &values)
        }
        guard isWhole, first < values.count else { return answers.append(BookAnswer(.malformed)) }
        // A record begins with its key.
        answers.append(
            BookAnswer(
                .found, record: values[first].value, isSynthetic: isSynthetic, values: first..<values.count))
    }
}
