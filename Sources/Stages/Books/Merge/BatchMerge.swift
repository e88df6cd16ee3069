import Bytes

/// Merges a batch row by row, with buffers that are reused for each row.
///
/// A row takes four steps: collect the candidates' values in canonical form, fill gaps from the row, choose
/// values by each field's rule, and finish with contributors and quality.
struct BatchMerge {
    let policy: MergePolicy
    let isGoodreads: Bool
    var arena: Arena
    private(set) var books: [Book] = []
    var values: [BookValue] = []
    var authors: [BookAuthor] = []

    /// The values offered for the current row.
    var offers = FieldCandidates()
    var isbns = EditionISBNs()
    /// The candidates by index, in the order in which they are considered.
    private(set) var order: [Int] = []
    /// Candidates that contributed to the authors.
    var authorOrigins: [Int] = []
    /// The formats' contract names, written once per batch.
    private let formats: [Text]
    /// The contributors of the last book. The next book usually has the same, and then shares the array.
    private var lastContributors: [Provider] = []

    init(policy: MergePolicy, arena: consuming Arena, of matched: borrowing MatchedRows) {
        self.policy = policy
        self.arena = arena
        isGoodreads = matched.library.columns.formatName == "goodreads"
        var formats: [Text] = []
        for format in EditionFormat.allCases { formats.append(self.arena.append(format.contractName)) }
        self.formats = formats
        books.reserveCapacity(matched.count)
        values.reserveCapacity(matched.values.count + matched.count * 12)
        authors.reserveCapacity(matched.count * 2)
    }

    /// Merges one row.
    mutating func add(_ row: Int, of matched: borrowing MatchedRows) {
        let candidates = matched.candidates[matched.candidatesOfRow[row]]
        CandidateOrder.write(candidates, values: matched.values, arena: arena, into: &order)
        offers.removeAll()
        isbns.removeAll()
        authorOrigins.removeAll(keepingCapacity: true)

        if let isbn = matched.isbns[row].isbn { isbns.add(isbn) }
        offerGoodreadsID(of: row, matched.library)
        for index in order { collect(candidates[candidates.startIndex + index], index, matched.values) }
        fill(from: row, matched.library)

        let firstValue = values.count
        let firstAuthor = authors.count
        let identity = identity(candidates)
        choose(candidates, identity: identity, repair: matched.isbns[row].repair)
        chooseAuthors(candidates, matched.values, matched.library, row: row)
        finish(
            candidates, identity, values: firstValue..<values.count, authors: firstAuthor..<authors.count)
    }

    /// The contract's name for a format.
    func name(of format: EditionFormat) -> Text { formats[Int(format.rawValue)] }

    /// Collects the values of one candidate, each in its canonical form.
    private mutating func collect(_ candidate: Candidate, _ index: Int, _ all: [CandidateValue]) {
        let origin = FieldOrigin.candidate(UInt8(index))
        let isThisEdition = candidate.match == .isbn || candidate.match == .openLibraryKey
        for place in candidate.values {
            let offered = all[place]
            let field = offered.field
            if field.isOfAuthor || field.isOfEdition && !isThisEdition { continue }
            // An empty series number is kept, so that names and numbers stay parallel.
            guard !offered.value.isEmpty || field == .seriesNumber else { continue }
            let value: Text?
            switch field {
            case .isbn13, .isbn10:
                isbns.add(offered.value, from: origin, in: arena)
                continue
            case .publicationDate: value = ValueNormalizer.date(offered.value, in: &arena)
            case .firstPublicationYear: value = ValueNormalizer.year(offered.value, in: &arena)
            case .pageCount: value = ValueNormalizer.count(offered.value, in: arena)
            case .averageRating: value = ValueNormalizer.rating(offered.value, in: &arena)
            case .format: value = formats.contains { arena.equal($0, offered.value) } ? offered.value : nil
            default: value = offered.value
            }
            guard let value else { continue }
            offers.add(field, value, from: origin, isNormalized: value != offered.value)
        }
    }

