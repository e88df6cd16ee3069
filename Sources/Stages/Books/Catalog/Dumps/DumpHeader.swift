import Bytes
import Pipeline
import Syntax

/// What a file's first lines tell of it.
enum DumpHeader: Hashable {
    /// Records that a catalog can be made of; they may be one array, as Wikidata's are.
    case dump(isArray: Bool)
    /// One of Open Library's dumps that hold no books: ratings, reading logs, measures of covers.
    case bookless

    /// Lines at a file's beginning of which one must be understood.
    static let patience = 1_000

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
        var isBookless = Self.isBookless(file.path)
        while read < Self.patience, let line = try lines.next() {
            read += 1
            if !line.isTooLong, DumpRecord.isOfDump(line.bytes) {
                self = .dump(isArray: isArray ?? false)
                return
            }
            let text = line.bytes.trimmed
            if !text.isEmpty, isArray == nil { isArray = text.count == 1 && text[0] == UInt8(ascii: "[") }
            if Self.isOfReader(text) { isBookless = true }
        }
        guard !isBookless else {
            self = .bookless
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
    private static func isBookless(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return ["ratings", "reading-log", "covers_metadata"].contains { name.hasPrefix("ol_dump_\($0)") }
    }

    /// Whether a line is what a reader did with a work: its key first, where others have their type.
    private static func isOfReader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.begins(with: "/works/OL"), let tab = line.firstIndex(of: 0x09) else { return false }
        return OpenLibraryKey(UnsafeRawBufferPointer(rebasing: line[..<tab])) != nil
    }
}
