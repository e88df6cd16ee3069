package import Pipeline

/// Open Library over the network: editions by ISBN or works by title and author, each with its work's record and its
/// authors', so that what it gives is what the catalog built from its dumps would give.
package struct OpenLibrary: BookProvider {
    /// Redirects of a record that are followed.
    private static let redirectLimit = 5

    private let desk: ServiceDesk

    package init(_ desk: ServiceDesk) { self.desk = desk }

    package var provider: Provider { .openLibrary }
    package var asksNetwork: Bool { true }

    /// The records that a batch leads to.
    private struct Found {
        var works: [String: ServiceAnswer] = [:]
        var authors: [String: ServiceAnswer] = [:]
    }

    package func answer(_ questions: BookQuestions) async throws(StageFailure) -> BookAnswers {
        let deadline = LookUpDeadline(desk.tools).instant
        let asked = ServiceQuestions(questions, for: provider, asksTitles: true)
        let answers = try await desk.ask(asked.distinct, deadline: deadline)
        var records = OpenLibraryRecords(latestYear: latestYear)
        var editions: [ServiceKey: OpenLibraryRecords.Edition] = [:]
        var searches: [ServiceKey: [OfferedBook]] = [:]
        for (key, answer) in answers {
            guard let body = answer.body else { continue }
            if key.kind == .isbn { editions[key] = records.edition(body) }
            if key.kind == .title { searches[key] = OpenLibraryDoc.works(in: body) }
        }
        let settled = asked.settled(searches, of: provider)
        let found = try await gather(
            Array(editions.values), asked.records(of: settled, among: searches), deadline, &records)
        var result = BookAnswers()
        for (number, key) in asked.keys.enumerated() {
            guard let key, let answer = answers[key] else {
                result.answers.append(BookAnswer(.notFound))
                continue
            }
            if let edition = editions[key] {
                append(edition, found, &records, to: &result)
            } else if let settlement = settled[number] {
                append(settlement, among: searches[key] ?? [], found, &records, to: &result)
            } else {
                result.answers.append(BookAnswer(answer.body == nil ? answer.outcome : .malformed))
            }
        }
        return result
    }

    /// The last year that is taken for one in free text: the next but one.
    private var latestYear: Int32 {
        Int32(1970 + desk.tools.clock.epochMilliseconds() / 31_556_952_000) + 2
    }

    // MARK: Works and authors

    /// Asks for the works that editions and titles name, and for the authors of both.
    private func gather(
        _ editions: [OpenLibraryRecords.Edition], _ works: [String], _ deadline: UInt64?,
        _ records: inout OpenLibraryRecords
    ) async throws(StageFailure) -> Found {
        var found = Found()
        found.works = try await resolve(.work, editions.compactMap(\.work) + works, deadline)
        var authors: [String] = []
        for answer in found.works.values {
            authors += answer.body.flatMap { records.work($0)?.authors } ?? []
        }
        for edition in editions { authors += edition.authors }
        found.authors = try await resolve(.author, authors, deadline)
        return found
    }

    /// Answers by the keys they were asked by, redirects followed.
    private func resolve(
        _ kind: ServiceKey.Kind, _ names: [String], _ deadline: UInt64?
    ) async throws(StageFailure) -> [String: ServiceAnswer] {
        var answers: [String: ServiceAnswer] = [:]
        // Where each name that was asked for stands now.
        var standing = Dictionary(names.sorted().map { ($0, $0) }) { first, _ in first }
        for _ in 0...Self.redirectLimit where !standing.isEmpty {
            let keys = standing.values.sorted().deduplicated.map { ServiceKey(kind, $0) }
            let got = try await desk.ask(keys, deadline: deadline)
            for (name, place) in standing {
                let answer = got[ServiceKey(kind, place)] ?? .unanswered(.skipped)
                if let next = answer.body.flatMap(OpenLibraryRecords.redirect) {
                    standing[name] = next
                } else {
                    answers[name] = answer
                    standing[name] = nil
                }
            }
        }
        for name in standing.keys { answers[name] = .notFound }
        return answers
    }

    // MARK: Putting together

    private func append(
        _ edition: OpenLibraryRecords.Edition, _ found: Found, _ records: inout OpenLibraryRecords,
        to result: inout BookAnswers
    ) {
        var packed = PackedRecordWriter()
        packed.append(all: edition.body)
        var authors = edition.authors
        if let name = edition.work {
            let answer = found.works[name] ?? .unanswered(.skipped)
            guard answer.outcome.isSettled else { return result.answers.append(BookAnswer(answer.outcome)) }
            if let work = answer.body.flatMap({ records.work($0) }) {
                packed.append(all: work.body)
                if !work.authors.isEmpty { authors = work.authors }
            } else {
                packed.append(.workKey, name)
                packed.append(all: edition.standIn)
            }
        } else {
            packed.append(all: edition.standIn)
        }
        finish(&packed, authors, found, &records, isSynthetic: edition.work == nil, to: &result)
    }

    private func append(
        _ settlement: MatchSettlement, among works: [OfferedBook], _ found: Found,
        _ records: inout OpenLibraryRecords, to result: inout BookAnswers
    ) {
        guard let name = settlement.record(among: works) else { return result.append(settlement) }
        let answer = found.works[name] ?? .unanswered(.skipped)
        guard let work = answer.body.flatMap({ records.work($0) }) else {
            return result.answers.append(BookAnswer(answer.body == nil ? answer.outcome : .malformed))
        }
        var packed = PackedRecordWriter()
        packed.append(all: work.body)
        finish(&packed, work.authors, found, &records, isSynthetic: false, to: &result)
    }

    private func finish(
        _ packed: inout PackedRecordWriter, _ authors: [String], _ found: Found,
        _ records: inout OpenLibraryRecords, isSynthetic: Bool, to result: inout BookAnswers
    ) {
        var number: UInt8 = 0
        for name in authors.deduplicated {
            let answer = found.authors[name] ?? .unanswered(.skipped)
            guard answer.outcome.isSettled else { return result.answers.append(BookAnswer(answer.outcome)) }
            guard number < 64, let body = answer.body.flatMap({ records.author($0) }) else { continue }
            body.withUnsafeBytes { packed.append(record: $0, author: number) { $0 != .authorAlternateName } }
            number += 1
        }
        result.append(packed, isSynthetic: isSynthetic)
    }
}

extension PackedRecordWriter {
    /// Appends all values of a record.
    mutating func append(all record: [UInt8]) { record.withUnsafeBytes { append(record: $0) } }
}
