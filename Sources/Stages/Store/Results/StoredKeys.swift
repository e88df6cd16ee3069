import Books
import Bytes
import Database
import System

/// Reads from rows the keys by which the key indexes find them.
struct StoredKeys {
    /// A key in the keyspace of its row, and the index it belongs to.
    enum Key {
        case text(TextKey, TextIndex)
        /// An ISBN-13 as a number; in the index of editions by ISBN.
        case isbn(Int64)
    }

    /// The indexes of text keys.
    enum TextIndex { case works, editions, authors, entries, candidates }

    let connection: Connection
    let keyspaces: Keyspaces

    /// Calls `body` with the keys of some rows of a table, in the order of the rows' ids.
    ///
    /// - Parameters:
    ///   - table: A table with keys. An alias is a key of its work.
    ///   - rows: Source of the rows, if not the table: a table or a query in parentheses.
    ///   - condition: Chooses the rows; an SQL expression in which `r` is the table.
    func visit(
        _ table: JournaledTable, from rows: String? = nil, where condition: String = "true",
        _ body: (Key, _ row: Int64) throws(ETLError) -> Void
    ) throws(ETLError) {
        let rows = rows ?? table.name
        switch table {
        case .works:
            let works = try connection.prepare(
                """
                SELECT id, open_library, key FROM \(rows) r WHERE open_library IS NOT NULL AND \(condition) ORDER BY id
                """)
            while try works.next() {
                let row = works.integer(0)
                let space = keyspaces.space(ofRow: row)
                try body(.text(space.key(TextKey("ol:\(works.string(1))")), .works), row)
                // The work may have another key since it was stored.
                let key = works.string(2)
                if key.hasPrefix("ol:") { try body(.text(space.key(TextKey(key)), .works), row) }
            }
        case .aliases:
            // Works that were merged into others are found by their former keys.
            let aliases = try connection.prepare(
                "SELECT work, key FROM \(rows) r WHERE \(condition) ORDER BY work, key")
            while try aliases.next() {
                let (row, key) = (aliases.integer(0), WorkAlias.key(ofStored: aliases.string(1)))
                guard key.hasPrefix("ol:") else { continue }
                try body(.text(keyspaces.space(ofRow: row).key(TextKey(key)), .works), row)
            }
        case .editions:
            let editions = try connection.prepare(
                "SELECT id, key, isbns FROM \(rows) r WHERE \(condition) ORDER BY id")
            while try editions.next() {
                let (row, key) = (editions.integer(0), editions.string(1))
                let space = keyspaces.space(ofRow: row)
                if !key.hasPrefix("isbn:") { try body(.text(space.key(TextKey(key)), .editions), row) }
                for isbn in editions.withBytes(2, { StoredList.isbn13s($0) }) {
                    try body(.isbn(space.key(isbn)), row)
                }
            }
        case .authors:
            let authors = try connection.prepare(
                "SELECT id, key FROM \(rows) r WHERE \(condition) ORDER BY id")
            while try authors.next() {
                try body(.text(TextKey(authors.string(1)), .authors), authors.integer(0))
            }
        case .entries: try visitEntries(from: rows, where: condition, body)
        case .candidates: try visitCandidates(from: rows, where: condition, body)
        // A removed entry is found by its key, so that it is not stored again.
        case .removedEntries: try visitEntries(from: rows, where: condition, body)
        case .contributors, .updatedEntries, .leftEditions, .matches, .edits, .supersededRows: break
        }
    }

    private func visitEntries(
        from rows: String, where condition: String, _ body: (Key, _ row: Int64) throws(ETLError) -> Void
    ) throws(ETLError) {
        let entries = try connection.prepare(
            """
            SELECT r.id, r.source_id, l.name, y.format FROM \(rows) r
            JOIN libraries l ON l.id = r.library JOIN layouts y ON y.id = r.layout
            WHERE \(condition) ORDER BY r.id
            """)
        while try entries.next() {
            let prefix = KeyComposer.entryPrefix(library: entries.string(2), formatName: entries.string(3))
            let key = entries.withBytes(1) { KeyComposer.entryKey(prefix: prefix, sourceID: $0) }
            try body(.text(key, .entries), entries.integer(0))
        }
    }

    private func visitCandidates(
        from rows: String, where condition: String, _ body: (Key, _ row: Int64) throws(ETLError) -> Void
    ) throws(ETLError) {
        let candidates = try connection.prepare(
            "SELECT id, provider, match, record FROM \(rows) r WHERE \(condition) ORDER BY id")
        while try candidates.next() {
            guard let provider = Provider(rawValue: UInt8(truncatingIfNeeded: candidates.integer(1))),
                let match = Candidate.Match(rawValue: UInt8(truncatingIfNeeded: candidates.integer(2)))
            else { continue }
            let key = candidates.withBytes(3) { KeyComposer.candidateKey(provider, match, record: $0) }
            try body(.text(key, .candidates), candidates.integer(0))
        }
    }
}
