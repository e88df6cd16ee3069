/// The format of an edition (contract.md section 3). There is no "unknown".
public enum EditionFormat: UInt8, Sendable, CaseIterable, Hashable {
    case hardcover, paperback, ebook, audiobook, massMarket

    /// The contract's spelling.
    public var contractName: String {
        switch self {
        case .hardcover: "Hardcover"
        case .paperback: "Paperback"
        case .ebook: "E-book"
        case .audiobook: "Audiobook"
        case .massMarket: "Mass Market"
        }
    }
}
