package import Bytes
package import Database
package import System

/// The keys by which works and editions are found: those that libraries share, or those of a private library.
///
/// A private library finds none of the works and editions that another one has stored, and stores its own
/// (Decision 0042). Authors and providers' answers are shared.
package struct Keyspace: Sendable, Hashable {
    /// The row id of the private library; 0 for the libraries that share books.
    package let library: Int64

    /// - Parameter library: The row id of a private library; 0 for the others.
    package init(library: Int64) { self.library = library }

    /// The keyspace of a work or an edition, read from the store. ``Keyspaces`` has those of many rows in memory.
    package init(ofRow row: Int64, in connection: Connection) throws(ETLError) {
        self.init(library: try connection.integer("SELECT \(Keyspaces.library(ofRow: "?1"))", row) ?? 0)
    }

    package static let shared = Keyspace(library: 0)
    /// The last row id of a library whose keys fit in 64 bits.
    static let lastLibrary = Int64.max / isbnLimit - 1

    /// One more than the largest ISBN-13.
    private static let isbnLimit: Int64 = 10_000_000_000_000

    /// The key of an ISBN-13.
    @inline(__always)
    package func key(_ isbn: Int64) -> Int64 { library == 0 ? isbn : library &* Self.isbnLimit &+ isbn }

    /// The key of a text.
    @inline(__always)
    package func key(_ text: TextKey) -> TextKey {
        guard library != 0 else { return text }
        return TextKey(
            hash: text.hash ^ UInt64(bitPattern: library) &* 0x9E37_79B9_7F4A_7C15, check: text.check)
    }
}

/// Former keys of works that were merged into others.
package enum WorkAlias {
    /// Separates the row id of a private library from a key of its own.
    private static let separator: Character = "\u{1F}"

    /// A key as the table `aliases` has it: works of private libraries can have equal keys.
    package static func stored(_ key: String, in space: Keyspace) -> String {
        space == .shared ? key : "\(space.library)\(separator)\(key)"
    }

    /// A key of a work, an SQL expression, as the table has it.
    ///
    /// - Parameter work: The work's row id, an SQL expression.
    static func stored(_ key: String, ofWork work: String) -> String {
        "(SELECT iif(n > 0, n || char(31), '') FROM (SELECT ifnull(\(Keyspaces.library(ofRow: work)), 0) AS n)) || \(key)"
    }

    /// The key without its library.
    package static func key(ofStored text: String) -> String {
        text.firstIndex(of: separator).map { String(text[text.index(after: $0)...]) } ?? text
    }
}

/// An index of works or editions in a keyspace.
struct KeyspaceIndex {
    let keys: KeyIndex
    let space: Keyspace

    func value(of isbn: Int64) throws(ETLError) -> Int64? { try keys.value(of: space.key(isbn)) }
    func insertRecent(_ isbn: Int64, _ row: Int64) { keys.insertRecent(space.key(isbn), row) }
    func change(_ isbn: Int64, _ row: Int64) { keys.change(space.key(isbn), row) }
    func remove(_ isbn: Int64, of row: Int64) throws(ETLError) {
        try keys.remove(space.key(isbn), of: row)
    }

    func place(of text: TextKey) throws(ETLError) -> KeyIndex.Place { try keys.place(of: space.key(text)) }
    func insertRecent(_ text: TextKey, row: Int64, at place: KeyIndex.Place) {
        keys.insertRecent(space.key(text), row: row, at: place)
    }
    func change(_ text: TextKey, row: Int64) throws(ETLError) {
        try keys.change(space.key(text), row: row)
    }
}

/// The keyspace of each work and edition.
///
/// Rows are only appended, and what a job appends belongs to its library. So the first row of each change of
/// keyspace says it for all.
package final class Keyspaces {
    static let tables = """
        -- Works and editions from `first_row` on, up to the next one, belong to a private library; 0 to all libraries.
        CREATE TABLE keyspaces(first_row INTEGER PRIMARY KEY, library INTEGER NOT NULL);
        """

    private let connection: Connection
    /// Ascending.
    private var changes: [(firstRow: Int64, space: Keyspace)] = []

    init(_ connection: Connection) throws(ETLError) {
        self.connection = connection
        let read = try connection.prepare("SELECT first_row, library FROM keyspaces ORDER BY first_row")
        while try read.next() {
            changes.append((read.integer(0), Keyspace(library: read.integer(1))))
        }
    }

    /// The keyspace of a work or an edition.
    func space(ofRow row: Int64) -> Keyspace {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].firstRow <= row { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? .shared : changes[low - 1].space
    }

    /// Notes to which keyspace new rows belong, in the caller's transaction.
    ///
    /// - Parameter row: The first number that a new row can have.
    func begin(_ space: Keyspace, atRow row: Int64) throws(ETLError) {
        while let last = changes.last, last.firstRow >= row {
            try connection.execute("DELETE FROM keyspaces WHERE first_row = ?1", last.firstRow)
            changes.removeLast()
        }
        guard (changes.last?.space ?? .shared) != space else { return }
        try connection.execute(
            "INSERT INTO keyspaces(first_row, library) VALUES (?1, ?2)", row, space.library)
        changes.append((row, space))
    }

    /// A key that is unique in the store, as SQL: `isbn:9780441013593`, in the private library anna
    /// `isbn:9780441013593@anna`.
    ///
    /// - Parameter table: The alias of works or editions.
    package static func uniqueKey(in table: String) -> String {
        """
        \(table).key || ifnull((SELECT '@' || name FROM libraries WHERE id = \(library(ofRow: "\(table).id"))), '')
        """
    }

    /// The row id of the private library that a work or an edition belongs to, as SQL; NULL or 0 if libraries share
    /// it.
    ///
    /// - Parameter row: The row's id, an SQL expression.
    package static func library(ofRow row: String) -> String {
        "(SELECT library FROM keyspaces WHERE first_row <= \(row) ORDER BY first_row DESC LIMIT 1)"
    }
}
