import CYAML

/// libyaml's parser as a stream of Swift values. The only file that uses CYAML.
///
/// It owns the parser and a copy of the text, and frees both. It must not be used after an error.
struct YAMLEvents: ~Copyable {
    /// A parser event.
    enum Event {
        case streamStart, streamEnd, documentStart, documentEnd
        case scalar(String, quoted: Bool)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        case alias
    }

    /// An event and where it begins. Line and column count from 1.
    struct PlacedEvent {
        let event: Event
        let line: Int
        let column: Int
        /// Whether it has an `&anchor` or `!tag`, or is an alias.
        let isDecorated: Bool
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>
    private let file: String
    private let isReady: Bool

    /// - Parameter bytes: UTF-8 without a byte order mark.
    init(_ bytes: some Collection<UInt8>, named file: String) {
        self.file = file
        text = .allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        isReady = yaml_parser_initialize(parser) == 1
        if isReady {
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, text.baseAddress, text.count)
        }
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// The next event.
    mutating func next() throws(DefinitionError) -> PlacedEvent {
        var event = yaml_event_t()
        guard isReady, yaml_parser_parse(parser, &event) == 1 else { throw DefinitionError(problem()) }
        defer { yaml_event_delete(&event) }
        let (kind, isDecorated) = Self.read(event)
        return PlacedEvent(
            event: kind, line: event.start_mark.line + 1, column: event.start_mark.column + 1,
            isDecorated: isDecorated)
    }

    private static func read(_ event: yaml_event_t) -> (Event, isDecorated: Bool) {
        switch event.type {
        case YAML_STREAM_START_EVENT: return (.streamStart, false)
        case YAML_DOCUMENT_START_EVENT: return (.documentStart, false)
        case YAML_DOCUMENT_END_EVENT: return (.documentEnd, false)
        case YAML_ALIAS_EVENT: return (.alias, true)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return (.sequenceStart, start.anchor != nil || start.tag != nil)
        case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, false)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return (.mappingStart, start.anchor != nil || start.tag != nil)
        case YAML_MAPPING_END_EVENT: return (.mappingEnd, false)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return (
                .scalar(
                    String(decoding: bytes, as: UTF8.self), quoted: scalar.style != YAML_PLAIN_SCALAR_STYLE),
                scalar.anchor != nil || scalar.tag != nil
            )
        default: return (.streamEnd, false)
        }
    }

    /// The parser's error as a problem with its position.
    private borrowing func problem() -> DefinitionProblem {
        let reason = isReady ? parser.pointee.problem.map { String(cString: $0) } ?? "" : "not enough memory"
        if isReady, parser.pointee.error == YAML_READER_ERROR {
            let (line, column) = place(ofByte: parser.pointee.problem_offset)
            return DefinitionProblem(
                .encoding, at: .file(file, line: line, column: column),
                reason.contains("control characters")
                    ? "There is a control character here." : "The text is not valid UTF-8 from here on.",
                advice: "Save the file as plain UTF-8 text.")
        }
        let mark = parser.pointee.problem_mark
        let origin = ValueOrigin.file(file, line: mark.line + 1, column: mark.column + 1)
        if byte(line: mark.line, column: mark.column) == UInt8(ascii: "\t") {
            return DefinitionProblem(
                .syntax, at: origin, "There is a tab here.", advice: "Indent YAML with spaces only.")
        }
        let (message, advice) = Self.explain(reason)
        return DefinitionProblem(.syntax, at: origin, message, advice: advice)
    }

    private static func explain(_ reason: String) -> (String, advice: String?) {
        switch reason {
        case "mapping values are not allowed in this context":
            (
                "There is an unexpected `:` here.",
                "Put quotes around text that contains `: `, and indent all keys of a mapping equally."
            )
        case "did not find expected key":
            ("A key is expected here.", "Start all keys of a mapping in the same column.")
        case "could not find expected ':'":
            ("A `:` is missing before this.", "Write `key: value`.")
        case "did not find expected '-' indicator":
            ("A `-` is expected here.", "Start all items of a list in the same column.")
        case "did not find expected ',' or ']'":
            (
                "A list that begins with `[` is not closed before this.",
                "Separate its items with `,` and end it with `]`."
            )
        case "did not find expected ',' or '}'":
            (
                "A mapping that begins with `{` is not closed before this.",
                "Separate its keys with `,` and end it with `}`."
            )
        case "found unexpected end of stream":
            ("The file ends inside quoted text.", "Add the closing quotation mark.")
        case "found character that cannot start any token":
            ("A value cannot start with this character.", "Put quotes around the value.")
        default:
            ("This is not valid YAML: \(reason).", nil)
        }
    }

    /// Line and column, from 1, of a byte offset.
    private borrowing func place(ofByte offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }

    /// The byte at a line and column, both from 0.
    private borrowing func byte(line: Int, column: Int) -> UInt8? {
        let lines = text.split(
            separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        guard line < lines.count else { return nil }
        return lines[line].lazy.filter { $0 & 0xC0 != 0x80 }.dropFirst(column).first
    }
}
