import Books
import Bytes
import Syntax
import System

/// Composes one batch of books for ``ComposeResults``.
struct ResultComposer: ~Copyable {
    private let books: [Book]
    private let values: [BookValue]
    private let people: [BookAuthor]
    private let rows: [LibraryRow]
    private let rowPeople: [Person]
    private let verdicts: [RowISBN]
    private let candidates: [Candidate]
    private let candidatesOfRow: [Range<Int>]
    private let candidateValues: [CandidateValue]
    private let unanswered: [Int: [UnansweredQuery]]
    private let abstentions: [Int: MatchAbstention]
    private let matches: [Int: AcceptedMatch]
    /// Whether books that no provider knows are rejected.
    private let rejectsUnknown: Bool
    private let cells: RowCells
    private let keys: KeyComposer
    private var results: ResultBatch
    private var rejects: [Reject] = []
    private var json = JSONWriter(capacity: 1 << 12)
    private var packer = PackedRecordWriter()
    /// Memory reused for each record.
    private var scratch: [UInt8] = []
    private var workLineage: [UInt8] = []

    init(
        library: String, firstRow: Int64, books: consuming BookBatch,
        rejectingUnknown rejectsUnknown: Bool = false
    ) {
        self.rejectsUnknown = rejectsUnknown
        let columns = books.matched.library.columns
        self.books = books.books
        values = books.values
        people = books.authors
        rows = books.matched.library.rows
        rowPeople = books.matched.library.people
        verdicts = books.matched.isbns
        candidates = books.matched.candidates
        candidatesOfRow = books.matched.candidatesOfRow
        candidateValues = books.matched.values
        unanswered = Dictionary(grouping: books.matched.unanswered, by: \.row)
        abstentions = Dictionary(books.matched.abstentions.map { ($0.row, $0) }) { first, _ in first }
        matches = Dictionary(books.matched.matches.map { ($0.row, $0.match) }) { first, _ in first }
        cells = RowCells(books.matched.library)
        keys = KeyComposer(library: library, formatName: columns.formatName)
        results = ResultBatch(
            arena: books.matched.library.arena, firstRow: firstRow, layout: RowCells.layout(columns),
            exportColumns: columns)
        results.arena.reserve(self.books.count * Self.bytesPerRow)
        results.rows.reserveCapacity(self.books.count)
        results.isbns.reserveCapacity(self.books.count + self.books.count / 4)
        results.authors.reserveCapacity(self.people.count)
        results.columns.reserveCapacity(
            self.books.count * (WorkColumns.count + EditionColumns.count))
    }

    /// Approximate number of bytes that a record adds to its batch. Reserving them avoids repeated growth.
    private static let bytesPerRow = 512

    consuming func compose() -> (results: ResultBatch, rejects: [Reject]) {
        for row in books.indices {
            if rejectsUnknown, isUnknown(row) { reject(row) } else { compose(row) }
        }
        return (results, rejects)
    }

    /// Whether no provider has a book for a row, or a possible match to decide about, and none may still answer.
    private func isUnknown(_ number: Int) -> Bool {
        unanswered[number] == nil && abstentions[number] == nil && books[number].primaryProvider == nil
    }

    private mutating func reject(_ number: Int) {
        let isbn = verdicts[number].isbn.map(\.isbn13)
        let title = values[books[number].values].first { $0.field == .title || $0.field == .editionTitle }
            .map { results.arena[$0.value] }
        let named = isbn.map { "ISBN \($0)" } ?? title.map { "title \($0)" } ?? "these identifiers"
        let reject = results.arena.withBytes(rows[number].raw) { raw in
            Reject(
                position: rows[number].position, stage: "ComposeResults", code: ReasonCode.notFound.code,
                field: isbn != nil ? "ISBN" : title == nil ? nil : "Title", value: isbn ?? title,
                message: "Book not found for \(named)", raw: raw)
        }
        rejects.append(reject)
    }

