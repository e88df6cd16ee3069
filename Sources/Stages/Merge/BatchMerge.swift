/// The merge of one batch, row by row, with what it uses again for each row.
struct BatchMerge {
    let policy: MergePolicy
    var arena: Arena
    private(set) var books: [Book] = []
    private(set) var values: [BookValue] = []
    private(set) var authors: [BookAuthor] = []

    private var offers = FieldOffers()
    private var isbns = EditionISBNs()
    private var order: [Int] = []
    private var formats = [Text](repeating: .none, count: EditionFormat.allCases.count)
    /// The last book's contributors: nearly always the next one's, which then shares the array.
    private var lastContributors: [Provider] = []

    init(policy: MergePolicy, arena: Arena, rows: Int) {
        self.policy = policy
        self.arena = arena
        books.reserveCapacity(rows)
        values.reserveCapacity(rows * 12)
        authors.reserveCapacity(rows + rows / 2)
    }

    /// Merges one row.
    mutating func add(_ row: Int, of matched: MatchedRows) {
        let candidates = matched.candidates[matched.candidatesOfRow[row]]
        CandidateOrder.write(candidates, values: matched.values, arena: arena, into: &order)
        offers.removeAll()
        isbns.removeAll()
        if let isbn = matched.isbns[row].isbn { isbns.add(isbn) }
        let library = matched.library
        offerGoodreadsID(of: library.rows[row], library)
        for index in order { hear(candidates[candidates.startIndex + index], index, matched.values) }

        let people = chooseAuthors(candidates, matched, row)
        fill(from: library.rows[row], library)
        let first = values.count
        let identity = identity(candidates)
        emit(candidates, identity: identity, repair: matched.isbns[row].repair)
        finish(candidates, identity, values: first..<values.count, authors: people)
    }

    // MARK: Hearing

    /// The id of the reader's own edition goes before those a provider lists.
    private mutating func offerGoodreadsID(of row: LibraryRow, _ library: LibraryRows) {
        guard library.columns.profile == "goodreads" else { return }
        if let id = ValueForm.identifier(library.cell(.sourceID, of: row), in: arena) {
            offers.add(.editionGoodreadsID, id, from: .row)
        }
    }

    /// Takes what one candidate offers, each value in its canonical form.
    private mutating func hear(_ candidate: Candidate, _ index: Int, _ all: [CandidateValue]) {
        let origin = Origin.candidate(UInt8(index))
        let isThisEdition = candidate.match == .isbn
        for offered in all[candidate.values] {
            let field = offered.field
            if field.isOfAuthor || field.isOfEdition && !isThisEdition { continue }
            // A series without a number keeps its place among the numbers.
            guard !offered.value.isEmpty || field == .seriesNumber else { continue }
            let value: Text?
            switch field {
            case .isbn13, .isbn10:
                isbns.add(offered.value, from: origin, in: arena)
                continue
            case .publicationDate: value = ValueForm.date(offered.value, in: &arena)
            case .firstPublicationYear: value = ValueForm.year(offered.value, in: &arena)
            case .pageCount: value = ValueForm.count(offered.value, in: arena)
            case .averageRating: value = ValueForm.rating(offered.value, in: arena)
            case .format: value = ValueForm.format(offered.value, in: arena) == nil ? nil : offered.value
            default: value = offered.value
            }
            guard let value else { continue }
            offers.add(field, value, from: origin, isNormalized: value != offered.value)
        }
    }

    // MARK: The reader's row

    /// Offers the row's value for every field that nobody gave.
    private mutating func fill(from row: LibraryRow, _ library: LibraryRows) {
        func text(_ field: LibraryField) -> Text { arena.trimmed(library.cell(field, of: row)) }
        offer(.title, row.title)
        offer(.publisher, text(.publisher))
        if !offers.fields.contains(.publicationDate) {
            offer(.publicationDate, ValueForm.date(text(.yearPublished), in: &arena))
        }
        if !offers.fields.contains(.firstPublicationYear) {
            offer(.firstPublicationYear, ValueForm.year(text(.originalYear), in: &arena))
        }
        offer(.pageCount, ValueForm.count(text(.pageCount), in: arena))
        offer(.language, ValueForm.language(text(.language), in: arena))
        offer(.averageRating, ValueForm.rating(text(.averageRating), in: arena))
        if !offers.fields.contains(.seriesName) {
            let mentions = library.series[row.series]
            for mention in mentions { offers.add(.seriesName, mention.name, from: .row) }
            if mentions.contains(where: { !$0.number.isEmpty }) {
                for mention in mentions { offers.add(.seriesNumber, mention.number, from: .row) }
            }
        }
        if !offers.fields.contains(.format), let format = row.format { offer(.format, name(of: format)) }
    }

    private mutating func offer(_ field: Field, _ value: Text?) {
        guard let value, !value.isEmpty, !offers.fields.contains(field) else { return }
        offers.add(field, value, from: .row)
    }

    /// The contract's spelling, written once a batch.
    private mutating func name(of format: EditionFormat) -> Text {
        let index = Int(format.rawValue)
        if formats[index].isEmpty { formats[index] = arena.append(format.contractName) }
        return formats[index]
    }

