import Database

/// The new rows of a batch on their way to disk: they are appended table by table when the batch is through, or
/// earlier where one of them is to be read. Those that lie in the batch's image are copied from there, once a batch.
final class NewRows {
    private let images: ImageRows
    private let works: Appender<NewWork>
    private let editions: Appender<NewEdition>
    private let authors: Appender<NewAuthor>
    private let contributors: Appender<NewContributor>
    private let entries: Appender<NewEntry>
    private let candidates: Appender<NewCandidate>

    /// The first row of each table that is not on disk yet: ids are given out in rising order.
    private var waiting = FirstIDs()
    /// Indexes of the drafts of the authors from the first one that waits on: their ids rise by one.
    private var waitingAuthors: [Int] = []

    private struct FirstIDs {
        var work = Int64.max
        var edition = Int64.max
        var author = Int64.max
        var entry = Int64.max
        var candidate = Int64.max
    }

    init(_ connection: Connection) throws(SQLiteError) {
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

    /// The draft that an author's row will be written from; nil where the row is on disk.
    func draft(ofAuthor id: Int64) -> Int? {
        id >= waiting.author ? waitingAuthors[Int(id - waiting.author)] : nil
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

    /// Says in which image the rows of the next batch are, if in any.
    func begin(_ image: DatabaseImage?, library: Int64, layout: Int64) {
        images.begin(image, library: library, layout: layout)
    }

    /// Whether a record's rows can be taken from the batch's image.
    @inline(__always)
    func canTake(_ number: Int, of batch: ResultBatchView) -> Bool {
        images.isOpen && batch.drafts[number].openEntry != 0
    }

    /// Says who an author in the image is.
    ///
    /// - Parameter place: Where the image leaves it open.
    @inline(__always)
    func set(author: Int64, at place: UInt32) { images.set(author: author, at: place) }

    /// Takes a record's rows as the image has them.
    ///
    /// None of them can be read before ``flush(_:)``.
    func take(_ number: Int, of batch: ResultBatchView) { images.take(number, of: batch) }

    // MARK: Writing

    /// Writes all rows that wait.
    func flush(_ batch: ResultBatchView) throws(SQLiteError) {
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

    /// Sees to it that a work and its contributors can be read.
    func settle(work id: Int64, _ batch: ResultBatchView) throws(SQLiteError) {
        if id >= waiting.work { try flush(batch) }
    }

    func settle(edition id: Int64, _ batch: ResultBatchView) throws(SQLiteError) {
        if id >= waiting.edition { try flush(batch) }
    }

    /// Leaves other rows waiting: a new record's author may be known.
    func settle(author id: Int64, _ batch: ResultBatchView) throws(SQLiteError) {
        guard id >= waiting.author else { return }
        try authors.flush(from: batch)
        waiting.author = .max
        waitingAuthors.removeAll(keepingCapacity: true)
    }

    func settle(entry id: Int64, _ batch: ResultBatchView) throws(SQLiteError) {
        if id >= waiting.entry { try flush(batch) }
    }

    func settle(candidate id: Int64, _ batch: ResultBatchView) throws(SQLiteError) {
        if id >= waiting.candidate { try flush(batch) }
    }
}
