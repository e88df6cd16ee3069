import Books
import Bytes
import Syntax

extension LibraryRows {
    /// Sets the start of the latest reading and the readings other than it, and the end of the last finished one if
    /// the row has none.
    ///
    /// - Parameter readings: All readings that the row lists, with dates as the file writes them.
    mutating func readEarlier(_ readings: [(started: String, finished: String)], of row: inout LibraryRow) {
        let stored = StoredReadings(listed: readings, columns.dateOrder)
        set(stored.earlier, of: &row)
        read(.dateStarted, as: stored.started.isEmpty ? .none : arena.append(stored.started), of: &row)
        if cell(.dateRead, of: row).isEmpty, !stored.finished.isEmpty {
            read(.dateRead, as: arena.append(stored.finished), of: &row)
        }
    }

    /// Reads a column of ISO 8601 intervals separated by semicolons or commas:
    /// `2019-01-03/2019-02-01; 2020-05-01`.
    mutating func readEarlierColumn(of row: inout LibraryRow) {
        guard let column = columns[.earlierReadings] else { return }
        let listed = arena[cell(column: column, of: row)].split { $0 == ";" || $0 == "," }.map { part in
            let text = part.trimming(.spaces)
            // A spreadsheet may have written a single date with slashes.
            if let date = CalendarDate(text, columns.dateOrder) {
                return ReadingDates(started: "", finished: date.description)
            }
            let reading = ReadingDates(text)
            return ReadingDates((reading.started, reading.finished), columns.dateOrder)
        }
        set(listed.filter { !$0.isEmpty }, of: &row)
    }

    private mutating func set(_ earlier: [ReadingDates], of row: inout LibraryRow) {
        var json = JSONWriter()
        json.array { json in for reading in earlier { json.string(reading.text) } }
        let list = earlier.isEmpty ? .none : arena.append(String(decoding: json.bytes, as: UTF8.self))
        read(.earlierReadings, as: list, of: &row)
    }
}
