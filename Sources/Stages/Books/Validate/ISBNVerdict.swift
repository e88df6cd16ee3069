/// What a cell that should hold an ISBN turned out to hold.
public enum ISBNVerdict: Sendable, Hashable {
    /// Nothing: the cell is empty or holds wrapping only.
    case absent
    /// An ISBN as it should be, in whatever notation.
    case valid(ISBN)
    /// A damaged ISBN with one certain answer, and the rule that led there.
    case repaired(ISBN, ISBNRepair)
    /// No ISBN.
    case impossible(ISBNFault)

    /// The ISBN to go on with.
    public var isbn: ISBN? {
        switch self {
        case .valid(let isbn), .repaired(let isbn, _): isbn
        case .absent, .impossible: nil
        }
    }

    /// The name in `etl isbn check`: `valid`, `repaired`, `impossible`; of a cell of a row also `absent`.
    public var name: String {
        switch self {
        case .absent: "absent"
        case .valid: "valid"
        case .repaired: "repaired"
        case .impossible: "impossible"
        }
    }
}

/// Why a cell holds no ISBN, and what it may have been meant to be.
public struct ISBNFault: Sendable, Hashable {
    /// What is wrong with the cell.
    public var reason: Reason
    /// The one number that would fit if luck were with us. Shown to the reader, never taken.
    public var proposal: ISBN?

    /// A fault, with the number it may have been meant to be.
    public init(_ reason: Reason, proposal: ISBN? = nil) {
        self.reason = reason
        self.proposal = proposal
    }

    /// Stable codes: `reason` of `etl isbn check`, code of a row's notice.
    public enum Reason: String, Sendable, CaseIterable, Hashable {
        case wrongLength = "isbn_wrong_length"
        case checkDigitOfTen = "isbn10_check_digit"
        case checkDigitOfThirteen = "isbn13_check_digit"
        case cutShort = "isbn13_cut_short"
        case notABook = "isbn_not_a_book"
        case printedMusic = "isbn_ismn"
        case asin = "isbn_asin"
        case scientificNotation = "isbn_scientific_notation"
        case placeholder = "isbn_placeholder"
        case severalNumbers = "isbn_several_numbers"
        case notANumber = "isbn_not_a_number"

        /// One sentence for the reader: what is wrong and what to do.
        public var sentence: String {
            switch self {
            case .wrongLength: "An ISBN has 10 or 13 digits; this number has neither."
            case .checkDigitOfTen:
                "The ISBN-10's check digit does not agree with its other digits; compare it with the book."
            case .checkDigitOfThirteen:
                "The ISBN-13's check digit does not agree with its other digits; compare it with the book."
            case .cutShort: "This is an ISBN-13 cut to its first ten digits; the last three are needed."
            case .notABook: "This is an article number (EAN, UPC) outside 978 and 979: no book's."
            case .printedMusic: "979-0 is an ISMN, a number of printed music, and no ISBN."
            case .asin: "This is an Amazon number (ASIN); e-books of that shop have no ISBN."
            case .scientificNotation:
                "A spreadsheet stored the number in scientific notation and lost digits; "
                    + "format the column as text and export again."
            case .placeholder: "This number is a filler that stands for no book."
            case .severalNumbers: "The cell holds ISBNs of different books; keep one of them."
            case .notANumber: "This is no number an ISBN could be written as."
            }
        }
    }
}
