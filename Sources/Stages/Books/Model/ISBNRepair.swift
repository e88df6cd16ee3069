/// How a damaged ISBN was repaired: only where one answer is certain. Raw values are stored: never reuse one.
public enum ISBNRepair: UInt8, Sendable, CaseIterable, Hashable {
    /// Leading zeros of an ISBN-10, dropped by a spreadsheet; the nine digits of an SBN are the same thing.
    case lostLeadingZeros = 1
    /// Leading zeros and the final `X` of an ISBN-10, dropped by a program that kept digits only.
    case lostZerosAndX
    /// A fraction of zero behind a whole number, `9780439023481.0`.
    case floatTail
    /// Scientific notation in which all thirteen digits still stand, `9.780439023481E+12`.
    case scientificNotation
    /// The five digits of a price (EAN-5) that a scanner reads along with the book's EAN.
    case addOn
    /// The row's two cells, each of them damaged, leave one number that fits both, or a list of the book's ISBNs beside
    /// them tells it.
    case otherCell

    /// The name in reports, notices and `etl isbn check`: `lost_leading_zeros`.
    public var name: String {
        switch self {
        case .lostLeadingZeros: "lost_leading_zeros"
        case .lostZerosAndX: "lost_zeros_and_x"
        case .floatTail: "float_tail"
        case .scientificNotation: "scientific_notation"
        case .addOn: "add_on"
        case .otherCell: "other_cell"
        }
    }

    /// One sentence for the reader.
    public var sentence: String {
        switch self {
        case .lostLeadingZeros: "The leading zeros a spreadsheet had dropped were put back."
        case .lostZerosAndX: "The leading zeros and the final X, dropped somewhere, were put back."
        case .floatTail: "The fraction of zero behind the number was taken off."
        case .scientificNotation: "The number, still complete in scientific notation, was written out."
        case .addOn: "The five-digit price code behind the number was taken off."
        case .otherCell: "The cell is damaged or empty; the row's other cells tell which number was meant."
        }
    }

    /// Whether all digits of the number and its prefix 978 or 979 were there, so that no zero had to be
    /// guessed.
    public var keptAllDigits: Bool {
        switch self {
        case .floatTail, .scientificNotation, .addOn: true
        case .lostLeadingZeros, .lostZerosAndX, .otherCell: false
        }
    }
}
