/// A mapping file: which column of a table is which field, in a file of its own (`Pipelines/mappings/`).
package struct ColumnMapping: Sendable, Hashable {
    /// Where it was read, or what it is called.
    package var path: String
    /// The profile's name in the store: letters, digits, `.`, `_` and `-`.
    package var name: String
    /// For each field the names its column may have, tried in order; `#3` is the third column.
    package var columns: [LibraryField: [String]]
    /// The rating that is five stars.
    package var bestRating: Double
    /// What comes first in dates that have their year last; nil where the table itself shows it.
    package var dateOrder: DateOrder?
    /// What is said of the text itself.
    package var text: TextOptions
}
