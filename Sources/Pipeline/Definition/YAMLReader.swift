/// Reads one YAML document into a tree in which every value knows its line and column.
///
/// Total on hostile text: it is bounded in bytes, values and depth, and there is nothing in a definition that
/// grows beyond its text, since anchors and aliases are refused. So are directives, tags, a second document
/// and keys that stand twice: YAML has answers to all of them, but none that a reader of the file would
/// guess.
package struct YAMLReader: ~Copyable {
    /// The largest definition, in bytes.
    static let maximumBytes = 1 << 20
    /// The deepest nesting of lists and mappings. libyaml itself would go on until memory ends.
    static let maximumDepth = 32

    /// The most texts, lists and mappings in one. Who wrote more has not written a definition, and would not
    /// read all that is wrong with it.
    static let maximumValues = 10_000

    private var events: YAMLEvents
    private var values = 0
    private let file: String

    /// Reads a text.
    ///
    /// - Parameter file: Its name in errors.
    /// - Returns: The document's value; nil when there is nothing but comments in it.
    package static func read(_ bytes: [UInt8], named file: String) throws(DefinitionError) -> DefinitionNode?
    {
        let start = ValueOrigin.file(file, line: 1, column: 1)
        guard bytes.count <= maximumBytes else {
            throw DefinitionError(
                DefinitionProblem(
                    .tooLarge, at: start, "The file is larger than 1 MiB.",
                    advice: "Is it a pipeline definition at all?"))
        }
        // `%TAG` and its like begin a line. libyaml compares each of them with all before it.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let line = lines.firstIndex(where: { $0.first == UInt8(ascii: "%") }) {
            throw DefinitionError(
                DefinitionProblem(
                    .unsupported, at: .file(file, line: line + 1, column: 1),
                    "Directives (`%…`) are not read.",
                    advice: "Leave the line out."))
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
            throw error(.unsupported, after, "A second document begins here.", "Keep one pipeline in a file.")
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
                "Is it a pipeline definition at all?")
        }
        if case .alias = start.event {
            throw error(.unsupported, start, "Aliases (`*name`) are not read.", "Write the value out.")
        }
        if start.isDecorated {
            throw error(
                .unsupported, start, "Anchors (`&name`) and tags (`!name`) are not read.",
                "Leave it out, and put quotes round a text that begins with `&` or `!`.")
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
                    .duplicateKey, next, "The key \(key.words) stands twice in one mapping.",
                    "It stands in line \(line) already: keep one of them.")
            }
            entries.append(
                .init(key: name, origin: key.origin, value: try node(from: events.next(), depth: depth)))
        }
        return DefinitionNode(.mapping(entries), at: origin(start))
    }

    private borrowing func check(_ depth: Int, at start: YAMLEvents.PlacedEvent) throws(DefinitionError) {
        guard depth < Self.maximumDepth else {
            throw error(
                .tooDeep, start, "Lists and mappings are nested more than \(Self.maximumDepth) deep here.",
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
