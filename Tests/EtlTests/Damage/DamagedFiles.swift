import Database
import Foundation
import TestSupport
import Testing

/// A filled store and a filled catalog, made by the built tool, and copies of them with changed numbers.
final class DamagedFiles: Sendable {
    /// A column with integers.
    struct Column: Sendable, Hashable, CustomTestStringConvertible {
        var table: String
        var name: String
        /// Whether it is the table's row id. Then only one row is changed, because ids are unique.
        var isID: Bool

        var testDescription: String { "\(table).\(name)" }
    }

    /// Numbers that make sums, shifts, conversions and allocations fail.
    static let numbers: [Int64] = [.max, .min, -1, 1 << 45]

    private let folder: TemporaryFolder
    let store: String
    let catalog: String
    /// A correction of the rejected record of the store's job.
    let corrected: String
    let job = "sample"

    /// The files that all tests copy.
    static let made = Result { try DamagedFiles() }

    private init() throws {
        folder = try TemporaryFolder()
        (store, catalog) = (folder.file("library.sqlite"), folder.file("catalog.sqlite"))
        let built = try BuiltTool.run(
            ["catalog", "build", "--quiet", "--out", catalog] + ProjectFiles.catalogSources)
        let imported = try BuiltTool.run([
            "import", "--quiet", "--db", store, "--job", job, "--catalog", catalog,
            ProjectFiles.sample("goodreads_library_export.csv"),
        ])
        let list = try BuiltTool.output(["errors", "--format", "csv", "--db", store, job]).data
        corrected = try folder.write(Array(list), to: "corrected.csv")
        guard built == 0, imported == 0 else { throw ToolFailed() }
        try Connection(store, .readWrite).execute(Self.rareRows)
    }

    private struct ToolFailed: Error {}

    /// Rows that an import without services and corrections does not write.
    private static let rareRows = """
        INSERT INTO reviews VALUES (1, 0, 5, 'a', 'b',
            '[{"provider":"openlibrary","record":"OL1W","title":"t","authors":["x"],"score":0.5,"evidence":["x"]}]');
        INSERT INTO decisions VALUES (0, 'a' || char(9) || 'b', 1, 'OL1W', 5);
        INSERT INTO pending VALUES (1, 0, 5, 'openlibrary:timeout');
        INSERT INTO answers(service, key, version, fetched_at, body, mismatches)
            VALUES ('openlibrary', 'isbn:9780441172719', 1, 1700000000000, x'00', 0);
        INSERT INTO warnings VALUES (1, 0, 200, 1, 1, 1, 'isbn_repaired', NULL, 'x', 'y');
        INSERT INTO updated_entries VALUES (3, 1);
        INSERT INTO left_editions VALUES (4);
        INSERT INTO corrections(job, file, row, line, byte, layout, cells)
            SELECT 1, file, row, line, byte, 1, x'026102' FROM rejects
        """

    /// The integer columns of a database's ordinary tables.
    static func columns(of path: String) throws -> [Column] {
        let connection = try Connection(path, .readOnly)
        let read = try connection.prepare(
            """
            SELECT t.name, c.name, c.pk AND (SELECT sum(pk) FROM pragma_table_info(t.name)) = 1
            FROM pragma_table_list t JOIN pragma_table_info(t.name) c
            WHERE t.schema = 'main' AND t.type = 'table' AND c.type = 'INTEGER' ORDER BY 1, 2
            """)
        var columns: [Column] = []
        while try read.next() {
            columns.append(.init(table: read.string(0), name: read.string(1), isID: read.integer(2) != 0))
        }
        return columns
    }

    /// Copies a file and changes the numbers of a column, if one is given.
    func copy(_ path: String, to copy: String, with number: Int64, in column: Column?) throws {
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        guard let column else { return }
        let last = "WHERE \(column.name) = (SELECT max(\(column.name)) FROM \(column.table))"
        try Connection(copy, .readWrite).execute(
            "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(number) \(column.isID ? last : "")")
    }

    /// Runs the tool with a time limit, which is far above what it needs on a busy machine.
    ///
    /// - Returns: Why its end is wrong: a signal, the time limit, the exit status of a bug, or if the file is
    ///   undamaged any other than 0. Nil if it is right.
    static func problem(
        _ arguments: [String], environment: [String: String], isDamaged: Bool
    ) throws -> String? {
        let process = try ChildProcess(
            "/usr/bin/timeout", ["600", ProjectFiles.tool] + arguments, environment: environment)
        let ending = try process.wait()
        switch ending.status {
        case _ where ending.isSignal, 128...: return "ended by a signal (\(ending.status))"
        case 124: return "did not end within ten minutes"
        case 70: return "reported a bug"
        // All pending records stay so, because the service that they wait for is not configured.
        case 75 where arguments.first == "resume": return nil
        case 1... where !isDamaged: return "failed with \(ending.status)"
        default: return nil
        }
    }
}
