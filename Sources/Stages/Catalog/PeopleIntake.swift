/// Takes Wikidata's entities and puts the people among them down to wait, with the keys they are found by.
final class PeopleIntake {
    private let insertPerson: Statement
    private let insertAuthor: Statement
    private let insertName: Statement
    private var people: [PersonFacts] = []

    init(_ connection: Connection) throws(SQLiteError) {
        insertPerson = try connection.prepare(
            """
            INSERT INTO stage.person VALUES (?,?) ON CONFLICT(item) DO UPDATE
            SET body = excluded.body WHERE excluded.body > body
            """)
        insertAuthor = try connection.prepare("INSERT INTO stage.person_author VALUES (?,?)")
        insertName = try connection.prepare("INSERT INTO stage.person_name VALUES (?,?,?)")
    }

    /// Reads a line: one entity, or an answer that holds several.
    func read(_ json: UnsafeRawBufferPointer) throws(JSONReadError) {
        if let person = try WikidataEntity.person(json) {
            people = [person]
        } else {
            people = try WikidataEntity.people(json)
        }
        people.removeAll { !$0.isPerson }
    }

    /// Puts down whom the last line told of.
    func store(into report: inout CatalogBuildReport) throws(SQLiteError) {
        if people.isEmpty { report.otherRecords += 1 }
        report.personRecords += people.count
        for person in people { try store(person) }
    }

    private func store(_ person: PersonFacts) throws(SQLiteError) {
        let item = Int64(person.item)
        insertPerson.bind(1, item)
        insertPerson.bind(2, blob: person.packed)
        try insertPerson.run()
        for key in person.openLibraryKeys {
            guard let author = OpenLibraryKey(key), author.kind == .author else { continue }
            insertAuthor.bind(1, author.number)
            insertAuthor.bind(2, item)
            try insertAuthor.run()
        }
        for name in Set([person.label] + person.aliases) {
            guard let key = PersonNameKey(name) else { continue }
            insertName.bind(1, key.key)
            insertName.bind(2, item)
            insertName.bind(3, key.check)
            try insertName.run()
        }
    }
}

/// The hash by which a person is found under a folded name.
struct PersonNameKey {
    /// The integer that the index is sorted by.
    var key: Int64
    /// 29 bits of another hash, which confirm.
    var check: Int64

    /// - Parameter folded: The name in the form of ``Folding``, not empty.
    init(folded: [UInt8]) {
        let hash = FoldedHash(folded: folded)
        key = Int64(bitPattern: hash.first)
        check = Int64(hash.second >> 35)
    }

    /// - Returns: nil where nothing of the name is left when folded.
    init?(_ name: String) {
        let folded = Array(Folding.fold(name).utf8)
        guard !folded.isEmpty else { return nil }
        self.init(folded: folded)
    }
}
