package import Books
import Bytes
import Syntax
package import System

/// Preview of how an import would read a file: each guess with its evidence, the mapping, the first records,
/// and all problems. `etl inspect FILE` shows it.
package struct Inspection: Sendable {
    /// A column and the field it is mapped to.
    package struct Column: Sendable, Hashable {
        /// Counted from 1.
        package var number: Int
        /// As spelled in the file.
        package var name: String
        /// Nil if the column is not mapped. Its cells are stored unchanged.
        package var field: LibraryField?
        /// Whether the format reads it together with other columns.
        package var isCombined = false
    }

    /// A record as it was interpreted.
    package struct Sample: Sendable, Hashable {
        package var record: Int
        package var title: String
        /// Each as `Hyperion Cantos #1`.
        package var series: [String]
        package var people: [String]
        /// The ISBN cells as written in the file, the ISBN-13 first.
        package var isbns: [String]
        package var format: EditionFormat?
        /// The stars, as an import reads them; empty if there are none.
        package var rating: String
        package var shelf: String
        /// `2026-05-03`, `2026-05` or `2026`; empty if the row has no date.
        package var dateRead: String
    }

    /// One kind of reject or warning, and where it occurs.
    package struct Problem: Sendable, Hashable {
        package var code: String
        package var count: Int
        /// Numbers of the first few records.
        package var firstRecords: [Int]
        /// The message of the first one, with the value if there is one.
        package var example: String
    }

    package var path: String
    /// In bytes.
    package var size: Int64
    /// Type of its bytes: plain, compressed, a sheet.
    package var content: InputFile.Content
    /// Whether it is a table made of JSON objects.
    package var isObjects: Bool
    /// The guesses about delimited text; nil for a structured format.
    package var text: DelimitedText?
    /// Evidence for a structured or headerless format; nil if the header's score decided.
    package var evidence: String?
    package var formatName: String
    /// Date order and age of the file.
    package var dates: DateSurvey
    /// Warnings about what may be imported incorrectly, one or two sentences each.
    package var warnings: [UserWarning]
    /// All formats of delimited text, the best match first.
    package var scores: [FormatScore]
    package var columns: [Column]
    /// Number of records that are not blank.
    package var recordCount: Int
    /// Rows of only separators, which are skipped.
    package var emptyRows: Int
    package var samples: [Sample]
    /// What a library is asked about: its first records, as many as were requested.
    package var facts: [RecordFacts] = []
    /// Counts of rejects and warnings in the whole file, the most frequent first.
    package var problems: [Problem]
    /// Whether its time was over before the whole file was read. The counts are those of the records before.
    package var isPartial = false

    /// Columns that are not mapped to a field.
    package var unmapped: [Column] { columns.filter { $0.field == nil } }
    /// Columns of which nothing is read.
    package var unread: [Column] { unmapped.filter { !$0.isCombined && !$0.name.isEmpty } }

    /// Reads a whole file of the settings as an import would.
    ///
    /// - Parameters:
    ///   - latest: Later dates are typing errors; nil if today is unknown.
    ///   - factCount: Maximum number of records whose facts are kept.
    ///   - surveyStop: If it is raised, the survey ends with what it has seen.
    ///   - stop: The same for the reading.
    /// - Throws: For a file that cannot be used; `temporary` if `stop` is raised before its records are read.
    package init(
        _ settings: ReadSettings, file index: Int = 0, samples sampleCount: Int = 5, facts factCount: Int = 0,
        until latest: CalendarDate? = nil, surveyingUntil surveyStop: StopSignal? = nil,
        readingUntil stop: StopSignal? = nil
    ) throws(ETLError) {
        guard settings.files.indices.contains(index) else {
            throw ETLError(.configuration, "No file was specified.", advice: "Specify an export file.")
        }
        let path = settings.files[index]
        var file = try LibraryFile(path, index: index, settings: settings, stop: stop)
        var survey = try LibrarySurvey.File(
            file, explicit: settings.explicitDateOrder, rules: settings.rules)
        do throws(ETLError) {
            // A raised signal ends everything that is opened with it.
            let surveyed =
                try surveyStop.map { stop throws(ETLError) in
                    try LibraryFile(path, index: index, settings: settings, stop: stop)
                } ?? file
            var reader = try surveyed.survey(until: latest)
            while try reader.readOn(into: &survey) {}
            survey.endsInGarbage = surveyed.input.endsInGarbage
        } catch {
            guard error.kind == .temporary, surveyStop?.isRaised == true else { throw error }
            isPartial = true
        }
        file.columns.dateOrder = survey.dates.order
        (dates, warnings) = (survey.dates, survey.warnings)
        self.path = file.input.path
        size = file.input.size
        content = file.input.content
        isObjects = file.input.table != nil
        text = file.text
        switch file.syntax {
        case .structured(_, let evidence): self.evidence = evidence
        case .text: evidence = (file.format as? any HeaderlessFormat)?.evidence
        }
        formatName = file.format.name
        scores = LibraryFormats.scores(file.header)
        let combined = Set(file.format.described.filter(\.isCombined).flatMap(\.names))
        columns = file.header.names.enumerated().map { number, name in
            let own = LibraryField.allCases.first { file.columns[$0] == number }
            let field = own ?? file.format.additional(file.header.keys[number])
            return Column(
                number: number + 1, name: name, field: field,
                isCombined: field == nil && combined.contains(file.header.keys[number]))
        }
        recordCount = 0
        emptyRows = survey.emptyRows
        samples = []

        var counts = ProblemCounts()
        var left = settings.limit ?? .max
        do throws(ETLError) {
            var reader = try LibraryFileReader(file, settings: settings)
            while left > 0, let chunk = try reader.next(atMost: left) {
                left -= chunk.recordsRead
                recordCount += chunk.recordsRead
                for row in chunk.rows.rows where samples.count < sampleCount {
                    samples.append(Sample(row, of: chunk.rows))
                }
                for row in chunk.rows.rows.prefix(factCount - facts.count) {
                    facts.append(RecordFacts(row, of: chunk.rows))
                }
                counts.count(chunk)
            }
        } catch {
            guard error.kind == .temporary, stop?.isRaised == true else { throw error }
            isPartial = true
        }
        problems = counts.problems
    }
}

