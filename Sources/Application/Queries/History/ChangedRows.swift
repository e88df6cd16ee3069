import Books
import Contract
import Database
import Store
import System

/// Compares rows of the library at the beginning and at the end of an interval of runs.
struct ChangedRows {
    private let connection: Connection
    private let interval: RunInterval
    private let works: RowPair
    private let editions: RowPair
    private let entries: RowPair
    private let authors: RowPair
    private let contributors: (before: PastRows, after: PastRows)
    private let aliases: PastRows
    private let libraryName: Statement
    private let formatName: Statement
    private let sources: LineageSources

    init(in interval: RunInterval, _ connection: Connection) throws(ETLError) {
        self.connection = connection
        self.interval = interval
        func pair(_ columns: ComparedColumns) throws(ETLError) -> RowPair {
            let states = try interval.states(of: columns.table, columns.all, in: connection)
            return RowPair(columns: columns, before: states.before, after: states.after)
        }
        works = try pair(.works)
        editions = try pair(.editions)
        entries = try pair(.entries)
        authors = try pair(.authors)
        contributors = try interval.states(of: .contributors, ["author"], in: connection)
        aliases = try interval.states(of: .aliases, ["work"], in: connection).after
        libraryName = try connection.query("SELECT name FROM libraries WHERE id = ?1")
        formatName = try connection.query("SELECT format FROM layouts WHERE id = ?1")
        sources = try LineageSources(connection)
    }

    /// The rows to compare; nil for all.
    typealias Selection = [RowChange.Kind: Set<Int64>]

    /// Passes the rows that differ to a closure: works, editions, entries, authors, each in the order in which
    /// they were created.
    func visit(
        _ selection: Selection? = nil, _ body: (RowChange) throws(ETLError) -> Void
    ) throws(ETLError) {
        if let selection {
            for kind in RowChange.Kind.allCases {
                for id in (selection[kind] ?? []).sorted() {
                    if let change = try change(of: id, kind) { try body(change) }
                }
            }
            return
        }
        for kind in RowChange.Kind.allCases {
            let touched = try connection.query(ids(of: kind))
            while try touched.next() {
                if let change = try change(of: touched.integer(0), kind) { try body(change) }
            }
        }
    }

    private func ids(of kind: RowChange.Kind) -> String {
        var rows = interval.touched(kind.table)
        if kind == .work {
            // The list of contributors belongs to the work.
            rows += " UNION SELECT \(ContributorIDs.work()) FROM (\(interval.touched(.contributors)))"
        }
        return "SELECT DISTINCT id FROM (\(rows)) ORDER BY id"
    }

    /// How a row differs; nil if it does not.
    func change(of id: Int64, _ kind: RowChange.Kind) throws(ETLError) -> RowChange? {
        let pair = pair(kind)
        var before = try pair.before.read(id) { RowState($0, pair.columns) }
        var after = try pair.after.read(id) { RowState($0, pair.columns) }
        guard let shown = after ?? before else { return nil }
        if kind == .work {
            before?.values["authors"] = try names(ofWork: id, contributors.before, authors.before)
            after?.values["authors"] = try names(ofWork: id, contributors.after, authors.after)
        }
        if let edition = before?.reference { try resolve(edition, kind, isAfter: false, in: &before) }
        if let edition = after?.reference { try resolve(edition, kind, isAfter: true, in: &after) }
        var change = RowChange(
            kind: kind, effect: before == nil ? .created : after == nil ? .removed : .changed,
            key: try kind == .entry ? entryKey(shown) : shown.key,
            title: try title(of: shown, kind, id, isAfter: after != nil))
        if kind == .work, after == nil,
            case let alias = WorkAlias.stored(shown.key, in: try Keyspace(ofRow: id, in: connection)),
            let work = try aliases.read(key: alias, { $0.integer(0) }),
            let other = try works.after.read(work, { RowState($0, ComparedColumns.works) })
        {
            change.effect = .merged
            change.fields = [.init(field: "mergedInto", before: [], after: [other.key])]
            return change
        }
        for name in pair.columns.names + ["authors", "work", "edition"] {
            let values = (before?.values[name] ?? [], after?.values[name] ?? [])
            guard values.0 != values.1 else { continue }
            var field = RowChange.FieldChange(field: name, before: values.0, after: values.1)
            if let noted = pair.columns.field(name), let origin = after?.lineage.origin(of: noted) {
                field.source = try sources.source(origin.source)
                field.rule = origin.rule
            }
            change.fields.append(field)
        }
        return change.fields.isEmpty && change.effect == .changed ? nil : change
    }

