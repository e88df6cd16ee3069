import Books
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

        if let isbn = matched.isbns[row].isbn, !matched.isbns[row].isContradicted { isbns.add(isbn) }
        offerGoodreadsID(of: row, matched.library)
        for index in order { collect(candidates[candidates.startIndex + index], index, matched.values) }
        offerOwnTitle(of: row, candidates, matched.library)
        fill(from: row, matched.library)

        let firstValue = values.count
        let firstAuthor = authors.count
        let identity = identity(candidates)
        choose(candidates, identity: identity, repair: matched.isbns[row].repair)
        chooseAuthors(
            candidates, matched.values, matched.library, row: row,
            hasOtherPeople: matched.isbns[row].doubt == .people)
        finish(
            candidates, identity, values: firstValue..<values.count, authors: firstAuthor..<authors.count,
            isDoubtful: matched.isbns[row].doubt != nil)
    }

    /// The contract's name for a format.
    func name(of format: EditionFormat) -> Text { formats[Int(format.rawValue)] }

    /// Collects the values of one candidate, each in its canonical form.
    private mutating func collect(_ candidate: Candidate, _ index: Int, _ all: [CandidateValue]) {
        let origin = FieldOrigin.candidate(UInt8(index))
        let isThisEdition = candidate.match.isOfEdition
        for place in candidate.values {
            let offered = all[place]
            let field = offered.field
            if field.isOfAuthor || field.isOfEdition && !isThisEdition || field == .otherEdition { continue }
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
        _ candidates: ArraySlice<Candidate>, _ identity: Int?, values: Range<Int>, authors: Range<Int>,
        isDoubtful: Bool
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
                reviewStatus: evidence.matchedByISBN && !isDoubtful
                    ? .verified : isReviewed ? .userEdited : .needsReview,
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
