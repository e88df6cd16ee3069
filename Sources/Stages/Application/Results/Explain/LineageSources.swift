import Books
import Database
import Pipeline

/// Says who the sources are that a lineage names by row id.
struct LineageSources {
    private let candidate: Statement
    private let entry: Statement

    init(_ connection: Connection) throws(StageFailure) {
        candidate = try connection.question("SELECT provider, record, match FROM candidates WHERE id = ?1")
        entry = try connection.question(
            """
            SELECT l.name, y.profile, e.source_id FROM entries e
            JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout WHERE e.id = ?1
            """)
    }

    /// A source by name; nil where there is no such row any more.
    func source(_ source: Lineage.Source) throws(StageFailure) -> Explanation.Source? {
        switch source {
        case .candidate(let id):
            try answer(id).map { .provider($0.provider, record: $0.record, match: $0.match) }
        case .entry(let id): try row(id)
        }
    }

    func answer(_ id: Int64) throws(StageFailure) -> Explanation.Answer? {
        candidate.bind(1, id)
        defer { candidate.reset() }
        guard try candidate.next(),
            let provider = Provider(rawValue: UInt8(truncatingIfNeeded: candidate.integer(0))),
            let match = Candidate.Match(rawValue: UInt8(truncatingIfNeeded: candidate.integer(2)))
        else { return nil }
        return .init(provider: provider, record: candidate.string(1), match: match)
    }

    private func row(_ id: Int64) throws(StageFailure) -> Explanation.Source? {
        entry.bind(1, id)
        defer { entry.reset() }
        guard try entry.next() else { return nil }
        return .row(library: entry.string(0), profile: entry.string(1), sourceID: entry.string(2))
    }
}
