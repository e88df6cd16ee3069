import Books
import Bytes
package import Database
import Formats
import Pipeline
import Queries
package import Sources
package import Store
package import System

/// A results store in its own folder, filled by the stages that fill a real one; only the providers' answers
/// come from the test.
package final class FilledStore {
    package let folder: TemporaryFolder
    package let clock = ManualClock()
    package var path: String { folder.file("library.sqlite") }

    /// The providers' answers by ISBN-13, or by title for rows without ISBN.
    package var known: [String: [KnownBook]] = [:]
    /// The people in Wikidata.
    package var people: [PersonFacts] = []
    /// Records per batch.
    package var batchRecords = 7

    package init() throws { folder = try TemporaryFolder() }

    /// Imports files, each given as its text, and completes the job.
    @discardableResult
    package func importing(
        _ texts: [String], as names: [String] = ["books.csv"], job name: String, library: String = "default",
        replaces: Bool = false
    ) async throws -> Job {
        var paths: [String] = []
        for (text, name) in zip(texts, names) { paths.append(try folder.write(text, to: name)) }
        var reading = ReadSettings(files: paths)
        reading.batchRecords = batchRecords
        let source = ReadLibrary(reading)
        let survey = try await source.surveyLibrary()
        var inputs = survey.source.fingerprints
        for index in inputs.indices { inputs[index].name = paths[index] }
        var request = JobRequest(
            name: name, freshName: name, pipeline: "csv_import", library: library,
            formatName: survey.files.first?.formatName, inputs: inputs, totalCount: survey.recordCount,
            newestDate: survey.newestDate.map { Int64($0.value) })
        request.replaces = replaces
        let store = try ResultsStore(path, clock: clock)
        _ = try await store.begin(request)
        let sink = WriteResults(store: store, stop: StopSignal())
        let failure = Guarded<(any Error)?>(nil)
        let before = Guarded((batches: 0, records: 0))
        let stages = FixtureStages(known: known, people: people, library: library, numbers: store.numbers)
        let emitter = Emitter<LibraryRows> { rows, end, count, rejects in
            let before = before.withLock { before in
                defer { before = (before.batches + 1, before.records + count) }
                return before
            }
            do {
                let batch = Batch(
                    sequence: before.batches, end: end, recordsRead: count, recordsBefore: before.records,
                    payload: rows, rejects: rejects)
                try await sink.write(try await stages.compose(batch))
                return true
            } catch {
                failure.withLock { $0 = error }
                return false
            }
        }
        try await source.read(from: .start, into: emitter)
        if let error = failure.withLock({ $0 }) { throw error }
        guard let job = try await store.end(.completed, busyMilliseconds: 1_234) else {
            throw ETLError(.bug, "The job ended before it began.")
        }
        return job
    }

    /// Opens the store as a reading command does.
    package func open() throws(ETLError) -> Connection { try StoreFile.openForReading(path) }
}

/// The stages between reading and writing, with the given answers.
private struct FixtureStages: Sendable {
    let known: [String: [KnownBook]]
    let people: [PersonFacts]
    let library: String
    let numbers: RowNumbers

    func compose(_ batch: consuming Batch<LibraryRows>) async throws(ETLError) -> Batch<ResultBatch> {
        let validated = try await ValidateISBN().process(batch)
        let matched = match(validated.payload)
        let merged = try await MergeCandidates().process(validated.carrying(matched))
        let tagged = try await NormalizeGenres().process(merged)
        let enriched = try await EnrichAuthors(directory: PeopleList(people)).process(tagged)
        return try await ComposeResults(library: library, numbers: numbers).process(enriched)
    }

    private func match(_ rows: ValidatedRows) -> MatchedRows {
        var matched = MatchedRows(rows)
        for row in matched.isbns.indices {
            let first = matched.candidates.count
            let title = matched.library.arena[matched.library.rows[row].title]
            for book in known[matched.isbns[row].isbn?.isbn13 ?? title] ?? [] { append(book, to: &matched) }
            matched.candidatesOfRow[row] = first..<matched.candidates.count
        }
        return matched
    }

    private func append(_ book: KnownBook, to matched: inout MatchedRows) {
        let first = matched.values.count
        for (field, text) in book.values {
            matched.values.append(CandidateValue(field, matched.library.arena.append(text)))
        }
        for (number, author) in book.authors.enumerated() {
            for (field, text) in author {
                let value = matched.library.arena.append(text)
                matched.values.append(CandidateValue(field, author: UInt8(number), value))
            }
        }
        matched.candidates.append(
            Candidate(
                provider: book.provider, record: matched.library.arena.append(book.record), match: book.match,
                isSynthetic: book.provider != .openLibrary, values: first..<matched.values.count))
    }
}

extension Connection {
    /// The canonical dump of this store.
    package func canonicalDump() throws(ETLError) -> String {
        let collector = ByteCollector()
        try Export(self).write(.all, as: .ndjson) { (piece) throws(ETLError) in collector.take(piece) }
        return collector.text
    }
}
