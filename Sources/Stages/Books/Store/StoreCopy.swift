import Bytes
import Database
import Foundation
import Pipeline

/// A copy of a store: its owner's alone, as the store is.
enum StoreCopy {
    /// Writes what a connection reads to a file that is not there yet.
    ///
    /// - Throws: `.permission`, `.cannotCreate` or `.inputOutput` where there is no place for the copy; then nothing is
    ///   left of it.
    static func write(_ connection: Connection, to path: String) throws(StageFailure) {
        // SQLite would make the file as the process's mask has it; an empty one it takes as it is.
        try StoreFile.make(path)
        do {
            try connection.execute("VACUUM INTO '\(path.replacingOccurrences(of: "'", with: "''"))'")
        } catch {
            discard(path)
            throw error.failure
        }
    }

    /// Writes a copy to be gone back to. It has its name only when it is whole and on the disk: a killed run leaves
    /// none that could be taken for one.
    static func keep(_ connection: Connection, at path: String) throws(StageFailure) {
        let part = path + ".part"
        discard(part)
        try write(connection, to: part)
        do throws(StageFailure) {
            try synchronize(part)
            guard rename(part, path) == 0 else { throw failure(path) }
        } catch {
            discard(part)
            throw error
        }
        try synchronize(FolderPath.of(path))
    }

    private static func discard(_ path: String) {
        for ending in ["", "-journal"] { unlink(path + ending) }
    }

    private static func synchronize(_ path: String) throws(StageFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> StageFailure {
        StageFailure(
            .inputOutput, "\(path) cannot be written: \(String(cString: strerror(errno))).",
            advice: "Check the disk and the folder's permissions.")
    }
}
