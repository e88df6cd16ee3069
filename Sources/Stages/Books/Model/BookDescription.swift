public import Bytes

/// What a row says of its book where nobody knows it by an ISBN. Texts are in the questions' arena.
public struct BookDescription: Sendable, Hashable {
    /// The title as the record spells it, not empty.
    public var title: Text
    /// The first author; empty where the record names none. Then nothing is taken, and no service is asked.
    public var author: Text
    /// Year of the reader's edition.
    public var year: Int32?
    /// Year in which the work first appeared.
    public var firstYear: Int32?
    /// ISO 639-1, as two bytes of ASCII; empty where the record tells none.
    public var language: Text
    /// The row's ISBN, which nobody asked before knew.
    public var isbn: ISBN?
    /// What the reader has said in a review: take this record.
    public var chosen: ChosenRecord?
    /// Whether a catalog looks for what is spelled almost alike too, which takes it a hundred times as long.
    public var seeksNearMisses = true

    /// A description by title and author, to which the other facts are added.
    public init(title: Text, author: Text, language: Text = .none) {
        self.title = title
        self.author = author
        self.language = language
    }
}

/// A provider's record that a reader has chosen for a title and an author.
public struct ChosenRecord: Sendable, Hashable {
    /// Whose record it is.
    public var provider: Provider
    /// The provider's own name of it: `OL45804W`.
    public var record: String

    /// A record by its provider and name.
    public init(provider: Provider, record: String) {
        self.provider = provider
        self.record = record
    }
}
