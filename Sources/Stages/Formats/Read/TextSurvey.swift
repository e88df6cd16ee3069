import Books
import Bytes
import Syntax
import System

/// Counts the records of delimited text and examines its dates in place, without copying.
struct TextSurvey: FileSurvey, ~Copyable {
    private var reader: RecordReader
    private var skipped = SkippedRecords()
    private let start: Position
    private let columns: [DateColumn]
    private let latest: CalendarDate?

    init(_ file: LibraryFile, _ text: DelimitedText, until latest: CalendarDate?) throws(ETLError) {
        reader = try file.records(of: text, from: file.start)
        start = file.start
        columns = DateColumn.all(of: file.columns)
        self.latest = latest
    }

    /// Surveys the next part of the file; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(ETLError) -> Bool {
        var dates = entry.dates
        var (use, statuses) = (entry.use, entry.statuses)
        let (columns, latest) = (columns, latest)
        let isMore = try reader.passOn(counting: &skipped) { cells, bytes in
            func cell(_ column: Int) -> UnsafeRawBufferPointer {
                column < cells.count
                    ? UnsafeRawBufferPointer(rebasing: bytes[cells[cells.startIndex + column].range])
                    : UnsafeRawBufferPointer(start: nil, count: 0)
            }
            use.note(cell)
            statuses.note(cell)
            for one in columns where one.column < cells.count {
                let cell = cells[cells.startIndex + one.column]
                guard !cell.isEmpty else { continue }
                dates.note(
                    UnsafeRawBufferPointer(rebasing: bytes[cell.range]), showsAge: one.showsAge, until: latest
                )
            }
        }
        entry.dates = dates
        (entry.use, entry.statuses) = (use, statuses)
        entry.recordCount = skipped.count
        entry.emptyRows = skipped.emptyRows
        entry.undecodable = skipped.undecodable
        entry.cutOff = skipped.cutOff.map { (start.record + $0.records, start.line + $0.lines) }
        return isMore
    }
}

/// Surveys the records of one file, part by part.
protocol FileSurvey: ~Copyable {
    /// Surveys the next part and updates the entry; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(ETLError) -> Bool
}

extension LibraryFile {
    /// Begins a survey of the file.
    ///
    /// - Parameter latest: Later dates do not count for the age of the file; nil to count all dates.
    func survey(until latest: CalendarDate?) throws(ETLError) -> any FileSurvey & ~Copyable {
        if let text { return try TextSurvey(self, text, until: latest) }
        return try RecordSurvey(self, until: latest)
    }
}

/// Counts the records of a structured format and examines its dates.
struct RecordSurvey: FileSurvey, ~Copyable {
    private var reader: any RecordStream & ~Copyable
    private let columns: [DateColumn]
    private let latest: CalendarDate?
    private var cells: [Text] = []
    private var records: [Record] = []
    /// The bytes of the current part, reused for each part.
    private var arena = Arena(capacity: 1 << 20)

    init(_ file: LibraryFile, until latest: CalendarDate?) throws(ETLError) {
        reader = try file.records()
        columns = DateColumn.all(of: file.columns)
        self.latest = latest
    }

    /// Surveys about 1 MiB; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(ETLError) -> Bool {
        cells.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        arena.removeAll()
        guard
            try reader.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: 1024, maxBytes: 1 << 20)
        else { return false }
        for record in records where !record.isBlank {
            entry.recordCount += 1
            if record.flags.contains(.invalidUTF8) { entry.undecodable += 1 }
            if record.flags.contains(.cutShort) {
                entry.cutOff = (record.position.record, record.position.line)
            }
            if record.flags.isDisjoint(with: .withoutCells) {
                func cell(_ column: Int) -> UnsafeRawBufferPointer {
                    column < record.cells.count
                        ? arena.withBytes(cells[record.cells.lowerBound + column]) { $0 }
                        : UnsafeRawBufferPointer(start: nil, count: 0)
                }
                entry.use.note(cell)
                entry.statuses.note(cell)
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
