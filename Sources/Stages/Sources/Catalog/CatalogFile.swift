import Books
import Database
import Glibc
import System

/// Opens a catalog file and checks that it is one.
enum CatalogFile {
    static func open(_ path: String) throws(ETLError) -> Connection {
        var status = stat()
        if FileSystem.stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR {
                throw ETLError(
                    .missing, "`\(path)` is a folder, not a catalog.",
                    advice: "Specify the catalog file inside it.")
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw ETLError(
                    .unusableInput, "`\(path)` is a pipe or a device, not a catalog.",
                    advice: "Specify the catalog file itself.")
            }
        } else if errno == ENOENT || errno == ENOTDIR {
            throw missing(path)
        }
        guard FileSystem.access(path, R_OK) == 0 || errno != EACCES else {
            throw ETLError(
                .permission, "`\(path)` cannot be read: permission denied.",
                advice: "Make it readable, for example with `chmod u+r FILE`, or specify another catalog.")
        }
        try CatalogChecksums.check(path)
        let connection: Connection
        let applicationID: Int64?
        let version: Int64?
        do throws(ETLError) {
            connection = try Connection(path, .readOnly)
            try connection.mapFile()
            try connection.execute("PRAGMA query_only = ON; BEGIN")
            applicationID = try connection.integer("PRAGMA application_id")
            version = try connection.integer("PRAGMA user_version")
        } catch {
            throw failure(error, path)
        }
        guard applicationID == CatalogSchema.applicationID, let version else {
            throw ETLError(
                .configuration, "`\(path)` is an SQLite database, but not a catalog.",
                advice: "Specify a catalog; use \(UserSetting.store) for a store.")
        }
        guard version == CatalogSchema.version else {
            let advice: UserText =
                version > CatalogSchema.version
                ? "Update etl, or build the catalog again with this version."
                : Catalog.adviceToRebuild(path)
            throw ETLError(
                .configuration,
                "`\(path)` has catalog version \(version); this version of etl reads version \(CatalogSchema.version).",
                advice: advice)
        }
        return connection
    }

    /// Refuses to overwrite a file that is not a catalog.
    ///
    /// - Throws: `.cannotCreate` unless the path is free, an empty file, or a catalog of any version.
    static func checkPlace(_ path: String) throws(ETLError) {
        var status = stat()
        guard FileSystem.stat(path, &status) == 0 else { return }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        if isFile, status.st_size == 0 { return }
        if isFile, let connection = try? Connection(path, .readOnly),
            (try? connection.integer("PRAGMA application_id")) == CatalogSchema.applicationID
        {
            return
        }
        throw ETLError(
            .cannotCreate, "`\(path)` already exists and is not a catalog. It was not changed.",
            advice: "Specify another file with \(UserSetting.output).")
    }

    private static func missing(_ path: String) -> ETLError {
        let folder = FolderPath.isAbsolute(path) ? "" : " in `\(Folder.current ?? ".")`"
        return ETLError(
            .missing, "There is no catalog `\(path)`\(folder).",
            advice: """
                Build one from Open Library's dumps with \(UserCommand.buildCatalog(path: path)), or specify an existing \
                one with \(UserSetting.catalog) or \(UserSetting.catalogVariable).
                """)
    }

    /// Runs a body that reads a catalog. Its failures advise what to do with a catalog.
    static func reported<Result>(
        _ path: String, _ body: () throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        do throws(ETLError) { return try body() } catch { throw failure(error, path) }
    }

    /// The failure of a catalog. A damaged catalog can be rebuilt from its dumps.
    private static func failure(_ error: ETLError, _ path: String) -> ETLError {
        guard let fault = error.fault, fault.path == path else { return error }
        if error.isNotADatabase {
            return ETLError(
                .missing, "`\(path)` is not an SQLite database.",
                advice: "Specify a catalog, for example with \(UserSetting.catalog).")
        }
        guard error.isDamage else { return error }
        return ETLError(
            .inputOutput, "`\(path)` is damaged: \(fault.message).",
            advice: Catalog.adviceToRebuild(path))
    }

    /// The provider named in the catalog.
    static func provider(_ connection: Connection) throws(ETLError) -> Provider {
        let name = try reported(connection.path) { () throws(ETLError) in
            try connection.string("SELECT value FROM meta WHERE key = 'provider'")
        }
        guard let provider = name.flatMap({ Provider(contractName: $0) }) else {
            throw ETLError(
                .configuration,
                "`\(connection.path)` was built from the dump of an unknown provider.",
                advice: "Update etl, or build the catalog again with this version.")
        }
        return provider
    }
}
