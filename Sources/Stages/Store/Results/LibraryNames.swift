package import Database
import Pipeline
package import System

/// Finds libraries by their names.
package struct LibraryNames {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Where the works and editions of a library are found.
    ///
    /// - Parameter library: Its row id.
    func keyspace(ofLibrary library: Int64) throws(ETLError) -> Keyspace {
        let isPrivate = try connection.integer("SELECT is_private FROM libraries WHERE id = ?1", library) == 1
        return isPrivate ? Keyspace(library: library) : .shared
    }

    /// The same for a library by name. A library that is not there yet has no books.
    package func keyspace(ofLibrary name: String) throws(ETLError) -> Keyspace {
        let read = try connection.query("SELECT id FROM libraries WHERE name = ?1 AND is_private", name)
        defer { read.reset() }
        return try read.next() ? Keyspace(library: read.integer(0)) : .shared
    }

    /// The keyspaces of all private libraries.
    package func privateKeyspaces() throws(ETLError) -> [Keyspace] {
        let read = try connection.prepare("SELECT id FROM libraries WHERE is_private ORDER BY id")
        var spaces: [Keyspace] = []
        while try read.next() { spaces.append(Keyspace(library: read.integer(0))) }
        return spaces
    }

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