extension Inspection.Sample {
    init(_ row: LibraryRow, of rows: LibraryRows) {
        record = row.position.record
        title = rows.arena[row.title]
        series = rows.series[row.series].map { mention in
            let name = rows.arena[mention.name]
            return mention.number.isEmpty ? name : "\(name) #\(rows.arena[mention.number])"
        }
        people = rows.people[row.people].map { rows.arena[$0.name] }
        isbns = [LibraryField.isbn13, .isbn10].map { rows.string($0, of: row) }.filter { !$0.isEmpty }
        format = row.format
        let stars = rows.string(.rating, of: row)
        rating = Double(stars) == 0 ? "" : stars
        shelf = rows.string(.exclusiveShelf, of: row)
        dateRead = rows.date(.dateRead, of: row)?.description ?? ""
    }
}

/// Counts rejects and warnings by code.
private struct ProblemCounts {
    /// Number of record numbers kept per code.
    private static let shownRecords = 5
    private var byCode: [String: Inspection.Problem] = [:]

    mutating func count(_ chunk: LibraryChunk) {
        for reject in chunk.rejects {
            add(reject.code, reject.position.record, example: reject.message)
        }
        for row in chunk.rows.rows where !row.warnings.isEmpty {
            for warning in row.warnings {
                let value = warning.value.isEmpty ? "" : " \u{201C}\(warning.value)\u{201D}"
                // Without a field the value, such as a number of cells, is part of the message.
                let cell = warning.field.map { "\($0)\(value): " } ?? ""
                add(warning.code, row.position.record, example: cell + warning.message)
            }
        }
    }

    private mutating func add(_ code: String, _ record: Int, example: @autoclosure () -> String) {
        if byCode[code] == nil {
            byCode[code] = Inspection.Problem(code: code, count: 0, firstRecords: [], example: example())
        }
        byCode[code]?.count += 1
        if let records = byCode[code]?.firstRecords, records.count < Self.shownRecords, records.last != record
        {
            byCode[code]?.firstRecords.append(record)
        }
    }

    var problems: [Inspection.Problem] {
        byCode.values.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
    }
}
