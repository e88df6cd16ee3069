/// Which comes first in dates that have their year last: `16/10/2020` or `10/16/2020`.
///
/// A date that can be read in one order alone is read in that one, whatever is said of the others.
public enum DateOrder: String, Sendable, Hashable, Codable {
    /// As nearly everywhere, and where nothing is known.
    case dayFirst = "day-first"
    /// As in the United States.
    case monthFirst = "month-first"
}
