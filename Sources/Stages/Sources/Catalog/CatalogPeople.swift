import Books
import Bytes
import Database
import System

/// Person lookups in a catalog: by Wikidata item, by Open Library author (P648), and by folded name.
final class CatalogPeople {
    /// Maximum number of people returned for one name. A name shared by more people identifies no one.
    static let namesakeLimit = 16

    /// Whether the catalog has no people.
    let isEmpty: Bool
    private let person: Statement
    private let author: Statement
    private let name: Statement
    private let record: Statement

    init(_ connection: Connection) throws(ETLError) {
        isEmpty = try connection.integer("SELECT 1 FROM person LIMIT 1") == nil
        record = try connection.prepare("SELECT body FROM author WHERE id = ?")
        person = try connection.prepare("SELECT body FROM person WHERE item = ?")
        author = try connection.prepare("SELECT item FROM person_author WHERE author = ? ORDER BY item")
        name = try connection.prepare(
            """
            SELECT item FROM person_name WHERE key = ? AND mark = ?
            ORDER BY item LIMIT \(Self.namesakeLimit)
            """
        )
    }

    /// The other names in an author's record of Open Library.
    func otherNames(ofAuthor key: String) throws(ETLError) -> [String] {
        guard let key = OpenLibraryKey(key), key.kind == .author, try record.first(key.number) else {
            return []
        }
        defer { record.reset() }
        var names: [String] = []
        record.withBytes(0) { bytes in
            PackedRecord.forEachName(ofAuthor: bytes, others: AuthorDump.alternateNameLimit) { name in
                names.append(String(decoding: name, as: UTF8.self))
            }
        }
        return names
    }

    func find(_ queries: [PersonQuery]) throws(ETLError) -> [[PersonFacts]] {
        var answers: [[PersonFacts]] = []
        answers.reserveCapacity(queries.count)
        for query in queries { answers.append(try find(query)) }
        return answers
    }

    private func find(_ query: PersonQuery) throws(ETLError) -> [PersonFacts] {
        var items: [Int64] = []
        if let item = query.item { items.append(Int64(item)) }
        if let key = query.authorKey.flatMap({ OpenLibraryKey($0) }), key.kind == .author {
            author.bind(1, key.number)
            try Self.collect(author, into: &items)
        }
        if !query.foldedName.isEmpty {
            let key = PersonNameKey(folded: query.foldedName)
            name.bind(values: key.key, key.check)
            try Self.collect(name, into: &items)
        }
        var people: [PersonFacts] = []
        for item in items where try person.first(item) {
            if let facts = person.withBytes(0, { PersonFacts(packed: $0) }) { people.append(facts) }
            person.reset()
        }
        return people
    }

    private static func collect(_ rows: Statement, into items: inout [Int64]) throws(ETLError) {
        while try rows.next() {
            let item = rows.integer(0)
            if !items.contains(item) { items.append(item) }
        }
    }
}

/// The hash by which a folded name finds a person.
struct PersonNameKey {
    /// The integer that sorts the index.
    var key: Int64
    /// 29 bits of a second hash, to detect collisions.
    /// Further bits of the hash, to detect collisions (the column `mark`).
    var check: Int64

    /// - Parameter folded: The name in `Folding`'s form, not empty.
    init(folded: [UInt8]) {
        let hash = FoldedHash(folded: folded)
        key = Int64(bitPattern: hash.first)
        check = Int64(hash.second >> 35)
    }

    /// - Returns: nil if folding leaves nothing of the name.
    init?(_ name: String) {
        let folded = Array(Folding.fold(name).utf8)
        guard !folded.isEmpty else { return nil }
        self.init(folded: folded)
    }
}
