/// How one value, or several, are chosen for a field from what the providers offer.
public enum FieldRule: Sendable, Hashable {
    /// The first non-empty in the providers' order. A field that repeats takes all values of that one
    /// candidate.
    case priority
    /// The named provider's, else by priority.
    case prefer(Provider)
    /// The longest text, counted in Unicode scalars; the earlier provider's where two are as long.
    case longest
    /// What most candidates say; the earlier provider's where two are said as often.
    case majority
    /// The smallest number or earliest date.
    case earliest
    /// The largest number or latest date.
    case newest
    /// Everything, each value once, in the providers' order.
    case union

    /// Reads a rule as a pipeline file spells it: `priority`, `longest`, `majority`, `earliest`, `newest`,
    /// `union`, `prefer:google-books`.
    public init?(name: some StringProtocol) {
        switch name {
        case "priority": self = .priority
        case "longest": self = .longest
        case "majority": self = .majority
        case "earliest": self = .earliest
        case "newest": self = .newest
        case "union": self = .union
        default:
            guard name.hasPrefix("prefer:"),
                let provider = Provider.allCases.first(where: { $0.contractName == name.dropFirst(7) })
            else { return nil }
            self = .prefer(provider)
        }
    }

    /// The spelling that ``init(name:)`` reads.
    public var name: String {
        switch self {
        case .priority: "priority"
        case .prefer(let provider): "prefer:\(provider.contractName)"
        case .longest: "longest"
        case .majority: "majority"
        case .earliest: "earliest"
        case .newest: "newest"
        case .union: "union"
        }
    }

    /// What lineage says of a value this rule chose among several.
    var lineage: MergeRule {
        switch self {
        case .priority: .firstInOrder
        case .prefer: .preferredProvider
        case .longest: .longest
        case .majority: .majority
        case .earliest: .earliest
        case .newest: .newest
        case .union: .union
        }
    }
}
