package import Database
import Pipeline
package import System

/// Finds libraries by their names.
package struct LibraryNames {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// The row id of a library.
    ///
    /// - Throws: `.missing` if there is none with this name; the advice names those there are.
    package func id(of library: String) throws(ETLError) -> Int64 {
        let libraries = try connection.query("SELECT name, id FROM libraries ORDER BY name")
        var names: [String] = []
        while try libraries.next() {
            if libraries.string(0) == library { return libraries.integer(1) }
            names.append(libraries.string(0))
        }
        throw ETLError(
            .missing, "The store has no library `\(library)`.",
            advice: names.isEmpty
                ? "Nothing has been imported into the store yet."
                : Spelling.advice(for: library, among: names, called: "Its libraries").map { UserText($0) })
    }
}