    private mutating func compose(_ number: Int) {
        let book = books[number]
        let row = rows[number]
        let first = results.columns.count
        let authors = composeAuthors(book)
        let lineage = composeColumns(book, authors)
        let isbns = composeISBNs(book, verdicts[number], into: first + WorkColumns.count)
        let identity = composeIdentity(number, book, first: first, isbns: isbns, authors: authors)
        var contentHash = hashOfContent(book, first: first, authors: authors)
        let entry = cells.entry(
            of: row, author: row.people.first.map { rowPeople[$0].nameInFile } ?? .none, keys: keys,
            isbn: verdicts[number].isbn, scratch: &scratch, contentHash: &contentHash, arena: &results.arena
        )
        let packed = composeCandidates(number)
        results.rows.append(
            PreparedRow(
                position: row.position, isEnriched: book.primaryProvider != nil,
                hasISBN: verdicts[number].isbn != nil, isISBNMatch: book.reviewStatus == .verified,
                isSynthetic: book.isSynthetic, quality: book.quality, reviewStatus: book.reviewStatus,
                providers: composeProviders(book), columns: first, isbns: isbns, workKey: identity.workKey,
                editionKey: identity.editionKey, openLibraryKey: identity.openLibraryKey,
                titleKey: identity.titleKey, workLineage: lineage.work, editionLineage: lineage.edition,
                authors: authors, candidates: packed, entry: entry, unanswered: unanswered[number] ?? [],
                abstention: abstentions[number], match: matches[number],
                isCutOff: row.isCutOff))
        for (index, warning) in row.warnings.enumerated() {
            results.warnings.append(
                PreparedWarning(row: results.rows.count - 1, number: index, warning: warning))
        }
        if let warning = unknownISBN(number, first: first) {
            results.warnings.append(
                PreparedWarning(
                    row: results.rows.count - 1, number: row.warnings.count, warning: warning))
        }
    }

    private static let titleColumn = Int(WorkColumns.index[Int(Field.title.rawValue)])

    /// The warning for a row that has only an ISBN, if no provider knows it.
    ///
    /// - Parameter first: The row's first value in ``ResultBatch/columns``.
    private func unknownISBN(_ number: Int, first: Int) -> Warning? {
        guard results.columns[first + Self.titleColumn].isEmpty, isUnknown(number),
            let isbn = verdicts[number].isbn
        else { return nil }
        return Warning(.isbnUnknown, field: "ISBN", value: isbn.isbn13)
    }

    // MARK: Columns

    /// Puts the book's values into columns, lists as JSON arrays, and packs the lineage of each.
    ///
    /// - Parameter authors: The book's people in ``ResultBatch/authors``.
    private mutating func composeColumns(_ book: Book, _ authors: Range<Int>) -> (work: Text, edition: Text) {
        let first = results.columns.count
        results.columns.append(
            contentsOf: repeatElement(.none, count: WorkColumns.count + EditionColumns.count))
        workLineage.removeAll(keepingCapacity: true)
        scratch.removeAll(keepingCapacity: true)
        var index = book.values.lowerBound
        while index < book.values.upperBound {
            let value = values[index]
            var end = index + 1
            while end < book.values.upperBound, values[end].field == value.field { end += 1 }
            defer { index = end }
            let column = Int(WorkColumns.index[Int(value.field.rawValue)])
            if column >= 0 {
                results.columns[first + column] = text(index..<end, in: book)
                Self.appendLineage(of: index..<end, in: values, results.arena, to: &workLineage)
            } else if case let column = Int(EditionColumns.index[Int(value.field.rawValue)]), column >= 0 {
                results.columns[first + WorkColumns.count + column] = text(index..<end, in: book)
                Self.appendLineage(of: index..<end, in: values, results.arena, to: &scratch)
            }
        }
        let isMixed = authors.dropFirst().contains {
            results.authors[$0].author.origin != results.authors[authors.lowerBound].author.origin
        }
        for index in isMixed ? authors : authors.prefix(1) {
            let origin = results.authors[index].author.origin
            let rule: MergeRule = origin == .row && book.primaryProvider != nil ? .filledFromRow : .given
            Lineage.appendField(.authorName, source: Self.number(of: origin), rule: rule, to: &workLineage)
        }
        return (results.arena.append(workLineage), results.arena.append(scratch))
    }

