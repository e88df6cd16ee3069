/// The dates of one reading, as `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or the file's own text; empty if unknown.
package struct ReadingDates: Sendable, Hashable {
    package var started: String
    package var finished: String

    package init(started: String, finished: String) {
        self.started = started
        self.finished = finished
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

    /// All readings, the oldest first.
    package var all: [ReadingDates] {
        var all = earlier
        if !finished.isEmpty, started > finished {
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
