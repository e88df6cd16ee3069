import Database
package import System

/// Refreshing the stored books.
extension ResultsStore {
    /// Fills the queue of books to refresh.
    ///
    /// - Returns: The number of books.
    /// - Throws: As ``RefreshQueue/fill(_:)``; `.temporary` if the run is stopped meanwhile.
    package func fillQueue(_ selection: RefreshQueue.Selection) throws(ETLError) -> Int {
        try connection.interrupting(at: lockWaitPolicy.stop) { () throws(ETLError) in
            try RefreshQueue(connection).fill(selection)
        }
    }

    /// The next books of the queue.
    ///
    /// - Parameters:
    ///   - book: The last book of the previous call; nil for the first call.
    ///   - count: Maximum number of books.
    ///   - bytes: Bound of the size of their cells.
    package func queuedBooks(
        after book: RefreshQueue.StoredBook?, atMost count: Int, bytes: Int
    ) throws(ETLError) -> [RefreshQueue.StoredBook] {
        try RefreshQueue(connection).books(after: book, atMost: count, bytes: bytes)
    }

    /// The stored subjects of editions' works.
    package func subjects(ofEditions editions: [Int64]) throws(ETLError) -> [[String]] {
        let read = try connection.query(
            "SELECT w.subjects FROM editions d JOIN works w ON w.id = d.work WHERE d.id = ?1")
        var subjects: [[String]] = []
        for edition in editions {
            read.bind(1, edition)
            subjects.append(try read.next() ? read.withBytes(0) { StoredList.strings($0) } : [])
            read.reset()
        }
        return subjects
    }
}
