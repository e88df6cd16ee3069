import Books
import Bytes
import Database
import System

/// Gives stored editions other ISBNs, as the user asks, in the caller's transaction.
///
/// An edition has only the ISBN that the user has set, and that ISBN-10. If its public key was its former ISBN,
/// the key changes, too, and so does the key of its work: another book may be stored under the former ISBN later.
struct EditionISBN {
    private let connection: Connection
    private let indexes: LibraryIndexes

    init(_ tables: LibraryTables) {
        connection = tables.connection
        indexes = tables.indexes
    }

    /// Sets the ISBN of an edition, or removes it.
    ///
    /// - Parameter isbn: An ISBN that no other edition has; nil for none. All keys must be on disk.
    /// - Returns: The ISBN-13s that the edition no longer has, in its keyspace. Another edition may have them
    ///   (``OrphanedEditions/handOver(_:in:)``).
    func set(_ isbn: ISBN?, ofEdition edition: Int64) throws(ETLError) -> Set<Int64> {
        guard let read = try connection.row("SELECT work, key, isbns FROM editions WHERE id = ?1", edition)
        else { return [] }
        indexes.keyspace = indexes.keyspaces.space(ofRow: edition)
        let (work, key) = (read.integer(0), read.string(1))
        let former = Set(read.withBytes(2) { StoredList.isbn13s($0) })
        read.reset()
        try connection.execute(
            "UPDATE editions SET isbn = ?2, isbns = ?3 WHERE id = ?1", edition, isbn?.value,
            StoredList.stored([isbn?.isbn13, isbn?.isbn10].compactMap(\.self)))
        for number in former where number != isbn?.value { try indexes.isbns.remove(number, of: edition) }
        if let isbn { indexes.isbns.change(isbn.value, edition) }
        try changeKeys(from: key, ofEdition: edition, work: work, isbn)
        return Set(former.subtracting([isbn?.value].compactMap(\.self)).map(indexes.keyspace.key))
    }

    private func changeKeys(
        from key: String, ofEdition edition: Int64, work: Int64, _ isbn: ISBN?
    ) throws(ETLError) {
        guard key.hasPrefix("isbn:") else { return }
        let wanted = if let isbn { "isbn:\(isbn.isbn13)" } else { try titleKey(ofEdition: edition) }
        guard wanted != key else { return }
        var new = wanted
        if isbn == nil {
            new = try PublicKey.free(wanted) { (key) throws(ETLError) in
                try indexes.editions.place(of: TextKey(key)).row != nil
            }
            try indexes.editions.change(TextKey(new), row: edition)
        }
        try rename(.editions, edition, as: new)
        guard try connection.string("SELECT key FROM works WHERE id = ?1", work) == key else { return }
        try rename(.works, work, as: PublicKey.ofWork(like: new, in: connection))
    }

    private func rename(_ table: JournaledTable, _ row: Int64, as key: String) throws(ETLError) {
        try connection.execute("UPDATE \(table.name) SET key = ?2 WHERE id = ?1", row, key)
    }

    /// The key of an edition without an ISBN (``KeyComposer``).
    private func titleKey(ofEdition edition: Int64) throws(ETLError) -> String {
        let read = try connection.query(
            """
            SELECT coalesce(d.title, w.title, ''), coalesce((SELECT a.name FROM contributors c
                JOIN authors a ON a.id = c.author
                WHERE \(ContributorIDs.condition(work: "w.id", alias: "c.")) ORDER BY c.id LIMIT 1), ''),
                coalesce(d.language, '')
            FROM editions d JOIN works w ON w.id = d.work WHERE d.id = ?1
            """, edition)
        defer { read.reset() }
        guard try read.next() else { return "" }
        var key: [UInt8] = []
        read.withBytes(0) { title in
            read.withBytes(1) { author in
                read.withBytes(2) {
                    KeyComposer.appendTitleKey(title: title, author: author, language: $0, to: &key)
                }
            }
        }
        return String(decoding: key, as: UTF8.self)
    }
}

/// Public keys that no row has yet.
enum PublicKey {
    /// A key of a work: the wanted one, or one made of it if another work has that, or had it before it was merged.
    static func ofWork(like wanted: String, in connection: Connection) throws(ETLError) -> String {
        let isTaken = try connection.prepare(
            "SELECT 1 FROM works WHERE key = ?1 UNION ALL SELECT 1 FROM aliases WHERE key = ?1")
        return try free(wanted) { (key) throws(ETLError) in
            isTaken.bind(1, key)
            defer { isTaken.reset() }
            return try isTaken.next()
        }
    }

    /// The wanted key, or one made of it if that is taken.
    static func free(
        _ wanted: String, isTaken: (String) throws(ETLError) -> Bool
    ) throws(ETLError) -> String {
        let base = wanted.hasPrefix("title:") ? wanted : "title:\(wanted)"
        var (key, number) = (wanted, 1)
        while try isTaken(key) {
            number += 1
            key = "\(base)|\(number)"
        }
        return key
    }
}
