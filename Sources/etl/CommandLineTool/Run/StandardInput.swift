import Glibc
import Jobs
import Queries
import Store
import System

/// Standard input, or the entries of another store, saved to a file, the spool, so that it can be surveyed and, while
/// the spool exists, resumed. Messages call it standard input, or name the store.
enum StandardInput {
    /// Copies standard input to a new file next to the store, readable by the user only, and returns its
    /// path.
    static func spool(beside store: String) throws(CommandFailure) -> String {
        let (path, file) = try create(beside: store)
        do {
            try copy(to: file, beside: store)
        } catch {
            close(file)
            FileSystem.unlink(path)
            throw error
        }
        // A full disk may only be reported here.
        guard close(file) == 0 else {
            let failure = copyFailure(beside: store, errno)
            FileSystem.unlink(path)
            throw failure
        }
        return path
    }

    /// Creates a spool, locked until this process ends. Until a job refers to it, only the lock shows that it
    /// is in use.
    private static func create(
        beside store: String, of other: String? = nil
    ) throws(CommandFailure) -> (path: String, file: Int32) {
        if let failure = StoreFile.noFolder(for: store) { throw CommandFailure(failure) }
        let spool = try newSpool(beside: store, of: other) { reason in
            CommandFailure(
                .cannotCreate,
                "\(other.map { "`\($0)`" } ?? "Standard input") cannot be saved next to `\(store)`: \(reason).",
                advice: "Check the folder's permissions, or specify another store with --db.")
        }
        // Closing this duplicate after writing keeps the lock.
        let file = fcntl(spool.descriptor, F_DUPFD_CLOEXEC, 0)
        guard file >= 0 else {
            let failure = copyFailure(beside: store, errno)
            FileSystem.unlink(spool.path)
            close(spool.descriptor)
            throw failure
        }
        return (spool.path, file)
    }

    /// Creates an empty spool, locked until this process ends. Its name is unique: another job's spool may be
    /// the only copy of its input.
    ///
    /// - Parameter other: The store whose entries it gets; nil for standard input.
    static func newSpool<Failure: Error>(
        beside store: String, of other: String? = nil, orElse failure: (_ reason: String) -> Failure
    ) throws(Failure) -> LockedFile {
        try LockedFile(
            at: { "\(StorePath.real(store)).\(SpoolName.fresh(from: other, beside: store))" },
            orElse: failure)
    }

    /// Removes spools of runs that were killed before a job referred to them, or after their job had ended. If the
    /// jobs cannot be read, nothing is removed.
    static func removeAbandoned(beside store: String) {
        let spools = LockedFile.paths(from: "\(StorePath.real(store)).", ending: SpoolName.ending)
            .filter { SpoolName.isSpool($0.middle) }.map(\.path)
        guard !spools.isEmpty else { return }
        // By name: the folder may have been renamed since, or moved.
        let present = Set(spools.map(FolderPath.lastName))
        var needed: Set<String> = []
        do throws(ETLError) {
            if let connection = try StoreFile.openIfStarted(store) {
                for job in try JobTable(connection).all() {
                    let names = (job.options?.files ?? []).map(FolderPath.lastName)
                    guard !present.isDisjoint(with: names), needsFiles(job, store) else { continue }
                    needed.formUnion(names)
                }
            }
        } catch {
            return
        }
        for spool in spools where !needed.contains(FolderPath.lastName(spool)) {
            LockedFile.removeAbandoned(spool) { FileSystem.unlink($0) }
        }
    }

    private static func copy(to file: Int32, beside store: String) throws(CommandFailure) {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 || errno == EINTR else {
                throw CommandFailure(
                    .inputOutput, "Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
            let failure = buffer.withUnsafeBytes { bytes in
                DescriptorOutlet(descriptor: file).write(
                    UnsafeRawBufferPointer(rebasing: bytes[..<max(0, count)]))
            }
            guard failure == 0 else { throw copyFailure(beside: store, failure) }
        }
    }

    private static func copyFailure(beside store: String, _ code: Int32) -> CommandFailure {
        CommandFailure(
            .inputOutput,
            "Standard input cannot be saved next to `\(store)`: \(String(cString: strerror(code))).",
            advice: "Free some space, or specify a store on another disk with --db.")
    }

    /// Saves the entries of another store as `etl`'s own spreadsheet, so that they are imported like any file.
    private static func spool(entriesOf other: String, beside store: String) throws(CommandFailure) -> String
    {
        guard !FileName.areSame(StorePath.real(other), StorePath.real(store)) else {
            throw CommandFailure(
                .usage, "`\(other)` cannot be imported into itself.",
                advice: "Specify another store with --db.")
        }
        let (path, file) = try create(beside: store, of: AbsolutePath.of(other))
        let outlet = FileOutlet(descriptor: file)
        func failure(_ code: Int32) -> ETLError {
            ETLError(
                .inputOutput,
                "The entries of `\(other)` cannot be saved next to `\(store)`: \(String(cString: strerror(code))).",
                advice: "Free some space, or specify a store on another disk with --db.")
        }
        do throws(ETLError) {
            let connection = try StoreFile.openForReading(other)
            try Export(connection).write(.books, as: .csv, addsOtherColumns: true) {
                (bytes) throws(ETLError) in
                let code = outlet.write(bytes)
                if code != 0 { throw failure(code) }
            }
            // A full disk may only be reported here.
            guard fsync(file) == 0 else { throw failure(errno) }
        } catch {
            FileSystem.unlink(path)
            throw CommandFailure(error)
        }
        return withExtendedLifetime(outlet) { path }
    }

    /// Replaces each `-` and each store in a list of files by a spool next to the store that is written.
    ///
    /// - Returns: The spools, for ``removeSpools(_:beside:of:)``. If one cannot be created, all are removed.
    static func spool(_ files: inout [String], beside store: String) throws(CommandFailure) -> [String] {
        var spools: [String] = []
        for (index, file) in files.enumerated() where file == "-" || StoreFile.isStore(file) {
            do throws(CommandFailure) {
                spools.append(
                    file == "-" ? try spool(beside: store) : try spool(entriesOf: file, beside: store))
                files[index] = spools[spools.count - 1]
            } catch {
                removeSpools(spools, beside: store, of: nil)
                throw error
            }
        }
        return spools
    }

    /// Removes spools that are no longer needed: those of the run, and those of the job.
    ///
    /// - Parameters:
    ///   - spools: The spools of the run.
    ///   - store: The store next to the spools.
    ///   - job: The job in its final state; nil if none started or none is kept.
    static func removeSpools(_ spools: [String], beside store: String, of job: Job?) {
        let kept = job?.options?.files ?? []
        let needed = job.map { needsFiles($0, store) } == true ? kept : []
        let prefix = StorePath.real(store) + "."
        for file in Set(spools.map(AbsolutePath.of) + kept) where !needed.contains(file) {
            if FileName.middle(of: file, from: prefix, to: SpoolName.ending) != nil {
                FileSystem.unlink(file)
            }
        }
    }

    /// Whether the job will read its files again.
    private static func needsFiles(_ job: Job, _ store: String) -> Bool {
        job.isUnfinished || job.pending > 0 || isReviewed(job, store)
    }

    /// Whether the job has uncertain matches to decide. Applying decisions reads the input again. True if the
    /// store cannot be read.
    private static func isReviewed(_ job: Job, _ store: String) -> Bool {
        (try? Reviews(StoreFile.openForReading(store)).isOpen(ofJob: job.id)) ?? true
    }
}
