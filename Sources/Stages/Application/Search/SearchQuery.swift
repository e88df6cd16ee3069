package import Books
import Bytes

/// What a search asks for (API contract v2.1 section 6.1).
package enum SearchQuery: Sendable, Hashable {
    /// Characters a text of Latin letters must have.
    package static let shortest = 2

    case isbn(ISBN)
    /// Words of a title.
    case title(String)
    /// Words of an author's name.
    case author(String)
    /// Words of both; at least one is not empty.
    case advanced(title: String, author: String)

    /// Words of the title; empty for any.
    var title: String {
        switch self {
        case .title(let title), .advanced(let title, _): title
        case .isbn, .author: ""
        }
    }

    /// Words of the author's name; empty for any.
    var author: String {
        switch self {
        case .author(let author), .advanced(_, let author): author
        case .isbn, .title: ""
        }
    }

    /// Why the question cannot be asked; nil where it can. A parameter, its value and a sentence.
    package var refusal: ResponseError? {
        if case .isbn = self { return nil }
        for (name, text) in [("title", title), ("author", author)] where !text.isEmpty {
            if Folding.fold(text).isEmpty {
                return .invalidQuery(
                    name, value: text, reason: "Search for a \(name) with letters or figures in it.")
            }
            // Where a character is a word, one is enough.
            if text.count < Self.shortest, text.unicodeScalars.allSatisfy(\.isASCII) {
                return .invalidQuery(
                    name, value: text, reason: "Search for a \(name) with two letters or more.")
            }
        }
        guard title.isEmpty, author.isEmpty else { return nil }
        return .invalidQuery("title", value: "", reason: "Name a title, an author or both.")
    }
}
