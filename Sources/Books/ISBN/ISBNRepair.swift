/// Repair of a damaged ISBN. A repair is made only if exactly one answer is certain. Raw values are stored:
/// never reuse one.
package enum ISBNRepair: UInt8, Sendable, CaseIterable, Hashable {
    /// A spreadsheet dropped the leading zeros of an ISBN-10. A nine-digit SBN is the same case.
    case lostLeadingZeros = 1
    /// A program that kept only digits dropped the leading zeros and the final `X` of an ISBN-10.
    case lostZerosAndX
    /// A whole number has a fraction of zero: `9780439023481.0`.
    case floatTail
    /// Scientific notation with all thirteen digits: `9.780439023481E+12`.
    case scientificNotation
    /// A scanner added the five-digit price code (EAN-5) to the book's EAN.
    case addOn
    /// Both of the row's ISBN cells are damaged, but only one number fits both, or the row's list of the
    /// book's ISBNs identifies it.
    case otherCell
    /// Only one number fits the damaged cell, and the book with it has the row's title and author.
    case titleConfirmed

    /// The name in reports, warnings and `etl isbn check`: `lost_leading_zeros`.
    package var name: String {
        switch self {
        case .lostLeadingZeros: "lost_leading_zeros"
        case .lostZerosAndX: "lost_zeros_and_x"
        case .floatTail: "float_tail"
        case .scientificNotation: "scientific_notation"
        case .addOn: "add_on"
        case .otherCell: "other_cell"
        case .titleConfirmed: "title_confirmed"
        }
    }

    /// One sentence for the user.
    package var sentence: String {
        switch self {
        case .lostLeadingZeros: "The leading zeros that a spreadsheet dropped were restored."
        case .lostZerosAndX: "The dropped leading zeros and final X were restored."
        case .floatTail: "The “.0” after the number was removed."
        case .scientificNotation: "The scientific notation had all digits and was converted to the number."
        case .addOn: "The five-digit price code after the number was removed."
        case .otherCell: "The ISBN was restored from the row's other cells."
        case .titleConfirmed: "The only number that fits was confirmed by the title and author of its book."
        }
    }

    /// Whether all digits were present, including the prefix 978 or 979, so that no zeros were added.
    package var keptAllDigits: Bool {
        switch self {
        case .floatTail, .scientificNotation, .addOn: true
        case .lostLeadingZeros, .lostZerosAndX, .otherCell, .titleConfirmed: false
        }
    }
}

/// The text that names the rule in a warning about a repaired ISBN. `ValidateISBN` writes it; the counts of
/// repairs are read from it.
package enum RepairText {
    /// The text before the rule's name.
    package static let mark = "(rule: "

    /// `The leading zeros … were restored. The number is 9780306406157 (rule: lost_leading_zeros).`
    package static func sentence(_ rule: ISBNRepair, _ isbn: ISBN) -> String {
        "\(rule.sentence) The number is \(isbn) \(mark)\(rule.name))."
    }

    /// The rule's name, from the text after the mark.
    package static func rule(_ rest: String) -> String { String(rest.prefix { $0 != ")" }) }
}
