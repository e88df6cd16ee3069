package import Books
import Bytes
package import Contract

/// A search query.
package enum SearchQuery: Sendable, Hashable {
    case isbn(ISBN)
    /// Words of a title.
    case title(String)
    /// Words of an author's name.
    case author(String)
    /// Words of both; at least one is not empty.
    case advanced(title: String, author: String)
    /// Books that are similar to the one with an ISBN.
    case similar(ISBN)
    /// A text, whose words and meaning count.
    case meaning(String, QueryVector)

    /// Whether it asks for one book.
    package var isByISBN: Bool { if case .isbn = self { true } else { false } }

    /// Whether it needs the index of words.
    package var needsIndex: Bool {
        switch self {
        case .isbn, .similar: false
        case .title, .author, .advanced, .meaning: true
        }
    }

    /// Whether it compares vectors, which only stores have.
    package var isByVector: Bool {
        switch self {
        case .similar, .meaning: true
        case .isbn, .title, .author, .advanced: false
        }
    }

    /// Words of the title; empty for any title.
    package var title: String {
        switch self {
        case .title(let title), .advanced(let title, _): title
        case .meaning(let text, _): text
        case .isbn, .author, .similar: ""
        }
    }

    /// Words of the author's name; empty for any author.
    package var author: String {
        switch self {
        case .author(let author), .advanced(_, let author): author
        case .isbn, .title, .similar, .meaning: ""
        }
    }

    /// Whether nothing is left of its words, such as of a sound mark alone. Nothing is found then.
    var isBlank: Bool {
        !isByISBN && !isByVector && Folding.fold(title).isEmpty && Folding.fold(author).isEmpty
    }

    /// Why the query cannot be used; nil if it can. The error has the parameter, its value and a sentence.
    package var refusal: ResponseError? {
        if case .isbn = self { return nil }
        if case .similar = self { return nil }
        for (name, text) in [("title", title), ("author", author)] where !text.isEmpty {
            if !TextRule.words.accepts(text) {
                return .invalidQuery(name, value: text, reason: TextRule.words.requirement)
            }
        }
        guard title.isEmpty, author.isEmpty else { return nil }
        return .invalidQuery("title", value: "", reason: "Specify a title, an author or both.")
    }
}
