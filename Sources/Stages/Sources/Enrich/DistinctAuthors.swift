import Books
import Bytes

/// The distinct authors of a batch. A batch names authors repeatedly, and each lookup costs time.
struct DistinctAuthors {
    /// The query of each distinct author.
    private(set) var queries: [PersonQuery] = []
    /// The index in ``queries`` for each of the batch's ``BookBatch/authors``; nil if the author belongs to
    /// no book.
    private(set) var indexOfAuthor: [Int?]
    private var mentions: [Mention] = []

    /// - Parameters:
    ///   - withTitles: Whether the book's title is used for authors of whom only the name is known.
    ///   - waiting: Rows for which a provider that may have the author's key has not answered yet.
    init(_ books: BookBatch, withTitles: Bool, waiting: Set<Int> = []) {
        indexOfAuthor = Array(repeating: nil, count: books.authors.count)
        var numbers: [UInt64: Int] = [:]
        numbers.reserveCapacity(books.authors.count)
        queries.reserveCapacity(books.authors.count)
        mentions.reserveCapacity(books.authors.count)
        for row in books.books.indices {
            let title = withTitles ? books.title(of: row) : .none
            for index in books.books[row].authors {
                let mention = Mention(books.authors[index], row: row, books, title: title)
                let hash = mention.hash(books.arena)
                // Authors with the same hash are compared by their texts. On a collision the second one gets
                // its own query.
                if let number = numbers[hash], mentions[number].equals(mention, books.arena) {
                    indexOfAuthor[index] = number
                    if !waiting.contains(row) { queries[number].waitsForKey = false }
                    continue
                }
                numbers[hash] = mentions.count
                indexOfAuthor[index] = mentions.count
                mentions.append(mention)
                queries.append(mention.query(books.arena))
                queries[queries.count - 1].waitsForKey = waiting.contains(row)
            }
        }
    }

    /// The author with everything that providers have. Only needed if people were found, which is rare.
    func author(_ number: Int, in arena: Arena) -> AuthorIdentification.Author {
        mentions[number].author(queries[number], arena)
    }
}

/// An author as a book names them, with the identifiers of the provider's record. Texts are in the arena.
private struct Mention {
    /// Name, key, Wikidata item, VIAF, ISNI, Goodreads id; and the book's title if only the name is known.
    private var texts: [7 of Text]
    private var birthYear: Int32?
    private var deathYear: Int32?

    init(_ author: BookAuthor, row: Int, _ books: BookBatch, title: Text) {
        texts = [author.name, author.key, author.wikidata, .none, .none, .none, .none]
        birthYear = author.birthYear
        deathYear = author.deathYear
        readIdentifiers(of: author, row: row, books.matched, books.arena)
        let isNamedOnly = texts.indices.dropFirst().allSatisfy { texts[$0].isEmpty }
        if isNamedOnly, birthYear == nil, deathYear == nil { texts[6] = title }
    }

    /// Reads the identifiers from the candidate that provided the author.
    private mutating func readIdentifiers(
        of author: BookAuthor, row: Int, _ matched: MatchedRows, _ arena: Arena
    ) {
        guard case .candidate(let number) = author.origin, row < matched.candidatesOfRow.count,
            Int(number) < matched.candidatesOfRow[row].count
        else { return }
        let values = matched.values[
            matched.candidates[matched.candidatesOfRow[row].lowerBound + Int(number)].values]
        let same = values.first { value in
            value.field == .authorKey && !author.key.isEmpty && arena.equal(value.value, author.key)
                || value.field == .authorName && author.key.isEmpty && arena.equal(value.value, author.name)
        }
        guard let same else { return }
        for value in values where value.author == same.author {
            switch value.field {
            case .authorVIAF: texts[3] = value.value
            case .authorISNI: texts[4] = value.value
            case .authorGoodreadsID: texts[5] = value.value
            default: continue
            }
        }
    }

    func hash(_ arena: Arena) -> UInt64 {
        var hash =
            UInt64(UInt32(bitPattern: birthYear ?? .min)) << 32
            | UInt64(UInt32(bitPattern: deathYear ?? .min))
        for index in texts.indices where !texts[index].isEmpty {
            hash = arena.withBytes(texts[index]) { KeyHash.hash($0, seed: hash &+ UInt64(index)) }
        }
        return hash
    }

    func equals(_ other: Mention, _ arena: Arena) -> Bool {
        birthYear == other.birthYear && deathYear == other.deathYear
            && texts.indices.allSatisfy { arena.equal(texts[$0], other.texts[$0]) }
    }

    func query(_ arena: Arena) -> PersonQuery {
        var foldedName: [UInt8] = []
        arena.withBytes(texts[0]) { Folding.fold($0, into: &foldedName) }
        let item = arena.withBytes(texts[2]) { PersonQuery.item($0) }
        var query = PersonQuery(item: item, authorKey: string(1, arena), foldedName: foldedName)
        query.isDated = birthYear != nil || deathYear != nil
        query.hasTitle = !texts[6].isEmpty
        return query
    }

    func author(_ query: PersonQuery, _ arena: Arena) -> AuthorIdentification.Author {
        AuthorIdentification.Author(
            query, birthYear: birthYear, deathYear: deathYear, viaf: string(3, arena),
            isni: string(4, arena)?.filter { $0 != " " }, goodreads: string(5, arena),
            title: string(6, arena))
    }

    private func string(_ number: Int, _ arena: Arena) -> String? {
        texts[number].isEmpty ? nil : arena[texts[number]]
    }
}

extension PersonQuery {
    /// The number of an item id: 42 for `Q42`.
    package static func item(_ id: UnsafeRawBufferPointer) -> UInt32? {
        id.first == UInt8(ascii: "Q")
            ? TableLine.number(UnsafeRawBufferPointer(rebasing: id.dropFirst())) : nil
    }
}

extension BookBatch {
    fileprivate func title(of number: Int) -> Text {
        values[books[number].values].first { $0.field == .title }?.value ?? .none
    }
}
