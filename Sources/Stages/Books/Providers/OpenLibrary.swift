import Bytes
package import Pipeline
package import Services

/// Open Library over the network: editions by ISBN or works by title and author, each with its work's record and its
/// authors', so that what it gives is what the catalog built from its dumps would give.
package struct OpenLibrary: BookProvider {
    /// Redirects of a record that are followed.
    private static let redirectLimit = 5

    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package var provider: Provider { .openLibrary }
    package var asksNetwork: Bool { true }

    /// What came of a record that was asked for by its key: the record, or why there is none.
    private enum Lead {
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

        /// Why nothing can be said yet; nil where the question is settled, by a record that cannot be read as well.
        var openOutcome: LookupOutcome? {
            if case .none(let outcome) = self, !outcome.isSettled { outcome } else { nil }
        }
    }

    /// The records that a batch leads to.
    private struct Found {
        var works: [String: Lead] = [:]
        var authors: [String: Lead] = [:]
    }

    package func answer(_ questions: BookQueries) async throws(StageFailure) -> BookAnswers {
        let deadline = LookupDeadline(client.tools).instant
        let asked = ServiceQueries(questions, for: provider, asksTitles: true)
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
        for (number, key) in asked.numbers.enumerated() {
            guard let key else {
                result.answers.append(BookAnswer(.notFound))
                continue
            }
            if let edition = editions[key] {
                append(edition, found, &packed, to: &result)
            } else if let settlement = settled[number] {
                append(settlement, among: searches[asked.distinct[key]] ?? [], found, &packed, to: &result)
            } else {
                let answer = answers[key]
                result.answers.append(BookAnswer(answer.decoded == nil ? answer.outcome : .malformed))
            }
        }
        return result
    }

    // MARK: Works and authors

    /// Asks for the works that editions and titles name, and for the authors of both.
    private func gather(
        _ editions: [OpenLibraryRecord], _ works: [String], _ deadline: UInt64?
    ) async throws(StageFailure) -> Found {
        var found = Found()
        found.works = try await resolve(.work, editions.compactMap(\.work) + works, deadline)
        var authors: [String] = []
        for lead in found.works.values { authors += lead.record?.authors ?? [] }
        for edition in editions { authors += edition.authors }
        found.authors = try await resolve(.author, authors, deadline)
        return found
    }

    /// What came of records by the keys they were asked for by, redirects followed.
    private func resolve(
        _ kind: ServiceKey.Kind, _ names: [String], _ deadline: UInt64?
    ) async throws(StageFailure) -> [String: Lead] {
        var leads: [String: Lead] = [:]
        // Where each name that was asked for stands now.
        var standing = names.sorted().deduplicated.map { (name: $0, place: $0) }
        leads.reserveCapacity(standing.count)
        for _ in 0...Self.redirectLimit where !standing.isEmpty {
            let places = standing.map(\.place).deduplicated
            let answers = try await client.ask(places.map { ServiceKey(kind, $0) }, deadline: deadline)
            let got = Dictionary(zip(places, answers)) { first, _ in first }
            var moved: [(name: String, place: String)] = []
            for (name, place) in standing {
                let lead = Lead(got[place] ?? .unanswered(.skipped))
                if let record = lead.record, record.kind == .moved {
                    moved.append((name, record.work ?? ""))
                } else {
                    leads[name] = lead
                }
            }
            standing = moved
        }
        for (name, _) in standing { leads[name] = Lead.none(.notFound) }
        return leads
    }

    // MARK: Putting together

    private func append(
        _ edition: OpenLibraryRecord, _ found: Found, _ packed: inout PackedRecordWriter,
        to result: inout BookAnswers
    ) {
        packed.reset()
        packed.append(all: edition.body)
        var authors = edition.authors
        if let name = edition.work {
            let lead = found.works[name] ?? .none(.skipped)
            if let open = lead.openOutcome { return result.answers.append(BookAnswer(open)) }
            if let work = lead.record {
                packed.append(all: work.body)
                if !work.authors.isEmpty { authors = work.authors }
            } else {
                packed.append(.workKey, name)
                packed.append(all: edition.standIn)
            }
        } else {
            packed.append(all: edition.standIn)
        }
        finish(&packed, authors, found, isSynthetic: edition.work == nil, to: &result)
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
            finish(&packed, work.authors, found, isSynthetic: false, to: &result)
        }
    }

    private func finish(
        _ packed: inout PackedRecordWriter, _ authors: [String], _ found: Found, isSynthetic: Bool,
        to result: inout BookAnswers
    ) {
        var number: UInt8 = 0
        for name in authors.deduplicated {
            let lead = found.authors[name] ?? .none(.skipped)
            if let open = lead.openOutcome { return result.answers.append(BookAnswer(open)) }
            guard Int(number) < PackedRecord.authorLimit, let author = lead.record else { continue }
            author.body.withUnsafeBytes { packed.append(record: $0, author: number) }
            number += 1
        }
        result.append(packed.bytes[...], isSynthetic: isSynthetic)
    }
}

extension PackedRecordWriter {
    /// Appends all values of a record.
    mutating func append(all record: ArraySlice<UInt8>) { record.withUnsafeBytes { append(record: $0) } }
}
