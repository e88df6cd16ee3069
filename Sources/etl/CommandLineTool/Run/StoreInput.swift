import Database
import Store
import System

/// Says what becomes of another store's entries that are imported, before the import begins.
struct StoreInput {
    private let path: String
    private let connection: Connection

    private init(_ path: String) throws(ETLError) {
        self.path = path
        connection = try StoreFile.openForReading(path)
    }

    /// Warns about each store among the files.
    ///
    /// - Parameter library: The library that gets the entries.
    static func warn(
        about files: [String], into library: String, on console: Console
    ) throws(CommandFailure) {
        for file in files where StoreFile.isStore(file) {
            do throws(ETLError) {
                let store = try StoreInput(file)
                try store.warnOfLibraries(into: library, on: console)
                try store.warnOfSharedIDs(in: library, on: console)
            } catch {
                throw CommandFailure(error)
            }
        }
    }

    /// An import has one library.
    private func warnOfLibraries(into library: String, on console: Console) throws(ETLError) {
        let read = try connection.query(
            "SELECT name FROM libraries WHERE id IN (SELECT DISTINCT library FROM entries) ORDER BY name")
        var names: [String] = []
        while try read.next() { names.append(read.string(0)) }
        guard names.count > 1, let last = names.last else { return }
        console.warn(
            """
            `\(path)` has \(names.count) libraries: \(names.map { "`\($0)`" }.joined(separator: ", ")). All their \
            entries go into the library `\(library)`.
            """,
            advice: "To keep a library, export it with "
                + "`etl export --db \(ShellWord.of(path)) --library \(ShellWord.of(last)) --to csv --other-columns`"
                + ", and import that file with `--library \(last)`.")
    }

    /// In the spreadsheet of a store, an entry that came from a program can have the id of one that came from another
    /// store or a spreadsheet. The name of the library that is imported into is no part of an id.
    private func warnOfSharedIDs(in library: String, on console: Console) throws(ETLError) {
        guard
            let read = try connection.row(
                """
                WITH ids AS (
                    SELECT l.name || '/' || iif(y.format = 'etl', '', y.format || '/') || e.source_id AS id
                    FROM entries e JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout)
                SELECT count(*) - count(DISTINCT iif(substr(id, 1, length(?1)) = ?1, substr(id, length(?1) + 1), id))
                FROM ids
                """, "\(library)/"), read.integer(0) > 0
        else { return }
        let count = read.integer(0)
        console.warn(
            """
            `\(path)` has \(count) \(count == 1 ? "entry that becomes" : "entries that become") one with another: one \
            came from a program, the other with the same id from another store or a spreadsheet. Values of the later \
            one count.
            """,
            advice:
                "To lose nothing of either, join them in `\(path)` first: `etl duplicates --db \(path)` lists them."
        )
    }
}
