import Glibc
import Store
import System

/// A folder that appears when it is complete. Until then its files are in another folder beside it, which is locked
/// while the process lives: the next export to the same place removes the leftovers of a killed one.
final class NewFolder {
    private let path: String
    private let part: String
    /// The folder of the files. Its lock lasts until this is closed.
    private let descriptor: Int32
    private var isFinished = false
    /// The folder in which the last file was written.
    private var last = ""

    /// - Parameter path: A folder that does not exist or is empty.
    /// - Throws: `cannotCreate` for any other folder.
    init(_ path: String) throws(ETLError) {
        let named = path
        let path = StorePath.real(named)
        self.path = path
        if FileSystem.access(path, F_OK) == 0 {
            let present = Folder.names(in: path)
            guard present?.isEmpty ?? false else {
                throw ETLError(
                    .cannotCreate,
                    present == nil ? "`\(named)` is not a folder." : "`\(named)` is not empty.",
                    advice: "Specify a folder that does not exist or is empty.")
            }
        }
        PartFile.removeAbandoned(besides: path, isFolder: true)
        guard let made = PartFile.create(besides: path, isFolder: true, mode: 0o777) else {
            throw Self.failure(path)
        }
        (part, descriptor) = made
    }

    deinit {
        if !isFinished { Folder.remove(part) }
        close(descriptor)
    }

    /// Writes a file.
    ///
    /// - Parameter name: Its path in the folder. Folders that it names are created.
    func write(_ bytes: [UInt8], to name: String) throws(ETLError) {
        let folder = String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)])
        if folder != last {
            let code = Folder.make("\(part)/\(folder)", mode: 0o777)
            guard code == 0 else { throw Self.failure("\(part)/\(folder)", code) }
            last = folder
        }
        try FolderFile("\(part)/\(name)").write(bytes)
    }

    /// Makes the folder appear under its name. All of it is on the disk by then, whatever happens to the machine.
    func finish() throws(ETLError) {
        // At the end, because the system has written most of the files meanwhile.
        try Self.synchronizeTree(part)
        guard FileSystem.rename(part, path) == 0 else { throw Self.failure(path) }
        isFinished = true
        try Self.synchronize(FolderPath.of(path))
    }

    private static func synchronizeTree(_ path: String) throws(ETLError) {
        var facts = stat()
        if FileSystem.lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
            guard let names = Folder.names(in: path) else { throw failure(path) }
            for name in names { try synchronizeTree("\(path)/\(name)") }
        }
        try synchronize(path)
    }

    private static func synchronize(_ path: String) throws(ETLError) {
        guard DescriptorWriter.synchronize(path, flags: O_NOFOLLOW) else { throw failure(path) }
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> ETLError {
        ETLError(
            .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(code))).",
            advice: "Specify another folder, or check its permissions.")
    }
}
