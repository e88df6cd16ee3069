package import Books
package import Syntax
package import System

/// An export file whose syntax, columns and format are decided; its records are not read yet.
package struct LibraryFile: Sendable {
    /// Syntax by which the file's bytes form records.
    package enum Syntax: Sendable {
        /// Delimited text, with the guesses about it.
        case text(DelimitedText)
        /// A structured format, and how it was recognized.
        case structured(any StructuredFormat, evidence: String)
    }

    package let input: InputFile
    /// Index among the files of the run.
    package let index: Int
    package let syntax: Syntax
    package let header: HeaderNames
    package let format: any LibraryFormat
    package internal(set) var columns: ColumnMap
    package let limits: RecordLimits
    /// The run's survey of the file; nil if there was no survey.
    let surveyed: SurveyedFile?
    /// Doubts about the encoding, for the user.
    let encodingWarnings: [UserWarning]
    /// Raised when the run is to stop.
    private let stop: StopSignal?
    /// Start of the first data record, after the header if there is one.
    package let start: Position

    /// Examines a file of the settings. Structured formats are tried first; otherwise the header of the
    /// delimited text decides by its score.
    ///
    /// - Throws: Errors of ``InputFile``; `unusableInput` if the file has no known format, maps to no title
    ///   or ISBN, or changed since the survey; `configuration` for an unknown format; `temporary` if the run is to stop.
    package init(
        _ path: String, index: Int, settings: ReadSettings, stop: StopSignal? = nil
    ) throws(ETLError) {
        try self.init(
            InputFile(path, limit: settings.expansionLimit, stop: stop), index: index, settings: settings,
            stop: stop)
    }

    /// Examines a file that was opened with the settings' limit.
    init(
        _ opened: InputFile, index: Int, settings: ReadSettings, stop: StopSignal? = nil
    ) throws(ETLError) {
        let check = FormatCheck(input: opened, index: index, settings: settings, stop: stop)
        do throws(ETLError) {
            self = try Self(unchecked: opened, index: index, settings: settings, stop: stop)
        } catch {
            throw check.failure(for: error)
        }
        try check.check(self)
    }

    private init(
        unchecked opened: InputFile, index: Int, settings: ReadSettings, stop: StopSignal?
    ) throws(ETLError) {
        self.stop = stop
        var input = opened
        input.encoding = settings.text.encoding
        surveyed = settings.surveyed(fileAt: index)
        try surveyed?.state.check(input.file, advice: settings.adviceToResume)
        var head = try input.readableHead(settings)
        if !input.isTable, let delimiter = UnwrappedRows.delimiter(in: head) {
            input.wrappedRows = delimiter
            head = try input.head()
        }
        var encodingWarnings: [UserWarning] = []
        self.index = index
        limits = settings.limits
        if settings.mapping == nil, !input.isTable,
            let (format, evidence) = try LibraryFormats.structured(
                head: settings.text.encoding?.utf8(ofHead: head) ?? head, explicit: settings.format)
        {
            if format.isText, settings.text.encoding == nil {
                let guess = try input.encodingGuess(head)
                encodingWarnings = [input.doubt(about: guess)].compactMap(\.self)
                if guess.encoding != .utf8 { input.encoding = guess.encoding }
            } else if let prolog = try? XMLProlog(of: input), let wrong = prolog.wrongEncoding {
                encodingWarnings = [XMLProlog.warning(of: input, declared: prolog.encodingName, wrong)]
            }
            let names = HeaderNames(try format.columns(of: input))
            header = names
            syntax = .structured(format, evidence: evidence)
            self.format = format
            columns = ColumnMap(formatName: format.name, names: names.names, fields: format.fields(names))
            start = Position(file: index, byte: 0, line: 1, record: 1)
        } else {
            let meaning = try DelimitedText.look(at: input, head: head, index: index, settings: settings)
            syntax = .text(meaning.text)
            format = meaning.format
            start = meaning.text.start
            header = meaning.header
            columns = meaning.columns
            encodingWarnings = [input.doubt(about: meaning.text.encoding)].compactMap(\.self)
        }
        self.input = input
        self.encodingWarnings = encodingWarnings
        columns.dateOrder = settings.dateOrder(ofFile: index)
        if let text {
            let sample = try TextSample(records(of: text, from: start), columns)
            (columns.nameOrder, columns.areTextsEscaped) = (sample.nameOrder, sample.areTextsEscaped)
            columns.areTextsDoublyEncoded = sample.areTextsDoublyEncoded
        }
    }

    /// Whether it was recognized by the contents of its columns, because it has no header.
    var isHeaderLost: Bool {
        guard let text, text.headerPosition == nil else { return false }
        return !(format is any HeaderlessFormat) && !format.expected(header).isEmpty
    }

    /// The guesses about delimited text; nil for a structured format.
    package var text: DelimitedText? { if case .text(let text) = syntax { text } else { nil } }

    /// The records from the start of the file, or from a position in it.
    package func records(from position: Position? = nil) throws(ETLError) -> any RecordStream & ~Copyable {
        var from = start
        if let position, position.byte > start.byte {
            guard input.isPacked || position.byte <= input.size else {
                throw ETLError(
                    .unusableInput, "`\(input.path)` is shorter than it was when the run started.",
                    advice: FileState.adviceToResume(), position: position)
            }
            from = position
        }
        switch syntax {
        case .structured(let format, _):
            return try format.records(of: input, index: index, limits: limits, from: from)
        case .text(let text): return try records(of: text, from: from)
        }
    }

    /// The records of delimited text from a position.
    func records(of text: DelimitedText, from position: Position) throws(ETLError) -> RecordReader {
        try RecordReader(
            input.bytes(from: position.byte), fileIndex: index, dialect: text.dialect.dialect,
            encoding: text.encoding.encoding, limits: limits, from: position, columns: header.count,
            stop: stop)
    }
}

