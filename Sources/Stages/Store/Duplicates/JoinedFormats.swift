package import Database
package import System

/// The formats of the entries that were joined to others, by the entry that stayed.
package struct JoinedFormats {
    private var formats: [Int64: Set<String>] = [:]

    /// - Parameter library: The row id of a library.
    package init(_ connection: Connection, of library: Int64) throws(ETLError) {
        let rows = try connection.query(
            """
            SELECT r.id, r.joined_into, y.format FROM removed_entries r JOIN layouts y ON y.id = r.layout
                WHERE r.library = ?1 AND r.joined_into IS NOT NULL
            """, library)
        var joined: [Int64: (into: Int64, format: String)] = [:]
        while try rows.next() { joined[rows.integer(0)] = (rows.integer(1), rows.string(2)) }
        for (_, entry) in joined {
            // The entry that stayed can be joined to another one later. Each is joined once, so a damaged store ends this too.
            var (stayed, steps) = (entry.into, joined.count)
            while let next = joined[stayed], steps > 0 { (stayed, steps) = (next.into, steps - 1) }
            formats[stayed, default: []].insert(entry.format)
        }
    }

    /// The formats of the entries joined to an entry, by its row id.
    package subscript(entry: Int64) -> Set<String> { formats[entry] ?? [] }
}
