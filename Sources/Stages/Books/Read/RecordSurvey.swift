import Bytes
import Pipeline
import Syntax

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
                    entry.dates.note($0, tellsAge: one.tellsAge, until: latest)
                }
            }
        }
        return true
    }
}
