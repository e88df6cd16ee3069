import Database
import System

/// A catalog's full-text index being built, in its own file and on its own queue, while works and editions
/// are written.
///
/// It reads only the staged records, which no longer change by then. The complete index is copied into the
/// catalog. Until then it has no value: it never waits for the disk, and a killed build writes it again.
actor StagedIndex {
    private nonisolated let executor = QueueExecutor(label: "etl.catalog.search")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// MiB of cache. Small, because almost only whole pages are appended.
    private static let cacheMiB = 8

    private let path: String
    private let staging: String
    private let keysInMemory: Int
    /// A snapshot of the staged records.
    private var records: Connection?

    /// - Parameters:
    ///   - path: Path of the index file. An existing file is deleted.
    ///   - staging: Path of the staging file.
    ///   - keysInMemory: Keys that a sorter holds in memory; more are kept on disk.
    init(_ path: String, staging: String, keysInMemory: Int) {
        self.path = path
        self.staging = staging
        self.keysInMemory = keysInMemory
    }

    /// Takes the snapshot of the staged records. The staging file must not be written to until this returns:
    /// SQLite reports a file that grows between opening and first reading as damaged.
    func begin() throws(ETLError) {
        // Immutable: ignores the catalog connection's lock. What that connection still writes to the file
        // (its checkpoint, the works it kept) is not read here.
        let records = try Connection(staging, .immutable)
        try records.execute("PRAGMA threads = 1")
        try records.mapFile()
        try records.begin(isDeferred: true)
        _ = try records.integer("SELECT count(*) FROM sqlite_schema")
        self.records = records
    }

    /// Writes the index. Call ``begin()`` first.
    func write(stop: StopSignal) -> Result<Void, ETLError> {
        defer { records = nil }
        guard let records else {
            return .failure(
                ETLError(
                    .bug, "The full-text index was written before begin().", advice: "Please report this bug."
                ))
        }
        return Result { () throws(ETLError) in
            let index = try open()
            try index.transaction { () throws(ETLError) in
                try index.execute(FullTextSchema.tables + CatalogSchema.editionTitles)
                let assembly = try SearchAssembly(
                    records, index: index, CancellationCheck(stop, path: path), keysInMemory: keysInMemory
                )
                try assembly.write()
            }
        }
    }

    private func open() throws(ETLError) -> Connection {
        BuildDirectory.remove(path)
        let index = try Connection(path, .create)
        try index.execute(
            """
            PRAGMA page_size = \(CatalogSchema.pageSize); PRAGMA cache_size = -\(Self.cacheMiB * 1_024);
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA secure_delete = OFF; PRAGMA temp.secure_delete = OFF;
            """)
        try BuildDirectory.mark(of: index)
        return index
    }
}
