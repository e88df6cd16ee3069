import Foundation

/// A file that is written in pieces, so that its size costs no memory.
struct OutputFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private(set) var bytes: [UInt8] = []
    private(set) var byteCount = 0

    private static let pieceBytes = 1 << 20

    /// - Parameter path: A file that is created or replaced; nil for standard output.
    init(_ path: String?) throws(GenerationFailure) {
        self.path = path ?? "standard output"
        if let path {
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw GenerationFailure(
                    .cannotCreate, "\(path) cannot be written: \(String(cString: strerror(errno))).")
            }
        } else {
            descriptor = STDOUT_FILENO
        }
        bytes.reserveCapacity(Self.pieceBytes + 65_536)
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Appends to the buffer, and writes it to disk once it is full.
    mutating func write(_ line: (inout [UInt8]) -> Void) throws(GenerationFailure) {
        line(&bytes)
        if bytes.count >= Self.pieceBytes { try flush() }
    }

    /// Writes the rest.
    mutating func flush() throws(GenerationFailure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw GenerationFailure(
                    .inputOutput, "Writing \(path) failed: \(String(cString: strerror(errno))).")
            }
            done += count
        }
        byteCount += done
        bytes.removeAll(keepingCapacity: true)
    }
}
