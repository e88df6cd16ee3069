package import Contract
package import Database
package import Store
package import System

/// A job as a page shows it: its counts, the first of its errors and books.
package struct JobOverview: Sendable {
    package var job: Job
    /// The first rejects and warnings, in input order.
    package var errors: [ListedError]
    /// Number of all of them.
    package var errorCount: Int
    /// A book, and the key by which links name it.
    package struct Book: Sendable {
        package var book: BookDTO
        package var key: String
    }

    /// The first books, in input order.
    package var books: [Book]
    /// Number of records whose match waits for the user's decision.
    package var openReviews: Int
    /// Number of records whose match the user has decided.
    package var decidedReviews: Int
    /// New entries of books that the library already had from other programs.
    package var others: [OtherPrograms]

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - mostErrors: Maximum number of errors in the list.
    ///   - mostBooks: Maximum number of books in the list.
    /// - Returns: Nil if there is no such job.
    package init?(
        of name: String, in connection: Connection, mostErrors: Int, mostBooks: Int
    ) throws(ETLError) {
        guard let job = try JobTable(connection).job(named: name) else { return nil }
        self.job = job
        (errors, errorCount, books, openReviews, decidedReviews, others) = ([], 0, [], 0, 0, [])
        // Its records are in the library no longer.
        guard job.undoneBy == nil else { return }
        var (errors, count, open, decided) = ([ListedError](), 0, 0, 0)
        try ErrorList(connection).forEach(of: name, includesWarnings: true) { error in
            if errors.count < mostErrors { errors.append(error) }
            count += 1
        }
        (self.errors, errorCount) = (errors, count)
        var rows = try JobBooks(job, in: connection)
        while books.count < mostBooks, let book = try rows.next() {
            books.append(Book(book: book.flat, key: book.work.id))
        }
        try ReviewList(connection, of: name, listing: .all).each { review in
            if review.decision == nil { open += 1 } else { decided += 1 }
        }
        (openReviews, decidedReviews) = (open, decided)
        others = try OtherPrograms.read(of: job, in: connection)
    }
}
