public import BooksTrack
public import Foundation

/// Imports the user's library from an export of another program, and puts its books on the shelf.
public struct LibraryImport: Sendable {
    /// Why there are no books to store.
    public enum Failure: Error, Sendable, Hashable {
        /// The import failed.
        case failed(ServiceError?)
        /// It was canceled.
        case canceled
    }

    private let client: BooksTrackClient
    private let shelf: SQLiteShelf

    /// An import that stores its books on a shelf.
    public init(_ client: BooksTrackClient, onto shelf: SQLiteShelf) {
        self.client = client
        self.shelf = shelf
    }

    /// Uploads a file. Keep the job until its books are stored: it continues while the app is not running.
    public func begin(_ file: Data, named name: String) async throws -> Job {
        try await client.importFile(file, named: name)
    }

    /// Waits for a job and stores its books.
    ///
    /// - Parameter show: Called with how far it is, from 0 to 1.
    /// - Returns: The number of books that were stored.
    public func finish(_ job: Job, show: @Sendable (Double, String) -> Void) async throws -> Int {
        for try await update in client.events(of: job) {
            show(update.progress ?? 0, update.text)
            switch update.kind {
            case .started, .progress, .completed: break
            case .failed: throw Failure.failed(update.error)
            case .canceled: throw Failure.canceled
            }
        }
        return try await shelf.store(try await client.results(of: job).books)
    }
}
