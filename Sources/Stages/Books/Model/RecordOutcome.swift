/// What becomes of a record (contract.md section 7): every record ends in exactly one. Raw values are stored.
public enum RecordOutcome: UInt8, Sendable, CaseIterable, Hashable {
    /// Stored, and new to its library.
    case created = 1
    /// Stored: a reader's or bibliographic field changed.
    case updated
    /// Stored, but a provider has not answered yet; a later pass takes it up.
    case pending
    /// Nothing new in it.
    case duplicate
    /// Turned away, with its reason.
    case rejected

    /// The name in outputs.
    public var name: String { String(describing: self) }
}
