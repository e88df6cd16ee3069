import Bytes
import Pipeline
import Services

/// A batch's questions as keys of a service, and the answers put together again.
struct ServiceQueries {
    /// For each question its key; nil where the service is not asked such a thing.
    let keys: [ServiceKey?]
    /// Each key once, in the questions' order.
    let distinct: [ServiceKey]
    /// For each question the number of its key in ``distinct``.
    let numbers: [Int?]

    /// For each question what its row says of the book; nil for one by ISBN.
    let wanted: [MatchQuery?]
    /// For each question the record a reader has chosen.
    let chosen: [ChosenRecord?]

    /// - Parameters:
    ///   - provider: Whose service it is: where a reader has chosen another provider's record, it is not asked.
    ///   - asksTitles: Whether the service is asked by title and author.
    init(_ questions: BookQueries, for provider: Provider, asksTitles: Bool) {
        var keys: [ServiceKey?] = []
        var wanted: [MatchQuery?] = []
        var chosen: [ChosenRecord?] = []
        for question in questions.questions {
            switch question {
            case .isbn(let isbn):
                keys.append(ServiceKey(.isbn, isbn.isbn13))
                wanted.append(nil)
                chosen.append(nil)
            case .described(let description):
                let text = Self.text(description.title, description.author, questions.arena)
                // A title alone finds too much to be worth a call.
                let isAsked =
                    asksTitles && !description.author.isEmpty
                    && description.chosen.map { $0.provider == provider } ?? true
                keys.append(isAsked ? ServiceKey(.title, text) : nil)
                wanted.append(MatchQuery(description, in: questions.arena))
                chosen.append(description.chosen)
            case .openLibrary:
                // Catalogs are asked by key; services know an ISBN or a title.
                keys.append(nil)
                wanted.append(nil)
                chosen.append(nil)
            }
        }
        self.keys = keys
        self.wanted = wanted
        self.chosen = chosen
        (distinct, numbers) = Self.distinct(keys)
    }

    private static func distinct(_ keys: [ServiceKey?]) -> (keys: [ServiceKey], numbers: [Int?]) {
        var distinct: [ServiceKey] = []
        var numberOfKey: [ServiceKey: Int] = [:]
        numberOfKey.reserveCapacity(keys.count)
        let numbers = keys.map { key -> Int? in
            guard let key else { return nil }
            if let number = numberOfKey[key] { return number }
            numberOfKey[key] = distinct.count
            distinct.append(key)
            return distinct.count - 1
        }
        return (distinct, numbers)
    }

    /// What comes of each question by title and author, given what a search for it found; nil for the others.
    func settled(
        _ searches: [ServiceKey: [MatchCandidate]], of provider: Provider
    ) -> [MatchResult?] {
        keys.indices.map { number in
            guard let wanted = wanted[number], let key = keys[number], let offered = searches[key] else {
                return nil
            }
            return MatchResult(wanted, chosen: chosen[number], among: offered, of: provider)
        }
    }

    /// The records that questions by title and author come to.
    func records(of settled: [MatchResult?], among searches: [ServiceKey: [MatchCandidate]]) -> [String] {
        zip(settled, keys).compactMap { settlement, key in
            guard let settlement, let key else { return nil }
            return settlement.record(among: searches[key] ?? [])
        }
    }

    /// Asks a service whose answer to an ISBN is the whole of what it knows of a book, its gist a ``PackedRecord``, and
    /// whose answer to a title is a list of such.
    ///
    /// - Parameters:
    ///   - search: Takes the answer to a title apart: what to tell each book by, and its part of the answer.
    ///   - pack: Reads the part of a book that was found so; nil for what cannot be read.
    func answers(
        of client: ServiceClient, as provider: Provider,
        searching search: (ArraySlice<UInt8>) -> [(offered: MatchCandidate, json: [UInt8])] = { _ in [] },
        packing pack: ([UInt8]) -> PackedRecordWriter? = { _ in nil }
    ) async throws(StageFailure) -> BookAnswers {
        let answers = try await client.ask(distinct, deadline: LookupDeadline(client.tools).instant)
        var result = BookAnswers(expecting: answers)
        for (number, key) in numbers.enumerated() {
            let answer = key.map { answers[$0] } ?? .notFound
            if let words = answer.decoded, let wanted = wanted[number] {
                let found = search(words)
                let settlement = MatchResult(
                    wanted, chosen: chosen[number], among: found.map(\.offered), of: provider)
                if case .taken(let number) = settlement {
                    let packed = pack(found[number].json) ?? PackedRecordWriter()
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

    /// A title and an author as a key: folded, so that two spellings ask once.
    private static func text(_ title: Text, _ author: Text, _ arena: Arena) -> String {
        "\(Folding.fold(arena[title]))\t\(Folding.fold(arena[author]))"
    }
}

extension BookAnswers {
    /// Appends that nothing was taken, with what a reader may choose from.
    mutating func append(_ settlement: MatchResult) {
        if case .open(let options) = settlement {
            self.options[answers.count] = options
            answers.append(BookAnswer(.ambiguous))
        } else {
            answers.append(BookAnswer(.notFound))
        }
    }

    /// Answers with room for what a service said.
    init(expecting answers: [ServiceAnswer]) {
        let bytes = answers.reduce(0) { $0 + ($1.decoded?.count ?? 0) }
        self.init(arena: Arena(capacity: bytes))
        self.answers.reserveCapacity(answers.count)
        values.reserveCapacity(answers.count * 16)
    }

    /// Appends what a record packed from a service's words says; a record without values counts as malformed.
    mutating func append(_ packed: ArraySlice<UInt8>, isSynthetic: Bool) {
        let first = values.count
        let isWhole = packed.withUnsafeBytes {
            PackedRecord.decode($0, into: &arena, values: &values)
        }
        guard isWhole, first < values.count else { return answers.append(BookAnswer(.malformed)) }
        // A record begins with its key.
        answers.append(
            BookAnswer(
                .found, record: values[first].value, isSynthetic: isSynthetic, values: first..<values.count))
    }
}
