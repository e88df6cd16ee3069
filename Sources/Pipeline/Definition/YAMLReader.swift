/// Reads one YAML document into a tree in which every value has its line and column.
///
/// It is safe for malicious text: bytes, values and depth are limited, and without anchors and aliases a
/// definition cannot expand beyond its text. Directives, tags, a second document and duplicate keys are also
/// rejected, because their meaning in YAML is not obvious to someone who reads the file.
package struct YAMLReader: ~Copyable {
    /// Maximum size of a definition in bytes.
    static let maximumBytes = 1 << 20
    /// Maximum nesting of lists and mappings. libyaml itself is limited only by memory.
    static let maximumDepth = 32
    /// Maximum number of texts, lists and mappings. A file with more is not a definition, and its list of
    /// problems would be too long to read.
    static let maximumValues = 10_000

    private var events: YAMLEvents
    private var values = 0
    private let file: String

    /// Parses a document.
    ///
    /// - Parameter file: The file's name in errors.
    /// - Returns: The document's value; nil if it is empty except for comments.
    package static func read(_ bytes: [UInt8], named file: String) throws(DefinitionError) -> DefinitionNode?
    {
        let start = ValueOrigin.file(file, line: 1, column: 1)
        guard bytes.count <= maximumBytes else {
            throw DefinitionError(
                DefinitionProblem(
                    .tooLarge, at: start, "The file is larger than 1 MiB.",
                    advice: "Check that it is the right file."))
        }
        // Directives such as `%TAG` begin a line. libyaml compares each with all earlier ones, in quadratic
        // time.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let line = lines.firstIndex(where: { $0.first == UInt8(ascii: "%") }) {
            throw DefinitionError(
                DefinitionProblem(
                    .unsupported, at: .file(file, line: line + 1, column: 1),
                    "YAML directives (`%…`) are not supported.",
                    advice: "Remove the line."))
        }
        // libyaml counts a byte order mark as a column.
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var reader = YAMLReader(YAMLEvents(hasMark ? bytes[3...] : bytes[...], named: file), named: file)
        return try reader.document()
    }

    private init(_ events: consuming YAMLEvents, named file: String) {
        self.events = events
        self.file = file
    }

    private mutating func document() throws(DefinitionError) -> DefinitionNode? {
        _ = try events.next()  // the stream's start
        guard case .documentStart = try events.next().event else { return nil }
        let value = try node(from: events.next(), depth: 0)
        _ = try events.next()  // the document's end
        let after = try events.next()
        guard case .streamEnd = after.event else {
            throw error(
                .unsupported, after, "A second document starts here.", "Put each document into its own file.")
        }
        return value
    }

    private mutating func node(
        from start: YAMLEvents.PlacedEvent, depth: Int
    ) throws(DefinitionError) -> DefinitionNode {
        values += 1
        guard values <= Self.maximumValues else {
            throw error(
                .tooLarge, start, "There are more than \(Self.maximumValues) values before this.",
                "Check that it is the right file.")
        }
        if case .alias = start.event {
            throw error(
                .unsupported, start, "YAML aliases (`*name`) are not supported.", "Write out the value.")
        }
        if start.isDecorated {
            throw error(
                .unsupported, start, "YAML anchors (`&name`) and tags (`!name`) are not supported.",
                "Remove them, or put quotes around text that starts with `&` or `!`.")
        }
        switch start.event {
        case .scalar(let text, let quoted):
            return DefinitionNode(.scalar(text, quoted: quoted), at: origin(start))
        case .sequenceStart:
            try check(depth, at: start)
            return try sequence(from: start, depth: depth + 1)
        case .mappingStart:
            try check(depth, at: start)
            return try mapping(from: start, depth: depth + 1)
        default:
            throw error(.syntax, start, "A value is expected here.", nil)
        }
    }

    private mutating func sequence(
        from start: YAMLEvents.PlacedEvent, depth: Int
    ) throws(DefinitionError) -> DefinitionNode {
        var items: [DefinitionNode] = []
        while true {
            let next = try events.next()
            if case .sequenceEnd = next.event { break }
            items.append(try node(from: next, depth: depth))
        }
        return DefinitionNode(.sequence(items), at: origin(start))
    }

    private mutating func mapping(
        from start: YAMLEvents.PlacedEvent, depth: Int
    ) throws(DefinitionError) -> DefinitionNode {
        var entries: [DefinitionNode.Entry] = []
        var lines: [String: Int] = [:]
        while true {
            let next = try events.next()
            if case .mappingEnd = next.event { break }
            let key = try node(from: next, depth: depth)
            guard case .scalar(let name, _) = key.content else {
                throw error(.unsupported, next, "A key must be text, not \(key.words).", nil)
            }
            if let line = lines.updateValue(next.line, forKey: name) {
                throw error(
                    .duplicateKey, next, "The key \(key.words) appears twice (first on line \(line)).",
                    "Keep one of them.")
            }
            entries.append(
                .init(key: name, origin: key.origin, value: try node(from: events.next(), depth: depth)))
        }
        return DefinitionNode(.mapping(entries), at: origin(start))
    }

    private borrowing func check(_ depth: Int, at start: YAMLEvents.PlacedEvent) throws(DefinitionError) {
        guard depth < Self.maximumDepth else {
            throw error(
                .tooDeep, start,
                "Lists and mappings are nested more than \(Self.maximumDepth) levels deep here.",
                nil)
        }
    }

    private borrowing func origin(_ event: YAMLEvents.PlacedEvent) -> ValueOrigin {
        .file(file, line: event.line, column: event.column)
    }

    private borrowing func error(
        _ code: DefinitionProblem.Code, _ event: YAMLEvents.PlacedEvent, _ message: String, _ advice: String?
    ) -> DefinitionError {
        DefinitionError(DefinitionProblem(code, at: origin(event), message, advice: advice))
    }
}
