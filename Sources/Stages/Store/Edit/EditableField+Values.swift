import Books
import Bytes
import Pipeline
package import System

/// Reads the values that the user gives to fields.
extension EditableField {
    /// The values of a text: none if it is empty, several for a list, whose elements are separated by
    /// semicolons.
    ///
    /// - Throws: `.usage` if the text is not a value of the field.
    package func values(of text: String) throws(ETLError) -> [String] {
        guard isSettable else {
            throw ETLError(
                .usage, "\(name) cannot be set.",
                advice:
                    "\(UserCommand.mergeBooks) and \(UserCommand.splitBook) change which work an edition belongs to."
            )
        }
        let text = Self.trimmed(text)
        guard !text.isEmpty || self != .title else {
            throw ETLError(.usage, "A book has a title.", advice: "Enter one.")
        }
        guard !text.isEmpty else { return [] }
        if isList {
            var values: [String] = []
            for part in text.split(separator: ";") {
                let value = try value(of: Self.trimmed(String(part)))
                if !value.isEmpty, !values.contains(value) { values.append(value) }
            }
            return values
        }
        let value = try value(of: text)
        return value.isEmpty ? [] : [value]
    }

    /// - Returns: The value as it is stored; empty for none.
    private func value(of text: String) throws(ETLError) -> String {
        switch self {
        case .isbn: return try isbn(text)
        case .firstPublicationYear:
            return try number(
                text, -4_000...9_999, "a year such as 1965; write a minus sign before years BCE")
        case .shelf:
            // As imports read it: `reading` is the shelf `currently-reading`.
            return ReadingStatus(text)?.rawValue ?? text
        case .shelves:
            // Stored with commas, as most exports have them.
            let text = try withoutControls(text)
            return StoredList.shelves(text.replacing(";", with: ",")).deduplicated.joined(separator: ", ")
        case .pageCount: return try number(text, 1...100_000, "a number from 1 to 100000")
        case .readCount, .ownedCopies: return try number(text, 0...100_000, "a number from 0 to 100000")
        case .rating:
            guard let stars = Double(text), stars == 0 || (0.25...5).contains(stars) else {
                throw mistake(text, "a number of stars from 0.25 to 5, or 0 for no rating")
            }
            if stars == 0 { return "" }
            return LibraryEntry.spelled(stars)
        case .dateRead, .dateAdded, .dateStarted, .publicationDate:
            let isFull = text.utf8.count != 7 || self != .publicationDate
            guard isFull, CalendarDate(text)?.description == text else {
                throw mistake(
                    text, self == .publicationDate ? "2005-08-02 or 2005" : "2026-04-02, 2026-04 or 2026")
            }
            return text
        case .language, .originalLanguage:
            guard let code = LanguageNames.code(text) else {
                throw mistake(
                    text, "a language such as French, or its code, such as fr", LanguageNames.english)
            }
            return code
        case .format:
            let formats = EditionFormat.allCases
            // As imports read it: `kindle` is an e-book.
            guard
                let format = formats.first(where: { $0.contractName.lowercased() == text.lowercased() })
                    ?? EditionFormat(text)
            else {
                let names = formats.map(\.contractName)
                throw mistake(text, "one of \(names.joined(separator: ", "))", names)
            }
            return format.contractName
        case .workCover, .editionCover:
            guard text.hasPrefix("https://") || text.hasPrefix("http://"),
                !text.contains(where: \.isWhitespace)
            else { throw mistake(text, "an address that begins with https:// or http://") }
            return text
        default:
            return try withoutControls(text)
        }
    }

    /// The text, which may have line ends and tabs if the field is for long texts, and no other control characters.
    private func withoutControls(_ text: String) throws(ETLError) -> String {
        let isLong = [.review, .notes, .description, .editionDescription].contains(self)
        let hasControls = text.unicodeScalars.contains {
            $0.properties.generalCategory == .control
                && !(isLong && ($0 == "\n" || $0 == "\r" || $0 == "\t"))
        }
        if hasControls { throw mistake(text, "a text without control characters") }
        return text
    }

    private func isbn(_ text: String) throws(ETLError) -> String {
        switch ISBNReader.read(text) {
        case .valid(let isbn): return isbn.isbn13
        case .absent: return ""
        case .repaired(let isbn, _):
            throw mistake(text, "an ISBN with its check digit: did you mean \(isbn.isbn13)?")
        case .impossible(let fault):
            throw ETLError(
                .usage, "`\(text)` is not a value of \(name). \(fault.reason.sentence)",
                advice: "Compare it with the ISBN on the book.")
        }
    }

    /// Whether a cell is what a spreadsheet makes of an ISBN, or the ISBN in another notation.
    ///
    /// - Parameter isbn: An ISBN-13.
    package static func isSpelling(_ cell: String, ofISBN isbn: String) -> Bool {
        guard let isbn = ISBN(isbn) else { return false }
        var cell = cell
        let reading = cell.withUTF8 { ISBNReader.reading(of: UnsafeRawBufferPointer($0)) }
        return reading.verdict.isbn == isbn || reading.candidates.allows(isbn)
    }

    private func number(_ text: String, _ range: ClosedRange<Int>, _ expected: String) throws(ETLError)
        -> String
    {
        guard let number = Int(text), range.contains(number) else { throw mistake(text, expected) }
        return "\(number)"
    }

    /// - Parameter known: Values of which one may have been meant.
    private func mistake(_ text: String, _ expected: String, _ known: [String] = []) -> ETLError {
        let nearest = Spelling.nearest(to: text, among: known).map { "Did you mean `\($0)`? " } ?? ""
        return ETLError(
            .usage, "`\(text)` is not a value of \(name).", advice: UserText("\(nearest)Write \(expected)."))
    }

    /// What a value that was set may rather be: the reading status whose name a new shelf resembles; nil if nothing.
    package func meant(by text: String) -> String? {
        guard self == .shelf, ReadingStatus(text) == nil else { return nil }
        return Spelling.nearest(to: text, among: ReadingStatus.names)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension ETLError {
    /// The message and the advice, for forms and tables that show both in one place.
    package var sentences: String {
        [message, advice?.description].compactMap(\.self).joined(separator: " ")
    }
}
