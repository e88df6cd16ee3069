import Books
import Bytes
import Glibc
import Syntax
package import System

/// The dumps of a build, and the limits of the batches they are read in.
package struct DumpFiles: Sendable {
    private var dumps: [Dump]
    /// Open Library dumps without books, which the survey skipped.
    package private(set) var withoutBooks: [String] = []
    /// Maximum lines in a batch.
    package var batchRecords = 8_192
    /// Maximum bytes of text in a batch; a single line may have more.
    package var batchBytes = 1 << 20
    /// The last year that free text can name.
    package var latestYear: Int32 = 2_100
    /// Called after each batch with the bytes read from disk so far, over all files.
    package var didRead: @Sendable (Int64) -> Void = { _ in }

    /// A file to read.
    private struct Dump {
        var path: String
        /// The file's state when it was surveyed; nil before.
        var state: FileState?
        /// Whether it is one JSON array, like Wikidata's dumps.
        var isArray = false
    }

    package init(paths: [String]) { dumps = paths.map { Dump(path: $0) } }

    /// Paths, in the order in which they are read.
    package var paths: [String] { dumps.map(\.path) }

    /// Checks that a file has not changed since it was surveyed.
    ///
    /// - Throws: `unusableInput` if it was modified or replaced.
    func check(_ index: Int) throws(ETLError) {
        try dumps[index].state?.check(dumps[index].path, advice: FileState.adviceToStartOver)
    }

    /// Whether a file is one JSON array, like Wikidata's dumps.
    func isArray(_ index: Int) -> Bool { dumps[index].isArray }

    /// Reorders the files by their indices.
    package mutating func arrange(_ order: [Int]) { dumps = order.map { dumps[$0] } }

    /// Checks the beginning of each file, so that a wrong name is noticed in seconds and not after an hour.
    /// Refuses a file that is empty or has no dump record among its first lines. Skips Open Library dumps
    /// without books, unless there are no others, and repeated files.
    ///
    /// - Returns: A fingerprint of each remaining file; for gzip, of its compressed bytes.
    package mutating func survey() throws(ETLError) -> [SourceFingerprint] {
        guard !dumps.isEmpty else {
            throw ETLError(
                .configuration, "No dump was specified.",
                advice: "Specify dumps of Open Library or Wikidata.")
        }
        var fingerprints: [SourceFingerprint] = []
        var seen: Set<Place> = []
        let named = paths
        (dumps, withoutBooks) = ([], [])
        for path in named {
            let state = FileState(of: path)
            let file = try DecompressedFile(path)
            if let place = Place(path), !seen.insert(place).inserted { continue }
            switch try DumpHeader(of: file) {
            case .dump(let isArray):
                dumps.append(Dump(path: path, state: state, isArray: isArray))
                fingerprints.append(
                    SourceFingerprint(name: path, size: file.size, headSHA256: try file.headSHA256()))
            case .withoutBooks: withoutBooks.append(path)
            }
        }
        if let first = withoutBooks.first, dumps.isEmpty {
            throw ETLError(
                .unusableInput, "`\(first)` is an Open Library dump that contains no books.",
                advice: DumpHeader.advice)
        }
        return fingerprints
    }

    /// Identity of a file, whatever path leads to it.
    private struct Place: Hashable {
        var device: UInt
        var number: UInt

        init?(_ path: String) {
            var status = stat()
            guard FileSystem.stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
        }
    }
}

/// Contents of a file according to its first lines.
enum DumpHeader: Hashable {
    /// Records that a catalog can be built from, possibly in one JSON array, like Wikidata's dumps.
    case dump(isArray: Bool)
    /// An Open Library dump without books: ratings, reading logs, cover data.
    case withoutBooks

    /// Number of lines at the beginning of which at least one must be a dump record.
    private static let maxLines = 1_000

    /// Which files to use instead.
    static let advice: UserText =
        """
        Use ol_dump_editions, ol_dump_works, ol_dump_authors or ol_dump_wikidata, plain or gzip, or Wikidata's JSON dump \
        with one entity per line.
        """

    /// Reads the beginning of a file that has not been read yet.
    ///
    /// - Throws: `ETLError.Kind.unusableInput` if it is empty or not a dump.
    init(of file: DecompressedFile) throws(ETLError) {
        var lines = DumpLines(file)
        var read = 0
        var isArray: Bool?
        var hasNoBooks = Self.hasNoBooks(file.path)
        while read < Self.maxLines, let line = try lines.next() {
            read += 1
            if !line.isTooLong, DumpRecord.isOfDump(line.bytes) {
                self = .dump(isArray: isArray ?? false)
                return
            }
            let text = line.bytes.trimmed
            if !text.isEmpty, isArray == nil { isArray = text.count == 1 && text[0] == UInt8(ascii: "[") }
            if Self.isOfReader(text) { hasNoBooks = true }
        }
        guard !hasNoBooks else {
            self = .withoutBooks
            return
        }
        throw read == 0
            ? ETLError(
                .unusableInput, "`\(file.path)` is empty.",
                advice: "Some dumps were published empty. Use last month's.")
            : ETLError(
                .unusableInput, "`\(file.path)` is neither an Open Library dump nor a Wikidata dump.",
                advice: Self.advice)
    }

    /// Whether the file name is that of a dump without books.
    private static func hasNoBooks(_ path: String) -> Bool {
        let name = FolderPath.lastName(path)
        return ["ratings", "reading-log", "covers_metadata"].contains { name.hasPrefix("ol_dump_\($0)") }
    }

    /// Whether a line is about a user's activity: it starts with a work's key, where other dumps have the
    /// type.
    private static func isOfReader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.begins(with: "/works/OL"), let tab = line.firstIndex(of: 0x09) else { return false }
        return OpenLibraryKey(UnsafeRawBufferPointer(rebasing: line[..<tab])) != nil
    }
}
