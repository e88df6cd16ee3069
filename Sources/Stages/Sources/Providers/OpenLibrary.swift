package import Books
import Bytes
package import Services
package import System

/// Open Library over the network: editions by ISBN, and works by title and author. Each is completed with the
/// records of its work and authors, so that the result is the same as from a catalog built from the dumps.
package struct OpenLibrary: BookProvider {
    /// Maximum redirects followed for a record.
    private static let redirectLimit = 5

    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package var provider: Provider { .openLibrary }
    package var asksNetwork: Bool { true }
    package var knowsAuthorKeys: Bool { true }

    /// The result of requesting a record by its key: the record, or why there is none.
    private enum Fetched {
        case record(OpenLibraryRecord)
        case unreadable
        case none(LookupOutcome)

        init(_ answer: ServiceAnswer) {
            if let decoded = answer.decoded {
                self = OpenLibraryRecord(packed: decoded).map { .record($0) } ?? .unreadable
            } else {
                self = .none(answer.outcome)
            }
        }

        var record: OpenLibraryRecord? { if case .record(let record) = self { record } else { nil } }

        /// Why the query is still open; nil if it is settled. An unreadable record settles it too.
        var openOutcome: LookupOutcome? {
            if case .none(let outcome) = self, !outcome.isAnswered { outcome } else { nil }
        }
    }

    /// The related records of a batch.
    private struct Found {
        var works: [String: Fetched] = [:]
        var authors: [String: Fetched] = [:]
    }

    package func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers {
        let deadline = LookupDeadline(client.dependencies).instant
        let asked = ServiceQueries(queries, for: provider, asksTitles: true)
        let answers = try await client.ask(asked.distinct, deadline: deadline)
        var editions = [OpenLibraryRecord?](repeating: nil, count: answers.count)
        var searches: [ServiceKey: [MatchCandidate]] = [:]
        for (number, key) in asked.distinct.enumerated() {
            guard let decoded = answers[number].decoded else { continue }
            if key.kind == .isbn { editions[number] = OpenLibraryRecord(packed: decoded) }
            if key.kind == .title { searches[key] = OpenLibraryDoc.works(in: Array(decoded)) }
        }
        let settled = asked.settled(searches, of: provider)
        let found = try await gather(
            editions.compactMap { $0 }, asked.records(of: settled, among: searches), deadline)
        var result = BookAnswers(expecting: answers)
        var packed = PackedRecordWriter()
        for (number, key) in asked.keyIndices.enumerated() {
            guard let key else {
                result.answers.append(BookAnswer(.notFound))
                continue
            }
            if let edition = editions[key] {
                append(edition, found, &packed, to: &result)
            } else if let settlement = settled[number] {
                if case .taken(_, let match) = settlement { result.matches[result.answers.count] = match }
                append(settlement, among: searches[asked.distinct[key]] ?? [], found, &packed, to: &result)
            } else {
                let answer = answers[key]
                result.answers.append(BookAnswer(answer.decoded == nil ? answer.outcome : .malformed))
            }
        }
        return result
    }

    /// The works of its search, each with the edition that fits best and without a request for each: a person who chooses
    /// one asks for it by its ISBN or title.
    package func search(title: String, author: String) async throws(ETLError) -> ProviderFindings {
        try await ServiceQueries.search(
            client, .shownTitle, title: title, author: author, isSynthetic: false
        ) {
            OpenLibraryDoc.packed(in: Array($0))
        }
    }

    // MARK: Works and authors

    /// Requests the works named by editions and titles, and the authors of both.
    private func gather(
        _ editions: [OpenLibraryRecord], _ works: [String], _ deadline: UInt64?
    ) async throws(ETLError) -> Found {
        var found = Found()
        // An edition mostly names the authors of its work, so they need not wait for it.
        async let first = resolved(.author, editions.flatMap(\.authors), deadline)
        found.works = try await resolve(.work, editions.compactMap(\.work) + works, deadline)
        found.authors = try await first.get()
        var authors: [String] = []
        for fetched in found.works.values { authors += fetched.record?.authors ?? [] }
        authors.removeAll { found.authors[$0] != nil }
        found.authors.merge(try await resolve(.author, authors, deadline)) { known, _ in known }
        return found
    }

    /// The same as ``resolve(_:_:_:)``, as a value.
    private func resolved(
        _ kind: ServiceKey.Kind, _ names: [String], _ deadline: UInt64?
    ) async -> Result<[String: Fetched], ETLError> {
        do throws(ETLError) { return .success(try await resolve(kind, names, deadline)) } catch {
            return .failure(error)
        }
    }

    /// Requests records by key and follows redirects. Results are under the requested keys.
    private func resolve(
        _ kind: ServiceKey.Kind, _ names: [String], _ deadline: UInt64?
    ) async throws(ETLError) -> [String: Fetched] {
        var results: [String: Fetched] = [:]
        // The current key of each requested name that is not resolved yet.
        var unresolved = names.sorted().deduplicated.map { (name: $0, place: $0) }
        results.reserveCapacity(unresolved.count)
        for _ in 0...Self.redirectLimit where !unresolved.isEmpty {
            let places = unresolved.map(\.place).deduplicated
            let answers = try await client.ask(places.map { ServiceKey(kind, $0) }, deadline: deadline)
            let got = Dictionary(zip(places, answers)) { first, _ in first }
            var moved: [(name: String, place: String)] = []
            for (name, place) in unresolved {
                let fetched = Fetched(got[place] ?? .unanswered(.skipped))
                if let record = fetched.record, record.kind == .moved {
                    moved.append((name, record.work ?? ""))
                } else {
                    results[name] = fetched
                }
            }
            unresolved = moved
        }
        for (name, _) in unresolved { results[name] = Fetched.none(.notFound) }
        return results
    }

    // MARK: Putting together

    private func append(
        _ edition: OpenLibraryRecord, _ found: Found, _ packed: inout PackedRecordWriter,
        to result: inout BookAnswers
    ) {
        packed.reset()
        packed.append(all: edition.body)
        var authors = edition.authors
        var missing: LookupOutcome?
        if let name = edition.work {
            let fetched = found.works[name] ?? .none(.skipped)
            missing = fetched.openOutcome
            if let work = fetched.record {
                packed.append(all: work.body)
                if !work.authors.isEmpty { authors = work.authors }
            } else {
                packed.append(.workKey, name)
                packed.append(all: edition.standIn)
            }
        } else {
            packed.append(all: edition.standIn)
        }
        finish(&packed, authors, found, isSynthetic: edition.work == nil, missing: missing, to: &result)
    }

    private func append(
        _ settlement: MatchResult, among works: [MatchCandidate], _ found: Found,
        _ packed: inout PackedRecordWriter, to result: inout BookAnswers
    ) {
        guard let name = settlement.record(among: works) else { return result.append(settlement) }
        switch found.works[name] ?? .none(.skipped) {
        case .none(let outcome): result.answers.append(BookAnswer(outcome))
        case .unreadable: result.answers.append(BookAnswer(.malformed))
        case .record(let work):
            packed.reset()
            packed.append(all: work.body)
            finish(&packed, work.authors, found, isSynthetic: false, missing: nil, to: &result)
        }
    }

    /// Adds the authors and completes the answer.
    ///
    /// - Parameter missing: Why a part of the record is missing already.
    private func finish(
        _ packed: inout PackedRecordWriter, _ authors: [String], _ found: Found, isSynthetic: Bool,
        missing: LookupOutcome?, to result: inout BookAnswers
    ) {
        var missing = missing
        var number: UInt8 = 0
        for name in authors.deduplicated {
            let fetched = found.authors[name] ?? .none(.skipped)
            if let open = fetched.openOutcome {
                missing = missing ?? open
                // No other author takes the place of one who is not known yet.
                break
            }
            guard Int(number) < PackedRecord.authorLimit, let author = fetched.record else { continue }
            author.body.withUnsafeBytes { packed.append(record: $0, author: number) }
            number += 1
        }
        result.append(packed.bytes[...], isSynthetic: isSynthetic, missing: missing)
    }
}

extension PackedRecordWriter {
    package mutating func append(all record: ArraySlice<UInt8>) {
        record.withUnsafeBytes { append(record: $0) }
    }
}
