/// Which comes first in dates that have their year last: `16/10/2020` or `10/16/2020`.
///
/// A date that can be read in one order alone is read in that one, whatever is said of the others.
public enum DateOrder: String, Sendable, Hashable, Codable, CaseIterable {
    /// As nearly everywhere, and where nothing is known.
    case dayFirst = "day-first"
    /// As in the United States.
    case monthFirst = "month-first"

    /// What a word for it must be, to follow "must be".
    package static let requirement = allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")

    /// The other one.
    var opposite: DateOrder { self == .dayFirst ? .monthFirst : .dayFirst }
}
