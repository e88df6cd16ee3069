import Glibc
import Jobs
package import System

/// Collects a response of any length: in memory, or in a file without a name once it is long. So reading the store
/// does not wait for a slow client, and a failure in the middle is still a proper failure.
package final class ResponseSpool {
    /// Maximum number of bytes in memory.
    private static let memoryBytes = 1 << 20
    /// Bytes after which the client is looked for again.
    private static let checkedBytes = 64 << 10

    /// Opens a file without a name.
    private let open: () throws(UploadFolder.Refusal) -> Int32
    private let isAbandoned: @Sendable () -> Bool
    /// Counts the file's bytes in a quota; nil for no quota.
    private let reserved: ReservedBytes?
    private var bytes: [UInt8] = []
    private var file: SpooledFile?
    private var size = 0
    /// Bytes since the client was looked for.
    private var unchecked = 0

    /// - Parameters:
    ///   - open: Opens a file without a name, which the spool closes.
    ///   - reserved: Counts the file's bytes in a quota; nil for no quota.
    ///   - isAbandoned: Whether the client has left.
    package init(
        opening open: @escaping () throws(UploadFolder.Refusal) -> Int32,
        counting reserved: ReservedBytes? = nil,
        isAbandoned: @escaping @Sendable () -> Bool
    ) {
        self.open = open
        self.reserved = reserved
        self.isAbandoned = isAbandoned
    }

    /// - Parameters:
    ///   - uploads: The folder of the file, with whose uploads its bytes count.
    ///   - user: The user who downloads it.
    ///   - isAbandoned: Whether the client has left.
    package convenience init(
        _ uploads: UploadFolder, for user: String, isAbandoned: @escaping @Sendable () -> Bool
    ) {
        self.init(
            opening: { () throws(UploadFolder.Refusal) in try uploads.scratchFile() },
            counting: uploads.reserved(for: user, as: "response \(JobName.make())"), isAbandoned: isAbandoned)
    }

    /// Adds bytes.
    ///
    /// - Throws: `.temporary` if the disk is full or the client has left. Then nothing more need be read.
    package func write(_ piece: UnsafeRawBufferPointer) throws(ETLError) {
        size += piece.count
        unchecked += piece.count
        if unchecked >= Self.checkedBytes {
            unchecked = 0
            if isAbandoned() { throw ETLError(.temporary, "The client has left.") }
        }
        bytes.append(contentsOf: piece)
        guard bytes.count > Self.memoryBytes else { return }
        try flush()
    }

    private func flush() throws(ETLError) {
        do throws(UploadFolder.Refusal) {
            if self.file == nil {
                self.file = SpooledFile(descriptor: try open(), size: 0, lease: reserved)
            }
            guard let file = self.file else { return }
            try reserved?.add(bytes.count)
            let (written, code) = DescriptorWriter.writeAll(bytes, to: file.descriptor)
            guard written == bytes.count else { throw .system(code: code) }
            bytes.removeAll(keepingCapacity: true)
        } catch {
            let sentence =
                if case .system = error {
                    "A response cannot be written next to the store."
                } else {
                    "Too many long responses and uploads are under way. Try again later."
                }
            throw ETLError(.temporary, sentence)
        }
    }

    /// What was written, without its first bytes; nil if it is in a file.
    package func written(from start: Int) -> [UInt8]? { file == nil ? Array(bytes[start...]) : nil }

    /// The response with everything that was written.
    ///
    /// - Parameter fields: Further header fields.
    /// - Throws: `.temporary` if the last bytes cannot be written.
    package func response(
        _ status: Int, type: String, fields: [(String, String)] = [("Cache-Control", "no-store")]
    ) throws(ETLError) -> Response {
        let fields = [("Content-Type", type)] + fields
        guard let file else { return Response(status, .bytes(bytes), fields: fields) }
        try flush()
        return Response(status, .file(file.sized(size)), fields: fields)
    }
}
