package import Books
import Pipeline

/// The merge policy: one rule per field.
///
/// | fields | rule |
/// | --- | --- |
/// | `workKey`, `editionKey` | `prefer:openlibrary`, the only provider with records of works |
/// | `workCover`, `editionCover` | `prefer:google-books` |
/// | `description`, `editionDescription` | `longest` |
/// | `subject`, `genre`, repeated identifiers | `union` |
/// | all others, and authors as a group under `authorName` | `priority` |
///
/// ISBNs are always a union. Series names and numbers come from one candidate, so that they stay parallel.
package struct MergePolicy: Sendable, Hashable {
    private var rules: [FieldRule]

    /// The policy in the table above.
    package init() {
        rules = Array(repeating: .priority, count: 128)
        self[.workKey] = .prefer(.openLibrary)
        self[.editionKey] = .prefer(.openLibrary)
        self[.workCover] = .prefer(.googleBooks)
        self[.editionCover] = .prefer(.googleBooks)
        self[.description] = .longest
        self[.editionDescription] = .longest
        for field in Field.allCases where field.repeats { self[field] = .union }
    }

    /// The default policy with the rules of some fields replaced.
    ///
    /// - Parameter overrides: Rules by field, both by name: `["description": "prefer:google-books"]`.
    package init(overrides: [String: String]) throws(PolicyError) {
        self.init()
        // Sorted, so that the same one of several errors is always reported.
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

    /// The default policy with the rules of some fields replaced, as in pipeline files and on command lines.
    ///
    /// - Parameter lines: `field=rule` each. The last rule of a field counts.
    package init(lines: [String]) throws(PolicyError) {
        var overrides: [String: String] = [:]
        for line in lines {
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            overrides[String(sides[0])] = sides.count == 2 ? String(sides[1]) : ""
        }
        try self.init(overrides: overrides)
    }

    /// The rule of a field.
    package private(set) subscript(_ field: Field) -> FieldRule {
        get { rules[Int(field.rawValue)] }
        set { rules[Int(field.rawValue)] = newValue }
    }
}

/// An invalid rule in a merge policy.
package struct PolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem with the line.
    package enum Kind: Sendable, Hashable {
        /// No field has that name.
        case unknownField
        /// No rule has that name.
        case unknownRule
        /// The rule makes no sense for the field.
        case unfitRule
    }

    /// The problem.
    package var kind: Kind
    /// The name of the field as given.
    package var field: String
    /// The name of the rule as given.
    package var rule: String

    /// An error in the line `field: rule`.
    package init(_ kind: Kind, field: String, rule: String) {
        self.kind = kind
        self.field = field
        self.rule = rule
    }

    /// The problem, in one sentence.
    package var description: String {
        switch kind {
        case .unknownField: "There is no field `\(field)`."
        case .unknownRule: "There is no merge rule `\(rule)`."
        case .unfitRule: "The merge rule `\(rule)` does not fit the field `\(field)`."
        }
    }

    /// The remedy, in one sentence.
    package var advice: String {
        switch kind {
        case .unknownField:
            Spelling.nearest(to: field, among: Field.allCases.map(\.name)).map { "Did you mean `\($0)`?" }
                ?? "Write `field=rule`, for example `description=longest`."
        case .unknownRule: "Use priority, longest, majority, earliest, newest, union or prefer:PROVIDER."
        case .unfitRule: "Use another rule for this field."
        }
    }
}

extension Field {
    /// Whether a book can have several values of the field.
    var repeats: Bool {
        switch self {
        case .subject, .genre, .workGoodreadsID, .workLibraryThingID, .workWikidata, .isbn13, .isbn10,
            .editionGoodreadsID, .editionLibraryThingID, .amazonASIN, .googleBooksVolumeID, .oclcNumber,
            .lccn:
            true
        default: false
        }
    }

    /// Whether the policy can assign this rule to the field.
    fileprivate func accepts(_ rule: FieldRule) -> Bool {
        switch self {
        case .isbn13, .isbn10, .seriesNumber, .otherEdition: return false
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

/// Rule that chooses a field's value or values from the candidates.
package enum FieldRule: Sendable, Hashable {
    /// The first non-empty value in the order of the providers. For a repeated field, all values of that
    /// candidate.
    case priority
    /// The value of the named provider, otherwise as `priority`.
    case prefer(Provider)
    /// The longest text in Unicode scalars; of equal lengths the earlier provider's.
    case longest
    /// The value of most candidates; with equal counts the earlier provider's.
    case majority
    /// The smallest number or earliest date.
    case earliest
    /// The largest number or latest date.
    case newest
    /// All values without duplicates, in the order of the providers.
    case union

    /// Parses a rule as spelled in a pipeline file: `priority`, `longest`, `majority`, `earliest`, `newest`,
    /// `union`, `prefer:google-books`.
    package init?(name: some StringProtocol) {
        switch name {
        case "priority": self = .priority
        case "longest": self = .longest
        case "majority": self = .majority
        case "earliest": self = .earliest
        case "newest": self = .newest
        case "union": self = .union
        default:
            guard name.hasPrefix("prefer:"),
                let provider = Provider(contractName: name.dropFirst(7))
            else { return nil }
            self = .prefer(provider)
        }
    }

    /// The spelling that ``init(name:)`` parses.
    package var name: String {
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

    /// The rule that lineage stores for a value chosen from several.
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
