public import Bytes

/// What a batch asks of a provider: each book once, however many rows want it.
public struct BookQueries: Sendable {
    /// What identifies a book.
    public enum Question: Sendable, Hashable {
        /// By ISBN: the answer is this book and no other.
        case isbn(ISBN)
        /// By title and author: the answer may be another edition, and is none where it is not certain.
        case described(BookDescription)
        /// By the numbers of Open Library's keys: the answer is this work, in this edition where one is named and known.
        case openLibrary(work: Int64, edition: Int64?)
    }

    /// The bytes that titles and authors point into.
    public var arena: Arena
    /// Each distinct book once.
    public var questions: [Question]

    /// Questions whose texts are in `arena`.
    public init(arena: Arena = Arena(), questions: [Question] = []) {
        self.arena = arena
        self.questions = questions
    }
}
