package import Pipeline
package import Syntax

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What lies at a path, looked at before anything is read of it.
package struct InputFile: Sendable {
    package let path: String
    /// What it was then, never empty.
    package let state: FileState
    /// Whether it is packed with gzip, told by its first two bytes (RFC 1952), never by its name.
    package let isPacked: Bool
    /// Size on disk in bytes.
    package var size: Int64 { state.size }
    private let garbage = Guarded(false)

    /// Whether bytes that are none of its packed data follow that: known as soon as it was read to its end.
    package var endsInGarbage: Bool { garbage.withLock { $0 } }

    /// Looks at a path.
    ///
    /// - Throws: `missing` where nothing is there, `permission` where it may not be read, `unusableInput` for a
    ///   directory, a pipe or a device, and for an empty file.
    package init(_ path: String) throws(StageFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.failure(of: path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            break
        case S_IFDIR:
            throw StageFailure(
                .unusableInput, "\(path) is a directory.", advice: "Name the export file inside it.")
        default:
            // What is read must be readable again from the middle, or no run of it could be resumed.
            throw StageFailure(
                .unusableInput, "\(path) is a pipe or a device, not a file.",
                advice: "Name - to read standard input, or save the export to a file.")
        }
        guard access(path, R_OK) == 0 else { throw Self.failure(of: path, errno) }
        guard status.st_size > 0 else {
            throw StageFailure(.unusableInput, "\(path) is empty.", advice: "Download the export again.")
        }
        self.path = path
        state = FileState(status)
        isPacked = try FileBytes.head(of: path, count: 2) == [0x1F, 0x8B]
    }

    /// The file's bytes from an offset on, unpacked where it is packed: offsets are those of the unpacked bytes.
    ///
    /// A packed file is unpacked from its start and what lies before the offset passed over: there is no other
    /// way into the middle of it.
    ///
    /// - Throws: `unusableInput` where packed data is damaged or grows beyond what honest data does, `inputOutput`
    ///   if the file cannot be read.
    package func bytes(from offset: Int64 = 0) throws(StageFailure) -> any ByteSource {
        guard isPacked else { return try FileBytes(path: path, from: offset) }
        let unpacked = try DecompressedFile(path) { [garbage] in garbage.withLock { $0 = true } }
        try unpacked.pass(offset)
        return unpacked
    }

    /// The first bytes, unpacked, at most `count`: what the guesses of format, encoding and dialect look at.
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

    /// What the file is known again by.
    package func fingerprint() throws(StageFailure) -> SourceFingerprint {
        var hash = SHA256()
        hash.update(try FileBytes.head(of: path, count: SourceFingerprint.headLength))
        return SourceFingerprint(name: path, size: size, headSHA256: hash.hexDigest)
    }

    private static func failure(of path: String, _ code: Int32) -> StageFailure {
        switch code {
        case ENOENT, ENOTDIR:
            StageFailure(
                .missing, "There is no file \(path).", advice: "Check the spelling and the directory.")
        case EACCES, EPERM:
            StageFailure(
                .permission, "\(path) may not be read.", advice: "Give yourself the right to read it.")
        default:
            StageFailure(.inputOutput, "\(path) cannot be looked at: \(String(cString: strerror(code))).")
        }
    }
}

extension DecompressedFile: ByteSource {
    package func ahead() throws(StageFailure) -> (any ByteSource)? { try DecompressedFile(sharing: self) }

    /// Reads on and forgets what it reads.
    fileprivate func pass(_ count: Int64) throws(StageFailure) {
        var left = count
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while left > 0 {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(left))])
            let count = try read(into: piece)
            guard count > 0 else {
                throw StageFailure(
                    .unusableInput, "\(path) is shorter than it was when the run began.",
                    advice: "Start the run anew, or bring the old file back.")
            }
            left -= Int64(count)
        }
    }
}

/// XML files as formats open them.
extension XMLProlog {
    /// Looks at a file's head.
    ///
    /// - Throws: `unusableInput` for a document that is no XML, has a document type with declarations of its own, or is in an
    ///   encoding that is not read.
    init(of file: InputFile) throws(StageFailure) {
        guard var prolog = XMLProlog(head: try file.head()) else {
            throw StageFailure(
                .unusableInput, "\(file.path) is no XML document.", advice: "Export the library again.")
        }
        guard !prolog.hasOwnDeclarations else {
            throw StageFailure(
                .unusableInput,
                "\(file.path) has a document type with declarations of its own; such XML is not read.",
                advice: "Remove what stands in brackets in its document type, or export the library again.")
        }
        guard prolog.encoding != nil else {
            throw StageFailure(
                .unusableInput, "\(file.path) is XML in \(prolog.encodingName), which is not read.",
                advice: "Save it as UTF-8.")
        }
        prolog.path = file.path
        self = prolog
    }
}