    private func pair(_ kind: RowChange.Kind) -> RowPair {
        switch kind {
        case .work: works
        case .edition: editions
        case .entry: entries
        case .author: authors
        }
    }

    /// Adds the key of the work or edition that a row refers to.
    private func resolve(
        _ id: Int64, _ kind: RowChange.Kind, isAfter: Bool, in state: inout RowState?
    ) throws(ETLError) {
        let (name, target) = kind == .entry ? ("edition", editions) : ("work", works)
        let rows = isAfter ? target.after : target.before
        state?.values[name] = try rows.read(id) { [RowState($0, target.columns).key] }
    }

    private func names(
        ofWork work: Int64, _ contributors: PastRows, _ authors: PastRows
    ) throws(ETLError) -> [String] {
        var names: [String] = []
        while let author = try contributors.read(
            ContributorIDs.id(work: work, position: names.count), { $0.integer(0) })
        {
            names.append(
                try authors.read(author) { RowState($0, .authors).values["name"]?.first ?? "" } ?? "")
        }
        return names
    }

    private func entryKey(_ entry: RowState) throws(ETLError) -> String {
        func name(_ query: Statement, _ id: Int64) throws(ETLError) -> String {
            query.bind(1, id)
            defer { query.reset() }
            return try query.next() ? query.string(0) : ""
        }
        return try "\(name(libraryName, entry.library))/\(name(formatName, entry.layout))/\(entry.key)"
    }

    /// The title of a work or edition, of an entry's edition, or the name of an author.
    private func title(
        of state: RowState, _ kind: RowChange.Kind, _ id: Int64, isAfter: Bool
    ) throws(ETLError) -> String? {
        func title(ofEdition edition: RowState?, _ work: RowState?) -> String? {
            let texts = (edition?.values["editionTitle"]?.first, work?.values["title"]?.first)
            let title = ShownTitle(edition: texts.0, work: texts.1)
            return title.text.isEmpty ? nil : title.text
        }
        switch kind {
        case .author: return state.values["name"]?.first
        case .work:
            // The edition that was created with the work has its id.
            let edition = try (isAfter ? editions.after : editions.before).read(id) {
                RowState($0, .editions)
            }
            return title(ofEdition: edition?.reference == id ? edition : nil, state)
        case .edition:
            let work = try state.reference.flatMap { (work) throws(ETLError) in
                try (isAfter ? works.after : works.before).read(work) { RowState($0, .works) }
            }
            return title(ofEdition: state, work)
        case .entry:
            guard let id = state.reference else { return nil }
            let edition = try (isAfter ? editions.after : editions.before).read(id) {
                RowState($0, .editions)
            }
            return try edition.flatMap { (edition) throws(ETLError) in
                try self.title(of: edition, .edition, id, isAfter: isAfter)
            }
        }
    }
}

/// The rows of a table at two points of time.
private struct RowPair {
    let columns: ComparedColumns
    let before: PastRows
    let after: PastRows
}

/// A row at one point of time.
private struct RowState {
    let key: String
    let lineage: Lineage
    /// The edition of an entry, or the work of an edition.
    let reference: Int64?
    /// Row ids of an entry's library and layout.
    let library: Int64
    let layout: Int64
    /// The values that there are, by the name of their field.
    var values: [String: [String]] = [:]