    /// Appends the lineage of a field's values: once if they have the same origin, otherwise for each element of the
    /// column's list.
    private static func appendLineage(
        of run: Range<Int>, in values: [BookValue], _ arena: borrowing Arena, to bytes: inout [UInt8]
    ) {
        let first = values[run.lowerBound]
        var isMixed = false
        for index in run where values[index].origin != first.origin || values[index].rule != first.rule {
            isMixed = true
        }
        guard isMixed, first.field.hasOriginPerElement else {
            return Lineage.appendField(
                first.field, source: number(of: first.origin), rule: first.rule, to: &bytes)
        }
        let isISBN = first.field == .isbn13
        // The list of ISBNs goes on with the same numbers as ISBN-10s.
        for isShort in isISBN ? [false, true] : [false] {
            for index in run {
                let value = values[index]
                if isShort, !arena.withBytes(value.value, { $0.starts(with: "978".utf8) }) {
                    continue
                }
                Lineage.appendField(
                    value.field, source: number(of: value.origin), rule: value.rule, to: &bytes)
            }
        }
    }

    private static func number(of origin: FieldOrigin) -> Int {
        switch origin {
        case .row: 0
        case .candidate(let number): Int(number) + 1
        }
    }

    /// A field's single value, or its values as a JSON array.
    private mutating func text(_ run: Range<Int>, in book: Book) -> Text {
        let field = values[run.lowerBound].field
        if field == .seriesName { return series(run, in: book) }
        guard field.isList, field != .isbn13 else { return values[run.lowerBound].value }
        return encode(array: run)
    }

    private mutating func encode(array run: Range<Int>) -> Text {
        json.beginArray()
        for index in run { results.arena.withBytes(values[index].value) { json.string(utf8: $0) } }
        json.endArray()
        return takeJSON()
    }

    /// Series and their numbers: `[{"name":"Earthsea Cycle","number":"1"}]`.
    private mutating func series(_ names: Range<Int>, in book: Book) -> Text {
        var number = names.upperBound
        json.beginArray()
        for index in names {
            json.beginObject()
            json.key("name")
            results.arena.withBytes(values[index].value) { json.string(utf8: $0) }
            if number < book.values.upperBound, values[number].field == .seriesNumber {
                if !values[number].value.isEmpty {
                    json.key("number")
                    results.arena.withBytes(values[number].value) { json.string(utf8: $0) }
                }
                number += 1
            }
            json.endObject()
        }
        json.endArray()
        return takeJSON()
    }

    private mutating func takeJSON() -> Text {
        let text = json.bytes.withUnsafeBytes { results.arena.append($0) }
        json.restart()
        return text
    }

    private mutating func composeProviders(_ book: Book) -> Text {
        guard let primary = book.primaryProvider else { return .none }
        json.beginArray()
        json.string(primary.contractName)
        for provider in book.contributors where provider != primary { json.string(provider.contractName) }
        json.endArray()
        return takeJSON()
    }

    // MARK: ISBNs

    /// All ISBNs of the edition, the record's own first. Their column lists the ISBN-13s before the ISBN-10s.
    private mutating func composeISBNs(_ book: Book, _ verdict: RowISBN, into edition: Int) -> Range<Int> {
        let first = results.isbns.count
        if let isbn = verdict.isbn, !verdict.isContradicted { results.isbns.append(isbn.value) }
        for index in book.values where values[index].field == .isbn13 {
            guard let value = results.arena.withBytes(values[index].value, { ISBN(thirteen: $0) })?.value,
                !results.isbns[first...].contains(value)
            else { continue }
            results.isbns.append(value)
        }
        let run = first..<results.isbns.count
        guard !run.isEmpty else { return run }
        json.beginArray()
        for index in run {
            scratch.removeAll(keepingCapacity: true)
            ISBN(unchecked: results.isbns[index]).appendISBN13(to: &scratch)
            scratch.withUnsafeBytes { json.string(utf8: $0) }
        }
        for index in run {
            scratch.removeAll(keepingCapacity: true)
            ISBN(unchecked: results.isbns[index]).appendISBN10(to: &scratch)
            if !scratch.isEmpty { scratch.withUnsafeBytes { json.string(utf8: $0) } }
        }
        json.endArray()
        results.columns[edition] = takeJSON()
        return run
    }

