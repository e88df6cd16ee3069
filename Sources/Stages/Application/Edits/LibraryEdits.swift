package import Books
import FoundationEssentials
package import Pipeline

/// Changes that the reader makes to stored books by hand: `etl set`, `etl lock`, `etl unlock`, `etl remove`.
package struct LibraryEdits: Sendable {
    private let store: ResultsStore
    private let path: String
    private let isDryRun: Bool

    /// Opens a store for writing.
    ///
    /// - Throws: `.missing` if there is no store; `.temporary` if another process is writing to it.
    package init(_ path: String, isDryRun: Bool = false) throws(StageFailure) {
        // Reports a missing store, which opening for writing would create.
        _ = try StoreFile.openForReading(path)
        store = try ResultsStore(path)
        self.path = path
        self.isDryRun = isDryRun
    }

    /// Sets, locks or unlocks fields of a book.
    ///
    /// - Parameters:
    ///   - reference: The book.
    ///   - library: The library of the entry; nil for any.
    ///   - pipeline: The command's name.
    ///   - actions: The fields, and what happens to them.
    package func edit(
        _ reference: BookReference, library: String?, pipeline: String,
        _ actions: [(field: EditableField, action: EditRequest.Action)]
    ) async throws(StageFailure) -> EditReport {
        let book = try EditableBook(reference, library: library, in: StoreFile.openForReading(path))
        var changes: [EditRequest.Change] = []
        for (field, action) in actions {
            changes.append(.init(field, ofRow: try book.row(of: field), action))
        }
        return try await edit(
            changes, pipeline: pipeline, library: book.library,
            note: EditNote(book: book.title, books: 1, fields: changes.count))
    }

    /// The fields of a book that `etl lock` and `etl unlock` are about if none is named: all for which the row
    /// is certain.
    package func fields(of reference: BookReference, library: String?) throws(StageFailure) -> [EditableField]
    {
        let book = try EditableBook(reference, library: library, in: StoreFile.openForReading(path))
        return EditableField.allCases.filter { (try? book.row(of: $0)) != nil }
    }

    func edit(
        _ changes: [EditRequest.Change], pipeline: String, library: String?, note: EditNote
    ) async throws(StageFailure) -> EditReport {
        let request = EditRequest(
            changes, name: UUID().uuidString.lowercased(), pipeline: pipeline,
            library: library ?? JobOptions.defaultLibrary, note: note, isDryRun: isDryRun)
        let outcome = try await store.edit(request)
        return try EditReport(outcome, isDryRun: isDryRun, in: StoreFile.openForReading(path))
    }

    /// Removes the entries of a book.
    ///
    /// - Throws: `.usage` if several libraries have the book and none is named, or if none has it.
    package func remove(
        _ reference: BookReference, library: String?
    ) async throws(StageFailure) -> (title: String, change: LibraryChange) {
        let book = try EditableBook(reference, library: library, in: StoreFile.openForReading(path))
        guard let name = book.library else {
            guard let first = book.entries.first else {
                throw StageFailure(
                    .usage, "No library has `\(book.title)`.",
                    advice: "\(UserCommand.exportTable) lists the books of the libraries.")
            }
            throw StageFailure(
                .usage, "Several libraries have `\(book.title)`.",
                advice: "Name one with \(UserSetting.library), for example \(first.library).")
        }
        let change = try await store.remove(
            entries: book.entries.map(\.id), library: name, as: UUID().uuidString.lowercased(),
            note: EditNote(book: book.title, books: 1, fields: 0), isDryRun: isDryRun)
        return (book.title, change)
    }
}
