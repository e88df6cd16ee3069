import Bytes

/// The dates of one reading, as `YYYY-MM-DD`, `YYYY-MM`, `YYYY`; empty if unknown.
package struct ReadingDates: Sendable, Hashable {
    package var started: String
    package var finished: String

    package init(started: String, finished: String) {
        self.started = started
        self.finished = finished
    }

    /// The dates of a reading as a file writes them, in the store's spelling. A text that is no date is unknown.
    ///
    /// - Parameter order: Order of day and month in dates that end with the year.
    package init(_ listed: (started: String, finished: String), _ order: DateOrder) {
        started = CalendarDate(listed.started, order)?.description ?? ""
        finished = CalendarDate(listed.finished, order)?.description ?? ""
    }

    /// Reads ``text``.
    package init(_ text: String) {
        let sides = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        self =
            sides.count > 1
            ? .init(started: sides[0], finished: sides[1]) : .init(started: "", finished: text)
    }

    /// `2025-05-18/2025-05-26`, `2025-05-26` without a start, `2025-05-18/` without an end.
    package var text: String { started.isEmpty ? finished : "\(started)/\(finished)" }

    /// Whether nothing is known.
    package var isEmpty: Bool { started.isEmpty && finished.isEmpty }

    /// The date by which readings are ordered.
    private var date: String { finished.isEmpty ? started : finished }

    static func < (left: ReadingDates, right: ReadingDates) -> Bool {
        (left.date, left.started) < (right.date, right.started)
    }
}

/// The readings of a book as an entry stores them.
///
/// The start of the latest reading and the end of the last finished one have columns of their own, because most
/// formats know only these. If the start is later than the end, the latest reading is still going on.
package struct StoredReadings: Sendable, Hashable {
    /// The start of the latest reading; empty if unknown.
    package var started: String
    /// The end of the last finished reading; empty if none is known.
    package var finished: String
    /// The other readings, and the last finished one if another is going on. The oldest first.
    package var earlier: [ReadingDates]

    /// - Parameter earlier: The stored list.
    package init(started: String, finished: String, earlier: [String]) {
        self.started = started
        self.finished = finished
        self.earlier = earlier.map { ReadingDates($0) }
    }

    /// The readings that a row lists, in any order.
    package init(_ listed: [ReadingDates]) {
        let sorted = listed.filter { !$0.isEmpty }.sorted(by: <)
        let latest = sorted.last ?? ReadingDates(started: "", finished: "")
        started = latest.started
        earlier = sorted.dropLast()
        finished =
            latest.finished.isEmpty ? earlier.last { !$0.finished.isEmpty }?.finished ?? "" : latest.finished
    }

    /// The readings that a row lists, with dates as the file writes them.
    ///
    /// - Parameter order: Order of day and month in dates that end with the year.
    package init(listed: [(started: String, finished: String)], _ order: DateOrder) {
        self.init(listed.map { ReadingDates($0, order) })
    }

    /// Whether a date is certainly later than another one: `2024-05-01` is not later than `2024`.
    private static func isLater(_ date: String, than other: String) -> Bool {
        let length = min(date.utf8.count, other.utf8.count)
        return [date, other].allSatisfy { $0.utf8.count >= 4 && $0.utf8.prefix(4).allSatisfy(\.isDigit) }
            && date.utf8.prefix(length).lexicographicallyPrecedes(other.utf8.prefix(length)) == false
            && !date.utf8.prefix(length).elementsEqual(other.utf8.prefix(length))
    }

    /// SQL for whether a date as it is stored has a year. Texts that are no dates have none.
    package static func hasYear(_ date: String) -> String {
        "(\(date) GLOB '[0-9][0-9][0-9][0-9]*' AND \(date) NOT GLOB '0000*')"
    }

    /// SQL for whether a date as it is stored has a year in which somebody may have read a book: from 1900 until now.
    package static func hasPlausibleYear(_ date: String) -> String {
        """
        (\(date) GLOB '[12][0-9][0-9][0-9]*' AND \(date) NOT GLOB '[0-9][0-9][0-9][0-9][0-9]*'
            AND \(date) >= '1900' AND \(date) <= date('now', '+1 day'))
        """
    }

    /// The same as SQL, for an entry with both dates: whether its latest reading is still going on.
    ///
    /// - Parameter entry: The alias of the entry.
    package static func isGoingOn(_ entry: String) -> String {
        let (started, finished) = ("\(entry).date_started", "\(entry).date_read")
        let length = "min(length(\(started)), length(\(finished)))"
        let year = "GLOB '[0-9][0-9][0-9][0-9]*'"
        return """
            (\(started) \(year) AND \(finished) \(year)
                AND substr(\(started), 1, \(length)) > substr(\(finished), 1, \(length)))
            """
    }

    /// SQL for whether the end of the last finished reading is also in the list of the others.
    ///
    /// - Parameter entry: The alias of the entry.
    package static func isListed(_ entry: String) -> String {
        """
        EXISTS (SELECT 1 FROM json_each(\(entry).earlier_readings)
            WHERE value = \(entry).date_read OR value GLOB '*/' || \(entry).date_read)
        """
    }

    /// All readings, the oldest first.
    package var all: [ReadingDates] {
        var all = earlier
        if Self.isLater(started, than: finished) {
            if !all.contains(where: { $0.finished == finished }) {
                all.append(.init(started: "", finished: finished))
            }
            all.append(.init(started: started, finished: ""))
        } else if !started.isEmpty || !finished.isEmpty {
            all.append(.init(started: started, finished: finished))
        }
        return all.sorted(by: <)
    }
}
