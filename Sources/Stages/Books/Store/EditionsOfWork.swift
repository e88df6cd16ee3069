/// The editions of a work: the one that came with it and has its id, and those that an index leads to.
package enum EditionsOfWork {
    /// What editions of a work meet, as SQL.
    ///
    /// - Parameters:
    ///   - work: The work's id, an SQL expression.
    ///   - alias: The table's name with a point.
    package static func condition(work: String, alias: String = "") -> String {
        // Each side says all it needs, so that SQLite finds the one by its id and the others by their index.
        """
        ((\(alias)id = \(work) AND \(alias)work = \(work))
            OR (\(alias)work = \(work) AND \(alias)work <> \(alias)id))
        """
    }
}
