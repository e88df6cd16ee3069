import Books
import Foundation

/// Rows of made-up exports of Goodreads.
package enum GoodreadsRows {
    package static let header = "Book Id,Title,Author,ISBN13,My Rating,Date Added,Exclusive Shelf,My Review"

    /// A number of a book's own.
    package static func isbn(_ book: Int) -> String { ISBN(twelve: 978_315_000_000 + Int64(book)).isbn13 }

    package static func row(
        _ id: String, _ title: String, _ author: String, _ isbn: String, date: String, review: String = ""
    ) -> String {
        "\(id),\(title),\(author),\(isbn),3,\(date),read,\(review)"
    }

    /// Writes an export of its own.
    ///
    /// - Returns: Its path.
    package static func write(_ rows: [String], to folder: TemporaryFolder) throws -> String {
        try folder.write(
            ([header] + rows).joined(separator: "\n") + "\n", to: "\(UUID().uuidString).csv")
    }
}
