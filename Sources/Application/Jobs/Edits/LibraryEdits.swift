import Books
import Contract
import Database
import Formats
import FoundationEssentials
package import Queries
package import Store
package import System

/// Changes that the user makes to stored books by hand: `etl set`, `etl lock`, `etl unlock`, `etl remove`.
package struct LibraryEdits: Sendable {
    let store: ResultsStore
    let path: String
    let isDryRun: Bool
    /// Whether fields of a book can be changed by its whole title, if only one book has it.
    private let takesTitles: Bool

    /// Opens a store for writing.
    ///
    /// - Throws: `.missing` if there is no store; `.temporary` if another process is writing to it.
    package init(
        _ path: String, isDryRun: Bool = false, takesTitles: Bool = false,
        observingCommits observe: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil
    ) throws(ETLError) {
        // Reports a missing store, which opening for writing would create.
        _ = try StoreFile.openForReading(path)
        store = try ResultsStore(path, limits: .fewBooks, observingCommits: observe)
        self.path = path
        self.isDryRun = isDryRun
        self.takesTitles = takesTitles
    }

    /// Sets, locks or unlocks fields of a book.
    ///
    /// - Parameters:
    ///   - reference: The book.
    ///   - entry: The entry whose fields are meant; nil if the book has only one.
    ///   - library: The library of the entry; nil for any.
    ///   - tenant: The library of a user who must neither change nor learn what other libraries have; nil for anybody else.
    ///   - pipeline: The command's name.
    ///   - actions: The fields, and what happens to them.
    package func edit(
        _ reference: BookReference, entry: EditableBook.EntryID? = nil, library: String?,
        tenant: String? = nil, pipeline: String,
        _ actions: [(field: EditableField, action: EditRequest.Action)]
    ) async throws(ETLError) -> EditReport {
        let connection = try StoreFile.openForReading(path)
        let book: EditableBook
        do throws(ETLError) {
            let found = try EditableBook(
                reference, library: library, takesTitles: takesTitles, in: connection)
            book = if let entry { try found.with(entry) } else { found }
        } catch {
            // What the store says of a book can have titles and keys of other libraries.
            guard tenant == nil || error.kind != .missing else {
                throw ETLError(.missing, EditableBook.notInLibrary)
            }
            throw error
        }
        var changes: [EditRequest.Change] = []
        let title = try TitleCorrection(book, actions.map(\.field), in: connection)
        for (field, action) in actions {
            if let tenant, field.part != .entry, try book.isShared(besides: tenant, in: connection) {
                throw ETLError(
                    .usage,
                    "Another library has this book, too. Only an administrator can correct its \(field.name)."
                )
            }
            if field == .title {
                changes += title.changes(for: action)
                continue
            }
            let row = try book.row(of: field)
            if field == .isbn, case .set(let values) = action {
                try EditableBook.checkISBN(values, ofEdition: row, tenant: tenant, in: connection)
            }
            changes.append(.init(field, ofRow: row, action))
        }
        try ReadingOrder.check(changes, in: connection)
        var report = try await edit(
            changes, pipeline: pipeline, library: book.library,
            note: EditNote(book: book.title, books: 1, fields: changes.count))
        report.remarks = book.remarks
        return report
    }

    /// The fields of a book that `etl lock` and `etl unlock` are about if none is named: all for which the row
    /// is certain.
    package func fields(of reference: BookReference, library: String?) throws(ETLError) -> [EditableField] {
        let book = try EditableBook(
            reference, library: library, takesTitles: takesTitles, in: StoreFile.openForReading(path))
        return EditableField.allCases.filter { (try? book.row(of: $0)) != nil }
    }

    private func edit(
        _ changes: [EditRequest.Change], pipeline: String, library: String?, note: EditNote
    ) async throws(ETLError) -> EditReport {
        let outcome = try await store.edit(
            request(changes, pipeline: pipeline, library: library, note: note))
        return try EditReport(outcome, isDryRun: isDryRun, in: StoreFile.openForReading(path))
    }

    func request(
        _ changes: [EditRequest.Change] = [], pipeline: String, library: String?, note: EditNote
    ) -> EditRequest {
        EditRequest(
            changes, name: UUID().uuidString.lowercased(), pipeline: pipeline,
            library: library ?? JobOptions.defaultLibrary, note: note, isDryRun: isDryRun)
    }

    // MARK: A spreadsheet

    /// Sets the fields whose cells differ from the store in an edited export of books.
    ///
    /// - Parameter sheet: The path of the table.
    /// - Throws: `.unusableInput` if it is not an export of books.
    package func edit(fromSheet sheet: String) async throws(ETLError) -> SheetReport {
        var table = try EditedTable(sheet)
        let reader = try SheetReader(table.columns, in: StoreFile.openForReading(path))
        var changes = SheetChanges()
        while true {
            var rows: [EditedTable.Row] = []
            while rows.count < Self.rowsAtOnce, let row = try table.next() { rows.append(row) }
            if rows.isEmpty { break }
            let entries = try await store.entries(rows.map { reader.name(of: $0) })
            for (row, entry) in zip(rows, entries) { try reader.compare(row, with: entry, into: &changes) }
        }
        let report = try await edit(
            changes.all, pipeline: "set", library: changes.library,
            note: EditNote(book: nil, books: changes.books, fields: changes.all.count))
        return SheetReport(edits: report, unknownRows: changes.unknown, mistakes: changes.mistakes)
    }

    private static let rowsAtOnce = 512

    // MARK: Works

    /// Combines books that are one: the other works become part of the first one.
    ///
    /// - Throws: `.usage` if they are one work already, or in libraries that share no books.
    package func merge(_ books: [BookReference]) async throws(ETLError) -> WorkChange {
        let connection = try StoreFile.openForReading(path)
        var found: [EditableBook] = []
        for book in books {
            let next = try EditableBook(book, in: connection)
            if !found.contains(where: { $0.work == next.work }) { found.append(next) }
        }
        guard let first = found.first, found.count > 1 else {
            throw ETLError(
                .usage, "They are one book already: `\(found.first?.title ?? "")`.",
                advice:
                    "Name books whose works differ. \(UserCommand.exportTable) lists them: the column `id` is the work's."
            )
        }
        let others = found.dropFirst()
        let space = try Keyspace(ofRow: first.work, in: connection)
        for other in others where try Keyspace(ofRow: other.work, in: connection) != space {
            throw ETLError(
                .usage,
                "`\(first.title)` and `\(other.title)` are in different libraries, which share no books.",
                advice: "Name books of one library.")
        }
        let result = WorkChange(
            book: first.title, keys: [first.workKey] + others.map(\.workKey), job: nil, isDryRun: isDryRun)
        guard !isDryRun else { return result }
        let job = try await store.merge(
            others.map(\.work), into: first.work,
            request(
                pipeline: "merge", library: first.library,
                note: EditNote(book: first.title, books: found.count, fields: 0)))
        return result.with(job)
    }

    /// Takes editions out of their work: they become a book of their own.
    ///
    /// - Parameter books: Editions of one work, by ISBN or key, or entries.
    /// - Throws: `.usage` if they are of several works, or all editions of their work.
    package func split(_ books: [BookReference]) async throws(ETLError) -> WorkChange {
        let connection = try StoreFile.openForReading(path)
        var editions: [Int64] = []
        var first: EditableBook?
        var keys: [String] = []
        for book in books {
            let next = try EditableBook(book, in: connection)
            if let first, first.work != next.work {
                throw ETLError(
                    .usage, "`\(next.title)` and `\(first.title)` are not editions of one book.",
                    advice: "Split the editions of one book at a time.")
            }
            first = first ?? next
            for (id, key) in zip(next.editions, next.editionKeys) where !editions.contains(id) {
                editions.append(id)
                keys.append(key)
            }
        }
        guard let first else {
            throw ETLError(.usage, "No edition is named.", advice: "Name one by ISBN.")
        }
        let all = try connection.number(
            "SELECT count(*) FROM editions WHERE \(EditionsOfWork.condition(work: "\(first.work)"))")
        guard editions.count < all else {
            throw ETLError(
                .usage, "`\(first.title)` has no other editions than those that are to be taken out.",
                advice: "Name some of its editions, by ISBN or key.")
        }
        let result = WorkChange(book: first.title, keys: keys, job: nil, isDryRun: isDryRun)
        guard !isDryRun else { return result }
        let entry = first.entries.first { $0.edition == editions.first }?.id
        let title = try entry.flatMap { (entry) throws(ETLError) in
            try UserCells(connection).title(of: entry)
        }
        let job = try await store.split(
            editions, from: first.work, title: title,
            request(
                pipeline: "split", library: first.library,
                note: EditNote(book: first.title, books: 1, fields: 0)))
        return result.with(job)
    }

    // MARK: Entries of one book

    /// Outcome of entries.
    func places(_ names: [EntryName]) async throws(ETLError) -> [EntryPlace] {
        try await store.places(names)
    }

    /// Joins entries, as one job.
    func join(_ joins: [EntryJoin], library: String) async throws(ETLError) -> Job {
        try await store.join(
            joins,
            request(
                pipeline: "duplicates", library: library,
                note: EditNote(book: nil, books: joins.count, fields: 0)))
    }

    // MARK: Removal

    /// Removes the entries of a book.
    ///
    /// - Throws: `.usage` if several libraries have the book and none is named, or if none has it.
    package func remove(
        _ reference: BookReference, library: String?
    ) async throws(ETLError) -> (title: String, change: LibraryChange) {
        let book = try EditableBook(reference, library: library, in: StoreFile.openForReading(path))
        guard let name = book.library else {
            guard let first = book.entries.first else {
                throw ETLError(
                    .usage, "No library has `\(book.title)`.",
                    advice: "\(UserCommand.exportTable) lists the books of the libraries.")
            }
            throw ETLError(
                .usage, "Several libraries have `\(book.title)`.",
                advice: "Name one with \(UserSetting.library), for example \(first.library).")
        }
        let change = try await store.remove(
            entries: book.entries.map(\.id), library: name, as: UUID().uuidString.lowercased(),
            note: EditNote(book: book.title, books: 1, fields: 0), isDryRun: isDryRun)
        return (book.title, change)
    }
}
