package import Bytes
package import Syntax
package import System

/// Decodes one book of LibraryThing's JSON into columns.
///
/// The shape of values differs between years and between books: a string, a number, a list, a list of lists,
/// or an object with numbers as keys. The texts of any value are collected in order.
struct LibraryThingRecord {
    private var row = CellRow<LibraryThingColumn>()
    private var names: [UInt8] = []
    private var roles: [UInt8] = []
    private var more: [UInt8] = []
    private var buffer: [UInt8] = []

    /// Decodes a book's object and appends its cells.
    mutating func decode(
        _ reader: inout JSONReader, in arena: inout Arena, to cells: inout [Text]
    ) throws(JSONReadError) -> Range<Int> {
        row.clear()
        names.removeAll(keepingCapacity: true)
        roles.removeAll(keepingCapacity: true)
        more.removeAll(keepingCapacity: true)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            try take(key.string, &reader, &arena)
        }
        row[.authors] = arena.append(names)
        row[.roles] = arena.append(roles)
        row[.more] = arena.append(more)
        readPublication(arena)
        return row.append(to: &cells)
    }

    private mutating func take(
        _ key: String, _ reader: inout JSONReader, _ arena: inout Arena
    ) throws(JSONReadError) {
        switch key {
        case "authors": try takeAuthors(&reader)
        case "isbn", "ISBN", "isbns": try takeISBNs(&reader, &arena)
        default:
            guard !LibraryThingColumn.repeated.contains(key) else { return }
            let column = LibraryThingColumn.column(of: key)
            // Classifications and formats come with explanations: `{"code": ["306"], "wording": [ … ]}`.
            let part: String? =
                switch column {
                case .ddc, .lcc: "code"
                case .format: "text"
                default: nil
                }
            buffer.removeAll(keepingCapacity: true)
            try flatten(&reader, of: part, separator: column == .tags || column == .collections ? ", " : "; ")
            if let column, row[column].isEmpty {
                row[column] = arena.collapsingBlanks(arena.append(buffer))
            } else if !buffer.isEmpty {
                more +=
                    Array((more.isEmpty ? "" : "; ").utf8) + Array(key.utf8) + [UInt8(ascii: "=")] + buffer
            }
        }
    }

    /// Appends all texts of a value to the buffer, separated. If `part` is given, only those under this key
    /// of an object.
    private mutating func flatten(
        _ reader: inout JSONReader, of part: String?, separator: String
    ) throws(JSONReadError) {
        switch try reader.peek() {
        case .string:
            let text = try reader.string()
            guard !text.raw.isEmpty else { return }
            separate(by: separator)
            append(text, to: &buffer)
        case .number:
            let digits = try reader.number()
            separate(by: separator)
            buffer.append(contentsOf: digits)
        case .array:
            try reader.forEachElement { (reader) throws(JSONReadError) in
                try flatten(&reader, of: part, separator: separator)
            }
        case .object:
            try reader.forEachKey { (key, reader) throws(JSONReadError) in
                let name = key.string
                guard part == nil || name == part || name.utf8.allSatisfy(\.isDigit) else { return }
                try flatten(&reader, of: part, separator: separator)
            }
        case .bool, .null: try reader.skip()
        }
    }

    /// Appends a text and resolves the characters that LibraryThing escaped: `Yanomam&ouml;`.
    private func append(_ text: JSONString, to bytes: inout [UInt8]) {
        let start = bytes.count
        text.append(to: &bytes)
        guard let resolved = HTMLReferences.resolved(bytes[start...]) else { return }
        bytes.replaceSubrange(start..., with: resolved)
    }

    private mutating func separate(by separator: String) {
        if !buffer.isEmpty { buffer.append(contentsOf: separator.utf8) }
    }

    /// Parses `[{"lf": "Gaiman, Neil", "fl": "Neil Gaiman", "role": "Author"}, …]`, or an object of such
    /// objects.
    private mutating func takeAuthors(_ reader: inout JSONReader) throws(JSONReadError) {
        switch try reader.peek() {
        case .array:
            try reader.forEachElement { (reader) throws(JSONReadError) in try takeAuthor(&reader) }
        case .object:
            try reader.forEachKey { (_, reader) throws(JSONReadError) in try takeAuthor(&reader) }
        default: try takeAuthor(&reader)
        }
    }

    private mutating func takeAuthor(_ reader: inout JSONReader) throws(JSONReadError) {
        var name: [UInt8] = []
        var role: [UInt8] = []
        switch try reader.peek() {
        case .string: append(try reader.string(), to: &name)
        case .object:
            try reader.forEachKey { (key, reader) throws(JSONReadError) in
                switch key.string {
                case "fl": if let text = try reader.stringIfAny() { append(text, to: &name) }
                case "role": if let text = try reader.stringIfAny() { append(text, to: &role) }
                default: break
                }
            }
        default: return
        }
        guard !name.isEmpty else { return }
        if !names.isEmpty {
            names.append(UInt8(ascii: "|"))
            roles.append(UInt8(ascii: "|"))
        }
        names += name.map { $0 == UInt8(ascii: "|") ? 0x20 : $0 }
        roles += role.map { $0 == UInt8(ascii: "|") ? 0x20 : $0 }
    }

    /// Finds the ISBNs of thirteen and of ten digits, in any order and under any key.
    private mutating func takeISBNs(_ reader: inout JSONReader, _ arena: inout Arena) throws(JSONReadError) {
        buffer.removeAll(keepingCapacity: true)
        try flatten(&reader, of: nil, separator: " ")
        for number in buffer.split(separator: 0x20) {
            let column: LibraryThingColumn = number.count { $0.isDigit } > 10 ? .isbn13 : .isbn10
            if row[column].isEmpty { row[column] = arena.append(number) }
        }
    }

    /// Publisher and pages of `Del Rey (2011), Edition: Reprint, Paperback, 528 pages`, or of a library's imprint:
    /// `London : Penguin, 1987. 3 vols.`
    private mutating func readPublication(_ arena: borrowing Arena) {
        let publication = row[.publication]
        let parsed = arena.withBytes(publication) { LibraryThingPublication($0) }
        let publisher = publication.part(parsed.publisher)
        // `VINTAGE (RAND) (1992)`
        let bracket = arena.withBytes(publisher) { $0.firstRange(of: Array(" (".utf8))?.lowerBound }
        row[.publisher] = bracket.map { publisher.part(0..<$0) } ?? publisher
        if row[.pages].isEmpty, let pages = parsed.pages { row[.pages] = publication.part(pages) }
    }
}

