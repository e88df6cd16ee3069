import Books
package import Database
import Glibc
import Store
package import System

/// A copy of a store in one file, which was read back before it got its name: `etl backup`.
package struct StoreBackup: Sendable, Hashable {
    /// Number of rows in the copy.
    package struct Counts: Sendable, Hashable {
        package let works: Int
        package let editions: Int
        package let entries: Int
        package let jobs: Int

        fileprivate init(_ connection: Connection) throws(ETLError) {
            func count(_ table: String) throws(ETLError) -> Int {
                Int(try connection.number("SELECT count(*) FROM \(table)"))
            }
            works = try count("works")
            editions = try count("editions")
            entries = try count("entries")
            jobs = try count("jobs")
        }
    }

    /// Size of the file.
    package let bytes: Int
    package let counts: Counts
    /// Schema version of the store.
    package let schema: Int

    /// Writes a backup. A file of this name is replaced when the backup is on the disk and has been checked.
    ///
    /// - Parameters:
    ///   - store: A store opened for reading, outside a transaction. Others may write to it meanwhile.
    ///   - path: The file, which is not a part of a store that is in use.
    /// - Throws: `.cannotCreate`, `.permission` or `.inputOutput`. Nothing of the backup is left then.
    package static func write(_ store: Connection, to path: String) throws(ETLError) -> StoreBackup {
        let place = StorePath.real(path)
        PartFile.removeAbandoned(besides: place, isFolder: false)
        guard let part = PartFile.create(besides: place, mode: 0o600) else { throw unwritten(path, errno) }
        defer { close(part.descriptor) }
        do throws(ETLError) {
            let backup = try copy(store, to: part, named: path)
            guard FileSystem.rename(part.path, place) == 0 else { throw unwritten(path, errno) }
            _ = DescriptorWriter.synchronize(FolderPath.of(place))
            return backup
        } catch {
            for ending in ["", "-journal", "-wal"] { FileSystem.unlink(part.path + ending) }
            // The user named another file.
            var error = error
            error.message = error.message.replacing(part.path, with: path)
            throw error
        }
    }

    private static func copy(
        _ store: Connection, to part: (path: String, descriptor: Int32), named path: String
    ) throws(ETLError) -> StoreBackup {
        let expected = try store.snapshot { () throws(ETLError) in
            let counts = try Counts(store)
            try store.copy(to: part.path)
            return (counts, try store.number("PRAGMA user_version"))
        }
        guard fsync(part.descriptor) == 0 else { throw unwritten(path, errno) }
        // What is on the disk is read, not what is still in memory.
        _ = posix_fadvise(part.descriptor, 0, 0, POSIX_FADV_DONTNEED)
        let copy = try Connection(part.path, .immutable)
        let finding: String?
        do throws(ETLError) {
            finding = try copy.string("PRAGMA integrity_check(1)")
        } catch {
            guard let fault = error.fault, error.isDamage else { throw error }
            finding = fault.message
        }
        guard finding == "ok" else {
            throw ETLError(
                .inputOutput,
                "The backup of `\(store.path)` is damaged and was not kept: \(finding ?? "no answer").",
                advice: "Check the store with \(UserCommand.doctor), and the disk.")
        }
        let found = (try Counts(copy), try copy.number("PRAGMA user_version"))
        guard found == expected else {
            throw ETLError(
                .inputOutput, "The backup of `\(store.path)` differs from the store and was not kept.",
                advice: "Check the disk, then run the same command again.")
        }
        var status = stat()
        guard fstat(part.descriptor, &status) == 0 else { throw unwritten(path, errno) }
        return StoreBackup(bytes: Int(status.st_size), counts: found.0, schema: Int(found.1))
    }

    private static func unwritten(_ path: String, _ code: Int32) -> ETLError {
        let kind: ETLError.Kind =
            switch code {
            case EACCES, EPERM, EROFS: .permission
            case EIO, ENOSPC, EDQUOT: .inputOutput
            default: .cannotCreate
            }
        return ETLError(
            kind, "`\(path)` cannot be written: \(String(cString: strerror(code))).",
            advice: "Specify a file in a folder that you can write to, on a disk with enough space.")
    }
}
