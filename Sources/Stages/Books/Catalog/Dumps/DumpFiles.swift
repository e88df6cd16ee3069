import Bytes
import Glibc
package import Pipeline
import Syntax

/// The dumps of a build, and in what batches they are read.
package struct DumpFiles: Sendable {
    private var dumps: [Dump]
    /// Dumps of Open Library that hold no books, which the survey left out.
    package private(set) var withoutBooks: [String] = []
    /// Lines in a batch at the most.
    package var batchRecords = 8_192
    /// Bytes of text in a batch at the most; one line may have more.
    package var batchBytes = 1 << 20
    /// The last year that is taken for one in free text.
    package var latestYear: Int32 = 2_100
    /// Told how many bytes were read from disk, of all files, whenever a batch is.
    package var didRead: @Sendable (Int64) -> Void = { _ in }

    /// A file that is read.
    private struct Dump {
        var path: String
        /// What it was when it was surveyed; nil before.
        var state: FileState?
        /// Whether it is one array, as Wikidata's are.
        var isArray = false
    }

    package init(paths: [String]) { dumps = paths.map { Dump(path: $0) } }

    /// Paths, in the order in which they are read.
    package var paths: [String] { dumps.map(\.path) }

    /// Makes sure that a file is what it was when it was surveyed.
    ///
    /// - Throws: `unusableInput` where it was written to, or another one has taken its place.
    func check(_ index: Int) throws(StageFailure) {
        try dumps[index].state?.check(dumps[index].path, advice: FileState.adviceToStartOver)
    }

    /// Whether a file is one array, as Wikidata's are.
    func isArray(_ index: Int) -> Bool { dumps[index].isArray }

    /// Puts the files in another order, that of their indices.
    package mutating func arrange(_ order: [Int]) { dumps = order.map { dumps[$0] } }

    /// Refuses what can be told in a moment to be no dump, so that a wrong name costs no hour: a file that is
    /// empty, and one of whose first lines none is of a dump. Leaves out those of Open Library's dumps that hold no
    /// books, unless there is no other, and a file that was named before.
    ///
    /// - Returns: For each file that is left its fingerprint; of a packed file, of its packed bytes.
    package mutating func survey() throws(StageFailure) -> [SourceFingerprint] {
        guard !dumps.isEmpty else {
            throw StageFailure(
                .configuration, "There is nothing to build a catalog from.",
                advice: "Name Open Library dump files or Wikidata entity files.")
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
                    SourceFingerprint(name: path, size: file.size, headSHA256: file.headSHA256))
            case .withoutBooks: withoutBooks.append(path)
            }
        }
        if let first = withoutBooks.first, dumps.isEmpty {
            throw StageFailure(
                .unusableInput, "\(first) is a dump of Open Library that holds no books.",
                advice: DumpHeader.advice)
        }
        return fingerprints
    }

    /// Where a file lies, by whatever path it is reached.
    private struct Place: Hashable {
        var device: UInt
        var number: UInt

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
        }
    }
}

/// What a file's first lines tell of it.
enum DumpHeader: Hashable {
    /// Records that a catalog can be made of; they may be one array, as Wikidata's are.
    case dump(isArray: Bool)
    /// One of Open Library's dumps that hold no books: ratings, reading logs, measures of covers.
    case withoutBooks

    /// Lines at a file's beginning of which one must be understood.
    static let waitPolicy = 1_000

    /// What to take where a file is none.
    static let advice: UserText =
        "Take ol_dump_editions, _works, _authors, _wikidata (plain or gzip) and Wikidata's JSON, one entity a line."

    /// Looks at a file that nothing was read of.
    ///
    /// - Throws: ``StageFailure/Kind/unusableInput`` where it is empty or nothing of the kind.
    init(of file: DecompressedFile) throws(StageFailure) {
        var lines = DumpLines(file)
        var read = 0
        var isArray: Bool?
        var hasNoBooks = Self.hasNoBooks(file.path)
        while read < Self.waitPolicy, let line = try lines.next() {
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
            ? StageFailure(
                .unusableInput, "\(file.path) is empty.",
                advice: "Dumps have been published empty: use the one of the month before.")
            : StageFailure(
                .unusableInput, "\(file.path) is neither an Open Library dump nor Wikidata entities.",
                advice: Self.advice)
    }

    /// Whether a file is called as one of those dumps is.
    private static func hasNoBooks(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return ["ratings", "reading-log", "covers_metadata"].contains { name.hasPrefix("ol_dump_\($0)") }
    }

    /// Whether a line is what a reader did with a work: its key first, where others have their type.
    private static func isOfReader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.begins(with: "/works/OL"), let tab = line.firstIndex(of: 0x09) else { return false }
        return OpenLibraryKey(UnsafeRawBufferPointer(rebasing: line[..<tab])) != nil
    }
}
