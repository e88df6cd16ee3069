package import Books
import Bytes
package import Contract

/// A search query.
package enum SearchQuery: Sendable, Hashable {
    /// The minimum length of a text in ASCII letters.
    package static let shortest = 2

    case isbn(ISBN)
    /// Words of a title.
    case title(String)
    /// Words of an author's name.
    case author(String)
    /// Words of both; at least one is not empty.
    case advanced(title: String, author: String)

    /// Whether it asks for one book. Then no index of words is needed.
    package var isByISBN: Bool { if case .isbn = self { true } else { false } }

    /// Words of the title; empty for any title.
    var title: String {
        switch self {
        case .title(let title), .advanced(let title, _): title
        case .isbn, .author: ""
        }
    }

    /// Words of the author's name; empty for any author.
    var author: String {
        switch self {
        case .author(let author), .advanced(_, let author): author
        case .isbn, .title: ""
        }
    }

    /// Why the query cannot be used; nil if it can. The error has the parameter, its value and a sentence.
    package var refusal: ResponseError? {
        if case .isbn = self { return nil }
        for (name, text) in [("title", title), ("author", author)] where !text.isEmpty {
            if Folding.fold(text).isEmpty {
                return .invalidQuery(
                    name, value: text, reason: "The \(name) must contain letters or digits.")
            }
            // In scripts where a character is a word, one is enough.
            if text.count < Self.shortest, text.unicodeScalars.allSatisfy(\.isASCII) {
                return .invalidQuery(
                    name, value: text, reason: "The \(name) must have at least two characters.")
            }
        }
        guard title.isEmpty, author.isEmpty else { return nil }
        return .invalidQuery("title", value: "", reason: "Specify a title, an author or both.")
    }
}
