/// The ids of contributors: those of a work stand together, in their order.
package enum ContributorIDs {
    private static let bits: Int64 = 16
    /// Contributors of a work at the most.
    static let mostOfWork = 1 << 16

    /// - Parameter position: Below ``mostOfWork``.
    static func id(work: Int64, position: Int) -> Int64 { work << bits | Int64(position) }

    /// What contributors of a work meet, as SQL.
    ///
    /// - Parameters:
    ///   - work: The work's id, an SQL expression.
    ///   - alias: The table's name with a point.
    package static func condition(work: String, alias: String = "") -> String {
        "\(alias)id BETWEEN \(work) << \(bits) AND (\(work) << \(bits)) + \(mostOfWork - 1)"
    }

    /// The id of a contributor's work, as SQL.
    package static func work(alias: String = "") -> String { "\(alias)id >> \(bits)" }
}
