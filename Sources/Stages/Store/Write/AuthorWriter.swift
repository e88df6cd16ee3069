import Books
import Bytes
import Database
import System

/// Writes each author once, by Open Library key or folded name, and adds facts about the person when they
/// become known.
struct AuthorWriter {
    let tables: LibraryTables

    /// - Parameter number: Index of the author among those of the batch.
    /// - Returns: The author's row, and whether more is now known about a stored author.
    func write(
        _ number: Int, of batch: ResultBatchView
    ) throws(ETLError) -> (id: Int64, isBetterKnown: Bool) {
        let key = batch.authors[number].place
        let place = try tables.indexes.authors.place(of: key)
        if let id = place.row {
            try respell(id, number, of: batch)
            guard batch.authors[number].author.identification.isAccepted else { return (id, false) }
            return (id, try update(id, batch.authors[number].author, of: batch))
        }
        tables.indexes.lastAuthor += 1
        let id = tables.indexes.lastAuthor
        tables.indexes.authors.insertRecent(key, row: id, at: place)
        tables.new.append(NewAuthor(id: id, number: number))
        tables.spellings.note(batch.bytes(of: batch.authors[number].author.name), of: id)
        return (id, false)
    }

    /// Gives stored authors better spellings of their names, if a record has one.
    func respell(_ prepared: PreparedRow, of batch: ResultBatchView) throws(ETLError) {
        for number in prepared.authors where !isFromCatalog(number, of: batch) {
            guard let id = try tables.indexes.authors.place(of: batch.authors[number].place).row else {
                continue
            }
            try respell(id, number, of: batch)
        }
    }

    /// Gives a stored author the spelling of a record if it is better, so that the best one stays in whatever order they
    /// come. A catalog's spelling stays, and so does one that the user has set.
    private func respell(_ id: Int64, _ number: Int, of batch: ResultBatchView) throws(ETLError) {
        let offered = batch.bytes(of: batch.authors[number].author.name)
        guard !isFromCatalog(number, of: batch), !tables.spellings.isSettled(offered, of: id),
            try isBetter(offered, of: id, batch)
        else { return }
        try tables.new.settle(author: id, batch)
        if let locked = tables.locked, try locked.holdsSpelling(ofAuthor: id) {
            return tables.spellings.note(worse: offered, of: id)
        }
        let update = tables.respellAuthor
        update.bind(1, id)
        update.bind(2, textInPlace: offered)
        try update.run()
        tables.spellings.note(offered, of: id)
    }

    /// Whether a spelling is better than a stored author's. Remembers it if not.
    private func isBetter(
        _ offered: UnsafeRawBufferPointer, of id: Int64, _ batch: ResultBatchView
    ) throws(ETLError) -> Bool {
        func compare(_ known: UnsafeRawBufferPointer) -> Bool {
            if NameSpelling.replaces(known, by: offered) { return true }
            tables.spellings.note(known, of: id)
            tables.spellings.note(worse: offered, of: id)
            return false
        }
        if let prepared = tables.new.prepared(ofAuthor: id) {
            return compare(batch.bytes(of: batch.authors[prepared].author.name))
        }
        let read = tables.readAuthorName
        read.bind(1, id)
        defer { read.reset() }
        return try read.next() && read.withBytes(0) { compare($0) }
    }

    /// Whether an author has an Open Library key. The catalog's spelling of the name comes with it.
    private func isFromCatalog(_ number: Int, of batch: ResultBatchView) -> Bool {
        !batch.authors[number].author.key.isEmpty
    }

    /// Fills in the facts about a stored author who is now identified.
    ///
    /// - Returns: Whether anything was filled in.
    private func update(
        _ id: Int64, _ author: BookAuthor, of batch: ResultBatchView
    ) throws(ETLError) -> Bool {
        if let prepared = tables.new.prepared(ofAuthor: id),
            batch.authors[prepared].author.identification.isAccepted
        {
            return false
        }
        try tables.new.settle(author: id, batch)
        let read = tables.readAuthor
        read.bind(1, id)
        guard try read.next() else { return false }
        let identification = Identification(rawValue: UInt8(truncatingIfNeeded: read.integer(6)))
        read.reset()
        if identification?.isAccepted == true { return false }
        let update = tables.updateAuthor
        update.bind(1, id)
        update.bind(2, Int(author.culture.gender.rawValue))
        update.bind(3, textInPlace: batch.bytes(of: author.culture.nationality))
        update.bind(4, author.culture.region.map { Int64($0.rawValue) })
        update.bind(5, (author.culture.birthYear ?? author.birthYear).map { Int64($0) })
        update.bind(6, (author.culture.deathYear ?? author.deathYear).map { Int64($0) })
        update.bind(7, textInPlace: batch.bytes(of: author.item))
        update.bind(8, Int(author.identification.rawValue))
        try update.run()
        return true
    }
}

/// A new row of the table `authors`.
struct NewAuthor: AppendedRow {
    static let columns = [
        "id", "key", "name", "gender", "nationality", "region", "birth_year", "death_year", "open_library",
        "wikidata", "identification",
    ]

    let id: Int64
    /// Index of the author among those of the batch.
    let number: Int

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        let prepared = batch.authors[number]
        let author = prepared.author
        row.add(text: batch.bytes(of: prepared.key))
        row.add(text: batch.bytes(of: author.name))
        row.add(Int64(author.culture.gender.rawValue))
        row.add(text: batch.bytes(of: author.culture.nationality))
        row.add(author.culture.region.map { Int64($0.rawValue) })
        row.add((author.culture.birthYear ?? author.birthYear).map { Int64($0) })
        row.add((author.culture.deathYear ?? author.deathYear).map { Int64($0) })
        row.add(text: batch.bytes(of: author.key))
        row.add(text: batch.bytes(of: author.item))
        row.add(Int64(author.identification.rawValue))
    }
}

extension BookAuthor {
    /// The Wikidata item of an identified person.
    fileprivate var item: Text { culture.item.isEmpty ? wikidata : culture.item }
}
