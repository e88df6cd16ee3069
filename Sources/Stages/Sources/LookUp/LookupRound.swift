import Books
import Bytes

/// The distinct queries of one lookup round, and which row asks which.
struct LookupRound {
    private(set) var queries: [BookQueries.Query] = []
    /// The index of each row's query; -1 for none.
    private var queryOfRow: [Int32]
    /// Queries of rows that have candidates by their ISBN, which is only doubted.
    private var onlyDoubted: Set<Int32> = []

    init(rows: Int) { queryOfRow = Array(repeating: -1, count: rows) }

    /// The index of a row's query.
    func query(ofRow row: Int) -> Int? {
        let number = queryOfRow[row]
        return number < 0 ? nil : Int(number)
    }

    /// Starts the round by ISBN. Queries are in ascending order, which is fastest for a sorted index.
    mutating func askByISBN(_ matched: MatchedRows) {
        begin()
        // Without the prefix 978 an ISBN fits in 35 bits, so ISBN and row can be sorted as one word.
        var sorted: [UInt64] = []
        sorted.reserveCapacity(matched.count)
        for (row, verdict) in matched.isbns.enumerated() {
            guard let isbn = verdict.isbn ?? verdict.proposal else { continue }
            sorted.append(UInt64(isbn.value - Self.lowest) << 28 | UInt64(row))
        }
        sorted.sort()
        queries.reserveCapacity(sorted.count)
        var last: UInt64?
        for word in sorted {
            if last != word >> 28 {
                queries.append(.isbn(ISBN(unchecked: Int64(word >> 28) + Self.lowest)))
                last = word >> 28
            }
            queryOfRow[Int(word & 0xFFF_FFFF)] = Int32(queries.count - 1)
        }
    }

    /// Starts the round by the row's other identifiers, for rows without candidates: Open Library's keys, else
    /// those of other sites.
    mutating func askByIdentifier(_ matched: MatchedRows) {
        begin()
        let library = matched.library
        let hasKeys = library.readings.contains(where: { $0.field == .openLibraryWork })
        let isGoodreads = library.columns.formatName == "goodreads"
        var numbers: [BookQueries.Query: Int32] = [:]
        for row in 0..<matched.count where matched.candidatesOfRow[row].isEmpty {
            guard
                let query = (hasKeys ? Self.openLibrary(row, library) : nil)
                    ?? Self.identifiers(row, library, isGoodreads: isGoodreads)
            else { continue }
            if let known = numbers[query] {
                queryOfRow[row] = known
                continue
            }
            queryOfRow[row] = Int32(queries.count)
            numbers[query] = Int32(queries.count)
            queries.append(query)
        }
    }

    private static func openLibrary(_ row: Int, _ library: LibraryRows) -> BookQueries.Query? {
        func number(_ field: LibraryField, _ kind: OpenLibraryKey.Kind) -> Int64? {
            let key = library.arena.withBytes(library.cell(field, ofRow: row)) { OpenLibraryKey($0) }
            return key.flatMap { $0.kind == kind ? $0.number : nil }
        }
        guard let work = number(.openLibraryWork, .work) else { return nil }
        return .openLibrary(work: work, edition: number(.openLibraryEdition, .edition))
    }

    private static func identifiers(
        _ row: Int, _ library: LibraryRows, isGoodreads: Bool
    ) -> BookQueries.Query? {
        var identifiers = BookIdentifiers()
        identifiers.goodreads = library.cell(isGoodreads ? .sourceID : .goodreadsBook, ofRow: row)
        identifiers.libraryThing = library.cell(.libraryThingWork, ofRow: row)
        identifiers.oclc = library.cell(.oclcNumber, ofRow: row)
        identifiers.lccn = library.cell(.lccn, ofRow: row)
        // Programs put Amazon's numbers into the columns for ISBNs.
        for field in [LibraryField.asin, .isbn10, .isbn13] where identifiers.amazon.isEmpty {
            let cell = library.cell(field, ofRow: row)
            if !cell.isEmpty, library.arena.withBytes(cell, { BookIdentifier.amazon.normalized($0) }) != nil {
                identifiers.amazon = cell
            }
        }
        return identifiers.isEmpty ? nil : .identifiers(identifiers)
    }

