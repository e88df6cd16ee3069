package import Pipeline

/// What the matcher left to a job's reader: `etl review`.
///
/// As CSV a record has a line for each book it may be, the best first, and a last column to be filled in: `accept`
/// behind the right one, or `none` where none is. ``ReviewFile`` reads it back.
package struct ReviewList {
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
    package init(_ connection: Connection, of jobName: String?) throws(StageFailure) {
        (job, reviews) = try connection.snapshot { () throws(StageFailure) in
            let job = try JobLedger(connection).existing(jobName)
            return (job, try Reviews(connection).all(ofJob: job.id))
        }
    }

    /// Records about which nothing is decided yet.
    package var openCount: Int { reviews.count { $0.decision == nil } }

    /// The list as CSV, its header included.
    package var csv: [UInt8] {
        var writer = CSVWriter()
        writer.record(Self.columns)
        for review in reviews {
            for option in review.options {
                writer.record([
                    Self.place(review.place, of: job), review.title, review.author, "\(option.score)",
                    "\(option.provider)/\(option.record)", option.title,
                    option.authors.joined(separator: "; "),
                    option.year.map(String.init) ?? "", option.evidence.joined(separator: " "),
                    Self.word(review.decision, about: option),
                ])
            }
        }
        return writer.bytes
    }

    /// `12`, or `2#12` for a record of a job's second file.
    package static func place(_ place: RecordPlace, of job: Job) -> String {
        job.inputs.count > 1 ? "\(place.file + 1)#\(place.row)" : "\(place.row)"
    }

    private static func word(_ decision: MatchDecisions.Decision?, about option: BookOption) -> String {
        switch decision {
        case .accepted(let record): record.record == option.record ? "accept" : ""
        case .refused: "none"
        case nil: ""
        }
    }
}

extension ReviewList: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.array { out in
            for review in reviews {
                out.object { out in
                    out.field("row", review.place.row)
                    out.field("file", job.inputs.count > 1 ? job.fileName(review.place.file) : nil)
                    out.field("title", review.title)
                    out.field("author", review.author)
                    out.field("decision", review.decision?.word)
                    out.key("options")
                    out.array { out in for option in review.options { option.write(into: &out) } }
                }
            }
        }
    }
}

extension BookOption: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("provider", provider)
            out.field("record", record)
            out.field("title", title)
            out.key("authors")
            out.array { out in for author in authors { out.string(author) } }
            out.field("year", year.map { Int($0) })
            out.field("score", score)
            out.key("evidence")
            out.array { out in for word in evidence { out.string(word) } }
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
