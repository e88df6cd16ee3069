package import System

/// The stable codes of rejects and warnings, each with its meaning and advice. `etl errors --reasons` prints
/// this list.
///
/// Scripts rely on the codes: add new ones, never rename or reuse one.
package enum ReasonCode: String, Sendable, CaseIterable, Hashable {
    // Reading: rejected records.
    case recordTooLarge = "record_too_large"
    case fieldTooLarge = "field_too_large"
    case tooManyColumns = "too_many_columns"
    case recordUnreadable = "record_unreadable"
    case notABook = "not_a_book"
    case deletedAtSource = "deleted_at_source"
    case repeatedHeader = "repeated_header"
    case shiftedRecord = "shifted_record"
    case dateAmbiguous = "date_ambiguous"
    case commentLine = "comment_line"
    case recordsMerged = "records_merged"

    // Custom stages: rejected records.
    case filteredOut = "filtered_out"
    case notSampled = "not_sampled"
    case repeatedRow = "repeated_row"
    case expectationViolated = "expectation_violated"
    case programRejected = "program_rejected"

    // Validating: rejected records.
    case noTitleOrISBN = "no_title_or_isbn"

    // Looking up: rejected records of a list of books to look up.
    case notFound = "not_found"

    // Custom stages: warnings about records that are stored.
    case expectationWarning = "expectation_warning"

    // Reading: warnings about records that are stored.
    case raggedRecord = "ragged_record"
    case cellsJoined = "cells_joined"
    case textAfterQuote = "text_after_quote"
    case strayQuote = "stray_quote"
    case unterminatedQuote = "unterminated_quote"
    case invalidUTF8 = "invalid_utf8"
    case nulByte = "nul_byte"
    case textDecoded = "text_decoded"
    case doubleEncoding = "double_encoding"
    case ratingDamaged = "rating_damaged"
    case wrongLengths = "wrong_lengths"
    case replacedCharacters = "replaced_characters"
    case bareControls = "bare_controls"
    case dateDamaged = "date_damaged"
    case yearDamaged = "year_damaged"
    case numberDamaged = "number_damaged"
    case tooManyPeople = "too_many_people"
    case nobodyNamed = "nobody_named"
    case quotedRecords = "quoted_records"

    // Validating: problems in ISBN cells.
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

    // Writing: warnings about records that are stored.
    case duplicateSourceID = "duplicate_source_id"
    case rowReplaced = "row_replaced"
    case mergedByTitle = "merged_by_title"
    case staysRemoved = "stays_removed"

    // Looking up.
    case ambiguousMatch = "ambiguous_match"
    case mismatch = "wrong_book"
    case isbnOtherBook = "isbn_other_book"
    case isbnOtherAuthor = "isbn_other_author"
    case isbnOtherTitle = "isbn_other_title"
    case isbnUnknown = "isbn_unknown"

    /// The raw value: `date_damaged`.
    package var code: String { rawValue }

    /// Whether the code rejects a record. The other codes are warnings about records that are stored.
    package var isReject: Bool {
        switch self {
        case .recordTooLarge, .fieldTooLarge, .tooManyColumns, .recordUnreadable, .notABook,
            .deletedAtSource, .repeatedHeader, .shiftedRecord, .dateAmbiguous, .commentLine, .recordsMerged,
            .filteredOut, .notSampled, .repeatedRow, .expectationViolated, .programRejected, .noTitleOrISBN,
            .notFound:
            true
        default: false
        }
    }

    /// Whether the record is set aside correctly: it is listed separately and never counts against an error
    /// budget.
    package var isSetAside: Bool {
        [
            .notABook, .deletedAtSource, .repeatedHeader, .commentLine, .filteredOut, .notSampled,
            .repeatedRow,
        ].contains(self)
    }

    /// Whether the text in an ISBN's place is not an ISBN.
    package var saysNoISBN: Bool {
        switch self {
        case .isbnWrongLength, .isbn10CheckDigit, .isbn13CheckDigit, .isbn13CutShort, .isbnNotABook,
            .isbnISMN,
            .isbnASIN, .isbnScientificNotation, .isbnPlaceholder, .isbnSeveralNumbers, .isbnNotANumber:
            true
        default: false
        }
    }

    /// The problem, in one sentence.
    package var sentence: String {
        switch self {
        case .recordTooLarge: "The record is longer than the limit."
        case .fieldTooLarge: "A cell of the record is longer than the limit."
        case .tooManyColumns: "The record has more columns than the limit allows."
        case .recordUnreadable: "The record is damaged and cannot be parsed."
        case .notABook: "The record is a film, a recording or something else that is not a book."
        case .deletedAtSource:
            "The record is marked as deleted, for example because it is in a program's trash."
        case .repeatedHeader: "The record repeats the header: several files were joined into one."
        case .shiftedRecord:
            "The record has more cells than the header, and they do not fit the columns: a cell was split."
        case .dateAmbiguous:
            "A date in the corrected row is ambiguous: the day or the month may come first."
        case .commentLine: "The line is a comment or consists of signs; it is not a record."
        case .recordsMerged:
            "A quote in one record is closed by a quote in a later one, so that several records were read as one."
        case .filteredOut: "The row does not fulfill the condition of the pipeline's filter."
        case .notSampled: "The row is not in the sample that the pipeline takes."
        case .repeatedRow: "An earlier row has the same values in the fields that the pipeline compares."
        case .expectationViolated: "The row is not as the pipeline expects."
        case .expectationWarning: "The row is not as the pipeline expects; it was stored."
        case .programRejected: "The program that the pipeline runs rejected the row."
        case .quotedRecords:
            "A quoted cell may contain the end of this record and the beginning of another; it was kept."
        case .textDecoded:
            "The record mixes encodings; a cell that is not UTF-8 was read as MARC-8 or windows-1252."
        case .doubleEncoding:
            "The record's text was encoded in UTF-8 twice, as in `FranÃ§ois`; it was decoded."
        case .ratingDamaged: "The cell is not a rating; a stored rating is kept."
        case .raggedRecord: "The record has more or fewer cells than the header; missing cells are empty."
        case .cellsJoined: "A cell was split at a delimiter within it; the parts were joined again."
        case .textAfterQuote: "There is text after a closing quote; it was kept as part of the cell."
        case .strayQuote: "There is a quote inside an unquoted cell; it was kept."
        case .unterminatedQuote: "A quote is not closed."
        case .invalidUTF8: "The record contains bytes that are not valid in the file's encoding."
        case .nulByte: "The record contains NUL bytes."
        case .wrongLengths:
            "The lengths in the record are wrong; its fields were found by their separators."
        case .replacedCharacters:
            "Some characters cannot be read, such as East Asian ones in MARC-8 or control characters in XML; each was replaced by U+FFFD."
        case .bareControls:
            "A text contains unescaped line ends or control characters, which JSON forbids; they were kept."
        case .dateDamaged: "The cell is not a valid date; any date already stored is kept."
        case .yearDamaged: "The cell is not a valid year; any year already stored is kept."
        case .numberDamaged: "The cell is not a valid number; any number already stored is kept."
        case .tooManyPeople: "The record names more than 255 people; the others were left out."
        case .nobodyNamed: "Part of the cell is a placeholder (Anon., AA. VV.) or no name; it was left out."
        case .noTitleOrISBN: "The row has neither a title nor an ISBN."
        case .notFound: "No source has this book."
        case .isbnWrongLength:
            "The number does not have the 10 or 13 digits of an ISBN; the book was stored without it."
        case .isbn10CheckDigit:
            "The ISBN-10's check digit does not match its other digits; the book was stored without it."
        case .isbn13CheckDigit:
            "The ISBN-13's check digit does not match its other digits; the book was stored without it."
        case .isbn13CutShort:
            "The cell contains an ISBN-13 cut to its first ten digits; the book was stored without it."
        case .isbnNotABook:
            "This is an article number (EAN, UPC), not an ISBN: ISBNs with 13 digits begin with 978 or 979."
        case .isbnISMN: "The number is an ISMN, which identifies printed music."
        case .isbnASIN: "The cell contains an Amazon number (ASIN)."
        case .isbnScientificNotation:
            "A spreadsheet stored the number in scientific notation and lost digits."
        case .isbnPlaceholder: "The number is a placeholder and identifies no book."
        case .isbnSeveralNumbers: "The cell contains ISBNs of different books."
        case .isbnNotANumber: "The cell contains nothing that could be an ISBN."
        case .isbnRepaired: "The number was damaged and could be repaired with certainty."
        case .isbnConflict: "The row's two ISBN cells contain numbers of different books."
        case .duplicateSourceID:
            "Another row of the file has the same ID (source id); this one was stored as a separate book."
        case .rowReplaced:
            "An earlier row of the file is about the same entry, and its values differ; this row counts."
        case .mergedByTitle:
            "Another row has the same title, author and language, and neither has an ISBN; they are one edition."
        case .staysRemoved:
            "The book was removed from the library by hand; it was not stored again."
        case .mismatch:
            "A service returned a different book; its answer was not used. It is asked again after a day."
        case .isbnOtherBook:
            "The book with the row's ISBN is another one than the row names; it was not used."
        case .isbnOtherAuthor:
            "The book with the row's ISBN is by another author than the row names; it was used."
        case .isbnOtherTitle:
            "The book with the row's ISBN has another title, which can be a translation; it was used."
        case .isbnUnknown:
            "The row has only an ISBN, and no catalog or service has given the title of its book."
        case .ambiguousMatch:
            "Books with a similar title and author were found, but no match is certain; none was used."
        }
    }

    /// The remedy, in one sentence.
    package var advice: UserText {
        switch self {
        case .recordTooLarge, .fieldTooLarge:
            """
            Look for an unclosed quote near the line that \(UserCommand.errors(job: nil)) shows, or shorten the text and \
            import the row again.
            """
        case .tooManyColumns:
            "Check the delimiter, or remove the extra columns and import the row again."
        case .recordUnreadable:
            "Export the file again, or correct the record in the program it comes from."
        case .notABook, .repeatedHeader:
            "No action is needed; the record was set aside and does not count against an error budget."
        case .dateAmbiguous:
            """
            Write the date as 2026-04-02, or import the corrections with \(UserSetting.dates(.dayFirst)) or \
            \(UserSetting.dates(.monthFirst)).
            """
        case .deletedAtSource:
            "If it was deleted by mistake, restore it there and export again."
        case .textDecoded, .doubleEncoding:
            "Check the text of this record. Export again in UTF-8 if the program can."
        case .ratingDamaged:
            "Write the rating as a number from 0.25 to 5, or as 8/10."
        case .shiftedRecord:
            "Put quotes around the cell that contains a delimiter, or join its parts, and import the row again."
        case .commentLine:
            "No action is needed."
        case .filteredOut, .notSampled, .repeatedRow:
            "No action is needed; to import the row, change the pipeline definition and import the file again."
        case .expectationViolated, .expectationWarning:
            "Correct the row and import it again, or change what the pipeline expects."
        case .programRejected:
            "Correct the row and import it again, or change the program."
        case .recordsMerged, .quotedRecords:
            "Remove or double the stray quotes in the file, and import the file again: the rows that are there already stay as they are."
        case .cellsJoined:
            "If the cell is correct, no action is needed; otherwise quote it and import the row again."
        case .raggedRecord:
            "Look for an unquoted delimiter or line break inside a cell."
        case .textAfterQuote, .strayQuote:
            "Double each quote that belongs to the text, and put quotes around the cell."
        case .unterminatedQuote:
            "Close the quote, or double it and put quotes around the cell; download the export again if it is incomplete."
        case .invalidUTF8:
            "Save the file as UTF-8 in the program it comes from, or import it with \(UserSetting.encoding("windows-1252"))."
        case .nulByte:
            "Export the file again: NUL bytes are a sign of a damaged file or a wrong encoding."
        case .wrongLengths, .bareControls:
            "If the title is correct, no action is needed; otherwise export the record again."
        case .replacedCharacters:
            "Export the records in UTF-8, without control characters."
        case .dateDamaged:
            """
            Write the date as 2026-04-02. If the cell shows ########, widen the column in the spreadsheet and save again.
            """
        case .yearDamaged:
            """
            Write the year in digits. The year of an edition is 1000 or later. The year of a work \
            can be earlier; write a minus sign before years BCE.
            """
        case .numberDamaged:
            """
            Write the number in digits without a minus sign. If the cell shows ########, widen the column in the \
            spreadsheet and save again.
            """
        case .tooManyPeople:
            "Check that the column contains only names."
        case .nobodyNamed:
            "No action is needed; to have an author, enter a name."
        case .noTitleOrISBN:
            "Add a title or an ISBN and import the row again."
        case .notFound:
            "Compare the number with the ISBN on the book, or check the spelling of title and author."
        case .isbnWrongLength, .isbn10CheckDigit, .isbn13CheckDigit, .isbn13CutShort:
            "Compare the number with the ISBN on the book."
        case .isbnNotABook, .isbnISMN, .isbnASIN, .isbnPlaceholder, .isbnNotANumber:
            "Enter the book's ISBN, or leave the cell empty."
        case .isbnScientificNotation:
            "Import the original export, or format the column as text and enter the ISBN again."
        case .isbnSeveralNumbers:
            "Keep only one of them in the cell."
        case .isbnRepaired:
            "No action is needed; the warning contains the repaired number."
        case .isbnConflict:
            "Find out which of the two is the book's, and clear the other cell."
        case .duplicateSourceID:
            "If they are different books, no action is needed; otherwise enter the same ISBN or title in both rows."
        case .rowReplaced:
            "If they are different books, give each its own id or ISBN. Otherwise delete one of the rows."
        case .mergedByTitle:
            "If they are different books, no export can tell them apart; add an ISBN to one of the rows."
        case .staysRemoved:
            "To have it back, undo the job that removed it."
        case .mismatch:
            "Compare the ISBN with the one on the book."
        case .isbnOtherBook:
            "Compare the ISBN with the one on the book, or decide with \(UserCommand.review(job: nil))."
        case .isbnUnknown:
            "Compare the ISBN with the one on the book, or add the title."
        case .isbnOtherAuthor, .isbnOtherTitle:
            "If it is another book, correct the ISBN; otherwise no action is needed."
        case .ambiguousMatch:
            "Decide with \(UserCommand.review(job: nil)), or add the book's ISBN."
        }
    }

    /// The advice in a stored message. It names no commands, because other programs show it too.
    private var storedAdvice: String {
        switch self {
        case .recordTooLarge, .fieldTooLarge:
            "Look for an unclosed quote near this line, or shorten the text and import the row again."
        case .dateAmbiguous:
            "Write the date as 2026-04-02, or specify the order of day and month when you import the corrections."
        default: advice.description
        }
    }

    /// The sentence, the details if any, and the advice.
    package func message(_ details: String = "") -> String {
        [sentence, details, storedAdvice].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Warning {
    /// A warning with the code's own sentence, or with a more specific message.
    package init(_ reason: ReasonCode, field: String? = nil, value: String = "", message: String? = nil) {
        self.init(code: reason.code, field: field, value: value, message: message ?? reason.sentence)
    }
}