extension JSONRecordKeys {
    /// Keys of a LibraryThing book. A book begins with its number; if that is damaged, other keys show where
    /// it is.
    package static let libraryThing = JSONRecordKeys(
        [
            Key("books_id"), Key("book_id"), Key("title", isCertain: false), Key("Title", isCertain: false),
            Key("sortcharacter", isCertain: false), Key("workcode", isCertain: false),
            Key("entrydate", isCertain: false),
        ], holdRecords: false)
}

/// The records of LibraryThing's JSON.
package struct LibraryThingStream: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<JSONFraming>
    private var book = LibraryThingRecord()

    /// - Parameter blockBytes: Number of bytes to examine at a time.
    package init(
        _ source: some ByteSource, encoding: TextEncoding = .utf8, limits: RecordLimits, from start: Position,
        blockBytes: Int? = nil
    ) {
        frames = FrameReader(
            source, framing: JSONFraming(keys: .libraryThing), encoding: encoding, limit: limits.recordBytes,
            from: start, blockBytes: blockBytes)
    }

    package var position: Position { frames.position }

    /// Number of input bytes held in memory.
    package var heldBytes: Int { frames.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard var found = try frames.next(arena: &arena) else { return nil }
        found.readJSON(in: &arena) { (reader, arena) throws(JSONReadError) in
            try book.decode(&reader, in: &arena, to: &cells)
        }
        return found
    }
}
