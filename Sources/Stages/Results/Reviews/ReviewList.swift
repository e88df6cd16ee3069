package import Pipeline

/// What the matcher left to a job's reader: `etl review`.
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

    static let columns = [
        "row", "title", "author", "score", "record", "record_title", "record_author", "year", "evidence",
        "decision",
    ]

    package let job: Job
    package let reviews: [Review]

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - jobName: The job; nil for the newest.
    /// - Throws: `.missing` where there is no such job.
    package init(
        _ connection: Connection, of jobName: String?, listing part: Part = .waiting
    ) throws(StageFailure) {
        let (job, all) = try connection.snapshot {
            () throws(StageFailure) -> (Job, [Review]) in
            let job = try JobLedger(connection).existing(jobName)
            return (job, try Reviews(connection).all(ofJob: job.id))
        }
        self.job = job
        reviews = all.filter { review in
            switch part {
            case .waiting: !review.isTakenUp
            case .decided: review.decision != nil
            case .all: true
            }
        }
    }

    /// Records about which nothing is decided yet.
    package var openCount: Int { reviews.count { $0.decision == nil } }

    /// The list as CSV, its header included.
    ///
    /// - Parameter guardsFormulas: Whether cells that a spreadsheet would run get an apostrophe.
    package func csv(guardsFormulas: Bool = false) -> [UInt8] {
        var writer = CSVWriter(guardsFormulas: guardsFormulas)
        writer.record(Self.columns)
        for review in reviews {
            for (number, option) in review.options.enumerated() {
                writer.record([
                    Self.place(review.place, of: job), review.title, review.author, "\(option.score)",
                    "\(option.provider)/\(option.record)", option.title,
                    option.authors.joined(separator: "; "),
                    option.year.map(String.init) ?? "", option.evidence.joined(separator: " "),
                    Self.word(review.decision, about: option, isFirst: number == 0),
                ])
            }
        }
        return writer.bytes
    }

    /// `12`, or `2#12` for a record of a job's second file.
    package static func place(_ place: RecordPlace, of job: Job) -> String {
        job.inputs.count > 1 ? "\(place.file + 1)#\(place.row)" : "\(place.row)"
    }

    /// A decision is written once, so that it can be changed in one place.
    private static func word(
        _ decision: MatchDecisions.Decision?, about option: BookOption, isFirst: Bool
    ) -> String {
        switch decision {
        case .accepted(let record): record.record == option.record ? "accept" : ""
        case .refused: isFirst ? "none" : ""
        case nil: ""
        }
    }
}

extension MatchDecisions.Decision {
    /// The record chosen, or `none`.
    var word: String {
        switch self {
        case .accepted(let record): "\(record.provider.contractName)/\(record.record)"
        case .refused: "none"
        }
    }
}
