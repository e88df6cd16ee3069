/// The policy table of a merge: one rule a field (contract.md section 5).
///
/// | fields | rule |
/// | --- | --- |
/// | `workKey`, `editionKey` | `prefer:openlibrary`: it knows works, the others know editions |
/// | `workCover`, `editionCover` | `prefer:google-books` |
/// | `description`, `editionDescription` | `longest` |
/// | `subject`, `genre`, identifiers that repeat | `union` |
/// | all others; authors as a whole, under `authorName` | `priority` |
///
/// ISBNs are always united. Series names and numbers are taken from one candidate, so that they stay in step.
public struct MergePolicy: Sendable, Hashable {
    private var rules: [FieldRule]

    /// The table above.
    public init() {
        rules = Array(repeating: .priority, count: 128)
        self[.workKey] = .prefer(.openLibrary)
        self[.editionKey] = .prefer(.openLibrary)
        self[.workCover] = .prefer(.googleBooks)
        self[.editionCover] = .prefer(.googleBooks)
        self[.description] = .longest
        self[.editionDescription] = .longest
        for field in Field.allCases where field.repeats { self[field] = .union }
    }

    /// The table with some fields' rules replaced.
    ///
    /// - Parameter overrides: Rules by field, both by name: `["description": "prefer:google-books"]`.
    public init(overrides: [String: String]) throws(PolicyError) {
        self.init()
        // In the order of names, so that of two mistakes always the same one is told.
        for (fieldName, ruleName) in overrides.sorted(by: { $0.key < $1.key }) {
            guard let field = Field.allCases.first(where: { $0.name == fieldName }) else {
                throw PolicyError(.unknownField, field: fieldName, rule: ruleName)
            }
            guard let rule = FieldRule(name: ruleName) else {
                throw PolicyError(.unknownRule, field: fieldName, rule: ruleName)
            }
            guard field.accepts(rule) else {
                throw PolicyError(.unfitRule, field: fieldName, rule: ruleName)
            }
            self[field] = rule
        }
        self[.seriesNumber] = self[.seriesName]
    }

    /// The table with some fields' rules replaced, as pipeline files and command lines name them.
    ///
    /// - Parameter lines: `field=rule` each; of two for one field the last stands.
    public init(lines: [String]) throws(PolicyError) {
        var overrides: [String: String] = [:]
        for line in lines {
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            overrides[String(sides[0])] = sides.count == 2 ? String(sides[1]) : ""
        }
        try self.init(overrides: overrides)
    }

    /// The rule of a field.
    public private(set) subscript(_ field: Field) -> FieldRule {
        get { rules[Int(field.rawValue)] }
        set { rules[Int(field.rawValue)] = newValue }
    }
}

/// A line of a policy table that cannot be.
public struct PolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the line.
    public enum Kind: Sendable, Hashable {
        /// No field has that name.
        case unknownField
        /// No rule has that name.
        case unknownRule
        /// The rule makes no sense for the field.
        case unfitRule
    }

    /// What is wrong.
    public var kind: Kind
    /// The field's name as the table has it.
    public var field: String
    /// The rule's name as the table has it.
    public var rule: String

    /// An error in the line `field: rule`.
    public init(_ kind: Kind, field: String, rule: String) {
        self.kind = kind
        self.field = field
        self.rule = rule
    }

    /// One sentence; for an unknown rule it lists those there are.
    public var description: String {
        switch kind {
        case .unknownField: "There is no field \"\(field)\" to merge."
        case .unknownRule:
            "There is no merge rule \"\(rule)\": use priority, longest, majority, earliest, newest, union or "
                + "prefer:PROVIDER."
        case .unfitRule: "The merge rule \"\(rule)\" does not fit the field \"\(field)\"."
        }
    }
}

extension Field {
    /// Whether a book may have several values of the field.
    var repeats: Bool {
        switch self {
        case .subject, .genre, .workGoodreadsID, .workLibraryThingID, .workWikidata, .isbn13, .isbn10,
            .editionGoodreadsID, .editionLibraryThingID, .amazonASIN, .googleBooksVolumeID:
            true
        default: false
        }
    }

    /// Whether a policy table may give the field this rule.
    fileprivate func accepts(_ rule: FieldRule) -> Bool {
        switch self {
        case .isbn13, .isbn10, .seriesNumber: return false
        case .authorName, .seriesName:
            switch rule {
            case .priority, .prefer: return true
            default: return false
            }
        default: break
        }
        guard !isOfAuthor else { return false }
        switch rule {
        case .priority, .prefer: return true
        case .union: return repeats
        case .longest, .majority: return !repeats
        case .earliest, .newest: return self == .firstPublicationYear || self == .publicationDate
        }
    }
}

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
