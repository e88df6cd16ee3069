import Books
package import Database
package import Queries
package import Store
package import System

/// The rows of a stored book that the user wants to change.
package struct EditableBook: Sendable {
    /// An entry of the book.
    package struct Entry: Sendable, Hashable {
        package var id: Int64
        package var edition: Int64
        package var library: String
        package var formatName: String
        package var sourceID: String
    }

    package let work: Int64
    /// The editions that were named; all of the work if none was.
    package let editions: [Int64]
    /// Entries of the editions, in the named library.
    package private(set) var entries: [Entry]
    /// The title of the edition that is named, or that the first entry has; the key of the work if it has no title.
    package let title: String
    /// The public key of the work.
    package let workKey: String
    /// The public keys of ``editions``.
    let editionKeys: [String]
    /// How it was found, if the reference is not its key.
    let remarks: [String]

    /// Says to a user who may see one library only that it does not have a book, whether another library has it or not.
    package static let notInLibrary = "This book is not in the library."

    /// - Parameters:
    ///   - reference: As for `etl explain`, but not a row of a job.
    ///   - library: The library of the entries; nil for all.
    ///   - takesTitles: Whether a whole title that only one book has stands for its key.
    ///   - connection: A store opened for reading.
    /// - Throws: `.missing` if there is no such book, or none in the library; `.usage` for a row, or an
    ///   impossible ISBN.
    package init(
        _ reference: BookReference, library: String? = nil, takesTitles: Bool = false,
        in connection: Connection
    ) throws(ETLError) {
        if let library { _ = try LibraryNames(connection).id(of: library) }
        let found = try BookLocator(connection, library: library).locate(reference, takesTitles: takesTitles)
        work = found.work
        remarks = found.remarks
        let named = found.editions
        let keys = try connection.query(
            "SELECT id, key FROM editions WHERE \(EditionsOfWork.condition(work: "?1")) ORDER BY key, id",
            work)
        var editions: [(id: Int64, key: String)] = []
        while try keys.next() {
            let id = keys.integer(0)
            if named.isEmpty || named.contains(id) { editions.append((id, keys.string(1))) }
        }
        self.editions = editions.map(\.id)
        editionKeys = editions.map(\.key)
        var sourceID: String?
        if case .sourceID(let id) = reference { sourceID = id }
        let read = try connection.query(
            """
            SELECT e.id, e.edition, l.name, y.format, e.source_id FROM entries e
            JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
            WHERE e.edition IN (\(editions.map { "\($0.id)" }.joined(separator: ", ")))
            AND (?1 IS NULL OR l.name = ?1) AND (?2 IS NULL OR e.source_id = ?2) ORDER BY 3, 4, 5, 1
            """, library, sourceID)
        var entries: [Entry] = []
        while try read.next() {
            entries.append(
                Entry(
                    id: read.integer(0), edition: read.integer(1), library: read.string(2),
                    formatName: read.string(3), sourceID: read.string(4)))
        }
        self.entries = entries
        let shown = named.first ?? entries.min { $0.id < $1.id }?.edition
        (workKey, title) = try Self.names(of: work, edition: shown, in: connection)
        if let library, entries.isEmpty {
            throw ETLError(
                .missing, "The library `\(library)` does not have `\(self.title)`.",
                advice: "Leave out \(UserSetting.library) to look in all libraries.")
        }
    }

    /// The key of a work, and the title to show for it: that of an edition, or of the work's first one if none is
    /// given.
    private static func names(
        of work: Int64, edition: Int64?, in connection: Connection
    ) throws(ETLError) -> (key: String, title: String) {
        let names = try connection.query(
            """
            SELECT w.key, coalesce((SELECT \(ShownTitle.sql) FROM editions d WHERE d.id = ?2 AND d.work = w.id),
                \(ShownTitle.sql(ofWork: "w")), w.key)
            FROM works w WHERE w.id = ?1
            """, work, edition)
        return try names.next() ? (names.string(0), names.string(1)) : ("", "")
    }

    /// The row that a field belongs to.
    ///
    /// - Throws: `.usage` if the book has several editions or entries, or no entry.
    package func row(of field: EditableField) throws(ETLError) -> Int64 {
        switch field.part {
        case .work: return work
        case .edition:
            let used = Set(entries.map(\.edition))
            if let only = editions.count == 1 ? editions.first : used.count == 1 ? used.first : nil {
                return only
            }
            throw ETLError(
                .usage, "`\(title)` has \(editions.count) editions.",
                advice: "\(UserText("Name one by its ISBN or key")): \(Self.list(editionKeys)).")
        case .entry:
            if entries.count == 1, let entry = entries.first { return entry.id }
            if entries.isEmpty {
                throw ETLError(
                    .usage, "No library has `\(title)`, so it has no \(field.name).",
                    advice: "\(UserCommand.exportTable) lists the books of the libraries.")
            }
            throw ETLError(
                .usage, "`\(title)` is in the libraries \(entries.count) times.",
                advice:
                    "Name one by its ID, and the library with \(UserSetting.library): \(Self.list(entries.map { "id:\($0.sourceID) in \($0.library)" }))."
            )
        }
    }

    /// Whether another library has the work, too.
    ///
    /// - Parameter connection: A store opened for reading.
    package func isShared(besides library: String, in connection: Connection) throws(ETLError) -> Bool {
        try connection.row(LibrariesOfWork.query("<>"), work, library) != nil
    }

    /// Rejects an ISBN that another edition has, of the same private library or of those that share books.
    ///
    /// - Parameters:
    ///   - values: The new value of ``EditableField/isbn``.
    ///   - edition: The row id of the edition that gets it.
    ///   - tenant: The library of a user who must not learn what other libraries have; nil for anybody else.
    ///   - connection: A store opened for reading.
    static func checkISBN(
        _ values: [String], ofEdition edition: Int64, tenant: String? = nil, in connection: Connection
    ) throws(ETLError) {
        guard let text = values.first, let isbn = ISBN(text),
            let other = try BookLocator(connection, besideEdition: edition).find(isbn),
            other.editions.first != edition
        else { return }
        if let tenant, try !has(tenant, anyOf: other.editions, in: connection) {
            throw ETLError(
                .usage, "This book cannot have the ISBN \(isbn.isbn13).",
                advice: "Compare it with the ISBN on the book. An administrator can find out more.")
        }
        let title = try names(of: other.work, edition: other.editions.first, in: connection).title
        throw ETLError(
            .usage, "`\(title)` has the ISBN \(isbn.isbn13) already.",
            advice:
                "Combine the books with \(UserCommand.mergeBooks), or correct the ISBN of the other one first."
        )
    }

    /// Whether a library has one of some editions.
    private static func has(
        _ library: String, anyOf editions: [Int64], in connection: Connection
    ) throws(ETLError) -> Bool {
        try connection.row(
            """
            SELECT 1 FROM entries e JOIN libraries l ON l.id = e.library WHERE l.name = ?1
            AND e.edition IN (\(editions.map { "\($0)" }.joined(separator: ", "))) LIMIT 1
            """, library) != nil
    }

    /// The book with one of its entries only.
    ///
    /// - Throws: `.missing` if it has no such entry.
    func with(_ entry: EntryID) throws(ETLError) -> EditableBook {
        var book = self
        book.entries = entries.filter {
            $0.formatName == entry.formatName && $0.sourceID == entry.sourceID
        }
        guard !book.entries.isEmpty else { throw ETLError(.missing, Self.notInLibrary) }
        return book
    }

    /// What names an entry of a book in a library: its format, and the program's id.
    package struct EntryID: Sendable, Hashable {
        package var formatName: String
        package var sourceID: String

        package init(formatName: String, sourceID: String) {
            self.formatName = formatName
            self.sourceID = sourceID
        }
    }

    /// The library of its entries; nil if there are several, or none.
    package var library: String? {
        let names = Set(entries.map(\.library))
        return names.count == 1 ? names.first : nil
    }

    private static func list(_ words: [String]) -> String {
        words.prefix(8).joined(separator: ", ") + (words.count > 8 ? ", …" : "")
    }
}
