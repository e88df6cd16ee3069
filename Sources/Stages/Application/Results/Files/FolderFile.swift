import Glibc
import Pipeline

/// A file that is written from its start to its end.
final class FolderFile {
    /// Approximate number of bytes that are written at once.
    static let pieceBytes = 256 * 1_024

    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(StageFailure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw StageFailure(
                .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
                advice: "Specify another folder, or check its permissions.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) throws(StageFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw StageFailure(
                    .inputOutput, "`\(path)` cannot be written: \(String(cString: strerror(errno))).",
                    advice: "Free some space, or specify another folder.")
            }
            rest = rest.dropFirst(count)
        }
    }
}
