import Books
import Database
import Store
import System

/// Rejects corrections after which a book would be finished before it was started.
struct ReadingOrder {
    private var started: String?
    private var finished: String?
    private let isCorrected: Bool

    /// - Parameters:
    ///   - changes: The corrections of one book.
    ///   - connection: A store opened for reading.
    init(after changes: [EditRequest.Change], in connection: Connection) throws(ETLError) {
        let ofDates = changes.filter { $0.field == .dateStarted || $0.field == .dateRead }
        isCorrected = ofDates.contains { if case .set = $0.action { true } else { false } }
        guard isCorrected, let entry = ofDates.first?.row,
            let stored = try connection.row(
                "SELECT date_started, date_read FROM entries WHERE id = ?1", entry)
        else { return }
        (started, finished) = (stored.optionalString(0), stored.optionalString(1))
        stored.reset()
        for change in ofDates {
            guard case .set(let values) = change.action else { continue }
            if change.field == .dateStarted { started = values.first } else { finished = values.first }
        }
    }

    /// - Throws: `.usage` if the end is before the start, as far as both days are known.
    func check() throws(ETLError) {
        guard isCorrected, let started, let finished, CalendarDate(started) != nil,
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
