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
    var authorGivers: [Int] = []
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
        authorGivers.removeAll(keepingCapacity: true)

        if let isbn = matched.isbns[row].isbn { isbns.add(isbn) }
        offerGoodreadsID(of: row, matched.library)
        for index in order { hear(candidates[candidates.startIndex + index], index, matched.values) }
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
    private mutating func hear(_ candidate: Candidate, _ index: Int, _ all: [CandidateValue]) {
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
        let givers = givers(values, candidates, identity)
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
            guard givers & bit != 0 else { continue }
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
    private func givers(_ range: Range<Int>, _ candidates: ArraySlice<Candidate>, _ identity: Int?) -> UInt64
    {
        guard let identity else { return 0 }
        func bit(_ index: Int) -> UInt64 { 1 << candidates[candidates.startIndex + index].provider.rawValue }
        var bits = bit(identity)
        guard order.count > 1 else { return bits }
        for index in authorGivers { bits |= bit(index) }
        for place in range {
            if case .candidate(let index) = values[place].origin { bits |= bit(Int(index)) }
        }
        return bits
    }
}
