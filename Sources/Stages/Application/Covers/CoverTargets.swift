import Books
import Database
import Pipeline

/// An edition whose cover is wanted.
struct CoverTarget: Sendable {
    var key: String
    var isbn: Int64?
    var title: String
    var author: String
    /// Addresses of images, the best one first. Those of the work may show another edition, so they come last.
    var addresses: [(text: String, isOfWork: Bool)]

    /// The name of its file, without the end: the ISBN, or else the edition's key.
    var name: String {
        if let isbn { return String(isbn) }
        return String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
    }
}

/// Reads the editions of a library whose covers are wanted.
struct CoverTargets {
    private let connection: Connection
    private let row: Statement

    /// - Parameter connection: A store opened for reading.
    init(_ connection: Connection) throws(StageFailure) {
        self.connection = connection
        row = try connection.query(
            """
            SELECT d.key, d.isbn, coalesce(d.title, w.title, ''), coalesce(a.name, ''), d.cover, w.cover
            FROM editions d JOIN works w ON w.id = d.work \(StatisticsReader.firstAuthor) WHERE d.id = ?1
            """)
    }

    /// The editions of a library with their works, in the order of their row ids.
    ///
    /// - Parameter library: Nil for all libraries.
    /// - Throws: `.missing` if there is no such library.
    func ids(of library: String?) throws(StageFailure) -> [(edition: Int64, work: Int64)] {
        let rows = try connection.query(
            """
            SELECT d.id, d.work FROM editions d
            WHERE d.id IN (SELECT edition FROM entries WHERE ?1 IS NULL OR library = ?1) ORDER BY d.id
            """)
        if let library { rows.bind(1, try LibraryNames(connection).id(of: library)) }
        var ids: [(edition: Int64, work: Int64)] = []
        while try rows.next() { ids.append((rows.integer(0), rows.integer(1))) }
        return ids
    }

    /// An edition; nil if it has been removed meanwhile.
    func target(_ edition: Int64) throws(StageFailure) -> CoverTarget? {
        defer { row.reset() }
        row.bind(1, edition)
        guard try row.next() else { return nil }
        let own = CoverAddress.largest(row.string(4)).map { (text: $0, isOfWork: false) }
        let works = CoverAddress.largest(row.string(5)).map { (text: $0, isOfWork: true) }
        return CoverTarget(
            key: row.string(0), isbn: row.optionalInteger(1), title: row.string(2), author: row.string(3),
            addresses: own + works.filter { work in !own.contains { $0.text == work.text } })
    }
}
