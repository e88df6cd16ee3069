import Books
import Bytes
import Syntax

/// Reads work records of Open Library's dumps, one at a time, in reused buffers.
struct WorkDump {
    private(set) var body = PackedRecordWriter()
    /// Numbers of its authors, each once, in the record's order.
    private(set) var authors: [Int64] = []
    private(set) var text = DumpText()
    private let latestYear: Int32

    /// - Parameter latestYear: The last year that free text can name.
    init(latestYear: Int32) { self.latestYear = latestYear }

    /// Reads a record.
    mutating func read(_ json: UnsafeRawBufferPointer, key: OpenLibraryKey) throws(JSONReadError) {
        body.reset()
        authors.removeAll(keepingCapacity: true)
        body.append(.workKey) { key.append(to: &$0) }
        var reader = JSONReader(json)
        try reader.forEachKey { name, reader throws(JSONReadError) in
            try self.readValue(name, &reader)
        }
        try reader.finish()
    }

    private mutating func readValue(_ name: JSONString, _ reader: inout JSONReader)
        throws(JSONReadError)
    {
        switch name {
        case "title": try take(reader.openLibraryText(), .title)
        case "subtitle": try take(reader.openLibraryText(), .subtitle)
        case "description": try take(reader.openLibraryText(), .description, limit: DumpText.longLimit)
        case "authors":
            try reader.forEachReference { key throws(JSONReadError) in
                guard key.kind == .author, self.authors.count < EditionDump.authorLimit,
                    !self.authors.contains(key.number)
                else { return }
                self.authors.append(key.number)
            }
        case "subjects":
            var left = EditionDump.subjectLimit
            try reader.forEachString { string throws(JSONReadError) in
                guard left > 0 else { return }
                left -= 1
                self.take(string, .subject)
            }
        case "first_publish_date":
            guard let string = try reader.openLibraryText() else { return }
            text.read(string)
            if let year = text.withBytes({ DumpYear.read($0, latest: latestYear) }) {
                body.append(.firstPublicationYear) { $0.append(digitsOf: Int64(year)) }
            }
        case "covers":
            if let id = try reader.firstImage() {
                body.append(.workCover) { EditionDump.appendCover(id, to: &$0) }
            }
        case "identifiers": try takeIdentifiers(&reader)
        default: break
        }
    }

    private mutating func takeIdentifiers(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return try reader.skip() }
        try reader.forEachKey { name, reader throws(JSONReadError) in
            let field: Field
            switch name {
            case "goodreads": field = .workGoodreadsID
            case "librarything": field = .workLibraryThingID
            case "wikidata": field = .workWikidata
            default: return
            }
            var isTaken = false
            try reader.forEachString { string throws(JSONReadError) in
                guard !isTaken else { return }
                isTaken = self.take(string, field)
            }
        }
    }

    @discardableResult
    private mutating func take(
        _ string: JSONString?, _ field: Field, limit: Int = DumpText.shortLimit
    ) -> Bool {
        guard let string else { return false }
        text.read(string, limit: limit)
        return text.withBytes { body.append(field, $0) }
    }
}
