/// What a provider answered to a batch of ``BookQuestions``: one answer for each question, in their order.
public struct BookAnswers: Sendable {
    /// The bytes that all texts point into.
    public var arena: Arena
    public var answers: [BookAnswer]
    /// Values of all answers.
    public var values: [CandidateValue]

    public init(arena: Arena = Arena(), answers: [BookAnswer] = [], values: [CandidateValue] = []) {
        self.arena = arena
        self.answers = answers
        self.values = values
    }
}

/// A provider's answer to one question.
public struct BookAnswer: Sendable, Hashable {
    public var outcome: LookUpOutcome
    /// The provider's own record, `OL7353617M`; empty unless found.
    public var record: Text
    /// Whether the provider knows no work of this book, only the edition (contract.md section 5).
    public var isSynthetic: Bool
    /// Its values, in ``BookAnswers/values``; empty unless found.
    public var values: Range<Int>

    public init(
        _ outcome: LookUpOutcome, record: Text = .none, isSynthetic: Bool = false, values: Range<Int> = 0..<0
    ) {
        self.outcome = outcome
        self.record = record
        self.isSynthetic = isSynthetic
        self.values = values
    }
}
