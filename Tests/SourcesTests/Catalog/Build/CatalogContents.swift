import Glibc
import System
import Testing

@testable import Database
@testable import Sources

/// The content of a catalog without its metadata and its full-text index, whose shape depends on the number
/// of transactions.
enum CatalogContents {
    static func rows(_ path: String) throws -> [String] {
        let connection = try Connection(path, .readOnly)
        let tables = try connection.prepare(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('meta', 'source', 'search')
            AND name NOT GLOB 'search_[dic][adno][tfxn]*' ORDER BY 1
            """)
        var rows: [String] = []
        while try tables.next() {
            let name = tables.string(0)
            let columns = try connection.query("SELECT name FROM pragma_table_info(?)", name)
            var names: [String] = []
            while try columns.next() { names.append("quote(\(columns.string(0)))") }
            let all = try connection.prepare(
                "SELECT \(names.joined(separator: "||','||")) FROM \(name) ORDER BY 1")
            while try all.next() { rows.append("\(name): \(all.string(0))") }
        }
        return rows
    }

    /// Writes a database with a catalog's application id that cannot be read any further.
    static func writeDamagedDatabase(_ path: String) throws {
        do {
            let database = try Connection(path, .create)
            try BuildDirectory.mark(of: database)
            try database.execute("CREATE TABLE half(a)")
        }
        #expect(truncate(path, 500) == 0)
    }
}
