import Database

/// Writes Wikidata's people and the two indexes by which they are found: author of Open Library, folded name.
struct PeopleAssembly {
    private let connection: Connection
    private var stop: CancellationCheck

    init(_ connection: Connection, _ stop: CancellationCheck) {
        self.connection = connection
        self.stop = stop
    }

    consuming func write() throws(SQLiteError) {
        try connection.execute(
            """
            INSERT INTO main.person SELECT item, body FROM stage.person ORDER BY item;
            CREATE TEMP TABLE person_author(author INTEGER, item INTEGER);
            CREATE TEMP TABLE person_name(key INTEGER, item INTEGER, mark INTEGER);
            """)
        let people = try connection.prepare("SELECT item, body FROM main.person ORDER BY item")
        let insertAuthor = try connection.prepare("INSERT INTO temp.person_author VALUES (?,?)")
        let insertName = try connection.prepare("INSERT INTO temp.person_name VALUES (?,?,?)")
        while try people.step() {
            try stop.countRow()
            guard let person = people.withBytes(1, { PersonFacts(packed: $0) }) else { continue }
            let item = people.integer(0)
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
        // The order in which a set hands out its names must not show.
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.person_author
                SELECT author, item FROM temp.person_author ORDER BY 1, 2;
            INSERT OR IGNORE INTO main.person_name
                SELECT key, item, mark FROM temp.person_name ORDER BY 1, 2, 3;
            DROP TABLE temp.person_author;
            DROP TABLE temp.person_name;
            """)
    }
}
