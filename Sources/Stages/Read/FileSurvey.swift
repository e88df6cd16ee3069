import Pipeline

extension LibrarySurvey.File {
    /// What is known of a file before its records are read.
    init(_ file: LibraryFile) throws(StageFailure) {
        self.init(
            fingerprint: try file.input.fingerprint(), profile: file.format.name,
            encoding: file.text?.encoding.encoding, dialect: file.text?.dialect.dialect, recordCount: 0,
            preambleCount: file.text?.preamble.count ?? 0)
    }

    /// Reads the whole file in one go.
    init(reading file: LibraryFile) throws(StageFailure) {
        try self.init(file)
        if let text = file.text {
            var reader = try TextSurvey(file, text, until: nil)
            while try reader.readOn(into: &self) {}
        } else {
            var reader = try RecordSurvey(file, until: nil)
            while try reader.readOn(into: &self) {}
        }
    }
}

/// A column that holds dates.
private struct DateColumn {
    var column: Int
    /// Whether they tell how old an export is.
    var tellsAge: Bool

    static func all(of file: LibraryFile) -> [DateColumn] {
        let fields: [LibraryField] = [.dateAdded, .dateRead, .dateStarted, .purchaseDate]
        return fields.compactMap { field in
            file.columns[field].map {
                DateColumn(column: $0, tellsAge: field == .dateAdded || field == .dateRead)
            }
        }
    }
}

/// Counts the records of delimited text and looks at its dates, in the bytes as they stand: nothing is copied.
struct TextSurvey: ~Copyable {
    private var reader: RecordReader
    private var passed = PassedRecords()
    private let start: Position
    private let columns: [DateColumn]
    private let latest: CalendarDate?

    init(_ file: LibraryFile, _ text: DelimitedText, until latest: CalendarDate?) throws(StageFailure) {
        reader = try file.records(of: text, from: file.start)
        start = file.start
        columns = DateColumn.all(of: file)
        self.latest = latest
    }

    /// Takes one look; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(StageFailure) -> Bool {
        var dates = entry.dates
        let (columns, latest) = (columns, latest)
        let isMore = try reader.passOn(counting: &passed) { cells, bytes in
            for one in columns where one.column < cells.count {
                let cell = cells[cells.startIndex + one.column]
                guard !cell.isEmpty else { continue }
                dates.note(
                    UnsafeRawBufferPointer(rebasing: bytes[cell.range]), tellsAge: one.tellsAge, until: latest
                )
            }
        }
        entry.dates = dates
        entry.recordCount = passed.count
        entry.cutOff = passed.cutOff.map { (start.record + $0.records, start.line + $0.lines) }
        return isMore
    }
}

/// Counts the records of a syntax of its own and looks at its dates.
struct RecordSurvey: ~Copyable {
    private var reader: any RecordStream & ~Copyable
    private let columns: [DateColumn]
    private let latest: CalendarDate?
    private var cells: [Text] = []
    private var records: [Record] = []
    /// The records' bytes: one memory for all, for nobody keeps any.
    private var arena = Arena(capacity: 1 << 20)

    init(_ file: LibraryFile, until latest: CalendarDate?) throws(StageFailure) {
        reader = try file.records()
        columns = DateColumn.all(of: file)
        self.latest = latest
    }

    /// Takes about a MiB; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(StageFailure) -> Bool {
        cells.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        arena.removeAll()
        guard
            try reader.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: 1024, maxBytes: 1 << 20)
        else { return false }
        for record in records where !record.isBlank {
            entry.recordCount += 1
            if record.flags.contains(.cutShort) {
                entry.cutOff = (record.position.record, record.position.line)
            }
            for one in columns where one.column < record.cells.count {
                arena.withBytes(cells[record.cells.lowerBound + one.column]) {
                    entry.dates.note($0, tellsAge: one.tellsAge, until: latest)
                }
            }
        }
        return true
    }
}
