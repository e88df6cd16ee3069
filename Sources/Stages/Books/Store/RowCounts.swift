/// How many rows a change of the library deletes and restores.
package struct RowCounts: Sendable, Hashable, Codable {
    /// Rows of one table.
    package struct Count: Sendable, Hashable, Codable {
        package var deleted: Int
        /// Rows that had been changed or deleted.
        package var restored: Int
    }

    package var works: Count
    package var editions: Count
    package var authors: Count
    package var entries: Count
}
