import Books
import Database
import Queries
import Store
import System

/// An address of a cover of an edition.
struct CoverOffer: Sendable, Hashable {
    var address: String
    /// Whether it is the work's, which may show another edition.
    var isOfWork: Bool
    /// Addresses with the same number have one image in several sizes, the largest first.
    var image: Int
}

/// An edition whose cover is wanted.
struct CoverTarget: Sendable {
    var key: String
    var isbn: Int64?
    var title: String
    var author: String
    /// The edition's own, then the work's; in both, the one that the store has chosen comes first.
    var offers: [CoverOffer] = []

    /// The name of its file, without the end: the ISBN, or else the edition's key.
    var name: String { CoverName.of(isbn: isbn, key: key) }

    /// Adds the addresses of an image, unless they are there.
    mutating func offer(_ address: String, isOfWork: Bool) {
        let image = (offers.last?.image ?? -1) + 1
        for address in CoverAddress.largest(address) where !offers.contains(where: { $0.address == address })
        {
            offers.append(CoverOffer(address: address, isOfWork: isOfWork, image: image))
        }
    }
}

/// Reads the editions of a library whose covers are wanted.
struct CoverTargets {
    private let connection: Connection
    private let row: Statement
    private let candidate: Statement

    /// - Parameter connection: A store opened for reading.
    init(_ connection: Connection) throws(ETLError) {
        self.connection = connection
        row = try connection.query(
            """
            SELECT d.key, d.isbn, ifnull(\(ShownTitle.sql), ''), coalesce(a.name, ''), d.cover, w.cover, d.lineage,
                w.lineage
            FROM editions d JOIN works w ON w.id = d.work \(StatisticsReader.firstAuthor) WHERE d.id = ?1
            """)
        candidate = try connection.query("SELECT match, body FROM candidates WHERE id = ?1")
    }

    /// The editions of a library with their works, in the order of their row ids.
    ///
    /// - Parameter library: Nil for all libraries.
    /// - Throws: `.missing` if there is no such library.
    func ids(of library: String?) throws(ETLError) -> [(edition: Int64, work: Int64)] {
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
    func target(_ edition: Int64) throws(ETLError) -> CoverTarget? {
        defer { row.reset() }
        guard try row.first(edition) else { return nil }
        var target = CoverTarget(
            key: row.string(0), isbn: row.optionalInteger(1), title: row.string(2), author: row.string(3))
        let own = try covers(in: Lineage(decoding: row.bytes(6)))
        let works = try covers(in: Lineage(decoding: row.bytes(7)))
        for address in [row.string(4)] + own.ofEdition { target.offer(address, isOfWork: false) }
        for address in [row.string(5)] + own.ofWork + works.ofWork { target.offer(address, isOfWork: true) }
        return target
    }

    /// The covers that services have offered, whichever were chosen. A book that was found by its title may be another
    /// edition of the work.
    private func covers(
        in lineage: Lineage
    ) throws(ETLError) -> (ofEdition: [String], ofWork: [String]) {
        var (ofEdition, ofWork): ([String], [String]) = ([], [])
        for case .candidate(let id) in lineage.sources {
            candidate.bind(1, id)
            defer { candidate.reset() }
            guard try candidate.next() else { continue }
            let match = Candidate.Match(rawValue: UInt8(truncatingIfNeeded: candidate.integer(0)))
            let isThisEdition = match?.isOfEdition ?? false
            candidate.withBytes(1) { bytes in
                _ = PackedRecord.forEachValue(bytes) { field, _, range in
                    guard field == .editionCover || field == .workCover else { return }
                    let address = String(
                        decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
                    if field == .editionCover, isThisEdition {
                        ofEdition.append(address)
                    } else {
                        ofWork.append(address)
                    }
                }
            }
        }
        return (ofEdition, ofWork)
    }
}
