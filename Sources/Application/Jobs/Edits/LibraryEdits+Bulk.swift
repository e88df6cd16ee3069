import Database
import Formats
import FoundationEssentials
package import Store
package import System

/// One change to many entries, or to their books.
package enum BulkChange: Sendable, Hashable {
    /// Sets a field; no values empty it.
    case set(EditableField, [String])
    /// Adds an element to a list.
    case add(EditableField, String)
    /// Removes an element from a list, however it is capitalized.
    case remove(EditableField, String)

    package var field: EditableField {
        switch self {
        case .set(let field, _), .add(let field, _), .remove(let field, _): field
        }
    }

    /// The value after the change.
    ///
    /// - Parameter values: The elements before.
    package func applied(to values: [String]) -> [String] {
        switch self {
        case .set(_, let values): values
        case .add(_, let name): values.contains { Self.isSame($0, name) } ? values : values + [name]
        case .remove(_, let name): values.filter { !Self.isSame($0, name) }
        }
    }

    /// Whether two names are equal but for their capitals.
    package static func isSame(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }
}

/// What became of a change to many entries.
package struct BulkReport: Sendable, Hashable {
    /// The name of the job; nil if nothing was changed.
    package var job: String?
    /// Number of books that stayed, because libraries that the user must not change have them too.
    package var shared = 0
}

/// Changes to many books of one library, each as one job.
extension LibraryEdits {
    /// Maximum number of entries that are changed at once.
    private static let mostEntries = 100_000

    /// Changes a field of many entries.
    ///
    /// - Parameters:
    ///   - entries: Their row ids. Those that are gone or that another library has are left out.
    ///   - library: Their library.
    ///   - tenant: The library of a user who must not change what other libraries have; nil for anybody else.
    package func edit(
        entries: [Int64], of library: String, tenant: String?, _ change: BulkChange
    ) async throws(ETLError) -> BulkReport {
        try Self.check(entries)
        let connection = try StoreFile.openForReading(path)
        let rows = try EntryRows(connection, change.field)
        var (changes, seen, report) = ([EditRequest.Change](), Set<Int64>(), BulkReport())
        for entry in entries {
            guard let found = try rows.row(of: entry, in: library), seen.insert(found.row).inserted else {
                continue
            }
            if let tenant, change.field.part != .entry, try rows.isShared(found.work, besides: tenant) {
                report.shared += 1
                continue
            }
            let values = change.applied(to: found.values)
            // A list that has the element already is not locked by that.
            if case .set = change {} else if values == found.values { continue }
            let text = change.field == .shelves ? [values.joined(separator: ", ")] : values
            changes.append(.init(change.field, ofRow: found.row, .set(text.filter { !$0.isEmpty })))
        }
        guard !changes.isEmpty else { return report }
        report.job = try await store.edit(
            request(
                changes, pipeline: "set", library: library,
                note: EditNote(book: nil, books: changes.count, fields: changes.count))
        ).job?.name
        return report
    }

    /// Removes many entries from a library.
    ///
    /// - Parameter entries: Their row ids. Those that are gone or that another library has are left out.
    package func remove(entries: [Int64], of library: String) async throws(ETLError) -> BulkReport {
        try Self.check(entries)
        let rows = try EntryRows(StoreFile.openForReading(path), .shelf)
        var own: [Int64] = []
        for entry in entries where try rows.row(of: entry, in: library) != nil { own.append(entry) }
        guard !own.isEmpty else { return BulkReport() }
        let change = try await store.remove(
            entries: own, library: library, as: UUID().uuidString.lowercased(),
            note: EditNote(book: nil, books: own.count, fields: 0), isDryRun: isDryRun)
        return BulkReport(job: change.job?.name)
    }

    private static func check(_ entries: [Int64]) throws(ETLError) {
        guard entries.count <= mostEntries else {
            throw ETLError(
                .usage, "\(CountText.grouped(entries.count)) books are too many for one change.",
                advice: "Choose at most \(CountText.grouped(mostEntries)).")
        }
    }
}

/// The rows that a field of entries is in, with its values.
private struct EntryRows {
    private let field: EditableField
    private let read: Statement
    private let shared: Statement

    init(_ connection: Connection, _ field: EditableField) throws(ETLError) {
        self.field = field
        let alias =
            switch field.part {
            case .work: "w"
            case .edition: "d"
            case .entry: "e"
            }
        read = try connection.query(
            """
            SELECT \(alias).id, w.id, \(field.column.map { "\(alias).\($0)" } ?? "NULL") FROM entries e
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            JOIN libraries l ON l.id = e.library WHERE e.id = ?1 AND l.name = ?2
            """)
        shared = try connection.query(LibrariesOfWork.query("<>"))
    }

    func row(
        of entry: Int64, in library: String
    ) throws(ETLError) -> (row: Int64, work: Int64, values: [String])? {
        read.bind(values: entry, library)
        defer { read.reset() }
        guard try read.next() else { return nil }
        let text = read.optionalString(2) ?? ""
        let values =
            text.isEmpty ? [] : field == .shelves ? ShelfList.names(in: text) : field.values(ofStored: text)
        return (read.integer(0), read.integer(1), values)
    }

    func isShared(_ work: Int64, besides library: String) throws(ETLError) -> Bool {
        shared.bind(values: work, library)
        defer { shared.reset() }
        return try shared.next()
    }
}
