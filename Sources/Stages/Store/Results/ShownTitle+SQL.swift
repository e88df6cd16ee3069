package import Books

extension ShownTitle {
    /// The SQL expression for the title under which an edition `d` of a work `w` is shown; NULL if it has none.
    ///
    /// Queries name these tables `d` and `w` everywhere.
    package static let sql = "coalesce(d.title, w.title)"

    /// The SQL expression for the title under which a work is shown where no edition of it is at hand: that of its
    /// first edition with a title, which is in the row by which it was imported.
    ///
    /// - Parameter alias: The alias of the works.
    package static func sql(ofWork alias: String) -> String {
        """
        coalesce((SELECT t.title FROM editions t
            WHERE \(EditionsOfWork.condition(work: "\(alias).id", alias: "t.")) AND t.title IS NOT NULL
            ORDER BY t.id LIMIT 1), \(alias).title)
        """
    }
}