    // MARK: Authors

    private mutating func composeAuthors(_ book: Book) -> Range<Int> {
        let first = results.authors.count
        for index in book.authors {
            let author = people[index]
            let key = keys.author(author, scratch: &scratch, arena: &results.arena)
            let place = results.arena.withBytes(key) { TextKey($0) }
            // A person named twice for one book is one contributor.
            if results.authors[first...].contains(where: { $0.place == place }) { continue }
            guard results.authors.count - first < ContributorIDs.maxPerWork else { break }
            results.authors.append(PreparedAuthor(key: key, place: place, author: author))
        }
        return first..<results.authors.count
    }

    // MARK: Identity

    private mutating func composeIdentity(
        _ number: Int, _ book: Book, first: Int, isbns: Range<Int>, authors: Range<Int>
    ) -> KeyComposer.Identity {
        let openLibrary = Int(WorkColumns.index[Int(Field.workKey.rawValue)])
        let language = first + WorkColumns.count + Int(EditionColumns.index[Int(Field.language.rawValue)])
        let own = results.columns[
            first + WorkColumns.count + Int(EditionColumns.index[Int(Field.editionTitle.rawValue)])]
        return keys.identity(
            title: own.isEmpty ? results.columns[first] : own,
            author: authors.first.map { results.authors[$0].author.name } ?? .none,
            language: results.columns[language],
            openLibraryWork: book.isSynthetic ? .none : results.columns[first + openLibrary],
            isbn: isbns.first.map { ISBN(unchecked: results.isbns[$0]) },
            isUncertain: abstentions[number]?.isUsed == false, scratch: &scratch, arena: &results.arena)
    }

    /// A hash of everything the record says about its book, without community columns.
    private func hashOfContent(_ book: Book, first: Int, authors: Range<Int>) -> UInt64 {
        results.arena.withAllBytes { all in
            var hash: UInt64 = book.isSynthetic ? 1 : 2
            for column in 0..<WorkColumns.count + EditionColumns.count {
                if EditionColumns.isCommunity(column - WorkColumns.count) { continue }
                let text = results.columns[first + column]
                guard !text.isEmpty else { continue }
                hash = KeyHash.hash(
                    UnsafeRawBufferPointer(rebasing: all[text.range]), seed: hash &+ UInt64(column))
            }
            for index in authors {
                let author = results.authors[index]
                hash = (hash ^ author.place.hash) &* 0x9E37_79B9_7F4A_7C15
                // The reason why a person was not identified is not part of the record.
                let identification = author.author.identification
                hash ^=
                    UInt64(identification.isAccepted ? identification.rawValue : 0) << 8
                    | UInt64(author.author.role.rawValue)
            }
            return hash
        }
    }

    // MARK: Candidates

    private mutating func composeCandidates(_ number: Int) -> Range<Int> {
        let first = results.candidates.count
        for index in candidatesOfRow[number].prefix(CandidateIDs.maxPerRecord) {
            let candidate = candidates[index]
            packer.reset()
            for index in candidate.values {
                let value = candidateValues[index]
                _ = results.arena.withBytes(value.value) {
                    packer.append(value.field, author: value.author, $0)
                }
            }
            results.candidates.append(
                PreparedCandidate(
                    provider: candidate.provider, match: candidate.match, record: candidate.record,
                    place: keys.candidate(candidate, arena: results.arena),
                    body: results.arena.append(packer.bytes)))
        }
        return first..<results.candidates.count
    }
}
