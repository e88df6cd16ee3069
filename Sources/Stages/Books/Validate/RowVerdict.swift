/// What a row's two ISBN cells amount to, decided from both.
///
/// The cells may be swapped: what counts is how many digits a number has, not its column. Two damaged cells
/// settle each other where one number alone fits both, and cancel each other where none does.
struct RowVerdict: Equatable {
    var isbn: RowISBN
    /// What the reader is told, at most one for each cell.
    var findings: [Finding] = []

    /// Which of the two cells.
    enum Cell: Equatable { case ten, thirteen }

    /// Something to tell about a cell.
    enum Finding: Equatable {
        /// The cell's number is no ISBN.
        case impossible(Cell, ISBNFault)
        /// The cell's number was repaired.
        case repaired(Cell, ISBN, ISBNRepair)
        /// The cell names another book than the row's ISBN, nil where neither could be believed.
        case conflict(Cell, ISBN, kept: ISBN?)
    }

    /// - Parameters:
    ///   - ten: The reading of the column for ISBN-10s.
    ///   - thirteen: The reading of the column for ISBN-13s.
    init(ten: ISBNReading, thirteen: ISBNReading) {
        switch (thirteen.verdict, ten.verdict) {
        case (.valid(let long), .valid(let short)):
            self = Self.both(long, short, swapped: ten.length > thirteen.length)
        case (.valid(let isbn), _):
            self.init(isbn: RowISBN(isbn: isbn))
            note(ten, .ten, beside: isbn)
        case (_, .valid(let isbn)):
            self.init(isbn: RowISBN(isbn: isbn))
            note(thirteen, .thirteen, beside: isbn)
        default:
            self = Self.damaged(ten, thirteen)
        }
    }

    /// The same for a row that lists its book's ISBNs apart: where its own two cells tell no number, the first of those
    /// that agrees with what is left of them is the book's.
    init(ten: ISBNReading, thirteen: ISBNReading, listed: [ISBN]) {
        self.init(ten: ten, thirteen: thirteen)
        let remnants = [thirteen.remnant, ten.remnant].filter { $0 != .nothing }
        guard isbn.isbn == nil,
            let number = listed.first(where: { number in remnants.allSatisfy { $0.allows(number) } })
        else { return }
        isbn = RowISBN(isbn: number, repair: .otherCell)
        let cells = findings.isEmpty ? [Cell.thirteen] : findings.map(\.cell)
        findings = cells.map { .repaired($0, number, .otherCell) }
    }

    private init(isbn: RowISBN) { self.isbn = isbn }

    private static func both(_ long: ISBN, _ short: ISBN, swapped: Bool) -> RowVerdict {
        guard long != short else { return RowVerdict(isbn: RowISBN(isbn: long)) }
        let (kept, other, cell): (ISBN, ISBN, Cell) = swapped ? (short, long, .thirteen) : (long, short, .ten)
        // An ISBN-13 cut to ten characters passes the other check once in eleven times.
        if let characters = other.isbn10, kept.isbn13.hasPrefix(characters) {
            var verdict = RowVerdict(isbn: RowISBN(isbn: kept))
            verdict.findings = [.impossible(cell, ISBNFault(.cutShort, proposal: kept))]
            return verdict
        }
        var verdict = RowVerdict(isbn: RowISBN(isbn: kept, other: other))
        verdict.findings = [.conflict(cell, other, kept: kept)]
        return verdict
    }

    /// Adds what a cell beside a believed ISBN has to say.
    private mutating func note(_ reading: ISBNReading, _ cell: Cell, beside isbn: ISBN) {
        switch reading.verdict {
        case .impossible(let fault): findings.append(.impossible(cell, fault))
        case .repaired(let other, _) where other != isbn:
            findings.append(.conflict(cell, other, kept: isbn))
        case .valid, .repaired, .absent: break
        }
    }

    /// Neither cell is valid as it stands.
    private static func damaged(_ ten: ISBNReading, _ thirteen: ISBNReading) -> RowVerdict {
        guard let common = thirteen.remnant.common(with: ten.remnant) else {
            return first(of: (thirteen, .thirteen), (ten, .ten))
        }
        switch common.count {
        case 1:
            return settled(common[0], ten, thirteen)
        case 0:
            // A number that kept all its digits outweighs one whose zeros are a guess.
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

    /// One number alone fits both cells.
    private static func settled(_ isbn: ISBN, _ ten: ISBNReading, _ thirteen: ISBNReading) -> RowVerdict {
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

    /// The first repaired cell stands; the other one is told of.
    private static func first(
        of one: (reading: ISBNReading, cell: Cell), _ other: (reading: ISBNReading, cell: Cell)
    ) -> RowVerdict {
        var verdict = RowVerdict(isbn: RowISBN())
        verdict.take(one.reading, one.cell)
        verdict.take(other.reading, other.cell)
        return verdict
    }

    private mutating func take(_ reading: ISBNReading, _ cell: Cell) {
        if let believed = isbn.isbn { return note(reading, cell, beside: believed) }
        switch reading.verdict {
        case .repaired(let repaired, let rule):
            isbn = RowISBN(isbn: repaired, repair: rule)
            findings.append(.repaired(cell, repaired, rule))
        case .impossible(let fault): findings.append(.impossible(cell, fault))
        case .valid, .absent: break
        }
    }

    /// Two damaged cells that cannot both be right, and neither of which is sure: neither is believed.
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
