import Application
import Books
import Foundation
import Pipeline

/// Standard input as a file: spooled first, so that it can be surveyed, and resumed while the spool stands. Users are told
/// of it by the name of standard input.
enum StandardInput {
    /// Copies standard input to a new file beside the store, which nobody else may read, and returns its path.
    static func spool(beside store: String) throws(CommandFailure) -> String {
        let (path, file) = try create(beside: store)
        do {
            try copy(to: file, beside: store)
        } catch {
            close(file)
            unlink(path)
            throw error
        }
        // A full disk may be told of only now.
        guard close(file) == 0 else {
            let failure = copyFailure(beside: store, errno)
            unlink(path)
            throw failure
        }
        return path
    }

    /// Makes a spool, locked until this process ends: until a job knows of it nothing else keeps it from being taken for
    /// abandoned.
    private static func create(beside store: String) throws(CommandFailure) -> (path: String, file: Int32) {
        if let failure = StoreFile.noFolder(for: store) { throw CommandFailure(failure) }
        // A name of its own: another job's spool may be all that is left of what that job reads.
        let spool = try LockedFile(
            at: { "\(store).\(UUID().uuidString.lowercased())\(SpoolName.ending)" },
            orElse: { reason in
                CommandFailure(
                    .cannotCreate, "Standard input cannot be kept beside \(store): \(reason).",
                    advice: "Check the folder's permissions, or name another store with --db.")
            })
        // What is written is closed, and the lock stays.
        let file = fcntl(spool.descriptor, F_DUPFD_CLOEXEC, 0)
        guard file >= 0 else {
            let failure = copyFailure(beside: store, errno)
            unlink(spool.path)
            close(spool.descriptor)
            throw failure
        }
        return (spool.path, file)
    }

    /// Removes spools beside a store whose runs were killed before a job knew of them. Where the jobs cannot be read none
    /// is removed.
    static func removeAbandoned(beside store: String) {
        let spools = LockedFile.paths(from: "\(store).", ending: SpoolName.ending)
            .filter { UUID(uuidString: String($0.middle)) != nil }.map(\.path)
        guard !spools.isEmpty else { return }
        var needed: Set<String> = []
        do throws(StageFailure) {
            if let connection = try StoreFile.openIfStarted(store) {
                for job in try JobTable(connection).all() { needed.formUnion(job.terms?.files ?? []) }
            }
        } catch {
            return
        }
        for spool in spools where !needed.contains(AbsolutePath.of(spool)) {
            LockedFile.removeAbandoned(spool) { unlink($0) }
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
            "Standard input cannot be kept beside \(store): \(String(cString: strerror(code))).",
            advice: "Free some space, or name a store on another disk with --db.")
    }

    /// Puts a spool beside the store in the place of each file that is standard input.
    ///
    /// - Returns: The spools, for ``removeSpools(_:beside:of:)``. Where one cannot be made none is left.
    static func spool(_ files: inout [String], beside store: String) throws(CommandFailure) -> [String] {
        var spools: [String] = []
        for (index, file) in files.enumerated() where file == "-" {
            do throws(CommandFailure) {
                spools.append(try spool(beside: store))
                files[index] = spools[spools.count - 1]
            } catch {
                removeSpools(spools, beside: store, of: nil)
                throw error
            }
        }
        return spools
    }

    /// Removes spools that nobody will read again: those of the run, and the job's own.
    ///
    /// - Parameters:
    ///   - spools: Those that were made for the run.
    ///   - store: The store beside which spools are kept.
    ///   - job: The job as it was left; nil where none began or none is kept.
    static func removeSpools(_ spools: [String], beside store: String, of job: Job?) {
        let kept = job?.terms?.files ?? []
        let needed =
            job.map { $0.isUnfinished || $0.pending > 0 || isReviewed($0, store) } == true ? kept : []
        let prefix = AbsolutePath.of(store) + "."
        for file in Set(spools.map(AbsolutePath.of) + kept) where !needed.contains(file) {
            if file.hasPrefix(prefix), file.hasSuffix(SpoolName.ending) { unlink(file) }
        }
    }

    /// Whether the job waits for its reader, whose decisions will have it read its input again. A store that cannot say
    /// is taken to.
    private static func isReviewed(_ job: Job, _ store: String) -> Bool {
        (try? Reviews(StoreFile.openForReading(store)).isOpen(ofJob: job.id)) ?? true
    }
}
