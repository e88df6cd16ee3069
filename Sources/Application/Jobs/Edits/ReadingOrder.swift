import Books
import Database
import Store
import System

/// Rejects corrections after which a book would be finished before it was started.
enum ReadingOrder {
    /// - Parameters:
    ///   - changes: The corrections of one book.
    ///   - connection: A store opened for reading.
    /// - Throws: `.usage` if the end is before the start, as far as both days are known.
    static func check(_ changes: [EditRequest.Change], in connection: Connection) throws(ETLError) {
        var days: [EditableField: String?] = [:]
        var entry: Int64?
        for change in changes where change.field == .dateStarted || change.field == .dateRead {
            guard case .set(let values) = change.action else { continue }
            (days[change.field], entry) = (.some(values.first), change.row)
        }
        guard let entry,
            let stored = try connection.row(
                "SELECT date_started, date_read FROM entries WHERE id = ?1", entry)
        else { return }
        defer { stored.reset() }
        guard let started = days[.dateStarted] ?? stored.optionalString(0),
            let finished = days[.dateRead] ?? stored.optionalString(1), CalendarDate(started) != nil,
            CalendarDate(finished) != nil
        else { return }
        // `2026-04` and `2026-04-10` can be the same day.
        let known = min(started.utf8.count, finished.utf8.count)
        guard started.prefix(known) > finished.prefix(known) else { return }
        throw ETLError(
            .usage, "The book would be finished on \(finished), before it was started on \(started).",
            advice: "Correct both days together.")
    }
}
