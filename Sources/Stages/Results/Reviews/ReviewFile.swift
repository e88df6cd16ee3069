import Foundation
package import Pipeline

/// A list of reviews as it comes back from its reader: CSV, in whatever order of rows and columns a spreadsheet left it.
package struct ReviewFile: Sendable {
    /// What is said of one record: `accept` behind a book, `none`, or `undo`.
    private struct Line {
        var number: Int
        var place: String
        var record: String
        var decision: String
    }

    private let path: String
    private let lines: [Line]

    /// - Throws: `unusableInput` for a file that is no such list, and what reading a file throws.
    package init(_ path: String) throws(StageFailure) {
        self.path = path
        let file = try InputFile(path)
        let head = try file.head()
        let encoding = TextEncoding.sniff(head: head).encoding
        let dialect = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        var reader = try RecordReader(file.bytes(), dialect: dialect, encoding: encoding)
        var arena = Arena()
        var cells: [Text] = []
        var records: [Record] = []
        while try reader.fill(
            arena: &arena, cells: &cells, records: &records, maxRecords: 1_024, maxBytes: 1 << 20)
        {}
        let rows = records.filter { !$0.isBlank }.map { record in
            cells[record.cells].map { arena[$0].trimmingCharacters(in: .whitespacesAndNewlines) }
        }
        guard let header = rows.first?.map({ $0.lowercased() }),
            let place = header.firstIndex(of: "row"), let record = header.firstIndex(of: "record"),
            let decision = header.firstIndex(of: "decision")
        else {
            throw StageFailure(
                .unusableInput,
                "\(path) is no list of reviews: it wants the columns row, record and decision.",
                advice:
                    "Make one with `etl review JOB > review.csv`, fill in its last column, and give it back.")
        }
        lines = rows.dropFirst().enumerated().map { index, row in
            func cell(_ column: Int) -> String { column < row.count ? row[column] : "" }
            return Line(
                number: index + 2, place: cell(place), record: cell(record),
                decision: cell(decision).lowercased())
        }
    }

    /// What was decided anew, for a job's reviews; nil takes back what was decided before.
    ///
    /// - Throws: `unusableInput` for a decision that is none, for one about something that was not asked, and for two
    ///   of one title and author that are not alike.
    package func decisions(
        about list: ReviewList
    ) throws(StageFailure) -> [(review: Review, decision: MatchDecisions.Decision?)] {
        var byPlace: [String: Review] = [:]
        for review in list.reviews { byPlace[ReviewList.place(review.place, of: list.job)] = review }
        var decided: [String: MatchDecisions.Decision?] = [:]
        // Records of one title and author share a decision.
        var first: [String: (line: Line, decision: MatchDecisions.Decision?)] = [:]
        for line in lines where !line.decision.isEmpty {
            guard let review = byPlace[line.place] else {
                throw failure(line, "record \(line.place) of job \(list.job.name) waits for no decision")
            }
            let decision = try decision(line, about: review)
            if let earlier = first[review.key], earlier.decision != decision {
                let what =
                    earlier.line.place == line.place
                    ? "record \(line.place) is decided twice"
                    : "records \(earlier.line.place) and \(line.place) are one title by one author, and are decided"
                throw failure(line, "\(what), and not alike (see record \(earlier.line.number) of the list)")
            }
            first[review.key] = (line, decision)
            decided[line.place] = .some(decision)
        }
        var new: [(review: Review, decision: MatchDecisions.Decision?)] = []
        for review in list.reviews {
            guard let decision = decided[ReviewList.place(review.place, of: list.job)],
                decision != review.decision
            else { continue }
            new.append((review, decision))
        }
        return new
    }

    private func decision(
        _ line: Line, about review: Review
    ) throws(StageFailure) -> MatchDecisions.Decision? {
        switch line.decision {
        case "undo": return nil
        case "none", "reject", "n", "no": return .refused
        case "accept", "y", "yes", "x":
            let option = review.options.first { "\($0.provider)/\($0.record)" == line.record }
            let provider = Provider.allCases.first { $0.contractName == option?.provider }
            guard let option, let provider else {
                throw failure(line, "“\(line.record)” was not offered for record \(line.place)")
            }
            return .accepted(ChosenRecord(provider: provider, record: option.record))
        default: throw failure(line, "“\(line.decision)” is no decision")
        }
    }

    private func failure(_ line: Line, _ sentence: String) -> StageFailure {
        StageFailure(
            .unusableInput, "\(path), record \(line.number): \(sentence).",
            advice: "Write `accept` behind the right book, or `none` or `undo` behind any of its record's.")
    }
}
