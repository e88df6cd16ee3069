import Books
package import Database
package import Store
import Syntax
package import System

/// The records whose match the user decides: `etl review`. The list is written while it is read, whatever its
/// length.
///
/// In CSV a record has one line for each candidate, best first. The user fills in the last column: `accept`
/// next to the right one, `none` if no candidate is right, `undo` to withdraw a decision. ``ReviewFile``
/// reads it back.
package struct ReviewList {
    /// Which of a job's reviews are listed.
    package enum Part: Sendable, Hashable {
        /// Reviews that wait for a decision, or for the job to apply it.
        case waiting
        /// Reviews with a decision.
        case decided
        /// All reviews, because any decision can be changed.
        case all
    }

    /// Output format of the list.
    package enum Format: Sendable, Hashable {
        /// - Parameter guardsFormulas: Whether cells that a spreadsheet would run as a formula get an
        ///   apostrophe.
        case csv(guardsFormulas: Bool)
        /// One array of objects.
        case json
    }

    /// Number of listed records.
    package struct Counts: Sendable, Hashable {
        /// Number of records.
        package var listed = 0
        /// Number of records without a decision.
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
    /// - Throws: `.missing` if there is no such job.
    package init(
        _ connection: Connection, of jobName: String?, listing part: Part = .waiting
    ) throws(ETLError) {
        self.connection = connection
        self.part = part
        job = try JobTable(connection).existing(jobName)
    }

    /// Passes the reviews to `take`, one by one.
    ///
    /// - Throws: `.inputOutput` for a review or a decision that cannot be read, and what `take` throws.
    package func each(_ take: (Review) throws(ETLError) -> Void) throws(ETLError) {
        try connection.snapshot { () throws(ETLError) in
            let rows = try ReviewRows(ofJob: job.id, in: connection)
            while let review = try rows.next() {
                guard job.inputs.indices.contains(review.place.file) else {
                    throw StoreFile.unreadable("the file of a review of job `\(job.name)`")
                }
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

    /// Writes the list. An empty list as CSV has no header either.
    @discardableResult
    package func write(as format: Format, to sink: ByteSink) throws(ETLError) -> Counts {
        switch format {
        case .csv(let guardsFormulas): try writeCSV(guardsFormulas, to: sink)
        case .json: try writeJSON(to: sink)
        }
    }

    private func writeCSV(_ guardsFormulas: Bool, to sink: ByteSink) throws(ETLError) -> Counts {
        var writer = CSVWriter(guardsFormulas: guardsFormulas)
        var counts = Counts()
        try each { (review) throws(ETLError) in
            if counts.listed == 0 { writer.record(Self.columns) }
            counts.note(review)
            for (number, option) in review.options.enumerated() {
                writer.record([
                    Self.place(review.place, of: job), review.title, review.author, "\(option.score)",
                    option.name, option.title,
                    option.authors.joined(separator: "; "),
                    option.year.map(String.init) ?? "", option.evidence.joined(separator: " "),
                    Self.word(review.decision, about: option, isFirst: number == 0),
                ])
            }
            try writer.flush(to: sink)
        }
        try writer.flush(to: sink, isEnd: true)
        return counts
    }

    private func writeJSON(to sink: ByteSink) throws(ETLError) -> Counts {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        var counts = Counts()
        out.beginArray()
        try each { (review) throws(ETLError) in
            counts.note(review)
            review.write(of: job, into: &out)
            try out.flush(to: sink)
        }
        out.endArray()
        out.endLine()
        try out.flush(to: sink, isEnd: true)
        return counts
    }

    /// `12`, or `2#12` for a record of a job's second file.
    package static func place(_ place: RecordPlace, of job: Job) -> String {
        job.inputs.count > 1 ? "\(place.file + 1)#\(place.row)" : "\(place.row)"
    }

    /// The decision cell of one line. A decision is written on one line only, so that there is one place to
    /// change it.
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
