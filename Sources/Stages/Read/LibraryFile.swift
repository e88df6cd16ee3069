package import Pipeline

/// An export file that was looked at and understood: encoding, dialect, header and profile are decided, its
/// records not read yet.
package struct LibraryFile: Sendable {
    package let input: InputFile
    /// Index among the files of the run.
    package let index: Int
    package let encoding: EncodingGuess
    package let dialect: DialectGuess
    package let header: HeaderNames
    package let headerPosition: Position
    /// Where the first record after the header begins.
    package let start: Position
    /// Non-blank records before the header.
    package let preamble: [[String]]
    package let format: any LibraryFormat
    package let columns: ColumnMap
    package let limits: RecordLimits

    /// Looks at a file of the settings.
    ///
    /// - Throws: What ``InputFile`` throws; `unusableInput` for what is no table of text, or maps nothing;
    ///   `configuration` for a profile that does not exist.
    package init(_ path: String, index: Int, settings: ReadSettings) throws(StageFailure) {
        let input = try InputFile(path)
        let head = try FileBytes.head(of: path)
        let encoding = Self.encoding(of: head, settings)
        let isWide = encoding.encoding == .utf16LittleEndian || encoding.encoding == .utf16BigEndian
        if let foreign = ForeignContent.recognized(head: head, isWide: isWide) {
            throw StageFailure(.unusableInput, "\(path) \(foreign.sentence).", advice: foreign.advice)
        }
        var guess = Dialect.sniff(head: encoding.encoding.utf8(ofHead: head))
        var search = try HeaderSearch(file: input, settings: settings)
        var found: HeaderSearch.Found?
        for dialect in Self.dialects(guess.dialect, settings) where found == nil {
            found = try search.find(dialect: dialect, encoding: encoding.encoding, fileIndex: index)
            if found != nil, dialect != guess.dialect {
                guess.dialect = dialect
                guess.evidence = settings.dialect == nil ? "Its header makes sense only so." : "As told."
            }
        }
        guard let found else { throw search.failure }

        self.input = input
        self.index = index
        self.encoding = encoding
        dialect = guess
        header = found.header
        headerPosition = found.position
        start = found.next
        preamble = found.preamble
        format = found.format
        columns = found.columns
        limits = settings.limits
    }

    /// Non-blank records that count before the first of the records: the header and the preamble.
    package var recordsBeforeStart: Int { preamble.count + 1 }

    /// The first records' reader, or that of what follows a position in the file.
    package func records(from position: Position? = nil) throws(StageFailure) -> RecordReader {
        var from = start
        if let position, position.byte > start.byte {
            guard position.byte <= input.size else {
                throw StageFailure(
                    .unusableInput, "\(input.path) is shorter than it was when the run began.",
                    advice: "Start the run anew, or bring the old file back.", position: position)
            }
            from = position
        }
        return try RecordReader(
            file: input.path, fileIndex: index, dialect: dialect.dialect, encoding: encoding.encoding,
            limits: limits, from: from)
    }

    private static func encoding(of head: [UInt8], _ settings: ReadSettings) -> EncodingGuess {
        guard let told = settings.encoding else { return TextEncoding.sniff(head: head) }
        let mark = told.byteOrderMark
        return EncodingGuess(
            encoding: told, byteOrderMarkLength: !mark.isEmpty && head.starts(with: mark) ? mark.count : 0,
            evidence: "As told.")
    }

    /// The dialects worth trying: the one told, or the guess and then the usual ones.
    private static func dialects(_ guess: Dialect, _ settings: ReadSettings) -> [Dialect] {
        if let told = settings.dialect { return [told] }
        let usual = [Dialect.comma, .semicolon, .tab, Dialect(delimiter: UInt8(ascii: "|"))]
        return [guess] + usual.filter { $0 != guess }
    }
}
