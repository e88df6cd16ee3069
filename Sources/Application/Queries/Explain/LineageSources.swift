import Books
import Contract
import Database
import Formats
import Pipeline
import Store
import System

/// Resolves the sources that a lineage names by row id.
struct LineageSources {
    private let candidate: Statement
    private let entry: Statement

    init(_ connection: Connection) throws(ETLError) {
        candidate = try connection.query("SELECT provider, record, match FROM candidates WHERE id = ?1")
        entry = try connection.query(
            """
            SELECT l.name, y.format, e.source_id FROM entries e
            JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout WHERE e.id = ?1
            """)
    }

    /// A source by name; nil if its row is gone.
    func source(_ source: Lineage.Source) throws(ETLError) -> Explanation.Source? {
        switch source {
        case .candidate(let id):
            try answer(id).map { .provider($0.provider, record: $0.record, match: $0.match) }
        case .entry(let id): try row(id)
        case .user: .user(editedAt: nil)
        }
    }

    func answer(_ id: Int64) throws(ETLError) -> Explanation.Answer? {
        candidate.bind(1, id)
        defer { candidate.reset() }
        guard try candidate.next(),
            let provider = Provider(rawValue: UInt8(truncatingIfNeeded: candidate.integer(0))),
            let match = Candidate.Match(rawValue: UInt8(truncatingIfNeeded: candidate.integer(2)))
        else { return nil }
        return .init(provider: provider, record: candidate.string(1), match: match)
    }

    private func row(_ id: Int64) throws(ETLError) -> Explanation.Source? {
        entry.bind(1, id)
        defer { entry.reset() }
        guard try entry.next() else { return nil }
        return .row(library: entry.string(0), formatName: entry.string(1), sourceID: entry.string(2))
    }
}

/// The values of each source of a book, field by field: those that were taken and those that lost.
struct SourceValues {
    /// A source with all its values.
    struct Offer {
        var source: Explanation.Source
        var values: [Field: [String]]
    }

    private let connection: Connection
    private let sources: LineageSources
    private let cells: EntryCells
    private let body: Statement

    init(_ connection: Connection) throws(ETLError) {
        self.connection = connection
        sources = try LineageSources(connection)
        cells = try EntryCells(connection)
        body = try connection.query("SELECT body FROM candidates WHERE id = ?1")
    }

    /// The values of a source; nil if it is gone.
    func offer(of source: Lineage.Source) throws(ETLError) -> Offer? {
        guard let named = try sources.source(source) else { return nil }
        let values: [Field: [String]] =
            switch source {
            case .candidate(let id): try valuesOfCandidate(id)
            case .entry(let id): try valuesOfEntry(id)
            case .user: [:]
            }
        return Offer(source: named, values: values)
    }

    private func valuesOfCandidate(_ id: Int64) throws(ETLError) -> [Field: [String]] {
        body.bind(1, id)
        defer { body.reset() }
        guard try body.next() else { return [:] }
        var values: [Field: [String]] = [:]
        body.withBytes(0) { bytes in
            // Values before a damaged place are still the provider's.
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
                if !text.isEmpty { values[field, default: []].append(text) }
            }
        }
        return values
    }

    /// The row's cells, as far as its format knows what they mean.
    private func valuesOfEntry(_ id: Int64) throws(ETLError) -> [Field: [String]] {
        guard let row = try cells.cells(of: id), let format = try? LibraryFormats.named(row.formatName) else {
            return [:]
        }
        var values: [Field: [String]] = [:]
        for (column, index) in format.fields(HeaderNames(row.names)) where row.cells.indices.contains(index) {
            guard let field = Self.fields[column], !row.cells[index].isEmpty else { continue }
            values[field, default: []].append(row.cells[index])
        }
        return values
    }

    /// The fields of a book that columns of an export can give.
    private static let fields: [LibraryField: Field] = [
        .title: .title, .author: .authorName, .publisher: .publisher, .binding: .format,
        .pageCount: .pageCount,
        .yearPublished: .publicationDate, .originalYear: .firstPublicationYear, .language: .language,
        .averageRating: .averageRating, .series: .seriesName,
    ]
}
