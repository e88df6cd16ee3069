public import Pipeline

/// Asks the providers about each row of a batch: by ISBN where it has one, and by title and first author
/// where it has none or nobody knows it.
///
/// All providers are asked, in order of preference, the whole batch at a time; a book that several rows want
/// is asked for once. A row nobody can place passes with no candidate; one that fits several books gets the
/// notice `ambiguous_match`. Without providers every row passes.
public struct LookUpBooks: Stage {
    private let providers: [any BookProvider]

    /// - Parameter providers: In order of preference.
    public init(providers: [any BookProvider]) { self.providers = providers }

    /// Gives each row of the batch its candidates.
    public func process(
        _ batch: consuming Batch<ValidatedRows>
    ) async throws(StageFailure) -> Batch<MatchedRows> {
        var batch = batch
        var matched = MatchedRows(batch.payload)
        // The batch lets go of its rows: else the first byte that is added to the arena would copy it.
        batch.payload = ValidatedRows(library: LibraryRows(columns: matched.library.columns), isbns: [])
        guard !providers.isEmpty else { return batch.carrying(matched) }

        var round = LookUpRound(rows: matched.count)
        round.askByISBN(matched)
        try await ask(&round, .isbn, &matched)
        round.askByTitle(matched)
        try await ask(&round, .titleAuthor, &matched)
        return batch.carrying(matched)
    }

    /// Puts the round's questions to all providers and gives the rows what they answered.
    private func ask(
        _ round: inout LookUpRound, _ match: Candidate.Match, _ matched: inout MatchedRows
    ) async throws(StageFailure) {
        guard !round.questions.isEmpty else { return }
        var answers: [[BookAnswer]] = []
        for provider in providers {
            // The questions share the batch's arena until this call has returned.
            let answered = try await provider.answer(
                BookQuestions(arena: matched.library.arena, questions: round.questions))
            answers.append(matched.append(answered))
        }
        for row in 0..<matched.count {
            guard let question = round.question(ofRow: row) else { continue }
            let first = matched.candidates.count
            var isAmbiguous = false
            for (provider, answers) in zip(providers, answers) where question < answers.count {
                let answer = answers[question]
                isAmbiguous = isAmbiguous || answer.outcome == .ambiguous
                guard answer.outcome == .found else { continue }
                matched.candidates.append(
                    Candidate(
                        provider: provider.provider, record: answer.record, match: match,
                        isSynthetic: answer.isSynthetic, values: answer.values))
            }
            matched.candidatesOfRow[row] = first..<matched.candidates.count
            if isAmbiguous, first == matched.candidates.count { matched.noteAmbiguity(row) }
        }
    }
}

extension MatchedRows {
    /// Takes over a provider's bytes and values.
    ///
    /// - Returns: The answers, pointing into this batch.
    fileprivate mutating func append(_ answered: BookAnswers) -> [BookAnswer] {
        let byteOffset = UInt32(library.arena.byteCount)
        let valueOffset = values.count
        _ = answered.arena.withAllBytes { library.arena.append($0) }
        values.reserveCapacity(valueOffset + answered.values.count)
        for value in answered.values {
            var moved = value
            moved.value.offset += byteOffset
            values.append(moved)
        }
        return answered.answers.map { answer in
            var moved = answer
            moved.record.offset += byteOffset
            moved.values = answer.values.lowerBound + valueOffset..<answer.values.upperBound + valueOffset
            return moved
        }
    }

    fileprivate mutating func noteAmbiguity(_ row: Int) {
        let title = library.arena[library.rows[row].title]
        library.rows[row].notices.append(
            Notice(
                code: "ambiguous_match", field: nil, value: title,
                message: "Several works fit this title and author equally well; none was taken."))
    }
}
