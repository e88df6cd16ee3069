import Books
import Syntax

/// An ISBNdb book, parsed and packed as a candidate's values.
struct ISBNdbBook {
    private(set) var isbns: [ISBN] = []
    private var title = ""
    private var authors: [PeopleCell.Named] = []
    private var values: [(Field, String)] = []

    /// - Throws: If the bytes are not JSON.
    init(_ json: [UInt8]) throws(JSONReadError) {
        var book = ISBNdbBook()
        try JSONReader.read(json) { reader throws(JSONReadError) in
            try reader.forEachKey { name, reader throws(JSONReadError) in
                try book.read(name, &reader)
            }
            try reader.finish()
        }
        self = book
    }

    private init() {}

    private mutating func read(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "title": title = ServiceTextCleaner.plain(try reader.stringIfAny()?.string ?? "")
        case "isbn13", "isbn10", "isbn":
            guard let isbn = try reader.stringIfAny().flatMap({ ISBN(written: $0.string) }) else { return }
            if !isbns.contains(isbn) { isbns.append(isbn) }
        case "publisher": take(.publisher, try reader.stringIfAny()?.string)
        case "date_published", "publish_date":
            guard !values.contains(where: { $0.0 == .publicationDate }) else { return }
            // A string with or without a time, or only a year.
            if try reader.peek() == .number {
                take(.publicationDate, try reader.integer().map(String.init))
            } else {
                take(
                    .publicationDate,
                    (try reader.stringIfAny()?.string).map { String($0.prefix { $0 != "T" }) })
            }
        case "pages":
            if let pages = try reader.wholeNumber(), (1...99_999).contains(pages) {
                values.append((.pageCount, String(pages)))
            }
        case "binding":
            guard let text = try reader.stringIfAny()?.bytes,
                let format = text.withUnsafeBytes({ EditionFormat(binding: $0) })
            else { return }
            values.append((.format, format.contractName))
        case "language": take(.language, Self.language(try reader.stringIfAny()?.string ?? ""))
        case "image":
            guard let url = try reader.stringIfAny()?.string, url.lowercased().hasPrefix("https://") else {
                return
            }
            take(.editionCover, "https://" + url.dropFirst(8))
        case "synopsis": take(.description, try reader.stringIfAny()?.string)
        case "authors":
            var names: [String] = []
            try reader.forEachString { string throws(JSONReadError) in names.append(string.string) }
            authors = Self.people(names)
        case "subjects":
            try reader.forEachString { string throws(JSONReadError) in self.take(.subject, string.string) }
        default: break
        }
    }

    /// Accepts `en`, `en_US`, `English` and `es,Eng`.
    private static func language(_ text: String) -> String? {
        let first = String(text.prefix { $0 != "," })
        return Languages.twoLetters(first) ?? (first.lowercased() == "english" ? "en" : nil)
    }

    /// Some records have a name that was split at its comma: `["Smith", "Frank"]` is one person.
    private static func people(_ names: [String]) -> [PeopleCell.Named] {
        if names.count == 2, names.allSatisfy({ !$0.contains(" ") && !$0.contains(",") }) {
            return ServiceTextCleaner.people("\(names[0]), \(names[1])")
        }
        return names.flatMap(ServiceTextCleaner.people)
    }

    private mutating func take(_ field: Field, _ text: String?) {
        let plain = ServiceTextCleaner.plain(text ?? "")
        if !plain.isEmpty { values.append((field, plain)) }
    }

    /// A title, and its subtitle if there is a colon followed by a space.
    private static func parts(of title: String) -> (main: String, sub: String) {
        var rest = title.utf8[...]
        // Leading separators have no title before them.
        while rest.starts(with: ": ".utf8) { rest = rest.dropFirst(2) }
        for colon in rest.indices where rest[colon...].starts(with: ": ".utf8) {
            let sub = rest[colon...].dropFirst(2)
            return (String(Substring(rest[..<colon])), String(Substring(sub)))
        }
        return (String(Substring(rest)), "")
    }

    /// The candidate's values, with the title split from its subtitle. The record id is the ISBN.
    var packed: PackedRecordWriter {
        var packed = PackedRecordWriter()
        guard let isbn = isbns.first else { return packed }
        packed.append(.isbndbID, isbn.isbn13)
        let (main, sub) = Self.parts(of: title)
        packed.append(.title, main)
        packed.append(.subtitle, sub)
        packed.append(.editionTitle, main)
        packed.append(.editionSubtitle, sub)
        packed.append(isbns: isbns.sorted())
        for (field, text) in values { packed.append(field, text) }
        packed.append(people: authors)
        return packed
    }
}
