import Books
import Bytes
import Services
import Syntax

/// Parses Open Library's records with the same readers that build a catalog from the dumps.
struct OpenLibraryRecords {
    private var editionReader = EditionDump()
    private var workReader: WorkDump
    private var authorReader: AuthorDump

    /// - Parameter latestYear: The last year that free text can name.
    init(latestYear: Int32) {
        workReader = WorkDump(latestYear: latestYear)
        authorReader = AuthorDump(latestYear: latestYear)
    }

    /// - Parameter fetchedAt: When the records were fetched, in milliseconds since 1970. Years up to the one
    ///   after next are accepted.
    init(fetchedAt: Int64) { self.init(latestYear: Int32(clamping: 1_972 + fetchedAt / 31_556_952_000)) }

    mutating func edition(_ json: [UInt8]) -> OpenLibraryRecord? {
        guard let key = Self.key(of: json, .edition) else { return nil }
        do throws(JSONReadError) {
            try json.lend { bytes throws(JSONReadError) in try editionReader.read(bytes, key: key) }
        } catch {
            return nil
        }
        var record = OpenLibraryRecord(.edition)
        record.body = editionReader.body.bytes[...]
        record.standIn = editionReader.standIn.bytes[...]
        record.work = editionReader.work == 0 ? nil : OpenLibraryKey(.work, editionReader.work).name
        record.authors = editionReader.authors.map { OpenLibraryKey(.author, $0).name }
        return record
    }

    mutating func work(_ json: [UInt8]) -> OpenLibraryRecord? {
        guard let key = Self.key(of: json, .work) else { return nil }
        do throws(JSONReadError) {
            try json.lend { bytes throws(JSONReadError) in try workReader.read(bytes, key: key) }
        } catch {
            return nil
        }
        var record = OpenLibraryRecord(.work)
        record.body = workReader.body.bytes[...]
        record.authors = workReader.authors.map { OpenLibraryKey(.author, $0).name }
        return record
    }

    mutating func author(_ json: [UInt8]) -> OpenLibraryRecord? {
        guard let key = Self.key(of: json, .author) else { return nil }
        do throws(JSONReadError) {
            try json.lend { bytes throws(JSONReadError) in try authorReader.read(bytes, key: key) }
        } catch {
            return nil
        }
        // Alternate names are for a catalog's search; candidates do not use them.
        var body = PackedRecordWriter()
        authorReader.body.bytes.withUnsafeBytes { body.append(record: $0) { $0 != .authorAlternateName } }
        var record = OpenLibraryRecord(.author)
        record.body = body.bytes[...]
        return record
    }

    /// A record requested by its key: of the given kind, or a redirect.
    mutating func record(_ json: [UInt8], _ kind: OpenLibraryKey.Kind) -> OpenLibraryRecord? {
        if let place = Self.redirect(json) {
            var moved = OpenLibraryRecord(.moved)
            moved.work = place
            return moved
        }
        return kind == .work ? work(json) : author(json)
    }

    /// The key of a record, if it has the given kind.
    private static func key(of json: [UInt8], _ kind: OpenLibraryKey.Kind) -> OpenLibraryKey? {
        let key = text(of: "key", in: json).flatMap { OpenLibraryKey($0) }
        return key?.kind == kind ? key : nil
    }

    /// The target of a redirect, such as `OL2W`; nil for other records.
    private static func redirect(_ json: [UInt8]) -> String? {
        text(of: "location", in: json).flatMap { OpenLibraryKey($0) }?.name
    }

    private static func text(of name: StaticString, in json: [UInt8]) -> String? {
        let text = try? JSONReader.read(json) { reader throws(JSONReadError) in
            try reader.member(name)?.string
        }
        return text ?? nil
    }
}

/// A parsed Open Library record: its values and the records it refers to. The packed form is the service's
/// decoded answer:
///
///     kind (1) · work · authors · body · stand-in        each with its length or count in front (LEB128)
struct OpenLibraryRecord: Sendable, Hashable {
    enum Kind: UInt8, Sendable, Hashable {
        case edition = 1
        case work, author
        /// A redirect.
        case moved
    }

