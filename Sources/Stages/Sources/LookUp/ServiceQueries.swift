package import Books
import Bytes
import Services
package import System

/// A batch's queries as keys of a service, and the conversion of its answers.
struct ServiceQueries {
    /// The key of each query; nil if the service does not answer such queries.
    let keys: [ServiceKey?]
    /// The distinct keys, in the order of the queries.
    let distinct: [ServiceKey]
    /// The index of each query's key in ``distinct``.
    let keyIndices: [Int?]

    /// For each query what its row says about the book; nil for queries by ISBN.
    let wanted: [MatchQuery?]
    /// The record the user chose for each query.
    let chosen: [ChosenRecord?]

    /// - Parameters:
    ///   - provider: The provider of the service. It is not asked if the user chose another provider's
    ///     record.
    ///   - asksTitles: Whether the service is asked by title and author.
    init(_ queries: BookQueries, for provider: Provider, asksTitles: Bool) {
        var keys: [ServiceKey?] = []
        var wanted: [MatchQuery?] = []
        var chosen: [ChosenRecord?] = []
        for query in queries.queries {
            switch query {
            case .isbn(let isbn):
                keys.append(ServiceKey(.isbn, isbn.isbn13))
                wanted.append(nil)
                chosen.append(nil)
            case .described(let description):
                let text = Self.text(description.title, description.author, queries.arena)
                // A title alone finds too many books to be worth a request.
                let isAsked =
                    asksTitles && !description.author.isEmpty
                    && description.chosen.map { $0.provider == provider } ?? true
                keys.append(isAsked ? ServiceKey(.title, text) : nil)
                wanted.append(MatchQuery(description, in: queries.arena))
                chosen.append(description.chosen)
            case .openLibrary, .identifiers:
                // Only catalogs are asked by other identifiers. Services are asked by ISBN or title.
                keys.append(nil)
                wanted.append(nil)
                chosen.append(nil)
            }
        }
        self.keys = keys
        self.wanted = wanted
        self.chosen = chosen
        (distinct, keyIndices) = Self.distinct(keys)
    }

    private static func distinct(_ keys: [ServiceKey?]) -> (keys: [ServiceKey], keyIndices: [Int?]) {
        var distinct: [ServiceKey] = []
        var indexOfKey: [ServiceKey: Int] = [:]
        indexOfKey.reserveCapacity(keys.count)
        let keyIndices = keys.map { key -> Int? in
            guard let key else { return nil }
            if let index = indexOfKey[key] { return index }
            indexOfKey[key] = distinct.count
            distinct.append(key)
            return distinct.count - 1
        }
        return (distinct, keyIndices)
    }

    /// The result of each query by title and author, from the books its search found; nil for other
    /// queries.
    func settled(
        _ searches: [ServiceKey: [MatchCandidate]], of provider: Provider
    ) -> [MatchResult?] {
        keys.indices.map { index in
            guard let wanted = wanted[index], let key = keys[index], let offered = searches[key] else {
                return nil
            }
            return MatchResult(wanted, chosen: chosen[index], among: offered, of: provider)
        }
    }

    /// The provider's records for queries by title and author.
    func records(of settled: [MatchResult?], among searches: [ServiceKey: [MatchCandidate]]) -> [String] {
        zip(settled, keys).compactMap { settlement, key in
            guard let settlement, let key else { return nil }
            return settlement.record(among: searches[key] ?? [])
        }
    }

