/// The spellings of names in a calibre library. calibre has one spelling of names that differ only in case: that of
/// the book with the lowest number. So that a library does not depend on its numbers, all books get the spelling of
/// the first one in the export.
final class CalibreSpellings {
    /// A column with names: one of calibre's own, or a custom column by its label.
    enum Column: Hashable {
        case authors, tags, series, publisher
        case custom(String)
    }

    /// Maximum length of a remembered name in bytes. Longer texts are no names.
    private static let longest = 1024

    private var known: [Column: [[UInt8]: String]] = [:]

    /// The spelling of a name in the library. calibre ignores the case of letters in any language, but takes composed
    /// and decomposed letters for different ones. So bytes are compared.
    func spelling(of name: String, in column: Column) -> String {
        guard name.utf8.count <= Self.longest else { return name }
        let key = Array(name.lowercased().utf8)
        if let known = known[column]?[key] { return known }
        known[column, default: [:]][key] = name
        return name
    }

    /// The spelling of a name in a column with several names. There, calibre also makes one blank of several.
    func spelling(ofElement name: String, in column: Column) -> String {
        spelling(of: name.split(whereSeparator: \.isWhitespace).joined(separator: " "), in: column)
    }
}
