import Books
import Bytes
import Syntax
import System

/// Finds the header: the first record in which a format, or the user's column mapping, recognizes columns.
///
/// Records before it (a title, a date, a note of the exporter) are the preamble. Only the first
/// ``recordsSearched`` records are searched.
struct HeaderDetection {
    /// Number of records that are examined, including blank ones.
    static let recordsSearched = 40

    /// A record that was accepted as the header.
    struct Found {
        var header: HeaderNames
        /// Nil if there is no header.
        var position: Position?
        /// Start of the first data record.
        var next: Position
        var format: any LibraryFormat
        var columns: ColumnMap
        /// Records before the header that are not blank.
        var preamble: [[String]]
    }

    let file: InputFile
    let settings: ReadSettings
    /// The requested format; nil to use the best match.
    let wanted: (any LibraryFormat)?
    /// Records that were tried as headers without success, for the failure message.
    private(set) var seen: [(names: HeaderNames, position: Position)] = []
    /// Whether records over the limits were skipped.
    private var hasSkippedOversized = false

    init(file: InputFile, settings: ReadSettings) throws(ETLError) {
        self.file = file
        self.settings = settings
        if let mapping = settings.mapping {
            wanted = MappedFormat(mapping)
        } else if let name = settings.format, name != LibraryFormats.automatic {
            wanted = try LibraryFormats.named(name)
        } else {
            wanted = nil
        }
    }

    /// Searches with one dialect; nil if no record is a header.
    mutating func find(dialect: Dialect, encoding: TextEncoding, fileIndex: Int) throws(ETLError)
        -> Found?
    {
        guard settings.text.header != .none, !(wanted is any HeaderlessFormat) else { return nil }
        var reader = try RecordReader(
            file.bytes(), fileIndex: fileIndex, dialect: dialect, encoding: encoding, limits: settings.limits)
        var preamble: [[String]] = []
        while let (names, position) = try Self.next(&reader, &hasSkippedOversized) {
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
            seen.append((header, position))
            preamble.append(names)
        }
        return nil
    }

