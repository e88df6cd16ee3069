package import Books
import Bytes
package import Pipeline
package import System

/// Asks the providers about each row of a batch: by ISBN, by the identifiers in the row, and by title and first
/// author if there is no candidate yet.
///
/// Offline providers are asked first. Services are asked only for books that the offline provider of the same name
/// did not find: those with the strategy `all` at once, the others one after another while something is missing
/// (``LookupStrategy``). The order of the list is the order of preference in any case. A book that several rows need
/// is asked for once. A row without a match continues without candidates. A row that fits several books gets the
/// warning `ambiguous_match`; a row that contradicts the book with its ISBN gets `isbn_other_book`, and neither gets
/// a book. A row whose query a service did not answer is marked as unanswered. Without providers all rows pass
/// unchanged.
package struct LookUpBooks: Stage {
    /// This stage asks services.
    package var waitsForServices: Bool { true }

    private let providers: [any BookProvider]
    private let decisions: MatchDecisions
    private let strategies: [Provider: LookupStrategy]
    private let isFinal: Bool

    /// - Parameter providers: In order of preference.
    package init(providers: [any BookProvider]) {
        self.init(providers: providers, decisions: MatchDecisions())
    }

    /// - Parameters:
    ///   - decisions: The user's decisions in reviews, which take priority over matches by title.
    ///   - strategies: When the services are asked; `all` if a provider is not in it.
    ///   - isFinal: Whether nothing is asked again later. Then rows are searched by title although a service has not
    ///     answered.
    package init(
        providers: [any BookProvider], decisions: MatchDecisions = MatchDecisions(),
        strategies: [Provider: LookupStrategy] = [:], isFinal: Bool = false
    ) {
        self.providers = providers
        self.decisions = decisions
        self.strategies = strategies
        self.isFinal = isFinal
    }

    /// Adds candidates to each row of the batch.
    package func process(
        _ batch: consuming Batch<ValidatedRows>
    ) async throws(ETLError) -> Batch<MatchedRows> {
        var batch = batch
        var matched = MatchedRows(batch.payload)
        // The batch releases its rows. Otherwise the first write to the arena would copy it.
        batch.payload = ValidatedRows(library: LibraryRows(columns: matched.library.columns), isbns: [])
        guard !providers.isEmpty else { return batch.carrying(matched) }

        var round = LookupRound(rows: matched.count)
        var doubts: [Int: MismatchCheck] = [:]
        round.askByISBN(matched)
        try await ask(&round, .isbn, &matched, &doubts)
        round.askByIdentifier(matched)
        try await ask(&round, .identifier, &matched, &doubts)
        let waiting = isFinal ? [] : Set(matched.unanswered.map(\.row))
        round.askByTitle(matched, butFor: waiting, doubted: Set(doubts.keys), decisions: decisions)
        try await ask(&round, .titleAuthor, &matched, &doubts)
        for (row, other) in doubts { matched.noteDoubt(row, other) }
        return batch.carrying(matched)
    }

    /// Sends the round's queries to all providers and adds the answers to the rows.
    private func ask(
        _ round: inout LookupRound, _ match: Candidate.Match, _ matched: inout MatchedRows,
        _ doubts: inout [Int: MismatchCheck]
    ) async throws(ETLError) {
        guard !round.queries.isEmpty else { return }
        var answers = ProviderAnswers(providers: providers.count)
        for (index, provider) in providers.enumerated() where !provider.asksNetwork {
            // The queries share the batch's arena until this call returns.
            let answered = try await provider.answer(
                BookQueries(arena: matched.library.arena, queries: round.queries))
            answers.take(answered, of: index, for: nil, queries: round.queries.count, into: &matched)
        }
        try await askNetwork(round, &answers, &matched)
        give(round, match, answers, to: &matched, &doubts)
    }

    /// Adds to each row the candidates from the answers to its query.
    private func give(
        _ round: LookupRound, _ match: Candidate.Match, _ answers: ProviderAnswers,
        to matched: inout MatchedRows, _ doubts: inout [Int: MismatchCheck]
    ) {
        // Each provider's name is read once, not for every row.
        let answered = zip(providers, answers.byProvider).map { provider, answers in
            (
                provider: provider.provider, asksNetwork: provider.asksNetwork,
                knowsAuthorKeys: provider.knowsAuthorKeys, answers: answers
            )
        }
        matched.candidates.reserveCapacity(matched.count)
        for row in 0..<matched.count {
            guard let query = round.query(ofRow: row) else { continue }
            let byISBN = matched.candidatesOfRow[row]
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
                // For a search by title, a mismatch is no evidence about the ISBN.
                if answer.outcome == .mismatch, match == .isbn { matched.noteWrongBook(row, provider) }
                guard answer.outcome == .found else { continue }
                let accepted = answers.matches[index]?[query]
                matched.candidates.append(
                    Candidate(
                        provider: provider, record: answer.record,
                        match: round.match(query, match, accepted),
                        isSynthetic: answer.isSynthetic, values: answer.values))
                if let accepted, matched.matches.last?.row != row {
                    matched.matches.append(RowMatch(row: row, match: accepted))
                }
            }
            matched.candidatesOfRow[row] = first..<matched.candidates.count
            if match == .isbn {
                doubts[row] = check(row, &matched)
            } else if match == .titleAuthor, let doubt = doubts[row] {
                let isSettled = matched.settle(
                    doubt, of: row, byISBN: byISBN, options: answers.options[query] ?? [],
                    isChosen: round.isChosen(query))
                if isSettled { doubts[row] = nil }
            } else if match == .identifier {
                matched.dropOtherBooks(of: row)
            } else if matched.isbns[row].isContradicted, !round.isChosen(query) {
                matched.withholdMatch(of: row, options: answers.options[query] ?? [])
            } else if first == matched.candidates.count, let options = answers.options[query] {
                matched.abstain(row, options)
            }
        }
    }

    /// Checks the candidates found by a row's ISBN against its title and people.
    ///
    /// - Returns: Mismatch that leaves open whether they are the row's book; nil if that is decided.
    private func check(_ row: Int, _ matched: inout MatchedRows) -> MismatchCheck? {
        let range = matched.candidatesOfRow[row]
        guard !range.isEmpty else { return nil }
        if matched.isbns[row].isbn == nil {
            matched.confirmProposal(of: row)
            return nil
        }
        guard let other = MismatchCheck(row, among: range, in: matched) else { return nil }
        var isRefused = false
        if !decisions.isEmpty {
            switch decisions[matched.matchKey(ofRow: row)] {
            case .accepted(let chosen):
                for index in range
                where matched.library.arena[matched.candidates[index].record] == chosen.record {
                    matched.keep(index, of: row)
                    return nil
                }
            case .refused: isRefused = true
            case nil: break
            }
        }
        guard other.verdict == .contradicted || isRefused else { return other }
        matched.note(other, row)
        matched.contradict(row, by: other)
        return nil
    }

    // MARK: Services

    /// Asks the services, each for what its own catalog did not find.
    private func askNetwork(
        _ round: LookupRound, _ answers: inout ProviderAnswers, _ matched: inout MatchedRows
    ) async throws(ETLError) {
        let network = providers.indices.filter { providers[$0].asksNetwork }
        let fallbacks = network.filter { strategies[providers[$0].provider] == .fallback }
        try await ask(network.filter { !fallbacks.contains($0) }, round, &answers, &matched)
        for index in fallbacks { try await ask([index], round, &answers, &matched) }
    }

    /// Asks some services at once.
    private func ask(
        _ indices: [Int], _ round: LookupRound, _ answers: inout ProviderAnswers, _ matched: inout MatchedRows
    ) async throws(ETLError) {
        var asked: [Int: [Int]] = [:]
        for index in indices {
            let provider = providers[index].provider
            let isFallback = strategies[provider] == .fallback
            let wanted = round.queries.indices.filter { query in
                guard !isFound(query, by: provider, answers), !round.isOnlyDoubted(query) else {
                    return false
                }
                return !isFallback || round.isChosen(query, of: provider)
                    || LookupStrategy.needsMore(
                        answers.of(query), to: round.queries[query], matched.values)
            }
            if !wanted.isEmpty { asked[index] = wanted }
        }
        guard !asked.isEmpty else { return }
        let (arena, queries) = (matched.library.arena, round.queries)
        let results = await withTaskGroup(of: ProviderResult.self) { group in
            for (index, wanted) in asked {
                let provider = providers[index]
                group.addTask {
                    let queries = BookQueries(arena: arena, queries: wanted.map { queries[$0] })
                    do throws(ETLError) {
                        return ProviderResult(index, .success(try await provider.answer(queries)))
                    } catch {
                        return ProviderResult(index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // In the order of the providers, so that the batch does not depend on which one answered first.
        for result in results.sorted(by: { $0.index < $1.index }) {
            let answered = try result.answers.get()
            answers.take(
                answered, of: result.index, for: asked[result.index], queries: queries.count, into: &matched)
        }
    }

    private func isFound(_ query: Int, by provider: Provider, _ answers: ProviderAnswers) -> Bool {
        zip(providers, answers.byProvider).contains { other, answers in
            other.provider == provider && query < answers.count && answers[query]?.outcome == .found
        }
    }
}

/// What a provider has answered.
///
/// A class, because the optimizer of Swift 6.3 gives the index of a pair of an index and this result a wrong value when it
/// comes out of a task group.
private final class ProviderResult: Sendable {
    /// The provider's place in the list.
    let index: Int
    let answers: Result<BookAnswers, ETLError>

    init(_ index: Int, _ answers: Result<BookAnswers, ETLError>) {
        self.index = index
        self.answers = answers
    }
}

/// The answers of all providers to the queries of one round.
private struct ProviderAnswers {
    /// The answers of each provider by query; nil for queries that it was not asked.
    private(set) var byProvider: [[BookAnswer?]]
    /// Possible matches by query.
    private(set) var options: [Int: [ReviewCandidate]] = [:]
    /// Matches by title, by provider and query.
    private(set) var matches: [Int: [Int: AcceptedMatch]] = [:]

    init(providers: Int) { byProvider = Array(repeating: [], count: providers) }

    /// All answers to a query so far.
    func of(_ query: Int) -> [BookAnswer] {
        byProvider.compactMap { query < $0.count ? $0[query] : nil }
    }

    /// Takes a provider's answers.
    ///
    /// - Parameter asked: The queries it was asked; nil for all.
    mutating func take(
        _ answered: BookAnswers, of provider: Int, for asked: [Int]?, queries: Int,
        into matched: inout MatchedRows
    ) {
        func query(_ answer: Int) -> Int? { asked.map { answer < $0.count ? $0[answer] : nil } ?? answer }
        for (answer, books) in answered.options {
            if let query = query(answer) { options[query, default: []] += books }
        }
        for (answer, match) in answered.matches {
            if let query = query(answer) { matches[provider, default: [:]][query] = match }
        }
        let moved = matched.append(answered)
        guard let asked else {
            byProvider[provider] = moved
            return
        }
        byProvider[provider] = Array(repeating: nil, count: queries)
        for (query, answer) in zip(asked, moved) { byProvider[provider][query] = answer }
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
}
