import Bytes
public import Pipeline
import Services

/// Asks the providers about each row of a batch: by ISBN, by Open Library key, and by title and first author
/// if there is no candidate yet.
///
/// Offline providers are asked first. Services are asked all at once, and only for what the offline provider
/// of the same name did not find. The order of the list is the order of preference in any case. A book that
/// several rows need is asked for once. A row without a match continues without candidates. A row that fits
/// several books gets the warning `ambiguous_match`. A row whose query a service did not answer is marked
/// as unanswered. Without providers all rows pass unchanged.
public struct LookUpBooks: Stage {
    /// This stage asks services.
    public var waitsForServices: Bool { true }

    private let providers: [any BookProvider]
    private let decisions: MatchDecisions

    /// - Parameter providers: In order of preference.
    public init(providers: [any BookProvider]) {
        self.init(providers: providers, decisions: MatchDecisions())
    }

    /// - Parameter decisions: The user's decisions in reviews, which take priority over matches by title.
    package init(providers: [any BookProvider], decisions: MatchDecisions) {
        self.providers = providers
        self.decisions = decisions
    }

    /// Adds candidates to each row of the batch.
    public func process(
        _ batch: consuming Batch<ValidatedRows>
    ) async throws(StageFailure) -> Batch<MatchedRows> {
        var batch = batch
        var matched = MatchedRows(batch.payload)
        // The batch releases its rows. Otherwise the first write to the arena would copy it.
        batch.payload = ValidatedRows(library: LibraryRows(columns: matched.library.columns), isbns: [])
        guard !providers.isEmpty else { return batch.carrying(matched) }

        var round = LookupRound(rows: matched.count)
        round.askByISBN(matched)
        try await ask(&round, .isbn, &matched)
        round.askByKey(matched)
        try await ask(&round, .openLibraryKey, &matched)
        round.askByTitle(matched, butFor: Set(matched.unanswered.map(\.row)), decisions: decisions)
        try await ask(&round, .titleAuthor, &matched)
        return batch.carrying(matched)
    }

    /// Sends the round's queries to all providers and adds the answers to the rows.
    private func ask(
        _ round: inout LookupRound, _ match: Candidate.Match, _ matched: inout MatchedRows
    ) async throws(StageFailure) {
        guard !round.queries.isEmpty else { return }
        var answers = [[BookAnswer?]](repeating: [], count: providers.count)
        var options: [Int: [ReviewCandidate]] = [:]
        for (index, provider) in providers.enumerated() where !provider.asksNetwork {
            // The queries share the batch's arena until this call returns.
            let answered = try await provider.answer(
                BookQueries(arena: matched.library.arena, queries: round.queries))
            options.merge(answered.options) { $0 + $1 }
            answers[index] = matched.append(answered)
        }
        try await askNetwork(round, &answers, &options, &matched)
        give(round, match, answers, options, to: &matched)
    }

    /// Adds to each row the candidates from the answers to its query.
    private func give(
        _ round: LookupRound, _ match: Candidate.Match, _ answers: [[BookAnswer?]],
        _ options: [Int: [ReviewCandidate]], to matched: inout MatchedRows
    ) {
        // Each provider's name is read once, not for every row.
        let answered = zip(providers, answers).map { provider, answers in
            (
                provider: provider.provider, asksNetwork: provider.asksNetwork,
                knowsAuthorKeys: provider.knowsAuthorKeys, answers: answers
            )
        }
        matched.candidates.reserveCapacity(matched.count)
        for row in 0..<matched.count {
            guard let query = round.query(ofRow: row) else { continue }
            let first = matched.candidates.count
            for index in answered.indices where query < answered[index].answers.count {
                guard let answer = answered[index].answers[query] else { continue }
                let provider = answered[index].provider
                if answered[index].asksNetwork, let open = answer.openOutcome {
                    matched.unanswered.append(
                        UnansweredQuery(
                            row: row, service: provider.contractName, outcome: open,
                            mayHaveAuthorKey: answered[index].knowsAuthorKeys))
                }
                // For a search by title, a mismatch says nothing about the ISBN.
                if answer.outcome == .mismatch, match == .isbn { matched.noteWrongBook(row, provider) }
                guard answer.outcome == .found else { continue }
                matched.candidates.append(
                    Candidate(
                        provider: provider, record: answer.record,
                        match: round.isChosen(query) ? .reviewed : match,
                        isSynthetic: answer.isSynthetic, values: answer.values))
            }
            matched.candidatesOfRow[row] = first..<matched.candidates.count
            if match == .isbn,
                let other = MismatchCheck(row, among: first..<matched.candidates.count, in: matched)
            {
                matched.note(other, row)
            }
            if first == matched.candidates.count, let options = options[query] {
                matched.abstain(row, options)
            }
        }
    }

