package import Books
import Bytes
import Pipeline

/// Records of one dump in the form the catalog stores: the payload of ``DecodeDumps``.
///
/// Texts point into the batch's arena. They hold packed records (``PackedRecord``) and packed lists of
/// numbers (``NumberList``).
package struct DumpRecords: Payload {
    /// An edition; its ISBNs are a range of ``DumpRecords/isbns``.
    struct Edition {
        var number: Int64
        var revision: Int64
        /// Number of its work; 0 if it names none.
        var work: Int64
        /// Hash of its whole title.
        var title: FoldedHash?
        var isbns: Range<Int>
        var authors: Text
        var body: Text
        /// Values to use instead of the work's if the catalog does not have the work.
        var standIn: Text
    }

    struct Work {
        var number: Int64
        var revision: Int64
        var authors: Text
        var body: Text
    }

    struct Author {
        var number: Int64
        var revision: Int64
        var body: Text
    }

    /// A redirected or deleted key. The target is 0 if there is none.
    struct Move {
        var kind: OpenLibraryKey.Kind
        var number: Int64
        var revision: Int64
        var target: Int64
    }

    /// A person from Wikidata.
    struct Person {
        var item: Int64
        var body: Text
    }

    /// Index of the file in the run, from 0.
    package let file: Int
    var arena: Arena
    var editions: [Edition] = []
    package var isbns: [ISBN] = []
    var works: [Work] = []
    var authors: [Author] = []
    var moves: [Move] = []
    var people: [Person] = []
    /// Counts of records read and of findings.
    var counts = DumpCounts()

    /// The dump's provider: a ``Provider``'s contract name or `wikidata`; nil if no record was parsed.
    var origin: String? {
        guard counts.records > 0 else { return nil }
        return holdsWikidata ? "wikidata" : Provider.openLibrary.contractName
    }
    /// Whether a Wikidata entity was read.
    var holdsWikidata = false
    /// Whether the file ends with this batch and its gzip data is followed by other data.
    var endsInGarbage = false

    package var count: Int { counts.records }
    package var byteCount: Int { arena.byteCount + editions.count * MemoryLayout<Edition>.stride }

    init(file: Int, capacity: Int) {
        self.file = file
        arena = Arena(capacity: capacity)
    }
}