    /// Starts the round by title and author, for rows that still have no candidates or whose ISBN is doubted.
    ///
    /// Rows share one query, in the first row's spelling, if title and author have the same form in keys
    /// (``KeyNormalizer``) and years, language and ISBN are equal. Books that the user refused in a review are
    /// not asked for again.
    ///
    /// - Parameter unanswered: Rows whose earlier query was not answered, so it is unknown whether they
    ///   need another.
    mutating func askByTitle(
        _ matched: MatchedRows, butFor unanswered: Set<Int> = [], doubted: Set<Int> = [],
        decisions: MatchDecisions = MatchDecisions()
    ) {
        begin()
        var indexOfKey: [UInt64: Int32] = [:]
        var folded: [UInt8] = []
        for row in 0..<matched.count
        where (matched.candidatesOfRow[row].isEmpty || doubted.contains(row)) && !unanswered.contains(row) {
            let title = matched.library.rows[row].title
            guard !title.isEmpty else { continue }
            let name = matched.library.rows[row].people.first.map { matched.library.people[$0].name } ?? .none
            var description = BookDescription(title: title, author: name)
            matched.library.describe(row, in: &description)
            description.otherAuthors = matched.library.furtherAuthors(of: row)
            description.isbn = matched.isbns[row].isbn
            if !decisions.isEmpty {
                let arena = matched.library.arena
                switch decisions[MatchKey.key(title: arena[title], author: arena[name])] {
                case .refused: continue
                case .accepted(let record): description.chosen = record
                case nil: break
                }
            }
            folded.removeAll(keepingCapacity: true)
            let hasWords = matched.library.arena.withBytes(title) { KeyNormalizer.append($0, to: &folded) }
            // A title without anything that folds cannot be found.
            guard hasWords || description.chosen != nil else { continue }
            folded.append(0)
            matched.library.arena.withBytes(name) { KeyNormalizer.fold($0, into: &folded) }
            // `A / B` is two books, `A: B` is one, and (B) is a series.
            matched.library.arena.withBytes(title) { Self.appendSeparators(of: $0, to: &folded) }
            for other in description.otherAuthors {
                folded.append(0)
                matched.library.arena.withBytes(other) { KeyNormalizer.fold($0, into: &folded) }
            }
            folded.append(0)
            matched.library.arena.withBytes(description.language) { folded.append(contentsOf: $0) }
            var key = KeyHash.hash(folded)
            for year in [description.year, description.firstYear] {
                key = (key ^ UInt64(UInt32(bitPattern: year ?? .min))) &* 0x9E37_79B9_7F4A_7C15
            }
            for mention in description.series {
                for text in [mention.name, mention.number] {
                    key = matched.library.arena.withBytes(text) { KeyHash.hash($0, seed: key) }
                }
            }
            if let isbn = description.isbn { key ^= UInt64(isbn.value) &* 0xC2B2_AE3D_27D4_EB4F }
            let number = indexOfKey[key] ?? Int32(queries.count)
            if indexOfKey.updateValue(number, forKey: key) == nil {
                queries.append(.described(description))
                if doubted.contains(row) { onlyDoubted.insert(number) }
            } else if !doubted.contains(row) {
                onlyDoubted.remove(number)
            }
            queryOfRow[row] = number
        }
    }

    /// Appends the signs of a title that decide how it is split, which folding removes.
    private static func appendSeparators(of title: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        for byte in title {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ";"),
                UInt8(ascii: "/"),
                UInt8(ascii: "#"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","):
                out.append(byte)
            default: break
            }
        }
    }

    private static let lowest: Int64 = 9_780_000_000_000

    /// Whether a query only checks books that were found by their ISBN. No service is asked for that.
    func isOnlyDoubted(_ query: Int) -> Bool { onlyDoubted.contains(Int32(query)) && !isChosen(query) }

    /// Whether the query is answered by a record that the user chose.
    func isChosen(_ query: Int) -> Bool { chosen(query) != nil }

    /// Match of the answer to a query.
    ///
    /// - Parameter accepted: Certainty of a match by title.
    func match(_ query: Int, _ match: Candidate.Match, _ accepted: AcceptedMatch?) -> Candidate.Match {
        if isChosen(query) { return .reviewed }
        if match == .identifier, case .openLibrary = queries[query] { return .openLibraryKey }
        return accepted?.isOfEdition == true ? .titleAuthorEdition : match
    }

    /// Whether the user chose a record of this provider.
    func isChosen(_ query: Int, of provider: Provider) -> Bool { chosen(query)?.provider == provider }

    private func chosen(_ query: Int) -> ChosenRecord? {
        if case .described(let description) = queries[query] { description.chosen } else { nil }
    }

    private mutating func begin() {
        queries.removeAll(keepingCapacity: true)
        onlyDoubted.removeAll(keepingCapacity: true)
        for row in queryOfRow.indices { queryOfRow[row] = -1 }
    }
}

extension LibraryRows {
    /// The row's authors after the first one, without people who are named for another role.
    fileprivate func furtherAuthors(of row: Int) -> [Text] {
        let people = rows[row].people
        guard people.count > 1 else { return [] }
        let authors = people.dropFirst().lazy.map { self.people[$0] }.filter { $0.role.canBeAuthor }
        return authors.prefix(MatchQuery.otherAuthorLimit).map(\.name)
    }

    /// Adds the row's years, language, series and publication data.
    fileprivate func describe(_ row: Int, in description: inout BookDescription) {
        func year(_ field: LibraryField) -> Int32? {
            let cell = cell(field, ofRow: row)
            guard !cell.isEmpty, case .year(let year) = arena.withBytes(cell, { CalendarYear.read($0) })
            else {
                return nil
            }
            return year
        }
        description.year = year(.yearPublished)
        description.firstYear = year(.originalYear)
        let language = cell(.language, ofRow: row)
        if language.length == 2, arena.withBytes(language, { Languages.twoLetters($0) != nil }) {
            description.language = language
        }
        description.series = Array(series[rows[row].series])
        description.publisher = cell(.publisher, ofRow: row)
        description.format = rows[row].format
        description.pages = arena.withBytes(cell(.pageCount, ofRow: row)) {
            Int32(String(decoding: $0, as: UTF8.self))
        }
    }
}
