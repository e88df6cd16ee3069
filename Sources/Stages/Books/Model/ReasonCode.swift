/// Every stable code that a reject or a notice can carry, with its meaning and what to do: one list, which
/// `etl errors --reasons` prints.
///
/// A code is a promise to scripts: add new ones, never rename or reuse one.
public enum ReasonCode: String, Sendable, CaseIterable, Hashable {
    // Reading: records turned away.
    case recordTooLarge = "record_too_large"
    case fieldTooLarge = "field_too_large"
    case tooManyColumns = "too_many_columns"
    case recordUnreadable = "record_unreadable"
    case notABook = "not_a_book"
    case deletedAtSource = "deleted_at_source"
    case repeatedHeader = "repeated_header"
    case shiftedRecord = "shifted_record"
    case dateAmbiguous = "date_ambiguous"

    // Validating: records turned away.
    case noTitleOrISBN = "no_title_or_isbn"

    // Reading: things noticed about records that are kept.
    case raggedRecord = "ragged_record"
    case cellsJoined = "cells_joined"
    case textAfterQuote = "text_after_quote"
    case strayQuote = "stray_quote"
    case unterminatedQuote = "unterminated_quote"
    case invalidUTF8 = "invalid_utf8"
    case nulByte = "nul_byte"
    case textDecoded = "text_decoded"
    case ratingDamaged = "rating_damaged"
    case wrongLengths = "wrong_lengths"
    case replacedCharacters = "replaced_characters"
    case bareControls = "bare_controls"
    case dateDamaged = "date_damaged"
    case yearDamaged = "year_damaged"
    case numberDamaged = "number_damaged"
    case tooManyPeople = "too_many_people"

    // Validating: what was found where an ISBN belongs.
    case isbnWrongLength = "isbn_wrong_length"
    case isbn10CheckDigit = "isbn10_check_digit"
    case isbn13CheckDigit = "isbn13_check_digit"
    case isbn13CutShort = "isbn13_cut_short"
    case isbnNotABook = "isbn_not_a_book"
    case isbnISMN = "isbn_ismn"
    case isbnASIN = "isbn_asin"
    case isbnScientificNotation = "isbn_scientific_notation"
    case isbnPlaceholder = "isbn_placeholder"
    case isbnSeveralNumbers = "isbn_several_numbers"
    case isbnNotANumber = "isbn_not_a_number"
    case isbnRepaired = "isbn_repaired"
    case isbnConflict = "isbn_conflict"

    // Writing: things noticed about records that are kept.
    case duplicateSourceID = "duplicate_source_id"

    // Looking up.
    case ambiguousMatch = "ambiguous_match"
    case wrongBook = "wrong_book"
    case isbnOtherBook = "isbn_other_book"

    /// The code as it is written: `date_damaged`.
    public var code: String { rawValue }

    /// Whether the code turns a record away; the others are told of records that are kept.
    public var isReject: Bool {
        switch self {
        case .recordTooLarge, .fieldTooLarge, .tooManyColumns, .recordUnreadable, .notABook,
            .deletedAtSource, .repeatedHeader, .shiftedRecord, .dateAmbiguous, .noTitleOrISBN:
            true
        default: false
        }
    }

    /// Whether a record with the code was rightly set aside: it is shown apart and counts against no error
    /// budget (contract.md section 7).
    public var isSetAside: Bool { self == .notABook || self == .deletedAtSource || self == .repeatedHeader }

    /// What is wrong, in one sentence.
    public var sentence: String {
        switch self {
        case .recordTooLarge: "The record is longer than the limit."
        case .fieldTooLarge: "A field of the record is longer than the limit."
        case .tooManyColumns: "The record has more columns than the limit allows."
        case .recordUnreadable: "The record is damaged so that nothing of it can be read."
        case .notABook: "The record is a film, a recording or the like: no book."
        case .deletedAtSource: "The record lies in the trash of the program it comes from."
        case .repeatedHeader: "The record is the header once more: files were joined one behind the other."
        case .shiftedRecord:
            "The record has more cells than the header, and they do not fit its columns: one was parted within."
        case .dateAmbiguous:
            "A date of the mended record may have the day or the month first, and nothing tells which."
        case .textDecoded:
            "The record mixes encodings; a cell that is no UTF-8 was read as MARC-8 or windows-1252."
        case .ratingDamaged: "The cell is no rating of five stars; one that was known before stays."
        case .raggedRecord: "The record has another number of cells than the header."
        case .cellsJoined: "A cell was parted at a delimiter within it; it was put together again."
        case .textAfterQuote: "Text follows a closing quote; it was kept as part of the cell."
        case .strayQuote: "A quote stands inside a cell that is not quoted; it was kept."
        case .unterminatedQuote: "A quote is opened and never closed."
        case .invalidUTF8: "The record holds bytes that are no text in the file's encoding."
        case .nulByte: "The record holds NUL bytes."
        case .wrongLengths:
            "The record's own lengths are wrong; its fields were found by the marks between them."
        case .replacedCharacters:
            "Characters of the record cannot be read, as East Asian ones in MARC-8; each shows as U+FFFD."
        case .bareControls:
            "A text of the record has line ends or control characters that JSON forbids; they were kept."
        case .dateDamaged: "The cell is no date that can be read; one that was known before stays."
        case .yearDamaged: "The cell holds no year that can be; one that was known before stays."
        case .numberDamaged: "The cell holds no number that can be; one that was known before stays."
        case .tooManyPeople: "The record names more people than are kept."
        case .noTitleOrISBN: "The row has neither a title nor an ISBN to look a book up by."
        case .isbnWrongLength: "The number has neither the 10 nor the 13 digits of an ISBN."
        case .isbn10CheckDigit: "The ISBN-10's check digit does not agree with its other digits."
        case .isbn13CheckDigit: "The ISBN-13's check digit does not agree with its other digits."
        case .isbn13CutShort: "The cell holds an ISBN-13 cut to its first ten digits."
        case .isbnNotABook: "The number is an article number outside 978 and 979: no book's."
        case .isbnISMN: "The number is an ISMN, a number of printed music."
        case .isbnASIN: "The cell holds an Amazon number (ASIN)."
        case .isbnScientificNotation:
            "A spreadsheet stored the number in scientific notation and lost digits."
        case .isbnPlaceholder: "The number is a filler that stands for no book."
        case .isbnSeveralNumbers: "The cell holds ISBNs of different books."
        case .isbnNotANumber: "The cell holds no number an ISBN could be written as."
        case .isbnRepaired: "The number was damaged in a way that has one answer, and was repaired."
        case .isbnConflict: "The row's two ISBN cells belong to different books."
        case .duplicateSourceID:
            "The row's id is another book's too; the row was kept as a book of its own."
        case .wrongBook:
            "A service answers with another book whenever it is asked for this one; none was taken."
        case .isbnOtherBook:
            "The book with the row's ISBN has another title and another author than the row."
        case .ambiguousMatch:
            "What fits the row's title and author does not fit well enough, or not alone; none was taken."
        }
    }

