import CZip
import Glibc
package import System

/// The files in a ZIP archive. A spreadsheet document is one too.
///
/// Nothing is extracted, so the names of its files are never used as paths.
package final class ZipArchive {
    /// A file in the archive.
    package struct Entry: Sendable, Hashable {
        /// Its name, with the folders it is in.
        package var name: String
        package var isEncrypted: Bool
        /// Bytes when decompressed, as the archive says.
        package var size: UInt64
        fileprivate var index: UInt64
        fileprivate var compressedSize: UInt64
    }

    /// libzip holds the list of all files in memory.
    private static let maxEntries = 10_000
    private static let maxDirectoryBytes: UInt64 = 16 << 20

    package let path: String
    /// The files, in the archive's order, without folders.
    package let entries: [Entry]
    private let archive: OpaquePointer
    fileprivate let counter: ExpansionCounter?
    fileprivate let stop: StopSignal?

    /// - Parameters:
    ///   - counter: Counts what its files expand to.
    ///   - stop: If it is raised, reading its files fails.
    /// - Throws: `unusableInput` if it is not an archive, is damaged or has too many files; `inputOutput` if it
    ///   cannot be read.
    package init(
        _ path: String, counter: ExpansionCounter? = nil, stop: StopSignal? = nil
    ) throws(ETLError) {
        self.path = path
        self.counter = counter
        self.stop = stop
        try ZipDirectoryEnd.check(path, maxEntries: Self.maxEntries, maxBytes: Self.maxDirectoryBytes)
        var code: Int32 = 0
        guard let archive = path.withFileName({ zip_open($0, ZIP_RDONLY, &code) }) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw Self.damaged(path, String(cString: zip_error_strerror(&error)))
        }
        self.archive = archive
        var entries: [Entry] = []
        for index in 0..<UInt64(max(0, zip_get_num_entries(archive, 0))) {
            var stat = zip_stat_t()
            guard zip_stat_index(archive, index, 0, &stat) == 0, let name = stat.name else { continue }
            let text = FileName.text(of: name)
            guard !text.hasSuffix("/") else { continue }
            entries.append(
                Entry(
                    name: text, isEncrypted: stat.encryption_method != 0, size: stat.size, index: index,
                    compressedSize: stat.comp_size))
        }
        self.entries = entries
    }

    deinit { zip_discard(archive) }

    /// The file with this name; nil if there is none.
    package func entry(named name: String) -> Entry? { entries.first { FileName.areSame($0.name, name) } }

    /// The bytes of a file in the archive.
    package func bytes(of entry: Entry, limit: InflateLimit = .text) throws(ETLError) -> ZipEntryBytes {
        guard !entry.isEncrypted else {
            throw ETLError(
                .unusableInput, "`\(entry.name)` in `\(path)` is encrypted.",
                advice: "Extract it with its password, and use the extracted file.")
        }
        guard let file = zip_fopen_index(archive, entry.index, 0) else { throw failure(of: entry.name) }
        return ZipEntryBytes(
            file, of: self, entry.name, compressedSize: Int(clamping: entry.compressedSize), limit: limit)
    }

    fileprivate func failure(of name: String) -> ETLError {
        Self.damaged("\(path)/\(name)", String(cString: zip_strerror(archive)))
    }

    private static func damaged(_ path: String, _ reason: String) -> ETLError {
        // Spreadsheets are archives, but users know them as spreadsheets.
        let name = path.lowercased()
        let kind = [".xlsx", ".ods", ".xlsm"].contains(where: name.hasSuffix) ? "spreadsheet" : "ZIP archive"
        return ETLError(
            .unusableInput,
            reason == "Not a zip archive"
                ? "`\(path)` is a \(kind) that is incomplete or damaged."
                : "`\(path)` cannot be read as a \(kind): \(reason).",
            advice: "Download or create it again.")
    }
}

/// The bytes of a file in an archive, decompressed.
package final class ZipEntryBytes: ByteSource {
    private let file: OpaquePointer
    /// Kept open as long as its file.
    private let archive: ZipArchive
    private let name: String
    private let compressedSize: Int
    private let limit: InflateLimit
    private var made = 0

    fileprivate init(
        _ file: OpaquePointer, of archive: ZipArchive, _ name: String, compressedSize: Int,
        limit: InflateLimit
    ) {
        (self.file, self.archive, self.name) = (file, archive, name)
        (self.compressedSize, self.limit) = (compressedSize, limit)
    }

    deinit { zip_fclose(file) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        // Checked here because a sheet reader returns nothing while it skips empty rows.
        try archive.stop?.check(reading: archive.path)
        let count = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
        guard count >= 0 else {
            throw ETLError(
                .unusableInput,
                "`\(name)` in `\(archive.path)` is damaged: \(String(cString: zip_file_strerror(file))).",
                advice: "Download or create the archive again.")
        }
        made += Int(count)
        try archive.counter?.add(Int(count))
        guard !limit.isExceeded(by: made, from: compressedSize) else {
            throw ETLError(
                .unusableInput,
                "`\(name)` in `\(archive.path)` expands far more than normal data; it may be a decompression bomb.",
                advice: "Extract it, and use the extracted file if it is what you expect.")
        }
        return Int(count)
    }
}

/// The record at the end of a ZIP archive, which says how many files it has.
private enum ZipDirectoryEnd {
    private static let length = 22
    /// A comment may follow the record.
    private static let maxComment = 65_535

    /// Checks that an archive's list of files can be held in memory.
    static func check(_ path: String, maxEntries: Int, maxBytes: UInt64) throws(ETLError) {
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ETLError(.inputOutput, "`\(path)` cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        let size = Int(max(0, lseek(descriptor, 0, SEEK_END)))
        let count = min(size, length + maxComment)
        var tail = [UInt8](repeating: 0, count: count)
        let read = tail.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, count, off_t(size - count))
        }
        guard read == count, count >= length else { return }
        let start = stride(from: count - length, through: 0, by: -1).first { at in
            tail[at] == 0x50 && tail[at + 1] == 0x4B && tail[at + 2] == 5 && tail[at + 3] == 6
        }
        // Without the record libzip says what is wrong.
        guard let start else { return }
        let number = { (at: Int, bytes: Int) in
            (0..<bytes).reduce(UInt64(0)) { $0 | UInt64(tail[start + at + $1]) << (8 * UInt64($1)) }
        }
        // An archive with more than 65,535 files says so elsewhere, and here 65,535.
        guard number(10, 2) <= UInt64(maxEntries), number(12, 4) <= maxBytes else {
            throw ETLError(
                .unusableInput, "`\(path)` has more than \(maxEntries) files.",
                advice: "Extract it, and use the library exports inside it.")
        }
    }
}
