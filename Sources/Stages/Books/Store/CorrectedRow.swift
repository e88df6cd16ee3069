package import Pipeline

/// A record that was turned away, as its reader has mended it.
package struct CorrectedRow: Sendable, Hashable {
    /// What its cells stand under.
    package struct Layout: Sendable, Hashable {
        /// The profile that reads them.
        package var profile: String
        /// The columns' names, as the source has them.
        package var names: [String]

        package init(profile: String, names: [String]) {
            self.profile = profile
            self.names = names
        }
    }

    /// Where the record stands in the job's input.
    package var position: Position
    package var layout: Layout
    package var cells: [String]
    /// How its dates are read that have their year last; nil where it is as those of its file.
    package var dateOrder: DateOrder?
    /// Whether it has a date that may be read in two ways, and nothing tells in which.
    package var isDateOpen = false
    /// Whether only the beginning of its reject was kept: its list could not have the whole record, and what is missing
    /// there is nothing that its reader has cleared.
    package var isCutOff: Bool

    package init(
        position: Position, layout: Layout, cells: [String], isCutOff: Bool = false
    ) {
        self.position = position
        self.layout = layout
        self.cells = cells
        self.isCutOff = isCutOff
    }
}
