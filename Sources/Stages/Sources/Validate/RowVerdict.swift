import Books

/// The ISBN of a row, decided from both of its ISBN cells.
///
/// The cells can be swapped: the number of digits decides, not the column. Two damaged cells confirm each
/// other if only one number fits both. They contradict each other if no number does.
struct RowVerdict: Equatable {
    var isbn: RowISBN
    /// Findings for the user, at most one per cell.
    var findings: [Finding] = []

    /// One of the row's two ISBN cells.
    enum Cell: Equatable { case ten, thirteen }

    /// A finding about a cell.
    enum Finding: Equatable {
        /// The cell's number is not an ISBN.
        case impossible(Cell, ISBNFault)
        /// The cell's number was repaired.
        case repaired(Cell, ISBN, ISBNRepair)
        /// The cell has another book's ISBN. `kept` is the row's ISBN, or nil if neither cell can be trusted.
        case conflict(Cell, ISBN, kept: ISBN?)
    }

    /// - Parameters:
    ///   - ten: The reading of the ISBN-10 column.
    ///   - thirteen: The reading of the ISBN-13 column.
    init(ten: ISBNReading, thirteen: ISBNReading) {
        switch (thirteen.verdict, ten.verdict) {
        case (.valid(let long), .valid(let short)):
            self = Self.both(long, short, swapped: ten.length > thirteen.length)
        case (.valid(let isbn), _):
            self.init(isbn: RowISBN(isbn: isbn))
            note(ten, .ten, given: isbn)
        case (_, .valid(let isbn)):
            self.init(isbn: RowISBN(isbn: isbn))
            note(thirteen, .thirteen, given: isbn)
        default:
            self = Self.damaged(ten, thirteen)
        }
    }

    /// The same for a row that also lists its book's ISBNs. If the two cells give no ISBN, the first listed
    /// one that is possible for both is used.
    init(ten: ISBNReading, thirteen: ISBNReading, listed: [ISBN]) {
        self.init(ten: ten, thirteen: thirteen)
        let candidates = [thirteen.candidates, ten.candidates].filter { $0 != .nothing }
        guard isbn.isbn == nil,
            let number = listed.first(where: { number in candidates.allSatisfy { $0.allows(number) } })
        else { return }
        isbn = RowISBN(isbn: number, repair: .otherCell)
        let cells = findings.isEmpty ? [Cell.thirteen] : findings.map(\.cell)
        findings = cells.map { .repaired($0, number, .otherCell) }
    }

    private init(isbn: RowISBN) { self.isbn = isbn }

    private static func both(_ long: ISBN, _ short: ISBN, swapped: Bool) -> RowVerdict {
        guard long != short else { return RowVerdict(isbn: RowISBN(isbn: long)) }
        let (kept, other, cell): (ISBN, ISBN, Cell) = swapped ? (short, long, .thirteen) : (long, short, .ten)
        // An ISBN-13 cut to ten characters passes the ISBN-10 check by chance, in one of eleven cases.
        if let characters = other.isbn10, kept.isbn13.hasPrefix(characters) {
            var verdict = RowVerdict(isbn: RowISBN(isbn: kept))
            verdict.findings = [.impossible(cell, ISBNFault(.cutShort, proposal: kept))]
            return verdict
        }
        var verdict = RowVerdict(isbn: RowISBN(isbn: kept, other: other))
        verdict.findings = [.conflict(cell, other, kept: kept)]
        return verdict
    }

    /// Adds the finding of a cell whose row already has an ISBN.
    private mutating func note(_ reading: ISBNReading, _ cell: Cell, given isbn: ISBN) {
        switch reading.verdict {
        case .impossible(let fault): findings.append(.impossible(cell, fault))
        case .repaired(let other, _) where other != isbn:
            findings.append(.conflict(cell, other, kept: isbn))
        case .valid, .repaired, .absent: break
        }
    }

    /// Decides if neither cell is valid.
    private static func damaged(_ ten: ISBNReading, _ thirteen: ISBNReading) -> RowVerdict {
        guard let common = thirteen.candidates.common(with: ten.candidates) else {
            return first(of: (thirteen, .thirteen), (ten, .ten))
        }
        switch common.count {
        case 1:
            return agreed(common[0], ten, thirteen)
        case 0:
            // A number that kept all its digits is more reliable than one with restored zeros.
            if case .repaired(_, let rule) = thirteen.verdict, rule.keptAllDigits {
                return first(of: (thirteen, .thirteen), (ten, .ten))
            }
            if case .repaired(_, let rule) = ten.verdict, rule.keptAllDigits {
                return first(of: (ten, .ten), (thirteen, .thirteen))
            }
            return contradicting(ten, thirteen)
        default:
            return first(of: (thirteen, .thirteen), (ten, .ten))
        }
    }

    /// Only one number fits both cells.
    private static func agreed(_ isbn: ISBN, _ ten: ISBNReading, _ thirteen: ISBNReading) -> RowVerdict {
        var verdict = RowVerdict(isbn: RowISBN(isbn: isbn, repair: .otherCell))
        for (reading, cell) in [(thirteen, Cell.thirteen), (ten, .ten)] {
            if case .repaired(isbn, let rule) = reading.verdict {
                if verdict.isbn.repair == .otherCell { verdict.isbn.repair = rule }
                verdict.findings.append(.repaired(cell, isbn, rule))
            } else {
                verdict.findings.append(.repaired(cell, isbn, .otherCell))
            }
        }
        return verdict
    }

    /// The first repaired cell gives the ISBN; the other one becomes a finding.
    private static func first(
        of one: (reading: ISBNReading, cell: Cell), _ other: (reading: ISBNReading, cell: Cell)
    ) -> RowVerdict {
        var verdict = RowVerdict(isbn: RowISBN())
        verdict.take(one.reading, one.cell)
        verdict.take(other.reading, other.cell)
        return verdict
    }

    private mutating func take(_ reading: ISBNReading, _ cell: Cell) {
        if let believed = isbn.isbn { return note(reading, cell, given: believed) }
        switch reading.verdict {
        case .repaired(let repaired, let rule):
            isbn = RowISBN(isbn: repaired, repair: rule)
            findings.append(.repaired(cell, repaired, rule))
        case .impossible(let fault):
            if isbn.proposal == nil { isbn.proposal = fault.proposal }
            findings.append(.impossible(cell, fault))
        case .valid, .absent: break
        }
    }

    /// Two damaged cells that contradict each other, neither of them certain. Neither is used.
    private static func contradicting(_ ten: ISBNReading, _ thirteen: ISBNReading) -> RowVerdict {
        var verdict = RowVerdict(isbn: RowISBN())
        for (reading, cell) in [(thirteen, Cell.thirteen), (ten, .ten)] {
            switch reading.verdict {
            case .repaired(let isbn, _): verdict.findings.append(.conflict(cell, isbn, kept: nil))
            case .impossible(let fault): verdict.findings.append(.impossible(cell, fault))
            case .valid, .absent: break
            }
        }
        return verdict
    }
}
