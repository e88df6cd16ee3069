import Bytes
import Pipeline
import Syntax

/// Finds the header: the first record that a profile, or the reader's own choice of columns, can make sense
/// of.
///
/// Lines before it (a title, a date, a note of the exporter) are the preamble. It is searched among the first
/// ``recordsSearched`` records: what begins later is no preamble.
struct HeaderDetection {
    /// Records looked at, blank ones among them.
    static let recordsSearched = 40

    /// A record that serves as header.
    struct Found {
        var header: HeaderNames
        /// Nil where there is no header.
        var position: Position?
        /// Where the first record begins.
        var next: Position
        var format: any LibraryFormat
        var columns: ColumnMap
        /// Non-blank records before it.
        var preamble: [[String]]
    }

    let file: InputFile
    let settings: ReadSettings
    /// The profile asked for; nil for the best.
    let wanted: (any LibraryFormat)?
    /// Headers that did not do, for the failure to tell of.
    private(set) var seen: [HeaderNames] = []
    /// Whether records were passed over for their length.
    private var hasPassedOverlong = false

    init(file: InputFile, settings: ReadSettings) throws(StageFailure) {
        self.file = file
        self.settings = settings
        if let mapping = settings.mapping {
            wanted = MappedFormat(mapping)
        } else if let name = settings.format, name != "auto" {
            wanted = try LibraryFormats.named(name)
        } else {
            wanted = nil
        }
    }

    /// Searches with one dialect; nil where nothing does.
    mutating func find(dialect: Dialect, encoding: TextEncoding, fileIndex: Int) throws(StageFailure)
        -> Found?
    {
        guard settings.text.header != .none, !(wanted is any HeaderlessFormat) else { return nil }
        var reader = try RecordReader(
            file.bytes(), fileIndex: fileIndex, dialect: dialect, encoding: encoding, limits: settings.limits)
        var preamble: [[String]] = []
        while let (names, position) = try Self.next(&reader, &hasPassedOverlong) {
            if case .record(let explicit) = settings.text.header, position.record != explicit {
                preamble.append(names)
                continue
            }
            let header = HeaderNames(names)
            let isSure = preamble.isEmpty || settings.text.header != .searched
            if let (format, columns) = meaning(of: header, isSure: isSure) {
                return Found(
                    header: header, position: position, next: reader.position, format: format,
                    columns: columns, preamble: preamble)
            }
            seen.append(header)
            preamble.append(names)
        }
        return nil
    }

    /// Takes the file for one without a header, where a format knows it as such or the reader says so.
    func findWithoutHeader(dialect: Dialect, encoding: TextEncoding, fileIndex: Int) throws(StageFailure)
        -> Found?
    {
        var reader = try RecordReader(
            file.bytes(), fileIndex: fileIndex, dialect: dialect, encoding: encoding, limits: settings.limits)
        var records: [[String]] = []
        var hasPassedOverlong = false
        while let (cells, _) = try Self.next(&reader, &hasPassedOverlong) { records.append(cells) }
        guard let width = records.map(\.count).max() else { return nil }
        let start = Position(file: fileIndex, byte: 0, line: 1, record: 1)
        let headerless = wanted.map { [$0] } ?? LibraryFormats.all
        for case let format as any HeaderlessFormat in headerless {
            guard let names = format.columns(of: records) else { continue }
            let header = HeaderNames(names)
            let columns = ColumnMap(
                profile: format.name, names: header.names, fields: format.fields(header))
            return Found(header: header, next: start, format: format, columns: columns, preamble: [])
        }
        let header = HeaderNames(HeaderNames.numbered(width))
        guard settings.text.header == .none, let (format, columns) = meaning(of: header, isSure: true) else {
            return nil
        }
        return Found(header: header, next: start, format: format, columns: columns, preamble: [])
    }

    /// The cells of the next record that is not blank, among the first ``recordsSearched``.
    private static func next(
        _ reader: inout RecordReader, _ hasPassedOverlong: inout Bool
    ) throws(StageFailure) -> (cells: [String], position: Position)? {
        while reader.position.record <= recordsSearched {
            guard let (record, cells, arena) = try reader.next() else { return nil }
            if !record.flags.isDisjoint(with: [.recordOverLimit, .fieldOverLimit]) {
                hasPassedOverlong = true
            }
            if record.isBlank || !record.flags.isDisjoint(with: .overLimit) { continue }
            let names = cells.map { arena[$0] }
            if names.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { return (names, record.position) }
        }
        return nil
    }

