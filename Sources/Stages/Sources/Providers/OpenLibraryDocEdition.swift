import Books
import Syntax

/// The edition of a work that fits a search best, in a row of Open Library's search.
///
/// The row can also have lists of all editions' values, such as `isbn` and `publisher`. They belong to no particular edition,
/// so they are neither requested nor read.
struct OpenLibraryDocEdition {
    /// Its members, as the request names them.
    static let members = [
        "key", "title", "subtitle", "isbn", "language", "publisher", "publish_date", "number_of_pages",
        "format",
        "cover_i",
    ]

    private var key: OpenLibraryKey?
    private var numbers = DumpISBNs()
    /// Of a repeated member, the first counts.
    private var texts: [Field: String] = [:]
    private var cover: Int64?

    /// Reads the member `editions` of a row: `{"docs":[{"key":"/books/OL1M",…}]}`.
    ///
    /// - Returns: The first edition that has a key; nil if there is none.
    static func first(_ reader: inout JSONReader) throws(JSONReadError) -> OpenLibraryDocEdition? {
        var first: OpenLibraryDocEdition?
        guard try reader.peek() == .object else {
            try reader.skip()
            return nil
        }
        try reader.forEachKey { name, reader throws(JSONReadError) in
            guard name == "docs", try reader.peek() == .array else { return }
            try reader.forEachElement { reader throws(JSONReadError) in
                guard first == nil, try reader.peek() == .object else { return }
                var edition = OpenLibraryDocEdition()
                try reader.forEachKey { name, reader throws(JSONReadError) in
                    try edition.take(name, &reader)
                }
                if edition.key != nil { first = edition }
            }
        }
        return first
    }

    private mutating func take(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "key":
            let found = try reader.stringIfAny().flatMap { OpenLibraryKey($0.string) }
            if let found, found.kind == .edition, key == nil { key = found }
        case "title": add(.editionTitle, try reader.stringIfAny()?.string)
        case "subtitle": add(.editionSubtitle, try reader.stringIfAny()?.string)
        case "isbn": try numbers.takeAll(&reader)
        case "language": try takeFirst(.language, &reader) { Languages.twoLetters($0) }
        case "publisher": try takeFirst(.publisher, &reader) { $0 }
        case "publish_date": try takeFirst(.publicationDate, &reader) { $0 }
        case "format": try takeFirst(.format, &reader) { Self.format($0) }
        case "number_of_pages":
            if let pages = try reader.wholeNumber(), (1...99_999).contains(pages) {
                add(.pageCount, String(pages))
            }
        case "cover_i": cover = try reader.wholeNumber().flatMap { $0 > 0 ? $0 : nil }
        default: break
        }
    }

    private static func format(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { EditionFormat(binding: $0)?.contractName }
    }

    /// Takes the first string of a list that has a meaning.
    private mutating func takeFirst(
        _ field: Field, _ reader: inout JSONReader, _ meaning: (String) -> String?
    ) throws(JSONReadError) {
        var first: String?
        try reader.forEachString { text throws(JSONReadError) in
            if first == nil { first = meaning(text.string) }
        }
        add(field, first)
    }

    private mutating func add(_ field: Field, _ text: String?) {
        let text = ServiceTextCleaner.plain(text ?? "")
        if !text.isEmpty, texts[field] == nil { texts[field] = text }
    }

    /// Appends its values, the ISBNs in the order of those of a whole record.
    func append(to packed: inout PackedRecordWriter) {
        guard let key else { return }
        packed.append(.editionKey, key.name)
        var numbers = self.numbers
        numbers.sort()
        packed.append(isbns: numbers.valid)
        for (field, text) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            packed.append(field, text)
        }
        if let cover { packed.append(.editionCover) { EditionDump.appendCover(cover, to: &$0) } }
    }
}
