package import Books
import Bytes
package import Contract
package import Database
package import Store
import Syntax
package import System

/// Writes a job's results in one of the contract's views, in an envelope: `etl results`.
///
/// The response is written while it is read, so memory does not grow with the number of records.
package struct JobResults {
    private let connection: Connection
    private let clock: any RunClock
    /// Lifetime of results over HTTP, in hours.
    package static let hoursKept = 24

    private let hoursKept: Int
    private let quality: Quality?

    /// Knows the figures of a completed job.
    package typealias Quality = (Job) throws(ETLError) -> QualityCounts

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - hoursKept: Lifetime of results over HTTP; the message about missing results states it.
    ///   - quality: Nil to compute the figures.
    package init(
        _ connection: Connection, clock: any RunClock = SystemClock(), hoursKept: Int = Self.hoursKept,
        quality: Quality? = nil
    ) {
        self.connection = connection
        self.clock = clock
        self.hoursKept = hoursKept
        self.quality = quality
    }

    /// Writes the envelope of a job's results, or of a failure.
    ///
    /// - Parameter view: The view; nil for the default of the job's pipeline.
    /// - Returns: The failure if the response is one: `NOT_FOUND` if there is no such job, `INVALID_REQUEST`
    ///   if the view does not fit its pipeline.
    /// - Throws: If the store cannot be read, and what the sink throws; then part of a response may have been
    ///   written.
    @discardableResult
    package func write(
        _ jobName: String, as view: ResultsView? = nil, to sink: ByteSink
    ) throws(ETLError) -> ResponseError? {
        var out = JSONWriter()
        Envelope.beginSuccess(into: &out)
        var isBegun = false
        let written = try writeData(of: jobName, as: view) { (piece) throws(ETLError) in
            if !isBegun { try out.flush(to: sink, isEnd: true) }
            isBegun = true
            try sink(piece)
        }
        switch written {
        case .success(let metadata):
            out.spliced(json: UnsafeRawBufferPointer(start: nil, count: 0))
            Envelope.endSuccess(metadata, into: &out)
            try out.flush(to: sink, isEnd: true)
            return nil
        case .failure(let error):
            var out = JSONWriter()
            Envelope.failure(error, timestamp: clock.epochMilliseconds(), into: &out)
            try out.flush(to: sink, isEnd: true)
            return error
        }
    }

    /// Writes the `data` of the envelope alone.
    ///
    /// - Returns: The envelope's metadata; or the failure as ``write(_:as:to:)`` does, and nothing was written.
    package func writeData(
        of jobName: String, as view: ResultsView? = nil, to sink: ByteSink
    ) throws(ETLError) -> Result<ResponseMetadata, ResponseError> {
        let began = clock.nanoseconds()
        return try connection.snapshot { () throws(ETLError) -> Result<ResponseMetadata, ResponseError> in
            guard let job = try JobTable(connection).job(named: jobName) else {
                return .failure(.noResults(jobId: jobName, of: view, hoursKept: hoursKept))
            }
            let view = view ?? .standard(for: job.contractPipeline)
            guard view.fits(job.contractPipeline) else {
                let reason =
                    "The \(view.rawValue) view cannot show jobs of the pipeline \(job.contractPipeline.rawValue)."
                return .failure(.invalidRequest("view", value: view.rawValue, reason: reason))
            }
            switch view {
            case .imports: return .success(try writeImports(job, began, to: sink))
            case .csv:
                var metadata = try writeImports(job, began, to: sink)
                metadata.provider = ResponseMetadata.resultsCache
                return .success(metadata)
            case .job where job.contractPipeline == .aiScan:
                return .success(try writeDetected(job, began, to: sink))
            case .job where job.contractPipeline == .batchEnrichment:
                let metadata = try writeJob(job, began, to: sink) {
                    EnrichedBook(work: $0.work, edition: $0.edition, authors: $0.authors)
                }
                return .success(metadata)
            case .job: return .success(try writeJob(job, began, to: sink) { ParsedBook($0.flat) })
            case .scan: return .success(try writeScan(job, to: sink))
            }
        }
    }

    // MARK: Views

    private func writeImports(
        _ job: Job, _ began: UInt64, to sink: ByteSink
    ) throws(ETLError) -> ResponseMetadata {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        var view = ImportResultsWriter(job.counts, into: &out)
        let errors = try RecordErrors(job, in: connection)
        while let error = try errors.next() {
            view.error(error, into: &out)
            try out.flush(to: sink)
        }
        var books = try JobBooks(job, in: connection)
        while let book = try books.next() {
            view.book(book.flat, into: &out)
            try out.flush(to: sink)
        }
        view.end(timestamp: job.endedAt ?? job.updatedAt, quality: try quality(of: job), into: &out)
        try out.flush(to: sink, isEnd: true)
        return metadata(since: began, books)
    }

    private func quality(of job: Job) throws(ETLError) -> QualityCounts? {
        guard job.status == .completed else { return nil }
        if let quality { return try quality(job) }
        return try QualityMetrics(connection).counts(of: job)
    }

    private func writeJob<Entry: JobResultsEntry>(
        _ job: Job, _ began: UInt64, to sink: ByteSink, entry: (StoredBook) -> Entry
    ) throws(ETLError) -> ResponseMetadata {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        var view = JobResultsWriter<Entry>(into: &out)
        var books = try JobBooks(job, in: connection)
        while let book = try books.next() {
            view.entry(entry(book), into: &out)
            try out.flush(to: sink)
        }
        let errors = try RecordErrors(job, in: connection)
        while let error = try errors.next() {
            view.error(error, into: &out)
            try out.flush(to: sink)
        }
        view.end(quality: try quality(of: job), into: &out)
        try out.flush(to: sink, isEnd: true)
        return metadata(since: began, books)
    }

    private func writeDetected(
        _ job: Job, _ began: UInt64, to sink: ByteSink
    ) throws(ETLError) -> ResponseMetadata {
        var out = JSONWriter()
        var view = JobResultsWriter<DetectedBook>(into: &out)
        for book in try ScannedBooks.results(of: job, in: connection).books { view.entry(book, into: &out) }
        view.end(quality: try quality(of: job), into: &out)
        try out.flush(to: sink, isEnd: true)
        return ResponseMetadata(
            timestamp: clock.epochMilliseconds(),
            processingTime: Int64((clock.nanoseconds() - began) / 1_000_000), isCached: true)
    }

    private func writeScan(_ job: Job, to sink: ByteSink) throws(ETLError) -> ResponseMetadata {
        let began = clock.nanoseconds()
        var out = JSONWriter()
        try ScannedBooks.results(of: job, in: connection).write(into: &out)
        try out.flush(to: sink, isEnd: true)
        return ResponseMetadata(
            timestamp: clock.epochMilliseconds(),
            processingTime: Int64((clock.nanoseconds() - began) / 1_000_000),
            provider: ResponseMetadata.resultsCache, isCached: true)
    }

    /// Stored results count as cached.
    private func metadata(since began: UInt64, _ books: JobBooks) -> ResponseMetadata {
        ResponseMetadata(
            timestamp: clock.epochMilliseconds(),
            processingTime: Int64((clock.nanoseconds() - began) / 1_000_000),
            provider: books.mainProvider?.contractName, isCached: true)
    }
}

