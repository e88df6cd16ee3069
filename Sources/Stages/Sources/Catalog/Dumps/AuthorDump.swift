import Books
import Bytes
import Glibc
import Syntax

/// Reads author records of Open Library's dumps, one at a time, in reused buffers.
struct AuthorDump {
    /// Maximum alternate names kept of a record.
    static let alternateNameLimit = 32

    private(set) var body = PackedRecordWriter()
    private(set) var text = DumpText()
    private let latestYear: Int32
    private var hasName = false
    private var personalName: [UInt8] = []

    /// - Parameter latestYear: The last year that free text can name.
    init(latestYear: Int32) { self.latestYear = latestYear }

    /// Reads a record.
    mutating func read(_ json: UnsafeRawBufferPointer, key: OpenLibraryKey) throws(JSONReadError) {
        body.reset()
        hasName = false
        personalName.removeAll(keepingCapacity: true)
        body.append(.authorKey) { key.append(to: &$0) }
        var reader = JSONReader(json)
        try reader.forEachKey { name, reader throws(JSONReadError) in
            try self.readValue(name, &reader)
        }
        try reader.finish()
        if !hasName { body.append(.authorName, Self.inReadingOrder(personalName)) }
    }

    private mutating func readValue(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "name":
            guard let string = try reader.openLibraryText() else { return }
            text.read(string)
            hasName =
                text.withBytes { PeopleCell.isPlainName($0) }
                ? text.withBytes { body.append(.authorName, $0) }
                : body.append(.authorName, Self.inReadingOrder(text.bytes))
        case "personal_name":
            guard let string = try reader.openLibraryText() else { return }
            text.read(string)
            personalName = text.bytes
        case "alternate_names":
            var left = Self.alternateNameLimit
            try reader.forEachString { string throws(JSONReadError) in
                guard left > 0 else { return }
                left -= 1
                self.take(string, .authorAlternateName)
            }
        case "birth_date": try takeYear(reader.openLibraryText(), .authorBirthYear)
        case "death_date": try takeYear(reader.openLibraryText(), .authorDeathYear)
        case "remote_ids": try takeIdentifiers(&reader)
        default: break
        }
    }

    /// A name as a cell of a file would be read (``PeopleCell``). A record of several people keeps its name.
    private static func inReadingOrder(_ name: [UInt8]) -> [UInt8] {
        guard !name.withUnsafeBytes({ PeopleCell.isPlainName($0) }) else { return name }
        return PeopleCell.single(String(decoding: name, as: UTF8.self)).map { Array($0.utf8) } ?? name
    }

    private mutating func takeIdentifiers(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return try reader.skip() }
        try reader.forEachKey { name, reader throws(JSONReadError) in
            switch name {
            case "wikidata": self.take(try reader.stringIfAny(), .authorWikidata)
            case "viaf": self.take(try reader.stringIfAny(), .authorVIAF)
            case "isni": self.take(try reader.stringIfAny(), .authorISNI)
            case "goodreads": self.take(try reader.stringIfAny(), .authorGoodreadsID)
            default: break
            }
        }
    }

    private mutating func takeYear(_ string: JSONString?, _ field: Field) {
        guard let string else { return }
        text.read(string)
        if let year = text.withBytes({ DumpYear.read($0, latest: latestYear) }) {
            body.append(field, String(year))
        }
    }

    @discardableResult
    private mutating func take(_ string: JSONString?, _ field: Field) -> Bool {
        guard let string else { return false }
        text.read(string)
        return text.withBytes { body.append(field, $0) }
    }
}

/// Recognizes people who write among a hundred million Wikidata entities, by the bytes of a line alone: most
/// lines are never parsed as JSON.
///
/// Accepts an entity that has an author id (Open Library P648, Goodreads P2963), or that has an occupation
/// (P106) and names an item from the list of writing occupations. An entity that names such an item elsewhere
/// is accepted as well. That does no harm: the catalog has one person more.
enum AuthorMarkers {
    private static let identifiers: Set<Int> = [648, 2_963]
    private static let occupation = 106
    /// Writer, author, novelist, poet, journalist, children's writer, screenwriter, essayist, playwright.
    private static let occupations: Set<Int> = [
        36_180, 482_980, 6_625_963, 49_757, 1_930_187, 4_853_732, 28_389, 11_774_202, 214_917,
    ]

    /// Whether an entity's JSON looks like a person who writes.
    static func isOn(_ json: UnsafeRawBufferPointer) -> Bool {
        var hasOccupation = false
        let isIdentified = holds(json, UInt8(ascii: "P")) { number in
            if number == occupation { hasOccupation = true }
            return identifiers.contains(number)
        }
        if isIdentified { return true }
        return hasOccupation && holds(json, UInt8(ascii: "Q")) { occupations.contains($0) }
    }

    /// Whether a quoted id with the given first letter has a wanted number.
    private static func holds(
        _ json: UnsafeRawBufferPointer, _ letter: UInt8, _ isWanted: (Int) -> Bool
    ) -> Bool {
        guard let base = json.baseAddress else { return false }
        var at = 1
        while at < json.count, let found = memchr(base + at, Int32(letter), json.count - at) {
            at = UnsafeRawPointer(found) - base + 1
            guard json[at - 2] == UInt8(ascii: "\"") else { continue }
            var number = 0
            while at < json.count, number < 100_000_000, json[at].isDigit {
                number = number * 10 + Int(json[at] - UInt8(ascii: "0"))
                at += 1
            }
            if at < json.count, json[at] == UInt8(ascii: "\""), isWanted(number) { return true }
        }
        return false
    }
}
