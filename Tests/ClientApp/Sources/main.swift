import BooksTrack
import Foundation

/// The app's own book, named like the client's.
struct Book: Sendable, Hashable {
    /// The title.
    var title: String
    /// The user's note about it.
    var note = ""

    /// A book as the service knows it.
    init(_ found: BooksTrack.Book) { title = found.title }
}

if let server = URL(string: "http://books.example:8787") {
    #if canImport(Darwin)
    let client = BooksTrackClient(.init(server: server))
    #else
    let client = BooksTrackClient(.init(server: server), transport: CannedTransport())
    #endif
    let found = try await client.book(isbn: "9780441013593")
    print(found.map { Book($0).title } ?? "No book was found.")
}
