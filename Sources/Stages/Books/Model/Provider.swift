/// Who answers look-ups (contract.md section 3, `DataProvider`): a closed list, strict clients fail on any other.
///
/// The offline catalog answers under the name of the provider whose dump it was built from.
public enum Provider: UInt8, Sendable, CaseIterable, Hashable {
    case openLibrary = 1
    case googleBooks, isbndb, gemini

    /// The contract's spelling, with hyphens.
    public var contractName: String {
        switch self {
        case .openLibrary: "openlibrary"
        case .googleBooks: "google-books"
        case .isbndb: "isbndb"
        case .gemini: "gemini"
        }
    }
}
