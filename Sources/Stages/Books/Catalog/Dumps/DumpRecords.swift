import Bytes
import Pipeline

/// Records of one dump made fit for the catalog: what ``DecodeDumps`` gives.
///
/// Texts point into the batch's arena: packed records (``PackedRecord``) and packed lists of numbers
/// (``NumberList``).
package struct DumpRecords: Payload {
    /// An edition; its ISBNs are a range of ``DumpRecords/isbns``.
    struct Edition {
        var number: Int64
        var revision: Int64
        /// Number of its work; 0 where it names none.
        var work: Int64
        /// Its whole title, hashed.
        var title: FoldedHash?
        var isbns: Range<Int>
        var authors: Text
        var body: Text
        /// What its work would say, where the catalog does not hold it.
        var standIn: Text
    }

    /// A work.
    struct Work {
        var number: Int64
        var revision: Int64
        var authors: Text
        var body: Text
    }

    /// An author.
    struct Author {
        var number: Int64
        var revision: Int64
        var body: Text
    }

    /// A key that leads to another one; its target is 0 where it leads nowhere any more.
    struct Move {
        var kind: OpenLibraryKey.Kind
        var number: Int64
        var revision: Int64
        var target: Int64
    }

    /// A person of Wikidata.
    struct Person {
        var item: Int64
        var body: Text
    }

    /// Index of the file among those of the run, from 0.
    package let file: Int
    var arena: Arena
    var editions: [Edition] = []
    var isbns: [ISBN] = []
    var works: [Work] = []
    var authors: [Author] = []
    var moves: [Move] = []
    var people: [Person] = []
    /// What was read and noticed.
    var tally = DumpCounts()

    /// Whose dump it is: a ``Provider``'s contract name or `wikidata`; nil where nothing was understood.
    var origin: String? {
        guard tally.records > 0 else { return nil }
        return holdsWikidata ? "wikidata" : Provider.openLibrary.contractName
    }
    /// Whether an entity of Wikidata was read.
    var holdsWikidata = false
    /// Whether the file ends with them, and something follows its packed data.
    var endsInGarbage = false

    package var count: Int { tally.records }
    package var byteCount: Int { arena.byteCount + editions.count * MemoryLayout<Edition>.stride }

    init(file: Int, capacity: Int) {
        self.file = file
        arena = Arena(capacity: capacity)
    }
}
