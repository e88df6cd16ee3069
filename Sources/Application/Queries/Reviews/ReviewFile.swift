import Books
import Bytes
import Formats
import FoundationEssentials
package import Store
import Syntax
package import System

/// A review list that the user has filled in: CSV, in whatever order of rows and columns a spreadsheet saved
/// it. Only the lines with a decision are held in memory.
package struct ReviewFile: Sendable {
    /// One line: `accept` next to a book, `none`, or `undo`.
    private struct Line: Sendable {
        var number: Int
        var place: String
        var record: String
        var decision: String
    }

    /// The meaning of a line.
    private enum Reading {
        case decision(ReviewDecision, isNew: Bool)
        case unknownRecord, unknownDecision
    }

    private static let recordsAtOnce = 1_024

    private let path: String
    private let lines: [Line]

    /// - Parameter job: The name of the job whose matches it decides.
    /// - Throws: `unusableInput` if the file is not a review list, and what reading a file throws.
    package init(_ path: String, ofJob job: String) throws(ETLError) {
        self.path = path
        let file = try InputFile(path)
        let head = try file.head()
        let encoding = TextEncoding.sniff(head: head).encoding
        let dialect = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        var reader = try RecordReader(file.bytes(), dialect: dialect, encoding: encoding)
        var columns: Columns?
        var lines: [Line] = []
        var number = 0
        while true {
            var (arena, cells, records) = (Arena(), [Text](), [Record]())
            guard
                try reader.fill(
                    arena: &arena, cells: &cells, records: &records, maxRecords: Self.recordsAtOnce,
                    maxBytes: 1 << 20)
            else { break }
            for record in records where !record.isBlank {
                number += 1
                let row = cells[record.cells].map {
                    arena[$0].trimming(.spacesAndNewlines)
                }
                if let columns {
                    let line = columns.line(row, number: number)
                    if !line.decision.isEmpty { lines.append(line) }
                } else {
                    columns = try Columns(row, of: path, job)
                }
            }
        }
        if columns == nil { _ = try Columns([], of: path, job) }
        self.lines = lines
    }

    /// The columns that are used.
    private struct Columns {
        var place, record, decision: Int

        init(_ header: [String], of path: String, _ job: String) throws(ETLError) {
            let names = header.map { $0.lowercased() }
            guard let place = names.firstIndex(of: "row"), let record = names.firstIndex(of: "record"),
                let decision = names.firstIndex(of: "decision")
            else {
                throw ETLError(
                    .unusableInput,
                    "`\(path)` is not a review list: it needs the columns row, record and decision.",
                    advice:
                        "Create one with \(UserCommand.reviewTable(job: job)), and fill in its last column.")
            }
            (self.place, self.record, self.decision) = (place, record, decision)
        }

        func line(_ row: [String], number: Int) -> Line {
            func cell(_ column: Int) -> String { column < row.count ? row[column] : "" }
            return Line(
                number: number, place: cell(place), record: cell(record),
                decision: cell(decision).lowercased())
        }
    }

    /// The new decisions about a job's reviews, in the order of the job's input.
    ///
    /// - Parameter list: All of the job's reviews.
    /// - Throws: `unusableInput` for an unknown decision, for a decision about a record that is not in the
    ///   list, and for different decisions about the same title and author.
    package func decisions(about list: ReviewList) throws(ETLError) -> [ReviewDecision] {
        let linesOfPlace = Dictionary(grouping: lines.indices) { lines[$0].place }
        var readings = [Reading?](repeating: nil, count: lines.count)
        var order: [Int] = []
        try list.each { (review) throws(ETLError) in
            let place = ReviewList.place(review.place, of: list.job)
            guard let about = linesOfPlace[place] else { return }
            for index in about { readings[index] = Self.read(lines[index], about: review) }
            // Two equal decisions count once.
            if let first = about.first { order.append(first) }
        }
        try check(readings, list.job)
        return order.compactMap { index in
            if case .decision(let decided, isNew: true) = readings[index] { decided } else { nil }
        }
    }

    /// Rejects the whole list at the first line that is wrong, or that contradicts an earlier line.
    private func check(_ readings: [Reading?], _ job: Job) throws(ETLError) {
        // Records with the same title and author share a decision.
        var first: [String: (line: Line, decision: MatchDecisions.Decision?)] = [:]
        for (line, reading) in zip(lines, readings) {
            switch reading {
            case nil:
                throw failure(
                    line, "job `\(job.name)` has no uncertain match in row \(line.place)",
                    advice: """
                        Do not change the column `row`; create the list again with \
                        \(UserCommand.reviewTable(job: job.name)).
                        """)
            case .unknownRecord:
                throw failure(
                    line, "`\(line.record)` is not a candidate for row \(line.place)",
                    advice: "Do not change the column `record`.")
            case .unknownDecision:
                throw failure(
                    line, "`\(line.decision)` is not a decision",
                    advice: """
                        In the last column, write `accept` next to the right candidate, or `none` or `undo` next to any \
                        candidate.
                        """)
            case .decision(let decided, _):
                if let earlier = first[decided.key], earlier.decision != decided.decision {
                    guard earlier.line.place == line.place else {
                        throw failure(
                            line,
                            "row \(line.place) has the same title and author as row \(earlier.line.place), but another "
                                + "decision (line \(earlier.line.number))",
                            advice: "Make the same decision for both rows.")
                    }
                    throw failure(
                        line, "row \(line.place) already has another decision (line \(earlier.line.number))",
                        advice: "Keep one decision for each row.")
                }
                first[decided.key] = (line, decided.decision)
            }
        }
    }

    private static func read(_ line: Line, about review: Review) -> Reading {
        func decided(_ decision: MatchDecisions.Decision?) -> Reading {
            .decision(ReviewDecision(review, decision), isNew: decision != review.decision)
        }
        switch line.decision {
        case "undo": return decided(nil)
        case "none", "reject", "n", "no": return decided(.refused)
        case "accept", "y", "yes", "x":
            let option = review.options.first { $0.name == line.record }
            guard let accepted = option?.acceptance else { return .unknownRecord }
            return decided(accepted)
        default: return .unknownDecision
        }
    }

    private func failure(_ line: Line, _ sentence: String, advice: UserText) -> ETLError {
        ETLError(.unusableInput, "\(path):\(line.number): \(sentence).", advice: advice)
    }
}
