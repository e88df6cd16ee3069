import Books
import Contract
import Database
import Formats
import Store
import System

/// Reads entries with everything that their rows and their books say, for layouts of other programs.
///
/// Values of the user's row come first; the stored edition and work fill what it lacks.
final class EntryReader {
    private let entry: Statement
    private let layouts: EntryLayouts
    private let contributors: ContributorReader
    private let applied: AppliedRules?
    private var copies = CopyNumbers()

    init(_ connection: Connection) throws(ETLError) {
        entry = try connection.query(
            """
            SELECT l.name, e.layout, e.source_id, e.rating, e.shelf, e.shelves, e.date_read, e.date_added,
                e.read_count, e.owned_copies, e.review, e.notes, e.cells,
                CAST(d.isbn AS TEXT), \(ShownTitle.sql), iif(d.title IS NULL, w.subtitle, d.subtitle),
                d.publisher, d.publication_date, d.page_count, d.format, d.language, d.average_rating,
                d.open_library, d.goodreads, d.asin, d.lineage, w.id, w.series, w.first_publication_year,
                w.original_language, w.genres, w.open_library, w.librarything, e.date_started, e.earlier_readings,
                e.location, e.lent_to, e.price, e.condition, e.barcode, d.id
            FROM entries e JOIN libraries l ON l.id = e.library JOIN editions d ON d.id = e.edition
                JOIN works w ON w.id = d.work WHERE e.id = ?1
            """)
        applied = try AppliedRules(connection)
        layouts = try EntryLayouts(connection)
        contributors = try ContributorReader(connection)
    }

    /// The entry with a row id; nil if it does not exist. Copies of a book are numbered in the order in which they are read.
    func entry(_ id: Int64) throws(ETLError) -> LibraryEntry? {
        entry.bind(1, id)
        defer { entry.reset() }
        guard try entry.next() else { return nil }
        let layout = try layouts.layout(entry.integer(1))
        let stored = StoredEntry(entry)
        let cells = stored.cells.withUnsafeBytes {
            PackedCells.cells($0, keptApart: stored.own[.review] ?? "")
        }
        var row = layout.reader.map { $0.read(cells, stored.dateOrder(of: cells, in: $0)) } ?? EntryRow()
        if let rules = try applied?.rules(ofEntry: id) { row.rename(by: rules) }
        var composer = EntryComposer(layout.formatName, row, stored)
        if row.people.isEmpty { composer.people = try people(of: stored.work) }
        composer.copy = copies.next(stored.library, layout.formatName, stored.edition)
        return composer.entry(
            cells, names: layout.names, fields: layout.reader?.cells ?? [],
            ownColumns: layout.reader?.ownColumns ?? [])
    }

    private func people(of work: Int64) throws(ETLError) -> [LibraryEntry.Contributor] {
        try contributors.all(of: work).map { LibraryEntry.Contributor(name: $0.author.name, role: $0.role) }
    }
}

/// Counts the entries that a library has of one edition from one program: they are copies of it. A bit for each
/// edition, and a number for the few of which there are several.
private struct CopyNumbers {
    private var library = ""
    private var once: [String: RowSet] = [:]
    private var more: [String: [Int64: Int]] = [:]

    /// The number of an entry's copy, from 1. The entries of a library come one after the other.
    mutating func next(_ library: String, _ formatName: String, _ edition: Int64) -> Int {
        if library != self.library { self = CopyNumbers() }
        self.library = library
        if once[formatName]?.contains(edition) != true {
            once[formatName, default: RowSet()].insert(edition)
            return 1
        }
        let number = more[formatName, default: [:]][edition, default: 1] + 1
        more[formatName, default: [:]][edition] = number
        return number
    }
}

/// The stored values of an entry, its edition and its work.
struct StoredEntry {
    let library: String
    let sourceID: String
    /// The user's own values.
    var own: [EntryField: String] = [:]
    let rating: Double?
    let shelves: String
    let dateRead: String
    let readings: StoredReadings
    let cells: [UInt8]
    /// The values of edition and work.
    var book: [EntryField: String] = [:]
    /// Nil if nothing states a format.
    let format: EditionFormat?
    let work: Int64
    /// Row id.
    let edition: Int64
    let series: [StoredSeries]
    let genres: [String]

    /// - Parameter row: The current row of the query in ``EntryReader``.
    init(_ row: Statement) {
        var next = RowCursor(row)
        library = next.text() ?? ""
        _ = next.integer()
        sourceID = next.text() ?? ""
        rating = next.optionalNumber()
        own[.shelf] = next.text()
        shelves = next.text() ?? ""
        dateRead = next.text() ?? ""
        own[.dateAdded] = next.text()
        own[.readCount] = next.optionalInteger().map(String.init)
        own[.ownedCopies] = next.optionalInteger().map(String.init)
        own[.review] = next.text()
        own[.notes] = next.text()
        cells = row.bytes(12)
        next = RowCursor(row, at: 13)
        book[.isbn] = next.text()
        let (title, subtitle) = (next.text(), next.text())
        book[.title] = [title, subtitle].compactMap(\.self).joined(separator: ": ")
        book[.publisher] = next.text()
        book[.publishedDate] = next.text()
        book[.pageCount] = next.optionalInteger().map(String.init)
        let format = next.text()
        book[.language] = next.text()
        book[.averageRating] = next.optionalNumber().map(LibraryEntry.spelled)
        book[.openLibraryEdition] = next.text()
        book[.goodreadsBook] = next.text()
        book[.asin] = next.list().first
        let isAssumed = Lineage(decoding: row.bytes(25)).origin(of: .format)?.rule == .assumed
        self.format = isAssumed ? nil : format.flatMap { EditionFormat(contractName: $0) }
        next = RowCursor(row, at: 26)
        work = next.integer()
        series = StoredSeries.read(next.text() ?? "")
        book[.firstPublicationYear] = next.optionalInteger().map(String.init)
        book[.originalLanguage] = next.text()
        genres = next.list()
        book[.openLibraryWork] = next.text()
        book[.libraryThingWork] = next.list().first
        readings = StoredReadings(started: next.text() ?? "", finished: dateRead, earlier: next.list())
        for field in [EntryField.location, .lentTo, .price, .condition, .barcode] { own[field] = next.text() }
        edition = next.integer()
    }

    /// Order of day and month in the file's dates that end with the year, as the stored dates show.
    func dateOrder(of cells: [String], in reader: EntryRowReader) -> DateOrder {
        let stored: [LibraryField: String] = [.dateRead: dateRead, .dateAdded: own[.dateAdded] ?? ""]
        for (cell, column) in zip(cells, reader.cells) {
            guard let field = column.field, let value = stored[field], !value.isEmpty else { continue }
            let orders = DateOrder.allCases.filter { EntryComposer.date(cell, $0) == value }
            if let order = orders.first, orders.count == 1 { return order }
        }
        return .dayFirst
    }
}
