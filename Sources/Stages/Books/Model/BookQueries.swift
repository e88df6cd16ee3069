public import Bytes
public import Services

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

/// What a provider answered to a batch of ``BookQueries``: one answer for each question, in their order.
public struct BookAnswers: Sendable {
    /// The bytes that all texts point into.
    public var arena: Arena
    /// One for each question, in their order.
    public var answers: [BookAnswer]
    /// Values of all answers.
    public var values: [CandidateValue]
    /// Books that answers abstained from, by the numbers of these.
    public var options: [Int: [ReviewCandidate]] = [:]

    /// Answers are usually begun with the questions' own arena, so that texts of both are in one.
    public init(arena: Arena = Arena(), answers: [BookAnswer] = [], values: [CandidateValue] = []) {
        self.arena = arena
        self.answers = answers
        self.values = values
    }
}

/// A provider's answer to one question.
public struct BookAnswer: Sendable, Hashable {
    /// How the look-up ended.
    public var outcome: LookupOutcome
    /// The provider's own record, `OL7353617M`; empty unless found.
    public var record: Text
    /// Whether the provider knows no work of this book, only the edition (contract.md section 5).
    public var isSynthetic: Bool
    /// Its values, in ``BookAnswers/values``; empty unless found.
    public var values: Range<Int>

    /// An answer; record and values stay empty unless the outcome is ``LookupOutcome/found``.
    public init(
        _ outcome: LookupOutcome, record: Text = .none, isSynthetic: Bool = false, values: Range<Int> = 0..<0
    ) {
        self.outcome = outcome
        self.record = record
        self.isSynthetic = isSynthetic
        self.values = values
    }
}

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
