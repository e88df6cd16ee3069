import Bytes
import Pipeline
import Syntax

/// Counts the records of delimited text and looks at its dates, in the bytes as they stand: nothing is copied.
struct TextSurvey: FileSurvey, ~Copyable {
    private var reader: RecordReader
    private var passed = SkippedRecords()
    private let start: Position
    private let columns: [DateColumn]
    private let latest: CalendarDate?

    init(_ file: LibraryFile, _ text: DelimitedText, until latest: CalendarDate?) throws(StageFailure) {
        reader = try file.records(of: text, from: file.start)
        start = file.start
        columns = DateColumn.all(of: file.columns)
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
                    UnsafeRawBufferPointer(rebasing: bytes[cell.range]), showsAge: one.showsAge, until: latest
                )
            }
        }
        entry.dates = dates
        entry.recordCount = passed.count
        entry.cutOff = passed.cutOff.map { (start.record + $0.records, start.line + $0.lines) }
        return isMore
    }
}

/// Looks at the records of one file, portion by portion.
protocol FileSurvey: ~Copyable {
    /// Takes one look, and notes what is known by then; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(StageFailure) -> Bool
}

extension LibraryFile {
    /// Begins to look at the file.
    ///
    /// - Parameter latest: Dates behind it say nothing of how old an export is; nil where nothing is known of today.
    func survey(until latest: CalendarDate?) throws(StageFailure) -> any FileSurvey & ~Copyable {
        if let text { return try TextSurvey(self, text, until: latest) }
        return try RecordSurvey(self, until: latest)
    }
}

/// Counts the records of a syntax of its own and looks at its dates.
struct RecordSurvey: FileSurvey, ~Copyable {
    private var reader: any RecordStream & ~Copyable
    private let columns: [DateColumn]
    private let latest: CalendarDate?
    private var cells: [Text] = []
    private var records: [Record] = []
    /// The records' bytes: one memory for all, for nobody keeps any.
    private var arena = Arena(capacity: 1 << 20)

    init(_ file: LibraryFile, until latest: CalendarDate?) throws(StageFailure) {
        reader = try file.records()
        columns = DateColumn.all(of: file.columns)
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
                    entry.dates.note($0, showsAge: one.showsAge, until: latest)
                }
            }
        }
        return true
    }
}
