/// Content of a cell for an ISBN.
package enum ISBNVerdict: Sendable, Hashable {
    /// No content: the cell is empty or has only brackets, quotes or punctuation.
    case absent
    /// A valid ISBN, in any notation.
    case valid(ISBN)
    /// A damaged ISBN that could be restored with certainty, and the rule.
    case repaired(ISBN, ISBNRepair)
    /// Not an ISBN.
    case impossible(ISBNFault)

    /// The valid or repaired ISBN.
    package var isbn: ISBN? {
        switch self {
        case .valid(let isbn), .repaired(let isbn, _): isbn
        case .absent, .impossible: nil
        }
    }

    /// The name in `etl isbn check`: `valid`, `repaired`, `impossible`; for a row's cell also `absent`.
    package var name: String {
        switch self {
        case .absent: "absent"
        case .valid: "valid"
        case .repaired: "repaired"
        case .impossible: "impossible"
        }
    }
}

/// Why a cell has no ISBN, and which one it may have been.
package struct ISBNFault: Sendable, Hashable {
    /// The problem with the cell.
    package var reason: Reason
    /// The only number that fits, but without certainty. It is shown to the user, never used.
    package var proposal: ISBN?

    /// A fault, with the number that may have been meant.
    package init(_ reason: Reason, proposal: ISBN? = nil) {
        self.reason = reason
        self.proposal = proposal
    }

    /// Stable codes: `reason` of `etl isbn check`, and the code of a row's warning.
    package enum Reason: String, Sendable, CaseIterable, Hashable {
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

        /// One sentence for the user: what is wrong and what to do.
        package var sentence: String {
            switch self {
            case .wrongLength: "An ISBN has 10 or 13 digits; this number has neither."
            case .checkDigitOfTen:
                "The ISBN-10's check digit does not match its other digits; compare it with the ISBN on the book."
            case .checkDigitOfThirteen:
                "The ISBN-13's check digit does not match its other digits; compare it with the ISBN on the book."
            case .cutShort: "This is an ISBN-13 cut to its first ten digits; the last three are missing."
            case .notABook:
                "This is an article number (EAN, UPC), not an ISBN: ISBNs with 13 digits begin with 978 or 979."
            case .printedMusic:
                "Numbers that begin with 979-0 are ISMNs (printed music), not ISBNs."
            case .asin: "This is an Amazon number (ASIN), not an ISBN; Amazon's e-books have no ISBN."
            case .scientificNotation:
                "A spreadsheet stored the number in scientific notation and lost digits; "
                    + "format the column as text and export again."
            case .placeholder: "This number is a placeholder and identifies no book."
            case .severalNumbers: "The cell contains ISBNs of different books; keep only one of them."
            case .notANumber: "This is not an ISBN."
            }
        }
    }
}
