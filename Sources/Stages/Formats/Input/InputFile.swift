package import Books
package import Syntax
package import System

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A file to be read, checked before anything of it is read: a plain file, a compressed one, a file in a ZIP archive,
/// or a sheet of a spreadsheet.
package struct InputFile: Sendable {
    /// Type of the file's bytes, recognized by its first ones and not by its name.
    package enum Content: Sendable, Hashable {
        case plain
        case compressed(Compression)
        /// A ZIP archive. Only its files can be read.
        case archive
        /// A file in a ZIP archive, by name.
        case archived(String)
        case sheet(Workbook, Workbook.Sheet)
    }

    /// The path; of a part of a file an `ArchivePath`.
    package let path: String
    /// The path of the file itself.
    package let file: String
    /// The file's state when it was checked; never empty.
    package let state: FileState
    package let content: Content
    /// Whether positions are not offsets in the file, because its bytes are converted.
    package var isPacked: Bool { content != .plain || table != nil || wrappedRows != nil }
    /// Size on disk in bytes.
    package var size: Int64 { state.size }
    /// The encoding given by the user; nil to determine it from the bytes.
    package var encoding: TextEncoding?
    /// The table that the file's objects are, if it is JSON; nil to read its bytes as they are.
    package var table: JSONTable?
    /// The delimiter of the rows if each of them is a single cell (``UnwrappedRows``); nil for usual rows.
    package var wrappedRows: UInt8?
    private let garbage = Guarded(false)
    private let limit: ExpansionLimit?
    private let stop: StopSignal?
    private let expanded = Guarded(0)

    /// Maximum number of bytes that it expanded to when it was read; 0 without a limit.
    package var expandedBytes: Int { expanded.withLock { $0 } }

    /// Whether other bytes follow the compressed data. Known once the file was read to its end.
    package var endsInGarbage: Bool { garbage.withLock { $0 } }

    /// Whether its bytes were made from a sheet or from objects: comma-separated text in UTF-8.
    package var isTable: Bool {
        if case .sheet = content { return true }
        return table != nil
    }

    /// Checks the file at a path.
    ///
    /// - Parameters:
    ///   - limit: Limit of its expanded size; nil for as much as valid data can expand to.
    ///   - stop: If it is raised, reading fails.
    /// - Throws: `missing` if there is no file, `permission` if it cannot be read, `unusableInput` for a
    ///   directory, a pipe, a device, an empty file, or an archive or a spreadsheet that is damaged, `tooLarge` for a
    ///   spreadsheet that expands to more than the limit, `temporary` if the run is to stop.
    package init(
        _ path: String, limit: ExpansionLimit? = nil, stop: StopSignal? = nil
    ) throws(ETLError) {
        let place = ArchivePath(path)
        file = place?.file ?? path
        var status = stat()
        guard FileSystem.stat(file, &status) == 0 else { throw Self.failure(of: path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            break
        case S_IFDIR:
            throw ETLError(
                .unusableInput, "`\(path)` is a folder, not a file.",
                advice: "Specify the export file inside it.")
        default:
            // Resuming a run reads from the middle of the file, which a pipe cannot do.
            throw ETLError(
                .unusableInput, "`\(path)` is a pipe or a device, not a file.",
                advice: "Use - to read standard input, or save the export to a file.")
        }
        guard FileSystem.access(file, R_OK) == 0 else { throw Self.failure(of: path, errno) }
        guard status.st_size > 0 else {
            throw ETLError(
                .unusableInput, "`\(path)` is empty.", advice: "Create or download it again.")
        }
        self.path = path
        self.limit = limit
        self.stop = stop
        state = FileState(status)
        content = try Self.content(
            of: file, part: place?.part, path, Self.counter(limit, of: path, most: expanded), stop)
    }

    private static func content(
        of file: String, part: String?, _ path: String, _ counter: ExpansionCounter?,
        _ stop: StopSignal?
    ) throws(ETLError) -> Content {
        let head = try FileBytes.head(of: file, count: 8)
        guard head.starts(with: Array("PK\u{03}\u{04}".utf8)) else {
            guard part == nil else { throw failure(of: path, ENOENT) }
            return Compression(head: head).map { .compressed($0) } ?? .plain
        }
        let archive = try ZipArchive(file, counter: counter, stop: stop)
        if let workbook = try Workbook(archive) {
            let sheet =
                if let part {
                    workbook.sheets.first { FileName.areSame($0.name, part) }
                } else {
                    workbook.sheets.first
                }
            guard let sheet else { throw failure(of: path, ENOENT) }
            return .sheet(workbook, sheet)
        }
        guard let part else { return .archive }
        guard archive.entry(named: part) != nil else { throw failure(of: path, ENOENT) }
        return .archived(part)
    }

    /// The file's bytes from an offset on, as text that can be read: decompressed, or converted from a sheet or
    /// from objects. Offsets count these bytes.
    ///
    /// Anything but a plain file is read from its start and the bytes before the offset are skipped, because
    /// there is no other way to reach the middle.
    ///
    /// - Throws: `unusableInput` if compressed data is damaged or expands beyond the limits for valid data,
    ///   `tooLarge` if it expands to more than is allowed, `inputOutput` if the file cannot be read.
    package func bytes(from offset: Int64 = 0) throws(ETLError) -> any ByteSource {
        guard isPacked else { return stoppable(try FileBytes(path: file, from: offset)) }
        let counter = Self.counter(limit, of: path, most: expanded)
        var source = try unpackedBytes(counter)
        if let table {
            source = table.bytes(of: source)
            if let counter { source = CountedBytes(source, counter) }
        }
        if let wrappedRows { source = UnwrappedRows(source, delimiter: wrappedRows) }
        try source.pass(offset, of: path)
        return source
    }

    /// The bytes before objects are made a table.
    func unpackedBytes() throws(ETLError) -> any ByteSource {
        try unpackedBytes(Self.counter(limit, of: path, most: expanded))
    }

    private func unpackedBytes(_ counter: ExpansionCounter?) throws(ETLError) -> any ByteSource {
        switch content {
        case .plain: return stoppable(try FileBytes(path: file, from: 0))
        case .compressed:
            let bytes = stoppable(try DecompressedFile(file) { [garbage] in garbage.withLock { $0 = true } })
            return counter.map { CountedBytes(bytes, $0) } ?? bytes
        case .sheet(let workbook, let sheet):
            let bytes = try workbook.bytes(of: sheet, counter: counter, stop: stop)
            return counter.map { CountedBytes(bytes, $0) } ?? bytes
        case .archived(let name):
            let archive = try ZipArchive(file, counter: counter, stop: stop)
            guard let entry = archive.entry(named: name) else { throw Self.failure(of: path, ENOENT) }
            return try archive.bytes(of: entry)
        case .archive:
            throw ETLError(
                .unusableInput, "`\(path)` is a ZIP archive.", advice: "Specify a file in it: `\(path)/NAME`."
            )
        }
    }

    private func stoppable(_ bytes: some ByteSource) -> any ByteSource {
        guard let stop else { return bytes }
        return StoppableBytes(bytes, of: path, stop: stop)
    }

    private static func counter(
        _ limit: ExpansionLimit?, of path: String, most: Guarded<Int>
    ) -> ExpansionCounter? {
        limit.map { ExpansionCounter($0, of: path, most: most) }
    }

    /// Bytes that are examined before a file is read.
    package static let headBytes = 64 * 1024

    /// The first bytes of an SQLite database (its file format, section 1.3.1).
    static let databaseMagic = Array("SQLite format 3\0".utf8)
    /// The same of a database, whose tables are defined near its start, but not always on its first pages.
    private static let databaseHeadBytes = 1024 * 1024

    /// The first bytes, decompressed, by which format, encoding and dialect are guessed.
    package func head() throws(ETLError) -> [UInt8] {
        let head = try head(count: Self.headBytes)
        return head.starts(with: Self.databaseMagic)
            ? try self.head(count: Self.databaseHeadBytes) : head
    }

    /// The first bytes, decompressed, at most `count`.
    package func head(count: Int) throws(ETLError) -> [UInt8] {
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
    package func fingerprint() throws(ETLError) -> SourceFingerprint {
        var hash = SHA256()
        hash.update(try FileBytes.head(of: file, count: SourceFingerprint.headLength))
        return SourceFingerprint(name: path, size: size, headSHA256: hash.hexDigest)
    }

    private static func failure(of path: String, _ code: Int32) -> ETLError {
        ReadableFile.Refusal.system(code).failure(of: path)
    }
}

extension DecompressedFile: ByteSource {
    package func ahead() throws(ETLError) -> (any ByteSource)? {
        compression == nil || compression == .gzip ? try DecompressedFile(sharing: self) : nil
    }
}

extension ByteSource {
    /// Reads bytes and discards them.
    fileprivate mutating func pass(_ count: Int64, of path: String) throws(ETLError) {
        guard count > 0 else { return }
        var left = count
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while left > 0 {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(left))])
            let count = try read(into: piece)
            guard count > 0 else {
                throw ETLError(
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
    init(of file: InputFile) throws(ETLError) {
        guard var prolog = XMLProlog(head: try file.head(), encoding: file.encoding) else {
            throw ETLError(
                .unusableInput, "`\(file.path)` is not an XML document.", advice: "Export the library again.")
        }
        guard !prolog.hasOwnDeclarations else {
            throw ETLError(
                .unusableInput,
                "`\(file.path)` has a DOCTYPE with declarations in square brackets, which is not supported.",
                advice:
                    "Remove the part in square brackets from its DOCTYPE, or export the library again.")
        }
        guard prolog.encoding != nil else {
            throw ETLError(
                .unusableInput, "`\(file.path)` is XML in \(prolog.encodingName), which is not supported.",
                advice: "Save it as UTF-8, or name its encoding with \(UserSetting.encoding("NAME")).")
        }
        prolog.path = file.path
        self = prolog
    }

    /// The warning about a document in another encoding than it declares.
    static func warning(of file: InputFile, declared: String, _ real: TextEncoding) -> UserWarning {
        UserWarning(
            "`\(file.path)` declares the encoding \(declared), but its text is in \(real.rawValue), which is used.",
            advice: "If that is wrong, name the encoding: \(UserSetting.encoding(declared)).")
    }
}

extension FileState {
    /// Advice if the file of a started job changed.
    ///
    /// - Parameter explicit: The date order given by the user.
    package static func adviceToResume(_ explicit: DateOrder? = nil) -> UserText {
        "Restore the old file and resume the job, or start over with \(UserCommand.restart(file: nil, dates: explicit))."
    }
}
