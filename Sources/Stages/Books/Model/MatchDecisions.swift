/// What readers have decided in reviews, by ``MatchKey``.
package struct MatchDecisions: Sendable {
    /// What was decided about a title and an author.
    package enum Decision: Sendable, Hashable {
        /// It is this record.
        case accepted(ChosenRecord)
        /// It is none of what was offered.
        case refused
    }

    package var byKey: [String: Decision]

    package init(_ byKey: [String: Decision] = [:]) { self.byKey = byKey }

    package var isEmpty: Bool { byKey.isEmpty }
    package subscript(_ key: String) -> Decision? { byKey[key] }
}