/// The books of a job in input order: one for each record that was stored or already there. A book of which only the ISBN is
/// known is left out: an app would store it without a title.
package struct JobBooks {
    private var records: RecordsOfJob
    private let query: Statement
    private let contributors: ContributorReader
    private var tags = SubjectTags()
    /// The record of the book that was returned last.
    private(set) var record: NumberedOutcome?
    /// Number of books by provider of the work.
    private var given: [Provider: Int] = [:]

    package init(_ job: Job, in connection: Connection) throws(ETLError) {
        // The records are read in order and each book by row id: nothing is sorted, nothing is held in
        // memory.
        records = try RecordsOfJob(job, in: connection)
        query = try connection.query(
            """
            SELECT \(StoredBook.columns(entry: "e")) FROM entries e CROSS JOIN editions d ON d.id = e.edition
            CROSS JOIN works w ON w.id = d.work
            WHERE e.id = ?1 AND \(ShownTitle.sql) <> ''
            """)
        contributors = try ContributorReader(connection)
    }

    /// The next book; nil after the last.
    package mutating func next() throws(ETLError) -> StoredBook? {
        while let record = try records.next() {
            query.bind(1, record.entry)
            defer { query.reset() }
            guard try query.next() else { continue }
            self.record = record
            return try book()
        }
        return nil
    }

    /// The book of the statement's current row.
    private mutating func book() throws(ETLError) -> StoredBook {
        var book = StoredBook(query, authors: try contributors.authors(of: query.integer(0)))
        book.addTopics(&tags)
        if let provider = book.work.primaryProvider { given[provider, default: 0] += 1 }
        return book
    }

    /// The provider that gave most of the works so far. Of two with the same number it is the first in the
    /// order of providers; nil if no work came from a provider.
    package var mainProvider: Provider? {
        given.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}

/// The `errors` of a job's results, in input order: rejects and warnings about ISBNs.
struct RecordErrors {
    private let job: Job
    private let query: Statement
    /// Rows before the first one that the client sent: the server writes a client's list of books as a table with a header.
    private let addedRows: Int

    init(_ job: Job, in connection: Connection) throws(ETLError) {
        self.job = job
        addedRows = job.options?.contract == JobPipeline.batchEnrichment.rawValue ? 1 : 0
        query = try connection.query(
            """
            SELECT file, row, field, value, message, 0, 0, code, line FROM rejects WHERE job = ?1
            UNION ALL
            SELECT file, row, field, value, message, 1, number, code, line FROM warnings
                WHERE job = ?1 AND code GLOB 'isbn*'
            ORDER BY 1, 2, 6, 7
            """)
        query.bind(1, job.id)
    }

    /// The next error; nil after the last.
    func next() throws(ETLError) -> RecordError? {
        guard try query.next() else { return nil }
        let isOfISBN = query.integer(5) == 1 || query.string(2).lowercased().contains("isbn")
        let value = query.string(3)
        return RecordError(
            row: max(Int(query.integer(1)) - addedRows, 0), isbn: isOfISBN ? Self.number(value) : "",
            value: value.isEmpty ? nil : value,
            error: query.string(4),
            code: Self.code(ReasonCode(rawValue: query.string(7)), hasNumber: isOfISBN && !value.isEmpty)?
                .rawValue,
            file: job.fileName(Int(query.integer(0))),
            lineNumber: query.integer(8) > 0 ? Int(query.integer(8)) : nil)
    }

    /// The error code of clients; nil if none is meant for the reason.
    ///
    /// - Parameter hasNumber: Whether the record has a text in the place of an ISBN.
    private static func code(_ reason: ReasonCode?, hasNumber: Bool) -> ErrorCode? {
        switch reason {
        case .notFound, .isbnUnknown: .notFound
        case .noTitleOrISBN where hasNumber: .invalidISBN
        case .some(let reason) where reason.saysNoISBN: .invalidISBN
        default: nil
        }
    }

    /// The ISBN-13 of a cell, or the cell itself if it looks like an ISBN: digits, hyphens, blanks and the check digit X.
    /// Clients show it to people as the number, so it is empty for any other text.
    private static func number(_ cell: String) -> String {
        if let isbn = ISBNReader.read(cell).isbn { return isbn.isbn13 }
        let isNumber =
            (1...17).contains(cell.utf8.count) && cell.utf8.first?.isDigit == true
            && cell.utf8.allSatisfy { $0.isDigit || "- Xx".utf8.contains($0) }
        return isNumber ? cell : ""
    }
}