    /// The failure after all dialects were tried in vain.
    var failure: StageFailure {
        let columns = settings.columns
        let nearest = seen.enumerated().max { a, b in
            (Self.best(a.element).score, -a.offset) < (Self.best(b.element).score, -b.offset)
        }
        guard let header = nearest?.element else { return failureWithoutHeader }
        let shown = header.names.prefix(40).map { "\u{201C}\($0.prefix(60))\u{201D}" }.joined(separator: ", ")
        let missing = columns.missing(in: header)
        if !columns.columns.isEmpty, !missing.isEmpty {
            return StageFailure(
                .unusableInput,
                "\(file.path) has no column \(missing.map { "\u{201C}\($0)\u{201D}" }.joined(separator: ", ")).",
                advice: "Its columns are \(shown).")
        }
        let best = Self.best(header)
        let percent = Int((best.score * 100).rounded())
        let likeness =
            percent > 0
            ? "The nearest profile is \(best.profile) (\(percent) %)"
            : "No profile has columns like these"
        return StageFailure(
            .unusableInput,
            "No column of \(file.path) maps to a title or an ISBN. \(likeness); columns seen: \(shown).",
            advice: """
                Say which column is which with \(UserSetting.columns("title=COLUMN,isbn13=COLUMN")). If the first line is \
                already a book, use \(UserSetting.header("none")) \(UserSetting.columns("title=#1,author=#2")).
                """)
    }

    /// The failure where nothing was seen that could be a header.
    private var failureWithoutHeader: StageFailure {
        if let wanted = wanted as? any HeaderlessFormat {
            return StageFailure(
                .unusableInput, "\(file.path) is not in the format \(wanted.name).",
                advice: "Let the format be detected, or see how the file is read with \(UserCommand.inspect)."
            )
        }
        if settings.text.header == .none, settings.columns.columns.isEmpty {
            return StageFailure(
                .unusableInput,
                "\(file.path) is read without a header, so nothing tells which column holds titles.",
                advice: "Name columns by number: \(UserSetting.columns("title=#1,author=#2,isbn13=#3")).")
        }
        if hasPassedOverlong {
            return StageFailure(
                .unusableInput,
                "\(file.path) begins with a record that is longer than \(settings.limits.recordBytes) bytes or has a longer field "
                    + "than \(settings.limits.fieldBytes), and has no header.",
                advice:
                    "Look for a quote that is never closed in its first lines, or for line ends that were lost."
            )
        }
        if settings.text.header == .none {
            return StageFailure(
                .unusableInput, "\(file.path) does not have as many columns as the column mapping names.",
                advice: "Columns count from 1: \(UserSetting.columns("title=#1")).")
        }
        if case .record(let explicit) = settings.text.header {
            return StageFailure(
                .unusableInput,
                "\(file.path) has no record \(explicit) among its first \(Self.recordsSearched) for a header.",
                advice:
                    "\(UserCommand.inspect) shows which record is taken as the header without \(UserSetting.header(nil))."
            )
        }
        return StageFailure(
            .unusableInput, "\(file.path) holds no records, not even a header.",
            advice: "Download the export again.")
    }

    private static func best(_ header: HeaderNames) -> ProfileScore {
        LibraryFormats.scores(header).first ?? ProfileScore(profile: "none", score: 0)
    }

    /// What a record means as a header; nil where it names neither title nor ISBN.
    private func meaning(of header: HeaderNames, isSure: Bool) -> (any LibraryFormat, ColumnMap)? {
        guard header.count <= ColumnMap.maxColumns, let chosen = settings.columns.columns(in: header) else {
            return nil
        }
        let scores = LibraryFormats.scores(header)
        let best = scores.first.flatMap { best in
            best.score < LibraryFormats.threshold
                ? nil : LibraryFormats.all.first { $0.name == best.profile }
        }
        // Columns that the reader named need no profile that knows them.
        let plain: (any LibraryFormat)? = chosen.isEmpty ? nil : Generic()
        guard let format = wanted ?? best ?? plain else { return nil }

        guard let fields = settings.columns.fields(of: header, by: format),
            format.identifying.contains(where: { fields[$0] != nil })
        else { return nil }
        // Further down, a lone word "title" is more likely prose than a header.
        guard isSure || fields.count > 1 || header.count == 1 else { return nil }
        return (format, ColumnMap(profile: format.name, names: header.names, fields: fields))
    }
}