    /// Asks a service whose answer to an ISBN contains everything about a book, decoded as a
    /// ``PackedRecord``, and whose answer to a title is a list of such books.
    ///
    /// - Parameters:
    ///   - search: Splits the answer to a title into books: each one to match, with its part of the answer.
    ///   - pack: Converts the part of a matched book; nil if it cannot be parsed.
    func answers(
        of client: ServiceClient, as provider: Provider,
        searching search: (ArraySlice<UInt8>) -> [(offered: MatchCandidate, json: [UInt8])] = { _ in [] },
        packing pack: ([UInt8]) -> PackedRecordWriter? = { _ in nil }
    ) async throws(ETLError) -> BookAnswers {
        let answers = try await client.ask(distinct, deadline: LookupDeadline(client.dependencies).instant)
        var result = BookAnswers(expecting: answers)
        for (index, key) in keyIndices.enumerated() {
            let answer = key.map { answers[$0] } ?? .notFound
            if let words = answer.decoded, let wanted = wanted[index] {
                let found = search(words)
                let settlement = MatchResult(
                    wanted, chosen: chosen[index], among: found.map(\.offered), of: provider)
                if case .taken(let index, let match) = settlement {
                    result.matches[result.answers.count] = match
                    let packed = pack(found[index].json) ?? PackedRecordWriter()
                    result.append(packed.bytes[...], isSynthetic: true)
                } else {
                    result.append(settlement)
                }
            } else if let decoded = answer.decoded {
                result.append(decoded, isSynthetic: true)
            } else {
                result.answers.append(BookAnswer(answer.outcome))
            }
        }
        return result
    }

    /// A title and an author as a key, folded so that different spellings share one request.
    private static func text(_ title: Text, _ author: Text, _ arena: Arena) -> String {
        text(arena[title], arena[author])
    }

    private static func text(_ title: String, _ author: String) -> String {
        "\(Folding.fold(title))\t\(Folding.fold(author))"
    }

    /// Asks a service for the books with words of a title and of a name; either may be empty.
    ///
    /// - Parameters:
    ///   - kind: The kind of key to ask with.
    ///   - pack: The books of its response, each as a ``PackedRecord``; nil if it cannot be parsed.
    static func search(
        _ client: ServiceClient, _ kind: ServiceKey.Kind = .title, title: String, author: String,
        isSynthetic: Bool,
        packing pack: (ArraySlice<UInt8>) -> [PackedRecordWriter]?
    ) async throws(ETLError) -> ProviderFindings {
        let key = ServiceKey(kind, text(title, author))
        let deadline = LookupDeadline(client.dependencies).instant
        guard let answer = try await client.ask([key], deadline: deadline).first else {
            return ProviderFindings()
        }
        var findings = ProviderFindings()
        guard let words = answer.decoded else {
            if !answer.outcome.isAnswered { findings.outcome = answer.outcome }
            return findings
        }
        guard let books = pack(words) else {
            findings.outcome = .malformed
            return findings
        }
        for book in books { findings.answers.append(book.bytes[...], isSynthetic: isSynthetic) }
        findings.answers.answers.removeAll { $0.outcome != .found }
        return findings
    }
}

extension BookAnswers {
    /// Appends an answer without a match, with the possible matches for a review.
    package mutating func append(_ settlement: MatchResult) {
        if case .ambiguous(let options) = settlement {
            self.options[answers.count] = options
            answers.append(BookAnswer(.ambiguous))
        } else {
            answers.append(BookAnswer(.notFound))
        }
    }

    /// Answers with capacity for a service's response.
    init(expecting answers: [ServiceAnswer]) {
        let bytes = answers.reduce(0) { $0 + ($1.decoded?.count ?? 0) }
        self.init(arena: Arena(capacity: bytes))
        self.answers.reserveCapacity(answers.count)
        values.reserveCapacity(answers.count * 16)
    }

    /// Appends an answer from a packed record. A record without values counts as malformed.
    ///
    /// - Parameter missing: Why a part of the record is missing (``BookAnswer/missing``).
    package mutating func append(
        _ packed: ArraySlice<UInt8>, isSynthetic: Bool, missing: LookupOutcome? = nil
    ) {
        let first = values.count
        let isValid = packed.withUnsafeBytes {
            PackedRecord.decode($0, into: &arena, values: &values)
        }
        guard isValid, first < values.count else { return answers.append(BookAnswer(.malformed)) }
        // A record starts with its key.
        var answer = BookAnswer(
            .found, record: values[first].value, isSynthetic: isSynthetic, values: first..<values.count)
        answer.missing = missing
        answers.append(answer)
    }
}
