/// Writes authors: each once, by Open Library key or folded name, and what is known of the person when it is known.
struct AuthorWriter {
    let tables: LibraryTables

    /// - Returns: the author's row.
    func write(_ draft: AuthorDraft, of results: Results) throws(SQLiteError) -> Int64 {
        let place = try tables.indexes.authors.place(of: draft.place)
        if let id = place.row {
            if draft.author.identification.isAccepted { try update(id, draft.author, of: results) }
            return id
        }
        tables.indexes.lastAuthor += 1
        let id = tables.indexes.lastAuthor
        tables.indexes.authors.insertRecent(draft.place, row: id, at: place)
        let author = draft.author
        let insert = tables.insertAuthor
        try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
            insert.bind(1, id)
            insert.bind(2, textInPlace: all.bytes(of: draft.key))
            insert.bind(3, textInPlace: all.bytes(of: author.name))
            insert.bind(4, Int(author.culture.gender.rawValue))
            insert.bind(5, textInPlace: all.bytes(of: author.culture.nationality))
            insert.bind(6, author.culture.region.map { Int64($0.rawValue) })
            insert.bind(7, (author.culture.birthYear ?? author.birthYear).map { Int64($0) })
            insert.bind(8, (author.culture.deathYear ?? author.deathYear).map { Int64($0) })
            insert.bind(9, textInPlace: all.bytes(of: author.key))
            insert.bind(10, textInPlace: all.bytes(of: Self.item(author)))
            insert.bind(11, Int(author.identification.rawValue))
            return Result { () throws(SQLiteError) in try insert.run() }
        }.get()
        return id
    }

    /// The Wikidata item of an identified person.
    private static func item(_ author: BookAuthor) -> Text {
        author.culture.item.isEmpty ? author.wikidata : author.culture.item
    }

    /// An author met again who is identified now: what was unknown is filled in.
    private func update(_ id: Int64, _ author: BookAuthor, of results: Results) throws(SQLiteError) {
        let read = tables.readAuthor
        read.bind(1, id)
        guard try read.step() else { return }
        let identification = Identification(rawValue: UInt8(truncatingIfNeeded: read.integer(6)))
        read.reset()
        if identification?.isAccepted == true { return }
        let update = tables.updateAuthor
        update.bind(1, id)
        update.bind(2, Int(author.culture.gender.rawValue))
        update.bind(3, author.culture.nationality.isEmpty ? nil : results.arena[author.culture.nationality])
        update.bind(4, author.culture.region.map { Int64($0.rawValue) })
        update.bind(5, (author.culture.birthYear ?? author.birthYear).map { Int64($0) })
        update.bind(6, (author.culture.deathYear ?? author.deathYear).map { Int64($0) })
        let item = Self.item(author)
        update.bind(7, item.isEmpty ? nil : results.arena[item])
        update.bind(8, Int(author.identification.rawValue))
        try update.run()
    }
}
