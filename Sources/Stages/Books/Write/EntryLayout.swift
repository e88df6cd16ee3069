/// The columns of an export that entries of a batch stand under.
struct EntryLayout {
    /// The row of `layouts`.
    let id: Int64
    /// What the columns mean.
    let columns: ColumnMap

    /// Whether a record's cells are those of a stored entry, but for what other readers think. A column that one of them
    /// does not have is empty there.
    ///
    /// - Parameter names: The columns that the stored cells stand under.
    func tellsTheSame(_ cells: [String], as stored: [String], under names: [String]) -> Bool {
        let community = [columns[.averageRating], columns[.shelfPositions]]
        let isSameLayout = names == columns.names
        let known = isSameLayout ? [:] : Dictionary(zip(names, stored)) { first, _ in first }
        for column in 0..<max(cells.count, isSameLayout ? stored.count : 0) where !community.contains(column)
        {
            let told = column < cells.count ? cells[column] : ""
            let before: String
            if isSameLayout {
                before = column < stored.count ? stored[column] : ""
            } else {
                before = column < columns.names.count ? known[columns.names[column]] ?? "" : ""
            }
            if told != before { return false }
        }
        return true
    }
}
