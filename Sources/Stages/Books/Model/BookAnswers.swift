public import Bytes
public import Services

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
