import Database
import System

/// The new rows of a batch before they are on disk. They are appended table by table at the end of the batch,
/// or earlier if one of them must be read. Rows in the batch's image are copied from it, once per batch.
final class NewRows {
    private let images: ImageRows
    private let works: Appender<NewWork>
    private let editions: Appender<NewEdition>
    private let authors: Appender<NewAuthor>
    private let contributors: Appender<NewContributor>
    private let entries: Appender<NewEntry>
    private let candidates: Appender<NewCandidate>

    /// The first row of each table that is not on disk yet. Ids are assigned in ascending order.
    private var waiting = FirstIDs()
    /// Indexes of the prepared rows of waiting authors. Their ids are consecutive.
    private var waitingAuthors: [Int] = []

    private struct FirstIDs {
        var work = Int64.max
        var edition = Int64.max
        var author = Int64.max
        var entry = Int64.max
        var candidate = Int64.max
    }

    init(_ connection: Connection) throws(ETLError) {
        images = ImageRows(connection)
        works = try Appender(connection, table: "works", columns: NewWork.columns)
        editions = try Appender(connection, table: "editions", columns: NewEdition.columns)
        authors = try Appender(connection, table: "authors", columns: NewAuthor.columns)
        contributors = try Appender(connection, table: "contributors", columns: NewContributor.columns)
        entries = try Appender(connection, table: "entries", columns: NewEntry.columns)
        candidates = try Appender(connection, table: "candidates", columns: NewCandidate.columns)
    }

    // MARK: Appending

    func append(_ work: NewWork) {
        waiting.work = min(waiting.work, work.id)
        works.append(work)
    }

    func append(_ edition: NewEdition) {
        waiting.edition = min(waiting.edition, edition.id)
        editions.append(edition)
    }

    func append(_ author: NewAuthor) {
        waiting.author = min(waiting.author, author.id)
        waitingAuthors.append(author.number)
        authors.append(author)
    }

    /// The prepared row from which an author's row will be written; nil if the row is on disk.
    func prepared(ofAuthor id: Int64) -> Int? {
        guard id >= waiting.author, id - waiting.author < waitingAuthors.count else { return nil }
        return waitingAuthors[Int(id - waiting.author)]
    }

    func append(_ entry: NewEntry) {
        waiting.entry = min(waiting.entry, entry.id)
        entries.append(entry)
    }

    func append(_ candidate: NewCandidate) {
        waiting.candidate = min(waiting.candidate, candidate.id)
        candidates.append(candidate)
    }

    func append(_ contributor: NewContributor) { contributors.append(contributor) }

    // MARK: Taking from the image

    /// Sets the image with the rows of the next batch, if there is one.
    func begin(_ image: DatabaseImage?, library: Int64, layout: Int64) {
        images.begin(image, library: library, layout: layout)
    }

    /// Whether a record's rows can be taken from the batch's image.
    @inline(__always)
    func canTake(_ number: Int, of batch: ResultBatchView) -> Bool {
        images.isOpen && batch.rows[number].entryPlaceholder != 0
    }

    /// Sets the row of an author in the image.
    ///
    /// - Parameter place: The offset in the image where it is missing.
    @inline(__always)
    func set(author: Int64, at place: UInt32) { images.set(author: author, at: place) }

    /// Marks a record's rows in the image to be copied.
    ///
    /// They cannot be read before ``flush(_:)``.
    func take(_ number: Int, of batch: ResultBatchView) { images.take(number, of: batch) }

    // MARK: Writing

    /// Writes all waiting rows.
    func flush(_ batch: ResultBatchView) throws(ETLError) {
        try images.flush(batch)
        try works.flush(from: batch)
        try editions.flush(from: batch)
        try authors.flush(from: batch)
        try contributors.flush(from: ())
        try entries.flush(from: batch)
        try candidates.flush(from: batch)
        waiting = FirstIDs()
        waitingAuthors.removeAll(keepingCapacity: true)
    }

    /// Ensures that a work and its contributors can be read.
    func settle(work id: Int64, _ batch: ResultBatchView) throws(ETLError) {
        if id >= waiting.work { try flush(batch) }
    }

    func settle(edition id: Int64, _ batch: ResultBatchView) throws(ETLError) {
        if id >= waiting.edition { try flush(batch) }
    }

    /// Other rows keep waiting, because the author of a new record may be known.
    func settle(author id: Int64, _ batch: ResultBatchView) throws(ETLError) {
        guard id >= waiting.author else { return }
        try authors.flush(from: batch)
        waiting.author = .max
        waitingAuthors.removeAll(keepingCapacity: true)
    }

    func settle(entry id: Int64, _ batch: ResultBatchView) throws(ETLError) {
        if id >= waiting.entry { try flush(batch) }
    }

    func settle(candidate id: Int64, _ batch: ResultBatchView) throws(ETLError) {
        if id >= waiting.candidate { try flush(batch) }
    }
}