    init(_ row: Statement, _ columns: ComparedColumns) {
        var index = Int32(columns.names.count)
        key = row.string(index)
        lineage = columns.hasLineage ? Lineage(decoding: row.bytes(index + 1)) : Lineage(decoding: [])
        index += columns.hasLineage ? 2 : 1
        reference = columns.reference == nil ? nil : row.integer(index)
        let isEntry = columns.table == .entries
        library = isEntry ? row.integer(index + 1) : 0
        layout = isEntry ? row.integer(index + 2) : 0
        for (number, name) in columns.names.enumerated() {
            guard let text = row.optionalString(Int32(number)), !text.isEmpty else { continue }
            values[name] = columns.values(of: name, text)
        }
    }
}

/// The columns of a table that are compared, with the names of their fields.
private struct ComparedColumns {
    let table: JournaledTable
    let names: [String]
    let fields: [Field]
    private let columns: [String]
    private let key: String
    let hasLineage: Bool
    let reference: String?

    private init(
        _ table: JournaledTable, _ columns: [String], names: [String], fields: [Field] = [],
        key: String = "key",
        hasLineage: Bool = false, reference: String? = nil
    ) {
        self.table = table
        self.columns = columns
        self.names = names
        self.fields = fields
        self.key = key
        self.hasLineage = hasLineage
        self.reference = reference
    }

    /// The columns to read, in the order in which ``RowState`` expects them.
    var all: [String] {
        columns + [key] + (hasLineage ? ["lineage"] : []) + (reference.map { [$0] } ?? [])
            + (table == .entries ? ["library", "layout"] : [])
    }

    func field(_ name: String) -> Field? {
        if table == .works, name == "authors" { return .authorName }
        return names.firstIndex(of: name).flatMap { fields.indices.contains($0) ? fields[$0] : nil }
    }

    /// The stored text as one value or as the elements of a list.
    func values(of name: String, _ text: String) -> [String] {
        switch field(name) {
        case .seriesName: return StoredSeries.read(text).map(\.description)
        case .some(let field) where field.isList: return StoredList.strings(text)
        default: break
        }
        if name == "earlierReadings" { return StoredList.strings(text) }
        guard let number = Int(text) else { return [text] }
        func named(_ names: [String]) -> [String] {
            names.indices.contains(number) ? [names[number]] : [text]
        }
        return switch name {
        case "reviewStatus": named(ReviewStatus.allCases.map(\.contractName))
        case "gender": named(AuthorGender.allCases.map(\.contractName))
        case "culturalRegion": named(CulturalRegion.allCases.map(\.contractName))
        case "identification": named(Identification.allCases.map { String(describing: $0) })
        default: [text]
        }
    }

    static let works = ComparedColumns(
        .works, WorkColumns.names + ["review_status"],
        names: WorkColumns.fields.map(\.name) + ["reviewStatus"], fields: WorkColumns.fields,
        hasLineage: true)
    static let editions = ComparedColumns(
        .editions, EditionColumns.names, names: EditionColumns.fields.map(\.name),
        fields: EditionColumns.fields, hasLineage: true, reference: "work")
    static let entries = ComparedColumns(
        .entries,
        [
            "rating", "shelf", "shelves", "date_read", "date_added", "read_count", "owned_copies", "review",
            "notes", "date_started", "earlier_readings",
        ] + EditableField.copyDetails.compactMap(\.column),
        names: [
            "rating", "shelf", "shelves", "dateRead", "dateAdded", "readCount", "ownedCopies", "review",
            "notes", "dateStarted", "earlierReadings",
        ] + EditableField.copyDetails.map(\.name), key: "source_id", reference: "edition")
    static let authors = ComparedColumns(
        .authors,
        [
            "name", "gender", "region", "nationality", "birth_year", "death_year", "open_library", "wikidata",
            "identification",
        ],
        names: [
            "name", "gender", "culturalRegion", "nationality", "birthYear", "deathYear", "openLibraryID",
            "wikidata", "identification",
        ])
}

extension RowChange.Kind {
    fileprivate var table: JournaledTable {
        switch self {
        case .work: .works
        case .edition: .editions
        case .entry: .entries
        case .author: .authors
        }
    }
}
