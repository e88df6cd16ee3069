import Books
package import Database
package import Pipeline
import Syntax

/// Answers for a job's results in one of the contract's views and in its envelope (contract.md sections 1 and 7):
/// `etl results`, and the server's four addresses.
///
/// The answer is written while it is read: a job of a million records costs no more memory than one of ten.
package struct JobResults {
    private let connection: Connection
    private let clock: any RunClock
    /// How long results stand over HTTP (contract.md section 7), in hours.
    package static let hoursKept = 24

    private let hoursKept: Int

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - hoursKept: How long results are kept over HTTP, for the failure that says they are gone.
    package init(
        _ connection: Connection, clock: any RunClock = SystemClock(), hoursKept: Int = Self.hoursKept
    ) {
        self.connection = connection
        self.clock = clock
        self.hoursKept = hoursKept
    }

    /// Writes the envelope of a job's results, or that of a failure.
    ///
    /// - Parameter view: Nil for the view that is usual for the job's pipeline.
    /// - Returns: The failure where the answer is one: `NOT_FOUND` for a job there is none of,
    ///   `INVALID_REQUEST` for a view that does not fit its pipeline.
    /// - Throws: Where the store cannot be read, and what the sink throws; then part of an answer may be out.
    @discardableResult
    package func write(
        _ jobName: String, as view: ResultsView? = nil, to sink: ByteSink
    ) throws(StageFailure) -> ResponseError? {
        let began = clock.nanoseconds()
        return try connection.snapshot { () throws(StageFailure) -> ResponseError? in
            guard let job = try JobTable(connection).job(named: jobName) else {
                return try refuse(.noResults(jobId: jobName, hoursKept: hoursKept), to: sink)
            }
            let view = view ?? .standard(for: job.contractPipeline)
            guard view.fits(job.contractPipeline) else {
                let reason =
                    "The \(view.rawValue) view cannot show a job of \(job.contractPipeline.rawValue)."
                return try refuse(.invalidRequest("view", value: view.rawValue, reason: reason), to: sink)
            }
            switch view {
            case .imports: try writeImports(job, began, to: sink)
            case .csv: try writeCSV(job, began, to: sink)
            case .job where job.contractPipeline == .batchEnrichment:
                try writeJob(job, began, to: sink) {
                    EnrichedBook(work: $0.work, edition: $0.edition, authors: $0.authors)
                }
            case .job: try writeJob(job, began, to: sink) { ParsedBook($0.flat) }
            case .scan:
                // Photos leave no records behind: their job has nothing to show once it is over.
                return try refuse(.noResults(jobId: jobName, hoursKept: hoursKept), to: sink)
            }
            return nil
        }
    }

    private func refuse(_ error: ResponseError, to sink: ByteSink) throws(StageFailure) -> ResponseError {
        var out = JSONWriter()
        Envelope.failure(error, timestamp: clock.epochMilliseconds(), into: &out)
        try out.handOn(to: sink, isEnd: true)
        return error
    }

    // MARK: Views

    private func writeImports(_ job: Job, _ began: UInt64, to sink: ByteSink) throws(StageFailure) {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        Envelope.beginSuccess(into: &out)
        var view = ImportResultsWriter(job.counts, into: &out)
        let errors = try RecordErrors(job, in: connection)
        while let error = try errors.next() {
            view.error(error, into: &out)
            try out.handOn(to: sink)
        }
        var books = try JobBooks(job, in: connection)
        while let book = try books.next() {
            view.book(book.flat, into: &out)
            try out.handOn(to: sink)
        }
        view.end(into: &out)
        Envelope.endSuccess(metadata(since: began, books), into: &out)
        try out.handOn(to: sink, isEnd: true)
    }

    private func writeCSV(_ job: Job, _ began: UInt64, to sink: ByteSink) throws(StageFailure) {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        Envelope.beginSuccess(into: &out)
        var view = CSVResultsWriter(into: &out)
        var books = try JobBooks(job, in: connection)
        while let book = try books.next() {
            view.book(book.flat, into: &out)
            try out.handOn(to: sink)
        }
        let errors = try RecordErrors(job, in: connection)
        while let error = try errors.next() {
            view.error(error, into: &out)
            try out.handOn(to: sink)
        }
        view.end(job.counts, timestamp: job.endedAt ?? job.updatedAt, into: &out)
        Envelope.endSuccess(metadata(since: began, books), into: &out)
        try out.handOn(to: sink, isEnd: true)
    }

    private func writeJob<Entry: JobResultsEntry>(
        _ job: Job, _ began: UInt64, to sink: ByteSink, entry: (StoredBook) -> Entry
    ) throws(StageFailure) {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        Envelope.beginSuccess(into: &out)
        var view = JobResultsWriter<Entry>(into: &out)
        var books = try JobBooks(job, in: connection)
        while let book = try books.next() {
            view.entry(entry(book), into: &out)
            try out.handOn(to: sink)
        }
        let errors = try RecordErrors(job, in: connection)
        while let error = try errors.next() {
            view.error(error, into: &out)
            try out.handOn(to: sink)
        }
        view.end(into: &out)
        Envelope.endSuccess(metadata(since: began, books), into: &out)
        try out.handOn(to: sink, isEnd: true)
    }

    /// Results that a job left behind come from the store, which is what clients call cached.
    private func metadata(since began: UInt64, _ books: JobBooks) -> ResponseMetadata {
        ResponseMetadata(
            timestamp: clock.epochMilliseconds(),
            processingTime: Int64((clock.nanoseconds() - began) / 1_000_000),
            provider: books.mainProvider?.contractName, isCached: true)
    }
}
