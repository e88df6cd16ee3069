import Database
import Foundation
import Pipeline

/// Opens a catalog's file and makes sure that it is one.
enum CatalogFile {
    /// Bytes of a file that are read where they lie, SQLite's most; the rest goes through its cache.
    static let mappedBytes: Int64 = 0x7FFF_0000

    /// - Parameter oldest: The lowest version that will do.
    static func open(
        _ path: String, oldest: Int64 = CatalogSchema.version
    ) throws(StageFailure) -> Connection {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR {
                throw StageFailure(
                    .missing, "\(path) is a folder, not a catalog.", advice: "Name the file in it.")
            }
        } else if errno == ENOENT || errno == ENOTDIR {
            throw missing(path)
        }
        guard access(path, R_OK) == 0 || errno != EACCES else {
            throw StageFailure(
                .permission, "\(path) may not be read.",
                advice:
                    "Ask its owner for permission to read it, or choose another catalog with \(UserSetting.catalog)."
            )
        }
        let connection: Connection
        let applicationID: Int64?
        let version: Int64?
        do throws(SQLiteError) {
            connection = try Connection(path, .readOnly)
            try connection.execute("PRAGMA mmap_size = \(mappedBytes); PRAGMA query_only = ON; BEGIN")
            applicationID = try connection.integer("PRAGMA application_id")
            version = try connection.integer("PRAGMA user_version")
        } catch {
            throw failure(error, path)
        }
        guard applicationID == CatalogSchema.applicationID, let version else {
            throw StageFailure(
                .configuration, "\(path) is a database, but no catalog.",
                advice: "Name a catalog file; the results store is set with \(UserSetting.store).")
        }
        guard (oldest...CatalogSchema.version).contains(version) else {
            let advice: UserText =
                version > CatalogSchema.version
                ? "Update etl, or build the catalog again with this one."
                : Catalog.adviceToRebuild(path)
            throw StageFailure(
                .configuration,
                "\(path) is a catalog of version \(version); this etl reads \(CatalogSchema.version).",
                advice: advice)
        }
        return connection
    }

    /// Refuses to put a catalog in the place of anything else.
    ///
    /// - Throws: `.cannotCreate` where something stands there that is neither a catalog, of whatever version, nor empty.
    static func checkPlace(_ path: String) throws(StageFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        if isFile, status.st_size == 0 { return }
        if isFile, let connection = try? Connection(path, .readOnly),
            (try? connection.integer("PRAGMA application_id")) == CatalogSchema.applicationID
        {
            return
        }
        throw StageFailure(
            .cannotCreate, "\(path) is there, and is no catalog: it is left as it is.",
            advice: "Choose another file with \(UserSetting.output).")
    }

    private static func missing(_ path: String) -> StageFailure {
        let folder = path.hasPrefix("/") ? "" : ", looked for in \(FileManager.default.currentDirectoryPath)"
        return StageFailure(
            .missing, "There is no catalog \(path)\(folder).",
            advice: """
                Build one from Open Library's dumps with \(UserCommand.buildCatalog(path: path)), or name an existing one \
                with \(UserSetting.catalog) or \(UserSetting.catalogVariable).
                """)
    }

    /// Runs a body that only reads a catalog, its errors as what a command reports.
    static func reported<Result>(
        _ path: String, _ body: () throws(SQLiteError) -> Result
    ) throws(StageFailure) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw failure(error, path) }
    }

    /// What a command reports of an error of SQLite's in a catalog: it is made of dumps, and can be made again.
    private static func failure(_ error: SQLiteError, _ path: String) -> StageFailure {
        guard error.path == path, error.isDamage else { return error.failure }
        return StageFailure(
            .inputOutput, "\(path) is damaged: \(error.message).",
            advice: Catalog.adviceToRebuild(path))
    }

    /// Under whose name a catalog answers.
    static func provider(_ connection: Connection) throws(StageFailure) -> Provider {
        let name = try reported(connection.path) { () throws(SQLiteError) in
            try connection.string("SELECT value FROM meta WHERE key = 'provider'")
        }
        guard let provider = Provider.allCases.first(where: { $0.contractName == name }) else {
            throw StageFailure(
                .configuration,
                "\(connection.path) was built from the dump of a provider that is not known here.",
                advice: "Update etl, or build the catalog again with this one.")
        }
        return provider
    }
}