    /// Asks the services, each for what its own catalog did not find.
    private func askNetwork(
        _ round: LookupRound, _ answers: inout [[BookAnswer?]], _ options: inout [Int: [ReviewCandidate]],
        _ matched: inout MatchedRows
    ) async throws(StageFailure) {
        var asked: [Int: [Int]] = [:]
        for (index, provider) in providers.enumerated() where provider.asksNetwork {
            let wanted = round.queries.indices.filter { query in
                !zip(providers, answers).contains { other, answers in
                    other.provider == provider.provider && query < answers.count
                        && answers[query]?.outcome == .found
                }
            }
            if !wanted.isEmpty { asked[index] = wanted }
        }
        guard !asked.isEmpty else { return }
        let (arena, queries) = (matched.library.arena, round.queries)
        let results = await withTaskGroup(of: (Int, Result<BookAnswers, StageFailure>).self) { group in
            for (index, wanted) in asked {
                let provider = providers[index]
                group.addTask {
                    let queries = BookQueries(arena: arena, queries: wanted.map { queries[$0] })
                    do throws(StageFailure) {
                        return (index, .success(try await provider.answer(queries)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [Int: Result<BookAnswers, StageFailure>]()) { $0[$1.0] = $1.1 }
        }
        // In the order of the providers, so that the batch does not depend on which one answered first.
        for index in results.keys.sorted() {
            guard let answered = try results[index]?.get() else { continue }
            answers[index] = Array(repeating: nil, count: round.queries.count)
            for (answer, books) in answered.options {
                if let query = asked[index]?[answer] { options[query, default: []] += books }
            }
            for (query, answer) in zip(asked[index] ?? [], matched.append(answered)) {
                answers[index][query] = answer
            }
        }
    }
}

extension MatchedRows {
    /// Adds a provider's bytes and values to the batch.
    ///
    /// - Returns: The answers, with offsets into this batch.
    fileprivate mutating func append(_ answered: BookAnswers) -> [BookAnswer?] {
        let byteOffset = UInt32(library.arena.byteCount)
        let valueOffset = values.count
        if library.arena.room < answered.arena.byteCount {
            // The whole arena is reallocated once, with room for what later rounds and stages write
            // (canonical forms, names of genres).
            library.arena.reserve(answered.arena.byteCount + library.arena.byteCount / 4 + Self.laterBytes)
        }
        _ = answered.arena.withAllBytes { library.arena.append($0) }
        values.reserveCapacity(valueOffset + answered.values.count * 5 / 4)
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

    /// Bytes that later stages add to any batch, even a small one.
    private static let laterBytes = 4_096

    fileprivate mutating func noteWrongBook(_ row: Int, _ provider: Provider) {
        let isbn = isbns[row].isbn.map { $0.isbn13 } ?? ""
        library.rows[row].warnings.append(
            Warning(
                .mismatch, value: isbn,
                message:
                    "\(provider.contractName) returned a different book for this ISBN; its answer was not used."
            ))
    }

    /// Warns that the row's ISBN belongs to another book. The row still gets that book, because an ISBN takes
    /// priority over a title.
    fileprivate mutating func note(_ other: MismatchCheck, _ row: Int) {
        library.rows[row].warnings.append(
            Warning(
                .isbnOtherBook, value: isbns[row].isbn?.isbn13 ?? "",
                message:
                    "The ISBN belongs to \u{201C}\(other.title)\u{201D} by \(other.author); the row has a "
                    + "different title and author."))
    }

    /// Adds the possible matches of a row for the user to review.
    fileprivate mutating func abstain(_ row: Int, _ options: [ReviewCandidate]) {
        let title = library.arena[library.rows[row].title]
        let author = library.rows[row].people.first.map { library.arena[library.people[$0].name] } ?? ""
        // The best of all providers. Equal scores stay in the order of the providers.
        let best = options.enumerated().sorted { a, b in
            a.element.score != b.element.score ? a.element.score > b.element.score : a.offset < b.offset
        }
        let few = Matcher.few(of: best.map(\.element))
        abstentions.append(
            MatchAbstention(row: row, title: title, author: author, options: few))
        let names = few.map { "\($0.record) “\($0.title)” (score \($0.score))" }
        library.rows[row].warnings.append(
            Warning(
                .ambiguousMatch, value: title,
                message: "No match is certain enough to be used: \(names.joined(separator: ", "))."))
    }
}