    /// The candidate that provides the work. A record of a work from the preferred provider comes first, then
    /// any record of a work, then the first candidate.
    private func identity(_ candidates: ArraySlice<Candidate>) -> Int? {
        guard order.count > 1 else { return order.first }
        var best: Int?
        var highest = -1
        for index in order {
            let candidate = candidates[candidates.startIndex + index]
            let score =
                (candidate.isSynthetic ? 0 : 4)
                + (!candidate.isSynthetic && policy[.workKey] == .prefer(candidate.provider) ? 2 : 0)
                + (candidate.match == .isbn ? 1 : 0)
            if score > highest { (best, highest) = (index, score) }
        }
        return best
    }

    private mutating func finish(
        _ candidates: ArraySlice<Candidate>, _ identity: Int?, values: Range<Int>, authors: Range<Int>
    ) {
        var evidence = QualityScore.Evidence()
        // A format that was only assumed has no offer.
        evidence.fields = offers.fields
        evidence.hasAuthors = !authors.isEmpty
        let origins = origins(values, candidates, identity)
        var contributors: [Provider] = []
        var seen: UInt64 = 0
        var isReviewed = false
        for index in order {
            let candidate = candidates[candidates.startIndex + index]
            if candidate.match == .isbn { evidence.matchedByISBN = true }
            if candidate.match == .reviewed { isReviewed = true }
            let bit: UInt64 = 1 << candidate.provider.rawValue
            if seen & bit != 0 { continue }
            seen |= bit
            guard origins & bit != 0 else { continue }
            if order.count == 1, lastContributors.count == 1, lastContributors[0] == candidate.provider {
                contributors = lastContributors
            } else {
                contributors.append(candidate.provider)
            }
        }
        evidence.providers = seen.nonzeroBitCount
        if !contributors.isEmpty { lastContributors = contributors }
        let work = identity.map { candidates[candidates.startIndex + $0] }
        // If the row names its work, the book is of that work even if no provider knows it.
        let namesWork = offers.first(.workKey) { $0.origin == .row } != nil
        books.append(
            Book(
                values: values, authors: authors, isSynthetic: (work?.isSynthetic ?? true) && !namesWork,
                primaryProvider: work?.provider, contributors: contributors,
                reviewStatus: evidence.matchedByISBN ? .verified : isReviewed ? .userEdited : .needsReview,
                quality: QualityScore.score(evidence)))
    }

    /// The providers of the work and of every chosen value, one bit each.
    private func origins(_ range: Range<Int>, _ candidates: ArraySlice<Candidate>, _ identity: Int?) -> UInt64
    {
        guard let identity else { return 0 }
        func bit(_ index: Int) -> UInt64 { 1 << candidates[candidates.startIndex + index].provider.rawValue }
        var bits = bit(identity)
        guard order.count > 1 else { return bits }
        for index in authorOrigins { bits |= bit(index) }
        for place in range {
            if case .candidate(let index) = values[place].origin { bits |= bit(Int(index)) }
        }
        return bits
    }
}

