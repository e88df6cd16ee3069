import Books
import Database
import Glibc
package import System

/// The temporary files of a catalog build, next to the output. The output path never holds an incomplete
/// catalog, and a lock keeps two builds of one catalog apart.
///
/// A build that was stopped or killed leaves its files for the next one, which continues with them or deletes
/// them. The lock ends with its process.
package struct BuildDirectory: ~Copyable {
    /// Path of the finished catalog.
    package let output: String
    /// The catalog while it is being written.
    package var building: String { output + Self.buildingEnding }
    /// The staged records.
    package var staging: String { output + Self.stagingEnding }
    /// The full-text index while it is being written, separately from the catalog.
    package var index: String { output + Self.indexEnding }
    private static let buildingEnding = ".building"
    private static let stagingEnding = ".staging"
    private static let indexEnding = ".index"

    private var lockPath: String { output + ".lock" }
    private let lock: Int32

    /// Maximum length of a catalog's name in bytes. SQLite's longest journal adds `-mj` and nine digits to that of a
    /// build.
    private static let longestName = FileName.longest - (buildingEnding + "-mj").utf8.count - 9

    /// Locks the output path for this build.
    ///
    /// - Throws: `ETLError.Kind.temporary` if another build of the same catalog is running,
    ///   `ETLError.Kind.cannotCreate` if its folder is not writable, or if something else has the name of
    ///   one of the files.
    package init(output: String) throws(ETLError) {
        guard FileName.bytes(of: FolderPath.lastName(output)).count <= Self.longestName else {
            throw ETLError(
                .cannotCreate, "The name of `\(output)` is too long: files of the build have longer ones.",
                advice: "Specify a shorter name with \(UserSetting.output).")
        }
        for ending in [Self.buildingEnding, Self.stagingEnding, Self.indexEnding] {
            switch SidecarFile.content(of: output + ending) {
            case .missing, .empty, .blank, .database(applicationID: CatalogSchema.applicationID): continue
            default: throw SidecarFile.refusal(output + ending, "is not a file of a catalog build")
            }
        }
        lock = try Self.takeLock(output + ".lock", output)
        self.output = output
    }

    deinit {
        FileSystem.unlink(lockPath)
        close(lock)
    }

    /// Moves the finished catalog to its path and waits until it is on disk.
    package borrowing func publish() throws(ETLError) {
        try CatalogChecksums.append(to: building)
        try Self.synchronize(building)
        guard FileSystem.rename(building, output) == 0 else {
            throw ETLError(.cannotCreate, "Cannot replace `\(output)`: \(Self.reason).")
        }
        try Self.synchronize(FolderPath.of(output))
        discard()
    }

    /// Whether an unfinished build left its files.
    package var isStarted: Bool {
        FileSystem.access(building, F_OK) == 0 && FileSystem.access(staging, F_OK) == 0
    }

    /// Whether a build was killed within a commit over several files, and its folder was moved afterwards. SQLite
    /// looks for the journal of the whole commit where it was, and cannot restore the files.
    package var lostItsCommit: Bool {
        [building, staging].contains { file in
            guard let journal = Self.superJournal(of: file + "-journal"),
                FileSystem.access(journal, F_OK) != 0
            else {
                return false
            }
            // Without that journal, the commit is complete.
            let name = FolderPath.lastName(journal)
            return FileSystem.access("\(FolderPath.of(output))/\(name)", F_OK) == 0
        }
    }

    /// The path of the journal of a commit over several files that a file's journal belongs to, if any.
    ///
    /// It is at the end of the file's journal: the path, its length, a checksum, eight fixed bytes
    /// (<https://www.sqlite.org/fileformat.html#the_rollback_journal>, `readSuperJournal` in SQLite's `pager.c`).
    private static func superJournal(of journal: String) -> String? {
        let descriptor = FileSystem.open(journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var tail = [UInt8](repeating: 0, count: Int(PATH_MAX) + 16)
        let start = max(0, lseek(descriptor, 0, SEEK_END) - tail.count)
        let count = pread(descriptor, &tail, tail.count, start)
        guard count > 16 else { return nil }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        guard tail[..<count].suffix(8) == magic[...] else { return nil }
        let length = tail[count - 16..<count - 12].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= count - 16 else { return nil }
        return FileName.text(of: tail[count - 16 - length..<count - 16])
    }

    /// Deletes the files of an unfinished build.
    package borrowing func discard() {
        for path in [building, staging, index] { Self.remove(path) }
    }

    /// Deletes a database, if it exists, and the files a killed process left with it.
    static func remove(_ path: String) {
        FileSystem.unlink(path)
        FileSystem.unlink(path + "-journal")
        // A commit over several files has its own journal, whose name ends in random digits.
        let folder = FolderPath.of(path)
        let prefix = FolderPath.lastName(path) + "-mj"
        for name in Folder.names(in: folder) ?? [] {
            guard let digits = FileName.middle(of: name, from: prefix) else { continue }
            if digits.count == 9, digits.allSatisfy(\.isHexDigit) { FileSystem.unlink("\(folder)/\(name)") }
        }
    }

    /// Marks a new, empty file of a build as one, in a transaction of its own, so that even a build that is
    /// killed right afterwards is recognized.
    static func mark(_ database: String = "main", of connection: Connection) throws(ETLError) {
        try connection.execute("PRAGMA \(database).application_id = \(CatalogSchema.applicationID)")
    }

    private static func takeLock(_ path: String, _ output: String) throws(ETLError) -> Int32 {
        while true {
            guard let descriptor = try SidecarFile.open(path, O_RDWR | O_CREAT) else {
                let folder = FolderPath.of(output)
                if FileSystem.access(folder, F_OK) != 0, errno == ENOENT {
                    throw ETLError(
                        .cannotCreate, "Cannot create `\(output)`: there is no folder `\(folder)`.",
                        advice: "Create the folder, or specify another file with \(UserSetting.output).")
                }
                throw ETLError(
                    .cannotCreate, "Cannot create `\(output)`: \(reason).",
                    advice:
                        "Check the folder's permissions, or specify another file with \(UserSetting.output).")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw ETLError(
                    .temporary, "Another etl process is building `\(output)`.",
                    advice: "Wait for it to end, or specify another file with \(UserSetting.output).")
            }
            // The previous build may have deleted the file after we opened it and before we locked it.
            var opened = stat()
            var named = stat()
            if fstat(descriptor, &opened) == 0, FileSystem.stat(path, &named) == 0,
                opened.st_ino == named.st_ino
            {
                // The file is deleted at the end, so it must be ours.
                guard opened.st_size == 0 else {
                    close(descriptor)
                    throw SidecarFile.refusal(path, "is not a lock file of etl")
                }
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func synchronize(_ path: String) throws(ETLError) {
        guard DescriptorWriter.synchronize(path) else {
            throw ETLError(
                .inputOutput, "Cannot write `\(path)` to disk: \(reason).",
                advice: "Check the disk, then build again.")
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
