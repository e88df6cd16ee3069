import Bytes
package import Pipeline

/// What the importer sees in a file: each guess with its evidence, the mapping, the first records and all
/// that is odd. The value behind `etl inspect FILE`.
package struct Inspection: Sendable {
    /// A column and what it is taken for.
    package struct Column: Sendable, Hashable {
        /// From 1.
        package var number: Int
        /// As the file spells it.
        package var name: String
        /// Nil for a column that is carried along and maps to nothing.
        package var field: LibraryField?
    }

    /// A record as it was understood.
    package struct Sample: Sendable, Hashable {
        package var record: Int
        package var title: String
        /// `Hyperion Cantos #1`.
        package var series: [String]
        package var people: [String]
        /// The ISBN cells as they stand, the ISBN-13 first.
        package var isbns: [String]
        package var format: EditionFormat?
    }

    /// A kind of oddity and where it is found.
    package struct Problem: Sendable, Hashable {
        package var code: String
        package var count: Int
        /// Record numbers of the first few.
        package var firstRecords: [Int]
        /// The first one's sentence, with the value where it has one.
        package var example: String
    }

    package var path: String
    /// Bytes.
    package var size: Int64
    /// Whether it is packed with gzip.
    package var isPacked: Bool
    /// What was guessed of delimited text; nil for a format with a syntax of its own.
    package var text: DelimitedText?
    /// What told such a format, or one without a header; nil where the header's score did.
    package var evidence: String?
    package var profile: String
    /// What its dates tell.
    package var dates: DateSurvey
    /// What of it may come into the library wrongly, a sentence or two each.
    package var warnings: [UserText]
    /// All profiles, the likeliest first.
    package var scores: [ProfileScore]
    package var columns: [Column]
    /// Records that are not blank.
    package var recordCount: Int
    package var samples: [Sample]
    /// Counts of rejects and notices in the whole file, the most frequent first.
    package var problems: [Problem]

    /// Columns that map to nothing.
    package var unmapped: [Column] { columns.filter { $0.field == nil } }

    /// Reads a whole file of the settings as an import would, and keeps what is worth telling.
    package init(
        _ settings: ReadSettings, file index: Int = 0, samples sampleCount: Int = 5
    ) throws(StageFailure) {
        guard settings.files.indices.contains(index) else {
            throw StageFailure(.configuration, "There is no file to read.", advice: "Name an export file.")
        }
        var file = try LibraryFile(settings.files[index], index: index, settings: settings)
        let survey = try LibrarySurvey.File(reading: file, explicit: settings.explicitDateOrder)
        file.columns.dateOrder = survey.dates.order
        (dates, warnings) = (survey.dates, survey.warnings)
        path = file.input.path
        size = file.input.size
        isPacked = file.input.isPacked
        text = file.text
        switch file.syntax {
        case .structured(_, let evidence): self.evidence = evidence
        case .text: evidence = (file.format as? any HeaderlessFormat)?.evidence
        }
        profile = file.format.name
        scores = LibraryFormats.scores(file.header)
        columns = file.header.names.enumerated().map { number, name in
            let field = LibraryField.allCases.first { file.columns[$0] == number }
            return Column(number: number + 1, name: name, field: field)
        }
        recordCount = 0
        samples = []

        var tally = ProblemTally()
        var reader = try LibraryFileReader(file, settings: settings)
        var left = settings.limit ?? .max
        while left > 0, let portion = try reader.next(atMost: left) {
            left -= portion.recordsRead
            recordCount += portion.recordsRead
            for row in portion.rows.rows where samples.count < sampleCount {
                samples.append(Sample(row, of: portion.rows))
            }
            tally.count(portion)
        }
        problems = tally.problems
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
    }
}

/// Counts oddities by code.
private struct ProblemTally {
    /// Record numbers kept of each code.
    private static let shownRecords = 5
    private var byCode: [String: Inspection.Problem] = [:]

    mutating func count(_ portion: LibraryChunk) {
        for reject in portion.rejects {
            add(reject.code, reject.position.record, example: reject.message)
        }
        for row in portion.rows.rows where !row.notices.isEmpty {
            for notice in row.notices {
                let value = notice.value.isEmpty ? "" : " (\u{201C}\(notice.value)\u{201D})"
                let field = notice.field.map { "\($0): " } ?? ""
                add(notice.code, row.position.record, example: field + notice.message + value)
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
