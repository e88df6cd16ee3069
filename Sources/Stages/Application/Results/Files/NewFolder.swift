import Books
import FoundationEssentials
import Glibc
import Pipeline

/// A folder that appears when it is complete. Until then its files are in another folder beside it.
final class NewFolder {
    private let path: String
    private let part: String
    private var isFinished = false
    /// The folder in which the last file was written.
    private var last = ""

    /// - Parameter path: A folder that does not exist or is empty.
    /// - Throws: `cannotCreate` for any other folder.
    init(_ path: String) throws(StageFailure) {
        let named = path
        let path = StorePath.real(named)
        self.path = path
        part = "\(path).\(UUID().uuidString).part"
        if FileManager.default.fileExists(atPath: path) {
            let present = try? FileManager.default.contentsOfDirectory(atPath: path)
            guard present?.isEmpty ?? false else {
                throw StageFailure(
                    .cannotCreate,
                    present == nil ? "`\(named)` is not a folder." : "`\(named)` is not empty.",
                    advice: "Specify a folder that does not exist or is empty.")
            }
        }
        guard mkdir(part, 0o777) == 0 else { throw Self.failure(path) }
    }

    deinit { if !isFinished { try? FileManager.default.removeItem(atPath: part) } }

    /// Writes a file.
    ///
    /// - Parameter name: Its path in the folder. Folders that it names are created.
    func write(_ bytes: [UInt8], to name: String) throws(StageFailure) {
        let folder = String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)])
        if folder != last {
            var place = part
            for step in folder.split(separator: "/") {
                place += "/\(step)"
                guard mkdir(place, 0o777) == 0 || errno == EEXIST else { throw Self.failure(place) }
            }
            last = folder
        }
        try FolderFile("\(part)/\(name)").write(bytes)
    }

    /// Makes the folder appear under its name.
    func finish() throws(StageFailure) {
        guard rename(part, path) == 0 else { throw Self.failure(path) }
        isFinished = true
    }

    private static func failure(_ path: String) -> StageFailure {
        StageFailure(
            .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
            advice: "Specify another folder, or check its permissions.")
    }
}
