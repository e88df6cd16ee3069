import Bytes

/// The merge of one batch, row by row, with what it uses again for each row.
///
/// A row goes through four steps: hear (every candidate's values, in canonical form), fill (what only the row
/// knows), choose (a rule a field), finish (who gave what, how complete it is).
struct BatchMerge {
    let policy: MergePolicy
    let isGoodreads: Bool
    var arena: Arena
    private(set) var books: [Book] = []
    var values: [BookValue] = []
    var authors: [BookAuthor] = []

    /// What the row in hand was offered.
    var offers = FieldCandidates()
    var isbns = EditionISBNs()
    /// Its candidates by number, in the order in which they are heard.
    private(set) var order: [Int] = []
    /// Candidates that gave anything of its authors.
    var authorOrigins: [Int] = []
    /// The formats' contract names, written once a batch.
    private let formats: [Text]
    /// The last book's contributors: nearly always the next one's, which then shares the array.
    private var lastContributors: [Provider] = []

    init(policy: MergePolicy, arena: consuming Arena, of matched: borrowing MatchedRows) {
        self.policy = policy
        self.arena = arena
        isGoodreads = matched.library.columns.profile == "goodreads"
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

    /// The contract's spelling of a format.
    func name(of format: EditionFormat) -> Text { formats[Int(format.rawValue)] }

    /// Takes what one candidate offers, each value in its canonical form.
    private mutating func collect(_ candidate: Candidate, _ index: Int, _ all: [CandidateValue]) {
        let origin = FieldOrigin.candidate(UInt8(index))
        let isThisEdition = candidate.match == .isbn || candidate.match == .openLibraryKey
        for place in candidate.values {
            let offered = all[place]
            let field = offered.field
            if field.isOfAuthor || field.isOfEdition && !isThisEdition { continue }
            // A series without a number keeps its place among the numbers.
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

    /// The candidate that gives the work: a real one of the preferred provider, any real one, the first.
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
        // A format that was merely assumed has no offer.
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
        // A row that names its work is of that work, whoever else knows it.
        let namesWork = offers.first(.workKey) { $0.origin == .row } != nil
        books.append(
            Book(
                values: values, authors: authors, isSynthetic: (work?.isSynthetic ?? true) && !namesWork,
                primaryProvider: work?.provider, contributors: contributors,
                reviewStatus: evidence.matchedByISBN ? .verified : isReviewed ? .userEdited : .needsReview,
                quality: QualityScore.score(evidence)))
    }

    /// The providers that gave the work or any value that was taken, a bit each.
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

/// Chooses a book's authors: whole from one source, so that nobody is there twice in two spellings.
///
/// A candidate matched by ISBN comes before one matched by title, then the policy's rule for `authorName`,
/// then the providers' order; the reader's own row only where no candidate names anybody. What the other
/// candidates know of a person of exactly the same name fills the gaps, unless they mean another person by
/// it.
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

    /// The candidate whose authors are taken.
    private func source(_ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) -> Int? {
        var best: Int?
        var highest = -1
        for index in order {
            let candidate = candidates[candidates.startIndex + index]
            let score =
                (candidate.match == .isbn ? 2 : 0)
                + (policy[.authorName] == .prefer(candidate.provider) ? 1 : 0)
            guard score > highest, namesSomebody(candidate, all) else { continue }
            (best, highest) = (index, score)
        }
        return best
    }

    private func namesSomebody(_ candidate: Candidate, _ all: [CandidateValue]) -> Bool {
        candidate.values.contains { all[$0].field == .authorName && !all[$0].value.isEmpty }
    }

    /// Appends a candidate's authors by number, those without a name included.
    private mutating func append(_ index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) {
        let first = authors.count
        let origin = FieldOrigin.candidate(UInt8(index))
        for place in candidates[candidates.startIndex + index].values {
            let value = all[place]
            guard value.field.isOfAuthor, !value.value.isEmpty else { continue }
            while authors.count - first <= Int(value.author) {
                authors.append(BookAuthor(name: .none, role: .author, origin: origin))
            }
            authors[first + Int(value.author)].learn(value.field, value.value, in: arena)
        }
    }

    /// Adds what another candidate knows of the same people; false where that is nothing new.
    private mutating func fill(
        _ people: Range<Int>, from index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]
    ) -> Bool {
        append(index, candidates, all)
        defer { authors.removeSubrange(people.upperBound...) }
        var gave = false
        // By index: a slice of them would make the first change copy the whole batch's.
        for index in people.upperBound..<authors.count {
            let known = authors[index]
            guard !known.name.isEmpty else { continue }
            let place = people.first { place in
                arena.equal(authors[place].name, known.name) && agree(authors[place].key, known.key)
                    && agree(authors[place].wikidata, known.wikidata)
            }
            guard let place else { continue }
            gave = authors[place].fillGaps(from: known) || gave
        }
        return gave
    }

    private func agree(_ a: Text, _ b: Text) -> Bool { a.isEmpty || b.isEmpty || arena.equal(a, b) }
}

extension [BookAuthor] {
    /// Takes out authors of whom a candidate knows a key or a year, but no name.
    fileprivate mutating func removeNameless(from first: Int) {
        guard self[first...].contains(where: \.name.isEmpty) else { return }
        let named = self[first...].filter { !$0.name.isEmpty }
        replaceSubrange(first..., with: named)
    }
}

extension BookAuthor {
    /// Takes one value of a candidate; the first of a kind stands.
    fileprivate mutating func learn(_ field: Field, _ text: Text, in arena: borrowing Arena) {
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

    /// Takes what another source knows and this one does not; false where that is nothing.
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
    /// The role of that name; a name that says something else makes a contributor.
    fileprivate init(named name: String) {
        let name = name.lowercased()
        self = Self.allCases.first { String(describing: $0) == name } ?? .contributor
    }
}

/// What the reader's own row adds to a book: values for fields that nobody else gave.
extension BatchMerge {
    /// The id of the reader's own edition goes before those a provider lists: it is known to be this one's.
    mutating func offerGoodreadsID(of row: Int, _ library: borrowing LibraryRows) {
        guard isGoodreads, let id = ValueNormalizer.identifier(library.cell(.sourceID, ofRow: row), in: arena)
        else {
            return
        }
        offers.add(.editionGoodreadsID, id, from: .row)
    }

    /// Offers the row's value for every field that nobody gave.
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
    }

    private func isMissing(_ field: Field) -> Bool { !offers.fields.contains(field) }

    private mutating func offer(_ field: Field, _ value: Text?) {
        guard let value, !value.isEmpty else { return }
        offers.add(field, value, from: .row)
    }

    private mutating func offerSeries(of row: Int, _ library: borrowing LibraryRows) {
        for index in library.rows[row].series {
            offers.add(.seriesName, library.series[index].name, from: .row)
            offers.add(.seriesNumber, library.series[index].number, from: .row)
        }
    }
}
