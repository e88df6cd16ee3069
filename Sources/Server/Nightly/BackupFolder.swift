import Contract
import Glibc
import Queries
import Store
package import System

/// The folder of the nightly backups: one file a day, named after the store and the day in UTC:
/// `library-2026-11-30.sqlite`. Other files in it are left alone.
package struct BackupFolder: Sendable, Hashable {
    private static let ending = ".sqlite"

    private let store: String
    private let folder: String
    /// Number of backups that are kept.
    private let kept: Int
    /// Beginning of the names: `library-`.
    private let start: String

    /// - Parameters:
    ///   - store: The path of the store.
    ///   - kept: Number of backups that are kept, at least 1.
    /// - Throws: `.cannotCreate` if no file can be made in the folder.
    package init(_ folder: String, of store: String, keeping kept: Int) throws(ETLError) {
        self.store = store
        self.folder = folder
        self.kept = max(1, kept)
        var name = Substring(FolderPath.lastName(store))
        if name.hasSuffix(Self.ending) { name = name.dropLast(Self.ending.count) }
        start = "\(name)-"
        var facts = stat()
        guard FileSystem.stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
            FileSystem.access(folder, W_OK) == 0
        else {
            throw ETLError(
                .cannotCreate, "`\(folder)` is no folder that backups can be written to.",
                advice: "Make the folder, and let the user of the server write to it.")
        }
    }

    /// Writes the backup of a day, in place of an earlier one of that day, and then deletes the oldest ones.
    ///
    /// - Parameter moment: Milliseconds since 1970.
    /// - Returns: The backup; nil if there is no store.
    /// - Throws: As ``StoreBackup/write(_:to:)``. No backup is deleted then.
    func write(at moment: Int64) throws(ETLError) -> StoreBackup? {
        guard let connection = try StoreFile.openIfStarted(store) else { return nil }
        let path = "\(folder)/\(start)\(Timestamp.withoutFraction(moment).prefix(10))\(Self.ending)"
        if let ending = StoreFile.traceOfUse(of: path) {
            throw ETLError(
                .cannotCreate, "There is a file `\(path)\(ending)`: `\(path)` is in use as a store.",
                advice: "Specify a folder for backups only.")
        }
        let backup = try StoreBackup.write(connection, to: path)
        for name in backups.dropLast(kept) { FileSystem.unlink("\(folder)/\(name)") }
        return backup
    }

    /// The names of the backups, the oldest first.
    private var backups: [String] {
        (Folder.names(in: folder) ?? []).filter { name in
            guard name.hasPrefix(start), name.hasSuffix(Self.ending) else { return false }
            let day = name.dropFirst(start.count).dropLast(Self.ending.count)
            return day.utf8.count == 10
                && day.utf8.enumerated().allSatisfy { place, byte in
                    place == 4 || place == 7 ? byte == UInt8(ascii: "-") : (48...57).contains(byte)
                }
        }.sorted()
    }
}