    /// What the reader can do about it, in one sentence.
    public var advice: String {
        switch self {
        case .recordTooLarge, .fieldTooLarge:
            "Look for a quote that is never closed near this line, or shorten the text and import the record again."
        case .tooManyColumns:
            "Check the delimiter, or remove the extra columns and import the record again."
        case .recordUnreadable:
            "Export the file again, or mend the record in the program it comes from."
        case .notABook, .repeatedHeader:
            "Nothing needs to be done; it was set aside and counts against no error budget."
        case .dateAmbiguous:
            "Write the date as 2026-04-02, or say whether the day or the month comes first when you import the list."
        case .deletedAtSource:
            "Restore it there and export again, if it was deleted by mistake."
        case .textDecoded:
            "Compare the text with the book; export again in UTF-8 where the program can."
        case .ratingDamaged:
            "Write the rating as a number from 0.25 to 5, or as 8/10."
        case .shiftedRecord:
            "Put quotes around the cell that holds a delimiter, or put it together again, and import the record again."
        case .cellsJoined:
            "Nothing needs to be done if the cell is right; otherwise quote it and import the record again."
        case .raggedRecord:
            "Look for an unquoted delimiter or line break inside a field; missing cells were taken as empty."
        case .textAfterQuote, .strayQuote:
            "Double each quote that belongs to the text, and quote the field."
        case .unterminatedQuote:
            "Close the quote, or double it and quote the field; download the export again if it was cut off."
        case .invalidUTF8:
            "Save the file as UTF-8 in the program it comes from, or import it as windows-1252."
        case .nulByte:
            "Export the file again: NUL bytes mean a damaged file or an encoding that was guessed wrong."
        case .wrongLengths, .bareControls:
            "Nothing needs to be done if the title is right; otherwise export the record again."
        case .replacedCharacters:
            "Export the records in UTF-8 instead of MARC-8."
        case .dateDamaged:
            "Write the date as 2026-04-02; ######## means a spreadsheet saved a column that was too narrow."
        case .yearDamaged:
            "Write the year in digits, an edition's from 1000 on; a work's before our era has a minus sign."
        case .numberDamaged:
            "Write it in digits, without a minus sign; ######## means a spreadsheet saved a column that was too narrow."
        case .tooManyPeople:
            "Check that the column holds names and nothing else."
        case .noTitleOrISBN:
            "Add a title or an ISBN and import the row again."
        case .isbnWrongLength, .isbn10CheckDigit, .isbn13CheckDigit, .isbn13CutShort:
            "Compare the number with the one on the book; the book was kept without it."
        case .isbnNotABook, .isbnISMN, .isbnASIN, .isbnPlaceholder, .isbnNotANumber:
            "Put the book's ISBN into the cell, or leave it empty."
        case .isbnScientificNotation:
            "Format the column as text in the spreadsheet and export again."
        case .isbnSeveralNumbers:
            "Keep one of them in the cell."
        case .isbnRepaired:
            "Nothing needs to be done; the repaired number stands in the message."
        case .isbnConflict:
            "Look which of the two is the book's and clear the other cell."
        case .duplicateSourceID:
            "Nothing needs to be done if they are two books; if they are one, give both rows its ISBN or one title."
        case .wrongBook:
            "Compare the ISBN with the one on the book; the service is asked again after a day."
        case .isbnOtherBook:
            "Compare the ISBN with the one on the book: the row was stored as the book that has the number."
        case .ambiguousMatch:
            "Choose one in the list of open reviews, or add the book's ISBN."
        }
    }

    /// What is wrong with a record and what to do, perhaps with its particulars between.
    package func message(_ details: String = "") -> String {
        [sentence, details, advice].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Warning {
    /// A notice with the code's own sentence, or a more particular one.
    public init(_ reason: ReasonCode, field: String? = nil, value: String = "", message: String? = nil) {
        self.init(code: reason.code, field: field, value: value, message: message ?? reason.sentence)
    }
}
