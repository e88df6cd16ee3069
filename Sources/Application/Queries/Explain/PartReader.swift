import Books
import Bytes
import Contract
import Database
import Pipeline
import Store
import System

/// Reads a work or an edition with the origin of each value, and collects the sources it finds.
struct PartReader {
    private let offers: SourceValues
    private let work: Statement
    private let edition: Statement
    private let aliases: Statement
    private let edits: StoredEdits
    /// Sources found so far, in the order in which they were found.
    private(set) var sources: [Lineage.Source] = []

    init(_ connection: Connection) throws(ETLError) {
        offers = try SourceValues(connection)
        work = try connection.query(
            "SELECT \(WorkColumns.names.joined(separator: ",")), key, lineage, providers, quality, review_status "
                + "FROM works WHERE id = ?1")
        edition = try connection.query(
            "SELECT \(EditionColumns.names.joined(separator: ",")), key, lineage, providers, quality "
                + "FROM editions WHERE id = ?1")
        aliases = try connection.query("SELECT key FROM aliases WHERE work = ?1 ORDER BY key")
        edits = try StoredEdits(connection)
    }

    /// - Parameters:
    ///   - authors: Names of the work's authors, whose origin is stored with the work.
    ///   - entries: Entries of the work. They may have values that lost, even if the lineage does not name
    ///     them.
    mutating func work(
        _ id: Int64, authors: [String], entries: [Int64]
    ) throws(ETLError) -> Explanation.Part? {
        work.bind(1, id)
        defer { work.reset() }
        guard try work.next() else { return nil }
        let count = Int32(WorkColumns.count)
        var part = try part(
            work, WorkColumns.fields, authors: authors, entries: entries, edits: try edits(.work, id))
        part.reviewStatus = ReviewStatus(rawValue: UInt8(truncatingIfNeeded: work.integer(count + 4)))
        aliases.bind(1, id)
        while try aliases.next() { part.aliases.append(WorkAlias.key(ofStored: aliases.string(0))) }
        return part
    }

    /// - Parameter entries: Entries of the edition.
    mutating func edition(_ id: Int64, entries: [Int64]) throws(ETLError) -> Explanation.Part? {
        edition.bind(1, id)
        defer { edition.reset() }
        guard try edition.next() else { return nil }
        return try part(
            edition, EditionColumns.fields, authors: [], entries: entries, edits: try edits(.edition, id))
    }

    private func edits(_ part: EditableField.Part, _ id: Int64) throws(ETLError) -> [Field: StoredEdits
        .Edit]
    {
        let all = try edits.edits(of: part, id)
        return Dictionary(
            all.compactMap { edit in edit.field.field.map { ($0, edit) } },
            uniquingKeysWith: { first, _ in first })
    }

    private mutating func part(
        _ row: Statement, _ fields: [Field], authors: [String], entries: [Int64],
        edits: [Field: StoredEdits.Edit]
    ) throws(ETLError) -> Explanation.Part {
        var next = RowCursor(row, at: Int32(fields.count))
        let key = next.text() ?? ""
        let lineage = Lineage(decoding: row.bytes(Int32(fields.count) + 1))
        next = RowCursor(row, at: Int32(fields.count) + 2)
        let providers = next.providers()
        for source in lineage.sources where !sources.contains(source) { sources.append(source) }
        let others = entries.map { Lineage.Source.entry($0) }.filter { !lineage.sources.contains($0) }
        var asked: [(source: Lineage.Source, offer: SourceValues.Offer)] = []
        for source in lineage.sources + others {
            if let offer = try offers.offer(of: source) { asked.append((source, offer)) }
        }
        var traces: [Explanation.FieldTrace] = []
        for (column, field) in fields.enumerated() {
            let stored = row.optionalString(Int32(column)) ?? ""
            // A field that the user has emptied is shown.
            guard !stored.isEmpty || edits[field] != nil else { continue }
            let values = field.isList ? Self.values(ofList: stored, field) : stored.isEmpty ? [] : [stored]
            traces.append(Self.trace(field, values, lineage, asked, edits[field]))
        }
        if !authors.isEmpty {
            traces.append(
                Self.trace(.authorName, authors, lineage, asked, edits[.authorName]))
        }
        return Explanation.Part(key: key, fields: traces, quality: Int(next.integer()), providers: providers)
    }

    /// The elements of a stored list. A series is an object with name and number.
    private static func values(ofList stored: String, _ field: Field) -> [String] {
        field == .seriesName ? StoredSeries.read(stored).map(\.description) : StoredList.strings(stored)
    }

    private static func trace(
        _ field: Field, _ values: [String], _ lineage: Lineage,
        _ asked: [(source: Lineage.Source, offer: SourceValues.Offer)], _ edit: StoredEdits.Edit?
    ) -> Explanation.FieldTrace {
        let origin = lineage.origin(of: field)
        let origins = lineage.origins(of: field, count: values.count)
        var trace = Explanation.FieldTrace(
            field: field, values: values, source: nil, rule: origin?.rule, lost: [], isLocked: edit != nil)
        if origin?.source == .user { trace.source = .user(editedAt: edit?.editedAt) }
        for (source, offer) in asked {
            if source == .user { continue }
            if source == origin?.source { trace.source = offer.source }
            if source == origin?.source || origins.contains(where: { $0.source == source }) { continue }
            let lost = (offer.values[field] ?? []).filter { !agrees($0, with: values) }
            if !lost.isEmpty { trace.lost.append(.init(source: offer.source, values: lost)) }
        }
        if origins.contains(where: { $0 != origins[0] }) {
            let named = Dictionary(asked.map { ($0.source, $0.offer.source) }) { first, _ in first }
            trace.elements = zip(values, origins).map { value, origin in
                let source: Explanation.Source? =
                    origin.source == .user ? .user(editedAt: edit?.editedAt) : named[origin.source]
                return .init(value: value, source: source, rule: origin.rule)
            }
        }
        return trace
    }

    /// Whether a value equals one of the stored values, or differs only in spelling or length: `1965` and
    /// `1965-08-01`.
    private static func agrees(_ value: String, with stored: [String]) -> Bool {
        let folded = Folding.fold(value)
        return stored.contains { $0 == value || $0.hasPrefix(value) || Folding.fold($0) == folded }
    }
}