/// Chooses a book's authors, all from one source so that no person appears twice in two spellings.
///
/// A candidate matched by ISBN comes first, then the policy's rule for `authorName`, then the order of the
/// providers. The row's own authors are used only if no candidate names any. Other candidates fill gaps of a
/// person with exactly the same name, unless their keys show that it is another person.
extension BatchMerge {
    /// Appends a row's authors.
    mutating func chooseAuthors(
        _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue], _ library: borrowing LibraryRows,
        row: Int
    ) {
        let first = authors.count
        guard let source = source(candidates, all) else {
            for index in library.rows[row].people {
                let person = library.people[index]
                authors.append(BookAuthor(name: person.name, role: person.role, origin: .row))
            }
            return
        }
        authorOrigins.append(source)
        append(source, candidates, all)
        authors.removeNameless(from: first)
        guard order.count > 1 else { return }
        for other in order where other != source {
            if fill(first..<authors.count, from: other, candidates, all) { authorOrigins.append(other) }
        }
    }

    /// The candidate whose authors are used.
    private func source(_ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) -> Int? {
        var best: Int?
        var highest = -1
        for index in order {
            let candidate = candidates[candidates.startIndex + index]
            let score =
                (candidate.match == .isbn ? 2 : 0)
                + (policy[.authorName] == .prefer(candidate.provider) ? 1 : 0)
            guard score > highest, namesAnyAuthor(candidate, all) else { continue }
            (best, highest) = (index, score)
        }
        return best
    }

    private func namesAnyAuthor(_ candidate: Candidate, _ all: [CandidateValue]) -> Bool {
        candidate.values.contains { all[$0].field == .authorName && !all[$0].value.isEmpty }
    }

    /// Appends a candidate's authors by author number, including those without a name.
    private mutating func append(_ index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) {
        let first = authors.count
        let origin = FieldOrigin.candidate(UInt8(index))
        for place in candidates[candidates.startIndex + index].values {
            let value = all[place]
            guard value.field.isOfAuthor, !value.value.isEmpty else { continue }
            while authors.count - first <= Int(value.author) {
                authors.append(BookAuthor(name: .none, role: .author, origin: origin))
            }
            authors[first + Int(value.author)].set(value.field, value.value, in: arena)
        }
    }

    /// Adds another candidate's values for the same people; false if there is nothing new.
    private mutating func fill(
        _ people: Range<Int>, from index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]
    ) -> Bool {
        append(index, candidates, all)
        defer { authors.removeSubrange(people.upperBound...) }
        var hasChanged = false
        // By index, because a slice would make the first change copy the whole batch's array.
        for index in people.upperBound..<authors.count {
            let known = authors[index]
            guard !known.name.isEmpty else { continue }
            let place = people.first { place in
                arena.equal(authors[place].name, known.name) && agree(authors[place].key, known.key)
                    && agree(authors[place].wikidata, known.wikidata)
            }
            guard let place else { continue }
            hasChanged = authors[place].fillGaps(from: known) || hasChanged
        }
        return hasChanged
    }

    private func agree(_ a: Text, _ b: Text) -> Bool { a.isEmpty || b.isEmpty || arena.equal(a, b) }
}

extension [BookAuthor] {
    /// Removes authors of whom a candidate has a key or year but no name.
    fileprivate mutating func removeNameless(from first: Int) {
        guard self[first...].contains(where: \.name.isEmpty) else { return }
        let named = self[first...].filter { !$0.name.isEmpty }
        replaceSubrange(first..., with: named)
    }
}

extension BookAuthor {
    /// Sets a value from a candidate, unless it is already set.
    fileprivate mutating func set(_ field: Field, _ text: Text, in arena: borrowing Arena) {
        switch field {
        case .authorName where name.isEmpty: name = text
        case .authorKey where key.isEmpty: key = text
        case .authorWikidata where wikidata.isEmpty: wikidata = text
        case .authorRole: role = ContributorRole(named: arena[text])
        case .authorBirthYear where birthYear == nil: birthYear = Self.year(text, in: arena)
        case .authorDeathYear where deathYear == nil: deathYear = Self.year(text, in: arena)
        default: break
        }
    }

    private static func year(_ text: Text, in arena: borrowing Arena) -> Int32? {
        arena.withBytes(text) { YearText.read($0).map(Int32.init) }
    }

    /// Fills missing values from another source; false if there is nothing new.
    fileprivate mutating func fillGaps(from other: BookAuthor) -> Bool {
        let before = self
        if key.isEmpty { key = other.key }
        if wikidata.isEmpty { wikidata = other.wikidata }
        birthYear = birthYear ?? other.birthYear
        deathYear = deathYear ?? other.deathYear
        return self != before
    }
}

extension ContributorRole {
    /// The role with this name; `contributor` for any other name.
    fileprivate init(named name: String) {
        let name = name.lowercased()
        self = Self.allCases.first { String(describing: $0) == name } ?? .contributor
    }
}

