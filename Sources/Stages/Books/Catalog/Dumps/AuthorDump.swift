import Syntax

/// Reads author records of Open Library's dumps, one after the other, in the same buffers (providers.md 1.3,
/// 1.8).
struct AuthorDump {
    /// Alternate names kept of a record.
    static let alternateNameLimit = 32

    private(set) var body = PackedRecordWriter()
    private(set) var text = DumpText()
    private let latestYear: Int32
    private var hasName = false
    private var personalName: [UInt8] = []

    /// - Parameter latestYear: The last year that is taken for one in free text.
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
        if !hasName { body.append(.authorName, personalName) }
    }

    private mutating func readValue(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "name": hasName = try take(reader.openLibraryText(), .authorName)
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
