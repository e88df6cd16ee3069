import Books
import Contract
import Database
import Formats
import Store
import Syntax
import System

/// A job's errors as rows of CSV: each record as its source has it, followed by what is wrong with it.
///
/// The list is read twice: once to determine its columns, once to write it. A record with several warnings is
/// one row.
struct ErrorRows: ~Copyable {
    private let job: Job
    private let includesWarnings: Bool
    private let connection: Connection
    private let layouts: [SourceLayout]
    private let entries: EntryCells
    private var raw: RawCells
    private var table: ErrorTable

    init(_ job: Job, includesWarnings: Bool, in connection: Connection) throws(ETLError) {
        var layouts: [SourceLayout] = []
        for index in job.inputs.indices {
            layouts.append(try SourceLayout.of(file: index, of: job, in: connection))
        }
        let entries = try EntryCells(connection)
        self.job = job
        self.includesWarnings = includesWarnings
        self.connection = connection
        self.layouts = layouts
        self.entries = entries
        raw = RawCells()
        table = ErrorTable()
        for layout in layouts { table.add(layout: layout.names) }
    }

    /// The cells of a listed record, and the column names they belong to.
    private typealias Row = (cells: [[UInt8]], layout: [String])

    private mutating func row(of error: ListedError) throws(ETLError) -> Row {
        if let entry = error.entry, let stored = try entries.cells(of: entry) {
            return (stored.cells.map { Array($0.utf8) }, stored.names)
        }
        if let corrected = try corrected(error) { return corrected }
        let layout = layouts.indices.contains(error.fileIndex) ? layouts[error.fileIndex] : .unknown
        let isGivenUp = error.code == ReasonCode.recordUnreadable.code
        return (raw.cells(of: error.raw, layout.syntax, isGivenUp: isGivenUp), layout.names)
    }

    /// Title and first author of a record, by the usual names of their columns; nil if it has neither.
    mutating func book(of error: ListedError) throws(ETLError) -> String? {
        let row = try row(of: error)
        func value(_ names: Set<String>) -> String? {
            for (name, cell) in zip(row.layout, row.cells)
            where names.contains(name.lowercased()) && !cell.isEmpty {
                return String(decoding: cell, as: UTF8.self)
            }
            return nil
        }
        let known = [value(Self.titles), value(Self.authors)].compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    private static let titles: Set<String> = [
        "title", "book title", "titel", "buchtitel", "titre", "título", "titolo",
    ]
    private static let authors: Set<String> = [
        "author", "authors", "primary author", "author (first, last)", "autor", "autorin", "auteur",
        "autore", "creator",
    ]

    /// The record as the user corrected it earlier, if it was rejected again.
    private func corrected(_ error: ListedError) throws(ETLError) -> Row? {
        let place = RecordPlace(file: error.fileIndex, row: error.row)
        let row = try CorrectedRows(connection: connection).row(at: place, job: job.id)
        return row.map { ($0.cells.map { Array($0.utf8) }, $0.layout.names) }
    }

    mutating func write(guardsFormulas: Bool, to sink: ByteSink) throws(ETLError) -> Int {
        let survey = try ListedErrors(job, includesWarnings: includesWarnings, in: connection)
        while let error = try survey.next() {
            let row = try row(of: error)
            table.add(layout: row.layout)
            table.makeRoom(for: row.cells.count, of: row.layout)
        }

        var out = CSVWriter(guardsFormulas: guardsFormulas)
        // An import recognizes by this column that apostrophes were added, and removes them.
        out.record(table.header + (guardsFormulas ? [CorrectedList.guardColumn] : []))
        var count = 0
        let errors = try ListedErrors(job, includesWarnings: includesWarnings, in: connection)
        var upcoming = try errors.next()
        while let first = upcoming {
            var sameRecord = [first]
            upcoming = try errors.next()
            while let next = upcoming, next.row == first.row, next.fileIndex == first.fileIndex {
                sameRecord.append(next)
                upcoming = try errors.next()
            }
            try write(sameRecord, into: &out)
            if guardsFormulas { out.cell(FormulaGuard.mark) }
            out.endRecord()
            count += sameRecord.count
            try out.flush(to: sink)
        }
        try out.flush(to: sink, isEnd: true)
        return count
    }

    private mutating func write(_ errors: [ListedError], into out: inout CSVWriter) throws(ETLError) {
        let first = errors[0]
        let row = try row(of: first)
        for cell in table.row(row.cells, of: row.layout) { cell.withUnsafeBytes { out.cell(utf8: $0) } }
        out.cell(errors.map(\.code).joined(separator: "; "))
        out.cell(errors.map { detail($0) }.joined(separator: " "))
        // No colon between the two numbers, because a spreadsheet would read it as a time of day.
        out.cell(job.inputs.count > 1 ? "\(first.fileIndex + 1)#\(first.row)" : String(first.row))
    }

    private func detail(_ error: ListedError) -> String {
        guard error.rawLength > error.raw.count, error.kind == .reject else { return error.reason }
        return "\(error.reason) Only the first \(error.raw.count) of its \(error.rawLength) bytes are shown."
    }
}

/// The columns of a list of errors: those of all its files, each once, then extra cells beyond any header,
/// then the columns that `etl` adds.
struct ErrorTable {
    private var names: [String] = []
    /// For each layout, where its columns are in the table.
    private var places: [[String]: [Int]] = [:]
    /// Maximum number of cells that a row has beyond its layout.
    private var extraCells = 0

    /// Adds a layout's columns. A name that occurs twice in a layout becomes two columns.
    mutating func add(layout: [String]) {
        guard places[layout] == nil else { return }
        var taken: Set<Int> = []
        places[layout] = layout.map { name in
            let known = names.indices.first { names[$0] == name && !taken.contains($0) }
            if known == nil { names.append(name) }
            let place = known ?? names.count - 1
            taken.insert(place)
            return place
        }
    }

    /// Makes room for a row with this many cells.
    mutating func makeRoom(for cells: Int, of layout: [String]) {
        extraCells = max(extraCells, cells - layout.count)
    }

    /// The header: the sources' own names, numbers for extra cells, and the added columns.
    var header: [String] {
        names + (0..<extraCells).map { "\(CorrectedList.extraColumnPrefix)\(names.count + $0 + 1)" }
            + CorrectedList.addedColumns
    }

    /// A row's cells in the order of the table.
    func row(_ cells: [[UInt8]], of layout: [String]) -> [[UInt8]] {
        var row = [[UInt8]](repeating: [], count: names.count + extraCells)
        let places = places[layout] ?? []
        for (column, cell) in cells.enumerated() {
            let place = column < places.count ? places[column] : names.count + column - places.count
            if row.indices.contains(place) { row[place] = cell }
        }
        return row
    }
}
