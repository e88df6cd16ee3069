package import Pipeline
package import Syntax

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A file to be read, checked before anything of it is read.
package struct InputFile: Sendable {
    package let path: String
    /// The file's state when it was checked; never empty.
    package let state: FileState
    /// Whether it is compressed with gzip. Its first two bytes decide (RFC 1952), not its name.
    package let isPacked: Bool
    /// Size on disk in bytes.
    package var size: Int64 { state.size }
    private let garbage = Guarded(false)

    /// Whether other bytes follow the compressed data. Known once the file was read to its end.
    package var endsInGarbage: Bool { garbage.withLock { $0 } }

    /// Checks the file at a path.
    ///
    /// - Throws: `missing` if there is no file, `permission` if it cannot be read, `unusableInput` for a
    ///   directory, a pipe, a device or an empty file.
    package init(_ path: String) throws(StageFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.failure(of: path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            break
        case S_IFDIR:
            throw StageFailure(
                .unusableInput, "`\(path)` is a folder, not a file.",
                advice: "Specify the export file inside it.")
        default:
            // Resuming a run reads from the middle of the file, which a pipe cannot do.
            throw StageFailure(
                .unusableInput, "`\(path)` is a pipe or a device, not a file.",
                advice: "Use - to read standard input, or save the export to a file.")
        }
        guard access(path, R_OK) == 0 else { throw Self.failure(of: path, errno) }
        guard status.st_size > 0 else {
            throw StageFailure(
                .unusableInput, "`\(path)` is empty.", advice: "Create or download it again.")
        }
        self.path = path
        state = FileState(status)
        isPacked = try FileBytes.head(of: path, count: 2) == [0x1F, 0x8B]
    }

    /// The file's bytes from an offset, decompressed if necessary. Offsets count decompressed bytes.
    ///
    /// A compressed file is decompressed from its start and the bytes before the offset are skipped, because
    /// gzip has no other way to reach the middle.
    ///
    /// - Throws: `unusableInput` if compressed data is damaged or expands beyond the limits for valid data,
    ///   `inputOutput` if the file cannot be read.
    package func bytes(from offset: Int64 = 0) throws(StageFailure) -> any ByteSource {
        guard isPacked else { return try FileBytes(path: path, from: offset) }
        let unpacked = try DecompressedFile(path) { [garbage] in garbage.withLock { $0 = true } }
        try unpacked.pass(offset)
        return unpacked
    }

    /// The first bytes, decompressed, at most `count`. Format, encoding and dialect are guessed from them.
    package func head(count: Int = 64 * 1024) throws(StageFailure) -> [UInt8] {
        var source = try bytes()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { buffer.deallocate() }
        var end = 0
        while end < count {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
            if read == 0 { break }
            end += read
        }
        return Array(buffer[..<end])
    }

    /// Size and hash by which a job recognizes the file.
    package func fingerprint() throws(StageFailure) -> SourceFingerprint {
        var hash = SHA256()
        hash.update(try FileBytes.head(of: path, count: SourceFingerprint.headLength))
        return SourceFingerprint(name: path, size: size, headSHA256: hash.hexDigest)
    }

    private static func failure(of path: String, _ code: Int32) -> StageFailure {
        switch code {
        case ENOENT, ENOTDIR:
            StageFailure(
                .missing, "There is no file `\(path)`.", advice: "Check its name and folder.")
        case EACCES, EPERM:
            StageFailure(
                .permission, "`\(path)` cannot be read: permission denied.",
                advice: "Make it readable, for example with `chmod u+r FILE`.")
        default:
            StageFailure(.inputOutput, "`\(path)` cannot be read: \(String(cString: strerror(code))).")
        }
    }
}

extension DecompressedFile: ByteSource {
    package func ahead() throws(StageFailure) -> (any ByteSource)? { try DecompressedFile(sharing: self) }

    /// Reads bytes and discards them.
    fileprivate func pass(_ count: Int64) throws(StageFailure) {
        var left = count
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while left > 0 {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(left))])
            let count = try read(into: piece)
            guard count > 0 else {
                throw StageFailure(
                    .unusableInput, "`\(path)` is shorter than it was when the run started.",
                    advice: FileState.adviceToResume())
            }
            left -= Int64(count)
        }
    }
}

/// Opening of XML files.
extension XMLProlog {
    /// Reads the prolog from a file's first bytes.
    ///
    /// - Throws: `unusableInput` if the file is not XML, has its own declarations in the document type, or is
    ///   in an unsupported encoding.
    init(of file: InputFile) throws(StageFailure) {
        guard var prolog = XMLProlog(head: try file.head()) else {
            throw StageFailure(
                .unusableInput, "`\(file.path)` is not an XML document.", advice: "Export the library again.")
        }
        guard !prolog.hasOwnDeclarations else {
            throw StageFailure(
                .unusableInput,
                "`\(file.path)` has a DOCTYPE with declarations in square brackets, which is not supported.",
                advice:
                    "Remove the part in square brackets from its DOCTYPE, or export the library again.")
        }
        guard prolog.encoding != nil else {
            throw StageFailure(
                .unusableInput, "`\(file.path)` is XML in \(prolog.encodingName), which is not supported.",
                advice: "Save it as UTF-8.")
        }
        prolog.path = file.path
        self = prolog
    }
}

extension FileState {
    /// What to do if the file of a started job changed.
    ///
    /// - Parameter explicit: The date order given by the user.
    package static func adviceToResume(_ explicit: DateOrder? = nil) -> UserText {
        "Restore the old file and resume the job, or start over with \(UserCommand.restart(file: nil, dates: explicit))."
    }
}
