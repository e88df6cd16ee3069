/// How far a record can be trusted (contract.md section 3).
public enum ReviewStatus: UInt8, Sendable, CaseIterable, Hashable {
    /// At least one provider matched by ISBN.
    case verified
    /// Matched by title and author, or not at all.
    case needsReview
    /// Corrected by the reader; never overwritten.
    case userEdited

    /// The contract's spelling.
    public var contractName: String {
        switch self {
        case .verified: "verified"
        case .needsReview: "needsReview"
        case .userEdited: "userEdited"
        }
    }
}