    var kind: Kind
    /// The record's own values (``PackedRecord``).
    var body: ArraySlice<UInt8> = []
    /// For an edition: values that stand in for those of its work.
    var standIn: ArraySlice<UInt8> = []
    /// For an edition: its work, such as `OL1W`, nil if it names none. For a redirect: its target.
    var work: String?
    /// The keys of its authors.
    var authors: [String] = []

    init(_ kind: Kind) { self.kind = kind }

    // MARK: Packed

    var packed: [UInt8] {
        var bytes = [kind.rawValue]
        bytes.reserveCapacity(body.count + standIn.count + 64)
        Self.append(work ?? "", to: &bytes)
        Varint.append(UInt64(authors.count), to: &bytes)
        for author in authors { Self.append(author, to: &bytes) }
        for part in [body, standIn] {
            Varint.append(UInt64(part.count), to: &bytes)
            bytes.append(contentsOf: part)
        }
        return bytes
    }

    /// Unpacks a record; nil if the bytes are not a packed record.
    init?(packed: ArraySlice<UInt8>) {
        var rest = packed
        guard let kind = rest.popFirst().flatMap(Kind.init(rawValue:)), let work = Self.takeText(&rest),
            let count = Varint.take(&rest), count <= UInt64(rest.count)
        else { return nil }
        self.init(kind)
        self.work = work.isEmpty ? nil : work
        for _ in 0..<count {
            guard let author = Self.takeText(&rest) else { return nil }
            authors.append(author)
        }
        guard let body = Self.take(&rest), let standIn = Self.take(&rest), rest.isEmpty else { return nil }
        self.body = body
        self.standIn = standIn
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        Varint.append(UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func takeText(_ rest: inout ArraySlice<UInt8>) -> String? {
        take(&rest).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = Varint.take(&rest), count <= UInt64(rest.count) else { return nil }
        let taken = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return taken
    }
}

/// Splits a response of `/api/books` into editions, and checks each against the requested ISBN.
///
/// The response is parsed in a single pass that only copies the editions' bytes: a batch of fifty has a
/// quarter of a megabyte.
enum OpenLibraryEditions {
    /// One part per ISBN, in their order.
    static func read(_ body: [UInt8], bearing isbns: [String]) throws(JSONReadError) -> [ResponsePart] {
        var parts: [String: ResponsePart] = [:]
        try JSONReader.read(body) { reader throws(JSONReadError) in
            try reader.forEachKey { name, reader throws(JSONReadError) in
                let name = name.string
                // Of a repeated key, the first counts.
                guard name.hasPrefix("ISBN:"), parts[name] == nil else { return }
                parts[name] = try part(&reader, of: body, bearing: name.dropFirst(5))
            }
            try reader.finish()
        }
        return isbns.map { parts["ISBN:\($0)"] ?? .notFound }
    }

    /// The value under an ISBN: the record under `details`, or the record itself.
    private static func part(
        _ reader: inout JSONReader, of body: [UInt8], bearing isbn: Substring
    ) throws(JSONReadError) -> ResponsePart {
        var outer = Identity()
        var inner: (identity: Identity, range: Range<Int>)?
        _ = try reader.peek()
        let start = reader.offset
        try reader.forEachKey { name, reader throws(JSONReadError) in
            guard name == "details" else { return try outer.take(name, &reader) }
            var identity = Identity()
            _ = try reader.peek()
            let start = reader.offset
            try reader.forEachKey { name, reader throws(JSONReadError) in try identity.take(name, &reader) }
            inner = inner ?? (identity, start..<reader.offset)
        }
        let (identity, range) = inner ?? (outer, start..<reader.offset)
        return identity.isEdition(bearing: isbn) ? .found(Array(body[range])) : .mismatch
    }

    /// The key and ISBNs of an edition.
    private struct Identity {
        private var key: OpenLibraryKey?
        private var numbers = DumpISBNs()

        mutating func take(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
            switch name {
            case "key":
                let text = try reader.stringIfAny()
                if key == nil { key = text.flatMap { OpenLibraryKey($0.string) } }
            case "identifiers":
                guard try reader.peek() == .object else { return }
                try reader.forEachKey { name, reader throws(JSONReadError) in
                    try self.numbers.take(name, &reader)
                }
            default: try numbers.take(name, &reader)
            }
        }

        func isEdition(bearing isbn: Substring) -> Bool {
            key?.kind == .edition && numbers.valid.contains { $0.isbn13 == isbn }
        }
    }
}

/// A row of Open Library's search: a work, with the values that the matcher compares.
struct OpenLibraryDoc {
    private(set) var offered = MatchCandidate(record: "", title: "")
    /// The keys of its authors, in the order of their names.
    private var authorKeys: [String] = []
    private var cover: Int64?
    private var subjects: [String] = []
    /// The edition that fits a search best; nil in rows for matching, where it is not requested.
    private var edition: OpenLibraryDocEdition?

    /// The works of a search response; nil if the bytes are not one.
    static func works(in body: [UInt8]) -> [MatchCandidate]? { docs(in: body)?.map(\.offered) }

    /// The same works as values.
    static func packed(in body: [UInt8]) -> [PackedRecordWriter]? { docs(in: body)?.map(\.packed) }

    private static func docs(in body: [UInt8]) -> [OpenLibraryDoc]? {
        do throws(JSONReadError) {
            guard let docs = try JSONSlices.members(of: body)["docs"] else { return nil }
            var works: [OpenLibraryDoc] = []
            for json in try JSONSlices.elements(of: docs) {
                let doc = try OpenLibraryDoc(json)
                if !doc.offered.record.isEmpty, !doc.offered.title.isEmpty { works.append(doc) }
            }
            return works
        } catch {
            return nil
        }
    }

    private var packed: PackedRecordWriter {
        var packed = PackedRecordWriter()
        packed.append(.workKey, offered.record)
        packed.append(.title, ServiceTextCleaner.plain(offered.title))
        packed.append(.subtitle, ServiceTextCleaner.plain(offered.subtitle))
        if let year = offered.year { packed.append(.firstPublicationYear, String(year)) }
        if let cover { packed.append(.workCover) { EditionDump.appendCover(cover, to: &$0) } }
        edition?.append(to: &packed)
        packed.append(authorNames: offered.authors.compactMap(\.first))
        if authorKeys.count == offered.authors.count {
            for (number, key) in authorKeys.prefix(PackedRecord.authorLimit).enumerated() {
                packed.append(.authorKey, author: UInt8(number), key)
            }
        }
        for subject in subjects { packed.append(.subject, ServiceTextCleaner.plain(subject)) }
        return packed
    }

    private init() {}

    private init(_ json: [UInt8]) throws(JSONReadError) {
        var doc = OpenLibraryDoc()
        try JSONReader.read(json) { reader throws(JSONReadError) in
            try reader.forEachKey { name, reader throws(JSONReadError) in
                try doc.read(name, &reader)
            }
        }
        self = doc
    }

    private mutating func read(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "key":
            let key = try reader.stringIfAny().flatMap { OpenLibraryKey($0.string) }
            if let key, key.kind == .work { offered.record = key.name }
        case "title": offered.title = try reader.stringIfAny()?.string ?? ""
        case "subtitle": offered.subtitle = try reader.stringIfAny()?.string ?? ""
        case "author_name":
            try reader.forEachString { author throws(JSONReadError) in
                self.offered.authors.append([ServiceTextCleaner.name(author.string)])
            }
        case "author_key":
            try reader.forEachString { author throws(JSONReadError) in
                let key = OpenLibraryKey("/authors/\(author.string)")
                if let key, key.kind == .author { self.authorKeys.append(key.name) }
            }
        case "subject":
            try reader.forEachString { subject throws(JSONReadError) in
                if self.subjects.count < EditionDump.subjectLimit { self.subjects.append(subject.string) }
            }
        case "editions": edition = try OpenLibraryDocEdition.first(&reader)
        case "cover_i": cover = try reader.wholeNumber().flatMap { $0 > 0 ? $0 : nil }
        case "author_alternative_name":
            try reader.forEachString { author throws(JSONReadError) in
                if self.offered.otherNames.count < 64 { self.offered.otherNames.append(author.string) }
            }
        case "first_publish_year":
            if let year = try reader.wholeNumber(), (-3_000...3_000).contains(year) {
                offered.year = Int32(year)
            }
        case "edition_count":
            if let count = try reader.wholeNumber(), (0...Int64(Int32.max)).contains(count) {
                offered.weight = count
            }
        default: break
        }
    }
}
