import Books
import Contract
import Store
import Syntax
import System

/// Opens an existing store to change its library.
enum ChangedStore {
    static func change<Result: Sendable>(
        _ store: String, _ body: (ResultsStore) async throws(ETLError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(ETLError) {
            // Reports a missing store, which opening for writing would create.
            _ = try StoreFile.openForReading(store)
            return try await body(try ResultsStore(store))
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// The report of `etl undo`, `etl library remove` and `etl remove`.
struct ChangeReport {
    private let change: LibraryChange
    private let store: String
    /// The removed library or book; nil for an undo.
    private let removed: Removed?

    /// A removed library or book, by name.
    enum Removed {
        case library(String)
        case book(String)
        /// Books without a title.
        case untitled
    }

    init(_ change: LibraryChange, store: String, removing removed: Removed? = nil) {
        self.change = change
        self.store = store
        self.removed = removed
    }

    func write(asJSON isJSON: Bool, to console: Console) throws(CommandFailure) {
        if isJSON {
            return try console.writeJSON { change.write(into: &$0) }
        }
        try console.writeText(headline)
        var table = Table(
            .init("", isNeverCut: true), .init("removed", .right), .init("restored", .right))
        let rows = change.rows
        for (name, count) in [
            ("entries", rows.entries), ("works", rows.works), ("editions", rows.editions),
            ("authors", rows.authors),
        ] {
            table.add(name, HumanText.count(count.deleted), HumanText.count(count.restored))
        }
        try console.write("\n")
        try console.write(table)
        guard let job = change.job else {
            return try console.write("\nNothing was changed. Leave out --dry-run to do it.\n")
        }
        try console.write("\n")
        try console.writeText(
            "To undo this: \(console.words.spelled(UserCommand.undo(job: job.shortName)))")
    }

    private var headline: String {
        let isDone = change.job != nil
        switch removed {
        case .library(let name):
            return isDone ? "Removed the library `\(name)`." : "The library `\(name)` would be removed."
        case .untitled: return "Removed books without a title."
        case .book(let title): return isDone ? "Removed `\(title)`." : "`\(title)` would be removed."
        case nil: break
        }
        let undone = "\(isDone ? "Undid" : "Would undo") \(Self.names(change.undone))"
        guard !change.redone.isEmpty else { return "\(undone)." }
        let verb = isDone ? (change.redone.count == 1 ? "is" : "are") : "would be"
        return "\(undone): \(Self.names(change.redone)) \(verb) in effect again."
    }

    private static func names(_ jobs: [Job]) -> String {
        let shown = jobs.prefix(8).map { "`\($0.shortName)`" }.joined(separator: ", ")
        return "\(jobs.count == 1 ? "job" : "jobs") \(shown)\(jobs.count > 8 ? ", …" : "")"
    }
}
