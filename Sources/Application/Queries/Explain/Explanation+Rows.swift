package import Books
package import Database
package import System

extension Explanation {
    /// What the user's own rows say about the book, in the order of ``entries``: review, notes, shelves, readings. An
    /// entry that is gone by now is left out.
    ///
    /// - Parameter store: The store that the explanation is from.
    package func rows(in store: Connection) throws(ETLError) -> [(entry: Entry, row: LibraryEntry)] {
        let reader = try EntryReader(store)
        var rows: [(entry: Entry, row: LibraryEntry)] = []
        for entry in entries {
            if let row = try reader.entry(entry.id) { rows.append((entry, row)) }
        }
        return rows
    }
}