extension InputFile {
    /// The first bytes as text that a format can be recognized by. If the file is JSON whose objects are records of
    /// no format with its own syntax, it becomes a table.
    mutating func readableHead(_ settings: ReadSettings) throws(ETLError) -> [UInt8] {
        let head = try self.head()
        guard !isTable, JSONHead(head) != nil else { return head }
        if settings.mapping == nil,
            try LibraryFormats.structured(head: head, explicit: settings.format) != nil
        {
            return head
        }
        if settings.mapping == nil, settings.columns.columns.isEmpty,
            let (sentence, advice) = UnsupportedContent.entity(in: head)
        {
            throw ETLError(.unusableInput, "`\(path)` \(sentence).", advice: advice)
        }
        let wanted = settings.mapping.map { MappedFormat($0) as any LibraryFormat }
        table = try JSONTable(head: head) { keys in
            let header = HeaderNames(keys.filter { !Self.vague.contains($0.lowercased()) })
            let fields = (wanted ?? Generic()).fields(header)
            let all = HeaderNames(keys)
            let mapped = settings.columns.columns.values.contains { ColumnOptions.column($0, in: all) != nil }
            let isNumbered = fields[.isbn13] != nil || fields[.isbn10] != nil
            guard mapped || isNumbered || fields[.title] != nil else { return .none }
            let hasAuthor = fields[.author] != nil || fields[.additionalAuthors] != nil
            return fields[.title] != nil && (isNumbered || hasAuthor) ? .strong : .some
        } lifting: { key in
            let name = HeaderNames.folded(HeaderNames.key(key))
            guard name.hasPrefix("isbn") || name.hasPrefix("ean") else { return nil }
            let fields = Generic().fields(HeaderNames([key]))
            return fields.keys.contains(.isbn10) ? "isbn10" : fields.keys.contains(.isbn13) ? "isbn13" : nil
        } reading: { () throws(ETLError) in
            try unpackedBytes()
        }
        return table == nil ? head : try self.head()
    }

    /// Keys that name titles in tables, but anything in JSON.
    private static let vague: Set = ["name", "book"]
}
