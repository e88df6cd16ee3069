import Database
import System

/// Refreshing stored books.
extension RecordWriter {
    /// Writes what providers offer for a stored edition and its work. Entries do not change.
    ///
    /// - Parameters:
    ///   - edition: The edition's row.
    ///   - number: The prepared row. It has values of providers only (``KeepOffers``), so no value is without a source.
    ///   - options: Which values are written.
    /// - Returns: Whether the book changed.
    func refresh(
        _ edition: Int64, with number: Int, of batch: ResultBatchView, _ options: RefreshOptions
    ) throws(ETLError) -> Bool {
        guard let work = try editions.work(of: edition, batch) else { return false }
        tables.indexes.keyspace = tables.indexes.keyspaces.space(ofRow: edition)
        if options.only == .genres {
            // The source puts the entry there.
            return try works.rederiveGenres(
                work, with: batch.rows[number], of: batch, entry: Int64(batch.rows[number].position.line))
        }
        let candidates = try candidates.write(of: number, in: batch)
        let others = try editionsFound(byISBNsOf: number, in: batch).editions.filter { $0.id != edition }
        let openLibraryKey = batch.rows[number].openLibraryKey
        var byOpenLibrary: Int64?
        if let key = openLibraryKey { byOpenLibrary = try tables.indexes.works.place(of: key).row }
        let identity = try RecordIdentity.resolve(
            byISBN: nil, byEntry: .init(id: edition, work: work), byTitle: nil,
            otherISBNWorks: others.map(\.work), byOpenLibrary: byOpenLibrary,
            hasOpenLibraryKey: openLibraryKey != nil
        ) { (id) throws(ETLError) in try works.stored(id, batch) }
        let sources = RecordSources(entry: Self.noEntry, isNewEntry: false, candidates: candidates)
        return try writeBook(
            number, of: batch, as: (identity, .new(key: nil, work: nil)), from: sources,
            onlyFills: options.mode == .fill, onlyIfBetter: options.mode == .replaceIfBetter
        ).isChanged
    }

    /// The row id of no entry: nothing that an entry gave is withdrawn.
    private static let noEntry: Int64 = 0
}