/// Values from the user's row, for fields that no candidate provides.
extension BatchMerge {
    /// The row's own Goodreads id comes before those of providers, because it is certain to be this
    /// edition's.
    mutating func offerGoodreadsID(of row: Int, _ library: borrowing LibraryRows) {
        guard isGoodreads, let id = ValueNormalizer.identifier(library.cell(.sourceID, ofRow: row), in: arena)
        else {
            return
        }
        offers.add(.editionGoodreadsID, id, from: .row)
    }

    /// Offers the row's value for every field without a value.
    mutating func fill(from row: Int, _ library: borrowing LibraryRows) {
        if isMissing(.title) { offer(.title, library.rows[row].title) }
        if isMissing(.workKey) { offer(.workKey, library.cell(.openLibraryWork, ofRow: row)) }
        if isMissing(.publisher) { offer(.publisher, arena.trimmed(library.cell(.publisher, ofRow: row))) }
        if isMissing(.publicationDate) {
            offer(
                .publicationDate, ValueNormalizer.date(library.cell(.yearPublished, ofRow: row), in: &arena))
        }
        if isMissing(.firstPublicationYear) {
            let cell = arena.trimmed(library.cell(.originalYear, ofRow: row))
            offer(.firstPublicationYear, ValueNormalizer.year(cell, in: &arena))
        }
        if isMissing(.pageCount) {
            offer(.pageCount, ValueNormalizer.count(library.cell(.pageCount, ofRow: row), in: arena))
        }
        if isMissing(.language) {
            offer(.language, ValueNormalizer.language(library.cell(.language, ofRow: row), in: arena))
        }
        if isMissing(.averageRating) {
            offer(
                .averageRating, ValueNormalizer.rating(library.cell(.averageRating, ofRow: row), in: &arena))
        }
        if isMissing(.format), let format = library.rows[row].format { offer(.format, name(of: format)) }
        if isMissing(.seriesName) { offerSeries(of: row, library) }
        offerSubjects(of: row, library)
        if isMissing(.workLibraryThingID) {
            offerIdentifier(.workLibraryThingID, .libraryThingWork, row, library)
        }
        if isMissing(.editionGoodreadsID) {
            offerIdentifier(.editionGoodreadsID, .goodreadsBook, row, library)
        }
        if isMissing(.originalLanguage) {
            offer(
                .originalLanguage,
                ValueNormalizer.language(library.cell(.originalLanguage, ofRow: row), in: arena))
        }
    }

    private mutating func offerIdentifier(
        _ field: Field, _ column: LibraryField, _ row: Int, _ library: borrowing LibraryRows
    ) {
        offer(field, ValueNormalizer.identifier(library.cell(column, ofRow: row), in: arena))
    }

    private func isMissing(_ field: Field) -> Bool { !offers.fields.contains(field) }

    private mutating func offer(_ field: Field, _ value: Text?) {
        guard let value, !value.isEmpty else { return }
        offers.add(field, value, from: .row)
    }

    /// Offers the row's own genres and subjects, in addition to those of providers.
    private mutating func offerSubjects(of row: Int, _ library: borrowing LibraryRows) {
        let cell = library.cell(.subjects, ofRow: row)
        guard !cell.isEmpty else { return }
        var left = cell
        var count = 0
        while !left.isEmpty, count < Self.maxSubjects {
            let end = arena.withBytes(left) { $0.firstIndex(of: UInt8(ascii: ";")) } ?? Int(left.length)
            offer(.subject, arena.trimmed(left.part(0..<end)))
            left = left.part(min(end + 1, Int(left.length))..<Int(left.length))
            count += 1
        }
    }

    /// Subjects of a row that are used. A cell may have any number.
    private static let maxSubjects = 512

    private mutating func offerSeries(of row: Int, _ library: borrowing LibraryRows) {
        for index in library.rows[row].series {
            offers.add(.seriesName, library.series[index].name, from: .row)
            offers.add(.seriesNumber, library.series[index].number, from: .row)
        }
    }
}