    /// Treats the file as one without a header, if a headerless format recognizes it or the user said so.
    func findWithoutHeader(dialect: Dialect, encoding: TextEncoding, fileIndex: Int) throws(ETLError)
        -> Found?
    {
        var reader = try RecordReader(
            file.bytes(), fileIndex: fileIndex, dialect: dialect, encoding: encoding, limits: settings.limits)
        var records: [[String]] = []
        var hasSkippedOversized = false
        while let (cells, _) = try Self.next(&reader, &hasSkippedOversized) { records.append(cells) }
        guard let width = records.map(\.count).max() else { return nil }
        let start = Position(file: fileIndex, byte: 0, line: 1, record: 1)
        let headerless = wanted.map { [$0] } ?? LibraryFormats.all
        for case let format as any HeaderlessFormat in headerless {
            guard let names = format.columns(of: records) else { continue }
            let header = HeaderNames(names)
            let columns = ColumnMap(
                formatName: format.name, names: header.names, fields: format.fields(header))
            return Found(header: header, next: start, format: format, columns: columns, preamble: [])
        }
        if wanted == nil, settings.text.header == .searched, settings.columns.columns.isEmpty,
            let (format, names) = LostHeader.find(records)
        {
            let header = HeaderNames(names)
            let columns = ColumnMap(
                formatName: format.name, names: header.names, fields: format.fields(header))
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
        _ reader: inout RecordReader, _ hasSkippedOversized: inout Bool
    ) throws(ETLError) -> (cells: [String], position: Position)? {
        while reader.position.record <= recordsSearched {
            guard let (record, cells, arena) = try reader.next() else { return nil }
            if !record.flags.isDisjoint(with: [.recordOverLimit, .fieldOverLimit]) {
                hasSkippedOversized = true
            }
            if record.isBlank || !record.flags.isDisjoint(with: .overLimit) { continue }
            let names = cells.map { arena[$0] }
            if names.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { return (names, record.position) }
        }
        return nil
    }

    /// The failure to throw after all dialects were tried without success.
    var failure: ETLError {
        let columns = settings.columns
        let nearest = seen.enumerated().max { a, b in
            (Self.best(a.element.names).score, -a.offset) < (Self.best(b.element.names).score, -b.offset)
        }
        guard let (header, position) = nearest?.element else { return failureWithoutHeader }
        let shown = header.names.prefix(40).map { "`\($0.prefix(60))`" }.joined(separator: ", ")
        let missing = columns.missing(in: header)
        if !columns.columns.isEmpty, let number = missing.first(where: { $0.hasPrefix("#") }),
            Int(number.dropFirst()) != nil
        {
            let count = header.names.count
            return ETLError(
                .unusableInput,
                "`\(file.path)` has only \(count) \(count == 1 ? "column" : "columns"), so there is no \(number).",
                advice: "Its columns are \(shown).", position: position)
        }
        if !columns.columns.isEmpty, !missing.isEmpty {
            return ETLError(
                .unusableInput,
                "`\(file.path)` has no \(missing.count == 1 ? "column" : "columns") "
                    + "\(missing.map { "`\($0)`" }.joined(separator: ", ")).",
                advice: "Its columns are \(shown).", position: position)
        }
        let best = Self.best(header)
        let percent = Int((best.score * 100).rounded())
        let likeness =
            percent > 0
            ? "The closest format is \(best.formatName) (\(percent)%)"
            : "No format has columns like these"
        return ETLError(
            .unusableInput,
            "No column of `\(file.path)` is recognized as a title or an ISBN. \(likeness). The columns are \(shown).",
            advice: """
                Map the columns with \(UserSetting.columns("title=COLUMN,isbn13=COLUMN")). If the first line is already a \
                book, use \(UserSetting.header("none")) \(UserSetting.columns("title=#1,author=#2")).
                """, position: position)
    }

    /// The failure if no record could be a header.
    private var failureWithoutHeader: ETLError {
        if let wanted = wanted as? any HeaderlessFormat {
            return ETLError(
                .unusableInput, "`\(file.path)` is not in the format `\(wanted.name)`.",
                advice:
                    "Leave out \(UserSetting.format), or check the file with \(UserCommand.inspect(file: file.path))."
            )
        }
        if settings.text.header == .none, settings.columns.columns.isEmpty {
            return ETLError(
                .unusableInput,
                "`\(file.path)` is read without a header, so its columns are unknown.",
                advice: "Map columns by number: \(UserSetting.columns("title=#1,author=#2,isbn13=#3")).")
        }
        if hasSkippedOversized {
            return ETLError(
                .unusableInput,
                """
                `\(file.path)` has no header, and one of its first records is over the limits: longer than \
                \(settings.limits.recordBytes) bytes, or with a cell longer than \(settings.limits.fieldBytes) bytes.
                """,
                advice: "Look for an unclosed quote or missing line ends in its first lines."
            )
        }
        if settings.text.header == .none {
            return ETLError(
                .unusableInput, "`\(file.path)` has fewer columns than the column mapping uses.",
                advice: "The first column is number 1: \(UserSetting.columns("title=#1")).")
        }
        if case .record(let explicit) = settings.text.header {
            return ETLError(
                .unusableInput,
                """
                Record \(explicit) of `\(file.path)` cannot be the header: it is missing, blank, or not among the first \
                \(Self.recordsSearched) records.
                """,
                advice:
                    "\(UserCommand.inspect(file: file.path)) shows which record etl detects as the header."
            )
        }
        return ETLError(
            .unusableInput, "`\(file.path)` contains no records and no header.",
            advice: "Create or download it again.")
    }

    private static func best(_ header: HeaderNames) -> FormatScore {
        LibraryFormats.scores(header).first ?? FormatScore(formatName: "none", score: 0)
    }

    /// The format and columns of a record taken as a header; nil if no column is a title or an ISBN.
    private func meaning(of header: HeaderNames, isSure: Bool) -> (any LibraryFormat, ColumnMap)? {
        guard header.count <= ColumnMap.maxColumns, let chosen = settings.columns.columns(in: header) else {
            return nil
        }
        let scores = LibraryFormats.scores(header)
        let best = scores.first.flatMap { best in
            best.score < LibraryFormats.threshold
                ? nil : LibraryFormats.all.first { $0.name == best.formatName }
        }
        // If the user mapped columns, no format has to recognize the header.
        let plain: (any LibraryFormat)? = chosen.isEmpty ? nil : Generic()
        guard let format = wanted ?? best ?? plain else { return nil }

        guard let fields = settings.columns.fields(of: header, by: format),
            format.identifying.contains(where: { fields[$0] != nil })
        else { return nil }
        // Further down in the file, a lone cell "title" is more likely prose than a header.
        guard isSure || fields.count > 1 || header.count == 1 else { return nil }
        return (format, ColumnMap(formatName: format.name, names: header.names, fields: fields))
    }
}
