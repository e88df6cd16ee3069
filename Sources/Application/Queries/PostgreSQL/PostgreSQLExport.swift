package import Database
import Glibc
package import System

/// A store as files for PostgreSQL: `schema.sql`, one file of rows for each table, and `load.sql`, which creates
/// and fills the tables in one transaction.
///
/// The tables are the views of the store, whose columns are documented and only ever added to.
package struct PostgreSQLExport {
    /// A table and its number of rows.
    package struct WrittenTable: Sendable, Hashable {
        package let name: String
        package let rows: Int
    }

    /// The schema that the tables are in. Loading replaces all of it.
    static let schema = "etl"
    private static let script = "load.sql"
    private static let unfinishedScript = "load.sql.part"

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Writes the files. `load.sql` is the last one, so an export that was interrupted cannot be loaded.
    ///
    /// - Parameter folder: A folder that does not exist, that is empty, or that has an earlier export.
    /// - Throws: `cannotCreate` for any other folder, `inputOutput` if a file cannot be written.
    package func write(to folder: String) throws(ETLError) -> [WrittenTable] {
        try Self.prepare(folder)
        return try connection.snapshot { () throws(ETLError) in
            try Self.write(Self.definition, to: "\(folder)/schema.sql")
            var written: [WrittenTable] = []
            for table in PostgreSQLTable.all {
                let rows = try write(table, to: "\(folder)/\(table.name).copy")
                written.append(WrittenTable(name: table.name, rows: rows))
            }
            try Self.finish(Self.loading(written), in: folder)
            return written
        }
    }

    private func write(_ table: PostgreSQLTable, to path: String) throws(ETLError) -> Int {
        let file = try FolderFile(path)
        let rows = try connection.query(table.query)
        var text = CopyText()
        var count = 0
        while try rows.next() {
            for (index, column) in table.columns.enumerated() {
                text.cell(Int32(index), of: rows, column.type)
            }
            text.endRow()
            count += 1
            guard text.bytes.count >= FolderFile.pieceBytes else { continue }
            try file.write(text.bytes)
            text.removeAll()
        }
        try file.write(text.bytes)
        return count
    }

    private static func write(_ text: String, to path: String) throws(ETLError) {
        try FolderFile(path).write(Array(text.utf8))
    }

    /// Writes the script. It appears when everything that it loads is on the disk.
    private static func finish(_ text: String, in folder: String) throws(ETLError) {
        try write(text, to: "\(folder)/\(unfinishedScript)")
        for name in names where name != script { try synchronize("\(folder)/\(name)") }
        guard FileSystem.rename("\(folder)/\(unfinishedScript)", "\(folder)/\(script)") == 0 else {
            throw FolderFile.failure("\(folder)/\(script)", errno)
        }
        try synchronize(folder)
    }

    private static func synchronize(_ path: String) throws(ETLError) {
        guard DescriptorWriter.synchronize(path) else { throw FolderFile.failure(path, errno) }
    }

    /// The names of all files.
    private static var names: Set<String> {
        Set(PostgreSQLTable.all.map { "\($0.name).copy" } + ["schema.sql", script, unfinishedScript])
    }

    /// Creates the folder, or empties it if it has nothing but an earlier export.
    private static func prepare(_ folder: String) throws(ETLError) {
        let failure = ETLError(
            .cannotCreate, "`\(folder)` cannot be created or emptied.",
            advice: "Specify another folder, or check its permissions.")
        guard Folder.make(folder, mode: 0o777) == 0, let present = Folder.names(in: folder) else {
            throw failure
        }
        guard names.isSuperset(of: present) else {
            throw ETLError(
                .cannotCreate, "`\(folder)` has other files than those of an export.",
                advice: "Specify a folder that does not exist or is empty.")
        }
        // The script first: half an export must not be loaded, not even if the power fails.
        if present.contains(script) {
            guard FileSystem.unlink("\(folder)/\(script)") == 0 else { throw failure }
            try synchronize(folder)
        }
        for name in present where name != script {
            guard FileSystem.unlink("\(folder)/\(name)") == 0 else { throw failure }
        }
    }

    // MARK: Scripts

    private static var definition: String {
        let tables = PostgreSQLTable.all.map(\.definition).joined(separator: "\n\n")
        return """
            -- The tables of an etl library. Their columns are those of the views in docs/store.md.
            CREATE SCHEMA \(schema);

            \(tables)

            """
    }

    private static func loading(_ tables: [WrittenTable]) -> String {
        let copies = tables.map { table in
            "\\copy \(schema).\(table.name) FROM '\(table.name).copy' WITH (ENCODING 'UTF8')"
        }
        let checks = tables.map { table in
            """
                IF (SELECT count(*) FROM \(schema).\(table.name)) <> \(table.rows) THEN
                    RAISE EXCEPTION '\(table.name) does not have \(table.rows) rows';
                END IF;
            """
        }
        return """
            -- Creates the schema \(schema), in place of an earlier one, and fills it. Run in this folder:
            -- psql --dbname=DATABASE --file=load.sql
            \\set ON_ERROR_STOP on
            SET client_min_messages = warning;
            SET TIME ZONE 'UTC';
            BEGIN;
            DROP SCHEMA IF EXISTS \(schema) CASCADE;
            \\ir schema.sql
            \(copies.joined(separator: "\n"))
            DO $$
            BEGIN
            \(checks.joined(separator: "\n"))
            END $$;
            COMMIT;
            ANALYZE \(tables.map { "\(schema).\($0.name)" }.joined(separator: ", "));

            """
    }
}
