import Books
import Bytes
package import Database
import Services
import Syntax
package import System

/// Finds the cached answer that contains a provider's record: the source of a book's values.
///
/// A candidate does not name the query that led to it. But the possible queries are known: the ISBNs of
/// the book's editions, or its folded title and first author.
package struct CachedSources {
    /// A cached answer.
    package struct Found: Sendable, Hashable {
        package var service: String
        /// The key as stored: `isbn:9780441013593`.
        package var key: String
        /// Milliseconds since 1970.
        package var fetchedAt: Int64

        package init(service: String, key: String, fetchedAt: Int64) {
            self.service = service
            self.key = key
            self.fetchedAt = fetchedAt
        }
    }

    private let byKey: Statement
    private let byBeginning: Statement

    package init(_ connection: Connection) throws(ETLError) {
        byKey = try connection.query(
            "SELECT key, fetched_at, body FROM answers WHERE service = ?1 AND key = ?2 AND body IS NOT NULL")
        byBeginning = try connection.query(
            """
            SELECT key, fetched_at, body FROM answers
            WHERE service = ?1 AND key >= ?2 AND key < ?3 AND body IS NOT NULL
            """)
    }

    /// The answer for an item, whatever its content.
    package func answer(of service: String, toItem item: String) throws(ETLError) -> Found? {
        try find(ServiceKey(.item, item), of: service) { _ in true }
    }

    /// The first answer for one of the ISBN-13s that contains a record's id.
    package func answer(
        of service: String, naming record: String, toISBNs isbns: [String]
    ) throws(ETLError) -> Found? {
        let name = Array(record.utf8)
        for isbn in isbns {
            let isItself = isbn == record
            let key = ServiceKey(.isbn, isbn)
            if let found = try find(key, of: service, where: { isItself || $0.contains(name) }) {
                return found
            }
        }
        return nil
    }

    /// The first answer for one of the titles that contains a record's id. A title may be longer than the
    /// query was, for example with a series in brackets.
    package func answer(
        of service: String, naming record: String, toTitles titles: [String]
    ) throws(ETLError) -> Found? {
        let name = Array(record.utf8)
        for title in titles {
            let folded = Folding.fold(title)
            guard let first = folded.split(separator: " ").first else { continue }
            let beginning = ServiceKey(.title, String(first)).stored
            byBeginning.bind(values: service, beginning, beginning + "\u{10FFFF}")
            defer { byBeginning.reset() }
            while try byBeginning.next() {
                let asked = byBeginning.string(0).dropFirst(ServiceKey.Kind.title.name.utf8.count + 1)
                guard folded.hasPrefix(asked.prefix { $0 != "\t" }) else { continue }
                if let found = Self.found(byBeginning, service, where: { $0.contains(name) }) { return found }
            }
        }
        return nil
    }

    private func find(
        _ key: ServiceKey, of service: String, where holds: ([UInt8]) -> Bool
    ) throws(ETLError) -> Found? {
        byKey.bind(values: service, key.stored)
        defer { byKey.reset() }
        return try byKey.next() ? Self.found(byKey, service, where: holds) : nil
    }

    private static func found(_ row: Statement, _ service: String, where holds: ([UInt8]) -> Bool) -> Found? {
        guard let words = Deflated.unpack(row.bytes(2)), holds(words) else { return nil }
        return Found(service: service, key: row.string(0), fetchedAt: row.integer(1))
    }
}
