import Bytes
import Syntax
import System

/// Decodes one book of BookWyrm's archive into columns.
struct BookWyrmRecord {
    /// The values of an object that are texts, numbers, flags, or lists of texts.
    private typealias Values = [String: String]

    private var row = CellRow<BookWyrmColumn>()

    /// Keys of an edition and the columns of their values. Of lists, the first text counts, except for subjects.
    private static let editionKeys: [(key: String, column: BookWyrmColumn)] = [
        ("id", .remoteID), ("title", .title), ("subtitle", .subtitle), ("series", .series),
        ("seriesNumber", .seriesNumber), ("isbn13", .isbn13), ("isbn10", .isbn10),
        ("openlibraryKey", .openLibraryKey), ("librarythingKey", .libraryThingKey),
        ("goodreadsKey", .goodreadsKey), ("asin", .asin), ("oclcNumber", .oclcNumber), ("pages", .pages),
        ("physicalFormat", .format), ("subjects", .subjects),
    ]

    /// The shelves that are reading statuses, by the last part of their address. A book can be on several; the first
    /// of these counts.
    private static let statuses = ["reading", "read", "stopped-reading", "to-read"]

    /// Decodes a book's object and appends its cells.
    mutating func decode(
        _ reader: inout JSONReader, in arena: inout Arena, to cells: inout [Text]
    ) throws(JSONReadError) -> Range<Int> {
        row.clear()
        var work: Values = [:]
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key.string {
            case "work": work = try Self.values(&reader)
            case "edition": takeEdition(try Self.values(&reader), &arena)
            case "authors":
                let names = try Self.objects(&reader).compactMap { $0["name"] }
                set(.authors, names.map { $0.replacing("|", with: " ") }.joined(separator: "|"), &arena)
            case "shelves": takeShelves(try Self.objects(&reader), &arena)
            case "lists": set(.lists, try Self.texts("name", &reader), &arena)
            case "comments": set(.comments, try Self.texts("content", &reader), &arena)
            case "quotations": set(.quotations, try Self.texts("quote", &reader), &arena)
            case "reviews": takeReviews(try Self.objects(&reader), &arena)
            case "readthroughs": takeReadings(try Self.objects(&reader), &arena)
            default: try reader.skip()
            }
        }
        if row[.firstPublished].isEmpty, let date = work["firstPublishedDate"] {
            set(.firstPublished, String(date.prefix(4)), &arena)
        }
        return row.append(to: &cells)
    }

    private mutating func set(_ column: BookWyrmColumn, _ text: String, _ arena: inout Arena) {
        if !text.isEmpty { row[column] = arena.append(text) }
    }

    private mutating func takeEdition(_ edition: Values, _ arena: inout Arena) {
        for (key, column) in Self.editionKeys { set(column, edition[key] ?? "", &arena) }
        func first(_ key: String) -> String {
            (edition[key]?.split(separator: "; ").first).map { String($0) } ?? ""
        }
        set(.publisher, first("publishers"), &arena)
        set(.language, first("languages"), &arena)
        set(.published, Self.day(edition["publishedDate"]), &arena)
        set(.firstPublished, String(Self.day(edition["firstPublishedDate"]).prefix(4)), &arena)
    }

    /// A reading status becomes the status; the other shelves stay shelves.
    private mutating func takeShelves(_ shelves: [Values], _ arena: inout Arena) {
        let named = shelves.map { shelf in
            let last = (shelf["id"] ?? "").split(separator: "/").last.map { String($0) } ?? ""
            return (identifier: last, name: shelf["name"] ?? last)
        }
        let status = Self.statuses.first { status in named.contains { $0.identifier == status } }
        set(.shelf, status ?? "", &arena)
        let others = named.filter { $0.identifier != status }.map { shelf in
            Self.statuses.contains(shelf.identifier)
                ? shelf.identifier : shelf.name.replacing(",", with: " ")
        }
        set(.shelves, others.joined(separator: ", "), &arena)
    }

    /// The stars are those of the newest review that has some. All texts are kept, the oldest first.
    private mutating func takeReviews(_ reviews: [Values], _ arena: inout Arena) {
        let sorted = reviews.sorted { ($0["published"] ?? "") < ($1["published"] ?? "") }
        set(.rating, sorted.last { !($0["rating"] ?? "").isEmpty }?["rating"] ?? "", &arena)
        let texts = sorted.map { Self.plain($0["content"] ?? "") }.filter { !$0.isEmpty }
        set(.review, texts.joined(separator: "\n\n"), &arena)
        set(.reviewName, sorted.last?["name"] ?? "", &arena)
        set(.reviewWarning, sorted.last?["summary"] ?? "", &arena)
    }

    private mutating func takeReadings(_ readings: [Values], _ arena: inout Arena) {
        let listed = readings.compactMap { reading -> String? in
            let started = Self.day(reading["start_date"])
            let finished = Self.day(reading["finish_date"] ?? reading["stopped_date"])
            return started.isEmpty && finished.isEmpty ? nil : "\(started)/\(finished)"
        }
        set(.readings, listed.joined(separator: "; "), &arena)
    }

    private static func day(_ time: String?) -> String { String((time ?? "").prefix(10)) }

    /// A text without the paragraphs that BookWyrm puts into it.
    private static func plain(_ html: String) -> String {
        html.replacing("</p><p>", with: "\n\n").replacing("<p>", with: "").replacing("</p>", with: "")
            .replacing("<br>", with: "\n").replacing("<br />", with: "\n").trimming(.spacesAndNewlines)
    }

    /// One value of each object of a list, joined.
    private static func texts(_ key: String, _ reader: inout JSONReader) throws(JSONReadError) -> String {
        try objects(&reader).compactMap { $0[key].map(plain) }.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private static func objects(_ reader: inout JSONReader) throws(JSONReadError) -> [Values] {
        guard try reader.peek() == .array else {
            try reader.skip()
            return []
        }
        var objects: [Values] = []
        try reader.forEachElement { (reader) throws(JSONReadError) in objects.append(try values(&reader)) }
        return objects
    }

    private static func values(_ reader: inout JSONReader) throws(JSONReadError) -> Values {
        guard try reader.peek() == .object else {
            try reader.skip()
            return [:]
        }
        var values: Values = [:]
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            let key = key.string
            switch try reader.peek() {
            case .string: values[key] = try reader.string().string
            case .number: values[key] = String(decoding: try reader.number(), as: UTF8.self)
            case .array:
                var texts: [String] = []
                try reader.forEachElement { (reader) throws(JSONReadError) in
                    if let text = try reader.stringIfAny() { texts.append(text.string) }
                }
                values[key] = texts.joined(separator: "; ")
            default: try reader.skip()
            }
        }
        return values
    }
}

extension JSONRecordKeys {
    /// Keys of a book in BookWyrm's archive.
    static let bookWyrm = JSONRecordKeys(
        [Key("edition"), Key("shelves"), Key("readthroughs")], holdRecords: false)
}

/// The records of BookWyrm's archive.
struct BookWyrmStream: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<JSONFraming>
    private var book = BookWyrmRecord()

    init(_ source: some ByteSource, limits: RecordLimits, from start: Position) {
        frames = FrameReader(
            source, framing: JSONFraming(keys: .bookWyrm), limit: limits.recordBytes, from: start)
    }

    var position: Position { frames.position }

    mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard var found = try frames.next(arena: &arena) else { return nil }
        found.readJSON(in: &arena) { (reader, arena) throws(JSONReadError) in
            try book.decode(&reader, in: &arena, to: &cells)
        }
        return found
    }
}