    private mutating func chooseAuthors(
        _ candidates: ArraySlice<Candidate>, _ matched: MatchedRows, _ row: Int
    ) -> (range: Range<Int>, contributors: [Int]) {
        let first = authors.count
        let merge = AuthorMerge(candidates: candidates, values: matched.values, arena: arena)
        let choice = merge.choose(order: order, rule: policy[.authorName])
        authors.append(contentsOf: choice.authors)
        if choice.authors.isEmpty {
            for person in matched.library.people[matched.library.rows[row].people] {
                authors.append(BookAuthor(name: person.name, role: person.role, origin: .row))
            }
        }
        return (first..<authors.count, choice.contributors)
    }

    // MARK: Deciding

    /// The candidate that gives the work: a real one of the preferred provider, any real one, the first.
    private func identity(_ candidates: ArraySlice<Candidate>) -> Int? {
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

    /// Writes the values of all fields, ordered by the fields' raw values.
    private mutating func emit(_ candidates: ArraySlice<Candidate>, identity: Int?, repair: ISBNRepair?) {
        var fields = offers.fields
        if !isbns.entries.isEmpty {
            fields.insert(.isbn13)
            fields.insert(.isbn10)
        }
        fields.insert(.format)
        while let field = fields.popFirst() {
            switch field {
            case .isbn13, .isbn10: isbns.append(field, repair: repair, arena: &arena, to: &values)
            case .format where !offers.fields.contains(.format):
                values.append(BookValue(.format, name(of: .paperback), from: .row, by: .assumed))
            default: choose(field, candidates, identity)
            }
        }
    }

    private mutating func choose(_ field: Field, _ candidates: ArraySlice<Candidate>, _ identity: Int?) {
        let rule = policy[field]
        if offers.isSingle(field), field != .seriesName, field != .seriesNumber {
            let only = offers.first(field)
            values.append(BookValue(field, only.value, from: only.origin, by: only.lineage(by: rule, alone: true)))
            return
        }
        let choice = FieldChoice(offers: offers, candidates: candidates, arena: arena)
        switch field {
        case .seriesName: emitSeries(choice, rule)
        case .seriesNumber: break
        case .workKey:
            let own = identity.flatMap { index in
                offers.all(field).first { $0.origin == .candidate(UInt8(index)) }
            }
            let (offer, lineage) = choice.scalar(field, by: rule)
            values.append(BookValue(field, (own ?? offer).value, from: (own ?? offer).origin, by: lineage))
        case _ where field.repeats:
            let (picked, lineage) = choice.several(field, by: rule)
            for offer in picked {
                values.append(BookValue(field, offer.value, from: offer.origin, by: lineage))
            }
        default:
            let (offer, lineage) = choice.scalar(field, by: rule)
            values.append(BookValue(field, offer.value, from: offer.origin, by: lineage))
        }
    }

    /// Names and numbers of one source, in step: a number for each name, or none at all.
    private mutating func emitSeries(_ choice: FieldChoice, _ rule: FieldRule) {
        let source = choice.oneSource(.seriesName, by: rule)
        let lineage: MergeRule =
            if source == .row { .filledFromRow } else if offers.all(.seriesName).allSatisfy({ $0.origin == source }) {
                .given
            } else { rule.lineage }
        let names = offers.all(.seriesName).filter { $0.origin == source }
        var numbers = offers.all(.seriesNumber).filter { $0.origin == source }.map(\.value)
        for name in names { values.append(BookValue(.seriesName, name.value, from: source, by: lineage)) }
        guard numbers.contains(where: { !$0.isEmpty }) else { return }
        while numbers.count < names.count { numbers.append(.none) }
        for number in numbers.prefix(names.count) {
            values.append(BookValue(.seriesNumber, number, from: source, by: lineage))
        }
    }

    // MARK: The book

    private mutating func finish(
        _ candidates: ArraySlice<Candidate>, _ identity: Int?, values range: Range<Int>,
        authors people: (range: Range<Int>, contributors: [Int])
    ) {
        var gave: UInt64 = 0
        var evidence = QualityScore.Evidence()
        evidence.hasAuthors = !people.range.isEmpty
        for value in values[range] {
            if value.rule != .assumed { evidence.fields.insert(value.field) }
            if case .candidate(let index) = value.origin {
                gave |= 1 << candidates[candidates.startIndex + Int(index)].provider.rawValue
            }
        }
        for index in people.contributors {
            gave |= 1 << candidates[candidates.startIndex + index].provider.rawValue
        }
        let work = identity.map { candidates[candidates.startIndex + $0] }
        if let work { gave |= 1 << work.provider.rawValue }
        let (contributors, matched) = providers(candidates, gave)
        evidence.providers = matched
        evidence.matchedByISBN = order.contains { candidates[candidates.startIndex + $0].match == .isbn }
        books.append(
            Book(
                values: range, authors: people.range, isSynthetic: work?.isSynthetic ?? true,
                primaryProvider: work?.provider, contributors: contributors,
                reviewStatus: evidence.matchedByISBN ? .verified : .needsReview,
                quality: QualityScore.score(evidence)))
    }

    /// The providers that gave something, in order, and how many found the record at all.
    private mutating func providers(
        _ candidates: ArraySlice<Candidate>, _ gave: UInt64
    ) -> (contributors: [Provider], matched: Int) {
        var contributors: [Provider] = []
        var seen: UInt64 = 0
        for index in order {
            let provider = candidates[candidates.startIndex + index].provider
            let bit: UInt64 = 1 << provider.rawValue
            if seen & bit == 0, gave & bit != 0 { contributors.append(provider) }
            seen |= bit
        }
        if contributors == lastContributors { contributors = lastContributors }
        lastContributors = contributors
        return (contributors, seen.nonzeroBitCount)
    }
}
