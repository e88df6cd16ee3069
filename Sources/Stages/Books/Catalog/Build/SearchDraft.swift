import Database
import Pipeline

/// The catalog's full-text index in the making, while its works and editions are written: in a file of its own, on a
/// queue of its own.
///
/// It takes nothing but the records that wait, which nobody changes any more then, and is copied into the catalog when
/// it is whole. Before that it is worth nothing: it never waits for the disk, and a build that was killed writes it
/// again.
actor SearchDraft {
    private nonisolated let executor = QueueExecutor(label: "etl.catalog.search")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// MiB of the cache of a file to which next to nothing but whole pages is appended.
    private static let cacheMiB = 8

    private let path: String
    private let staging: String
    private let keysInMemory: Int
    /// The records that wait, as they are when it begins.
    private var records: Connection?

    /// - Parameters:
    ///   - path: Of the file it is written to; one that stands there is taken away.
    ///   - staging: Of the file in which records wait.
    ///   - keysInMemory: Keys that a sorter holds; more wait on disk.
    init(_ path: String, staging: String, keysInMemory: Int) {
        self.path = path
        self.staging = staging
        self.keysInMemory = keysInMemory
    }

    /// Fixes the state of the records that is read. Nobody may write to their file until it returns: of a file that grows
    /// between its opening and the first look at it SQLite would say that it is damaged.
    func begin() throws(StageFailure) {
        records = try SQLiteError.reported { () throws(SQLiteError) in
            // Past the lock that the catalog's connection has: what it still writes to this file, its checkpoint
            // and the works that it kept, is not read here.
            let records = try Connection(staging, .immutable)
            try records.execute("PRAGMA threads = 1; PRAGMA mmap_size = \(CatalogFile.mappedBytes)")
            try records.begin(isDeferred: true)
            _ = try records.integer("SELECT count(*) FROM sqlite_schema")
            return records
        }
    }

    /// Writes the index, once it has begun.
    func write(stop: StopSignal) -> Result<Void, StageFailure> {
        defer { records = nil }
        guard let records else {
            return .failure(StageFailure(.bug, "The full-text index is written before it has begun."))
        }
        return Result { () throws(StageFailure) in
            try SQLiteError.reported { () throws(SQLiteError) in
                let index = try open()
                try index.transaction { () throws(SQLiteError) in
                    try index.execute(FullTextSchema.tables + CatalogSchema.editionTitles)
                    let assembly = try SearchAssembly(
                        records, index: index, CancellationCheck(stop, path: path), keysInMemory: keysInMemory
                    )
                    try assembly.write()
                }
            }
        }
    }

    private func open() throws(SQLiteError) -> Connection {
        BuildDirectory.remove(path)
        let index = try Connection(path, .create)
        try index.execute(
            """
            PRAGMA page_size = \(CatalogSchema.pageSize); PRAGMA cache_size = -\(Self.cacheMiB * 1_024);
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA secure_delete = OFF; PRAGMA temp.secure_delete = OFF;
            """)
        return index
    }
}
