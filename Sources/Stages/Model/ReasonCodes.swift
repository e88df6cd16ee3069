/// Every stable code that a reject or a notice can carry, with its meaning and what to do: one list, which
/// `etl errors --reasons` prints.
///
/// A code is a promise to scripts: add new ones, never rename or reuse one.
public enum ReasonCode: String, Sendable, CaseIterable, Hashable {
    // Reading: records turned away.
    case recordTooLarge = "record_too_large"
    case fieldTooLarge = "field_too_large"
    case tooManyColumns = "too_many_columns"

    // Reading: things noticed about records that are kept.
    case raggedRecord = "ragged_record"
    case textAfterQuote = "text_after_quote"
    case strayQuote = "stray_quote"
    case unterminatedQuote = "unterminated_quote"
    case invalidUTF8 = "invalid_utf8"
    case nulByte = "nul_byte"
    case dateDamaged = "date_damaged"
    case yearDamaged = "year_damaged"
    case tooManyPeople = "too_many_people"

    /// The code as it is written: `date_damaged`.
    public var code: String { rawValue }

    /// Whether the code turns a record away; the others are told of records that are kept.
    public var isReject: Bool {
        switch self {
        case .recordTooLarge, .fieldTooLarge, .tooManyColumns: true
        default: false
        }
    }

    /// What is wrong, in one sentence.
    public var sentence: String {
        switch self {
        case .recordTooLarge: "The record is longer than the limit."
        case .fieldTooLarge: "A field of the record is longer than the limit."
        case .tooManyColumns: "The record has more columns than the limit allows."
        case .raggedRecord: "The record has another number of cells than the header."
        case .textAfterQuote: "Text follows a closing quote; it was kept as part of the cell."
        case .strayQuote: "A quote stands inside a cell that is not quoted; it was kept."
        case .unterminatedQuote: "A quote is opened and never closed."
        case .invalidUTF8: "The record holds bytes that are no text in the file's encoding."
        case .nulByte: "The record holds NUL bytes."
        case .dateDamaged: "The cell is no date that can be read; its text was kept."
        case .yearDamaged: "The cell is no year that can be read; its text was kept."
        case .tooManyPeople: "The record names more people than are kept."
        }
    }

    /// What the reader can do about it, in one sentence.
    public var advice: String {
        switch self {
        case .recordTooLarge, .fieldTooLarge:
            "Look for a quote that is never closed near this line, or shorten the text and import the record again."
        case .tooManyColumns:
            "Check the delimiter with `etl inspect`, or remove the extra columns and import the record again."
        case .raggedRecord:
            "Look for an unquoted delimiter or line break inside a field; missing cells were taken as empty."
        case .textAfterQuote, .strayQuote:
            "Double each quote that belongs to the text, and quote the field."
        case .unterminatedQuote:
            "Close the quote; everything up to the end of the file was taken as one field."
        case .invalidUTF8:
            "Save the file as UTF-8 in the program it comes from."
        case .nulByte:
            "Export the file again: NUL bytes mean a damaged file or an encoding that was guessed wrong."
        case .dateDamaged:
            "Write the date as 2026-04-02; ######## means a spreadsheet saved a column that was too narrow."
        case .yearDamaged:
            "Write the year as a whole number, before our era with a minus sign."
        case .tooManyPeople:
            "Check that the column holds names and nothing else."
        }
    }
}

extension Notice {
    /// A notice with the code's own sentence, or a more particular one.
    public init(_ reason: ReasonCode, field: String? = nil, value: String = "", message: String? = nil) {
        self.init(code: reason.code, field: field, value: value, message: message ?? reason.sentence)
    }
}
