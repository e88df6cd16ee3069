package import Books
package import Database
package import Pipeline
import Syntax

/// What the matcher left to a job's reader: `etl review`. It is read while it is written, however long it is.
///
/// As CSV a record has a line for each book it may be, the best first, and a last column to be filled in: `accept`
/// behind the right one, or `none` where none is; `undo` takes back what was decided. ``ReviewFile`` reads it back.
package struct ReviewList {
    /// Which of a job's reviews are listed.
    package enum Part: Sendable, Hashable {
        /// Those that wait for a decision, or for the job to take it up.
        case waiting
        /// Those about which something was decided.
        case decided
        /// All of them: whatever may be decided anew.
        case all
    }

    /// How the list is written.
    package enum Format: Sendable, Hashable {
        /// - Parameter guardsFormulas: Whether cells that a spreadsheet would run get an apostrophe.
        case csv(guardsFormulas: Bool)
        /// One array of objects.
        case json
    }

    /// What was listed.
    package struct Counts: Sendable, Hashable {
        /// Records.
        package var listed = 0
        /// Of these, the ones about which nothing is decided yet.
        package var open = 0
    }

    static let columns = [
        "row", "title", "author", "score", "record", "record_title", "record_author", "year", "evidence",
        "decision",
    ]

    package let job: Job
    private let connection: Connection
    private let part: Part

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - jobName: The job; nil for the newest.
    /// - Throws: `.missing` where there is no such job.
    package init(
        _ connection: Connection, of jobName: String?, listing part: Part = .waiting
    ) throws(StageFailure) {
        self.connection = connection
        self.part = part
        job = try JobTable(connection).existing(jobName)
    }

    /// Hands the reviews to `take`, one by one.
    ///
    /// - Throws: `.inputOutput` for a review or a decision that cannot be read, and what `take` throws.
    package func each(_ take: (Review) throws(StageFailure) -> Void) throws(StageFailure) {
        try connection.snapshot { () throws(StageFailure) in
            let rows = try ReviewRows(ofJob: job.id, in: connection)
            while let review = try rows.next() {
                let isListed =
                    switch part {
                    case .waiting: !review.isFinished
                    case .decided: review.decision != nil
                    case .all: true
                    }
                if isListed { try take(review) }
            }
        }
    }

    /// Writes the list; of CSV that lists nothing not even the header.
    @discardableResult
    package func write(as format: Format, to sink: ByteSink) throws(StageFailure) -> Counts {
        switch format {
        case .csv(let guardsFormulas): try writeCSV(guardsFormulas, to: sink)
        case .json: try writeJSON(to: sink)
        }
    }

    private func writeCSV(_ guardsFormulas: Bool, to sink: ByteSink) throws(StageFailure) -> Counts {
        var writer = CSVWriter(guardsFormulas: guardsFormulas)
        var counts = Counts()
        try each { (review) throws(StageFailure) in
            if counts.listed == 0 { writer.record(Self.columns) }
            counts.note(review)
            for (number, option) in review.options.enumerated() {
                writer.record([
                    Self.place(review.place, of: job), review.title, review.author, "\(option.score)",
                    "\(option.provider)/\(option.record)", option.title,
                    option.authors.joined(separator: "; "),
                    option.year.map(String.init) ?? "", option.evidence.joined(separator: " "),
                    Self.word(review.decision, about: option, isFirst: number == 0),
                ])
            }
            try writer.handOn(to: sink)
        }
        try writer.handOn(to: sink, isEnd: true)
        return counts
    }

    private func writeJSON(to sink: ByteSink) throws(StageFailure) -> Counts {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        var counts = Counts()
        out.beginArray()
        try each { (review) throws(StageFailure) in
            counts.note(review)
            review.write(of: job, into: &out)
            try out.handOn(to: sink)
        }
        out.endArray()
        out.endLine()
        try out.handOn(to: sink, isEnd: true)
        return counts
    }

    /// `12`, or `2#12` for a record of a job's second file.
    package static func place(_ place: RecordPlace, of job: Job) -> String {
        job.inputs.count > 1 ? "\(place.file + 1)#\(place.row)" : "\(place.row)"
    }

    /// A decision is written once, so that it can be changed in one place.
    private static func word(
        _ decision: MatchDecisions.Decision?, about option: ReviewCandidate, isFirst: Bool
    ) -> String {
        switch decision {
        case .accepted(let record): record.record == option.record ? "accept" : ""
        case .refused: isFirst ? "none" : ""
        case nil: ""
        }
    }
}

extension ReviewList.Counts {
    fileprivate mutating func note(_ review: Review) {
        listed += 1
        if review.decision == nil { open += 1 }
    }
}
