import Books
package import Database
import Store
package import System

/// Finds the books of a store that are similar to one of them: what `etl similar` does, without a terminal.
package struct SimilarBooks {
    /// The most books that are shown.
    package static let mostBooks = 100

    /// The book that was asked about, and those that are similar.
    package struct Answer: Sendable {
        package var asked: FoundBook
        package var books: [SimilarBook]
        /// What was noticed when the book was looked up.
        package var remarks: [String]
    }

    private let search: StoreSearch
    private let locator: BookLocator

    /// - Parameter store: The path of the store.
    package init(_ store: String) throws(ETLError) { try self.init(in: StoreFile.openForReading(store)) }

    /// - Parameter store: The store, open for reading.
    package init(in store: Connection) throws(ETLError) {
        search = try StoreSearch(store, updatesIndex: false)
        locator = try BookLocator(store)
    }

    /// Finds books.
    ///
    /// - Parameters:
    ///   - library: The library whose books are found; nil for all.
    /// - Throws: `.missing` if there is no such book, or it has no vector.
    package func find(
        _ book: BookReference, in library: String? = nil, atMost limit: Int
    ) throws(ETLError) -> Answer {
        let found = try locator.locate(book, takesTitles: true)
        let order = EditionOrder(languages: try search.language(of: library).map { [$0] } ?? [])
        let similar = try search.similar(
            to: found.work, in: library, order, atMost: min(max(1, limit), Self.mostBooks))
        guard let similar, let asked = try search.book(of: found.work, order) else {
            throw ETLError(
                .missing, "This book has no vector yet.",
                advice: "\(UserCommand.embed) computes it, if the model knows a word of its text.")
        }
        return Answer(asked: asked, books: similar, remarks: found.remarks)
    }
}
