package import Pipeline
package import Syntax

/// An export file that was looked at and understood: syntax, columns and profile are decided, its records not read
/// yet.
package struct LibraryFile: Sendable {
    /// How the file's bytes are records.
    package enum Syntax: Sendable {
        /// Delimited text, with all that was guessed of it.
        case text(DelimitedText)
        /// The syntax of a format of its own, and what told it.
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
    /// What the run's survey found of it; nil where none was made.
    let surveyed: SurveyedFile?
    /// Raised when the run is to stop.
    private let stop: StopSignal?
    /// Where the first record begins: behind the header, where there is one.
    package let start: Position

    /// Looks at a file of the settings: the formats that know their files by their bytes are asked first, then the
    /// header of delimited text decides by its score.
    ///
    /// - Throws: What ``InputFile`` throws; `unusableInput` for what is of no format, or maps nothing, and for what is not
    ///   as it was surveyed; `configuration` for a format that does not exist.
    package init(
        _ path: String, index: Int, settings: ReadSettings, stop: StopSignal? = nil
    ) throws(StageFailure) {
        self.stop = stop
        let input = try InputFile(path)
        surveyed = settings.surveyed(fileAt: index)
        try surveyed?.state.check(path, advice: settings.adviceToResume)
        let head = try input.head()
        self.input = input
        self.index = index
        limits = settings.limits
        if settings.mapping == nil,
            let (format, evidence) = try LibraryFormats.structured(head: head, explicit: settings.format)
        {
            let names = HeaderNames(try format.columns(of: input))
            header = names
            syntax = .structured(format, evidence: evidence)
            self.format = format
            columns = ColumnMap(profile: format.name, names: names.names, fields: format.fields(names))
            start = Position(file: index, byte: 0, line: 1, record: 1)
        } else {
            let meaning = try DelimitedText.look(at: input, head: head, index: index, settings: settings)
            syntax = .text(meaning.text)
            format = meaning.format
            start = meaning.text.start
            header = meaning.header
            columns = meaning.columns
        }
        columns.dateOrder = settings.dateOrder(ofFile: index)
    }

    /// The text's guesses; nil for a format with a syntax of its own.
    package var text: DelimitedText? { if case .text(let text) = syntax { text } else { nil } }

    /// The first records' stream, or that of what follows a position in the file.
    package func records(from position: Position? = nil) throws(StageFailure) -> any RecordStream & ~Copyable
    {
        var from = start
        if let position, position.byte > start.byte {
            guard input.isPacked || position.byte <= input.size else {
                throw StageFailure(
                    .unusableInput, "\(input.path) is shorter than it was when the run began.",
                    advice: "Start the run anew, or bring the old file back.", position: position)
            }
            from = position
        }
        switch syntax {
        case .structured(let format, _):
            return try format.records(of: input, index: index, limits: limits, from: from)
        case .text(let text): return try records(of: text, from: from)
        }
    }

    /// The records of delimited text behind a position.
    func records(of text: DelimitedText, from position: Position) throws(StageFailure) -> RecordReader {
        try RecordReader(
            input.bytes(from: position.byte), fileIndex: index, dialect: text.dialect.dialect,
            encoding: text.encoding.encoding, limits: limits, from: position, columns: header.count,
            stop: stop)
    }
}
