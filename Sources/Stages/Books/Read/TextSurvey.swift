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
