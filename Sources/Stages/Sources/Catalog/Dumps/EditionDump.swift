import Books
import Bytes
import Syntax

/// Reads edition records of Open Library's dumps, one at a time, in reused buffers.
struct EditionDump {
    /// The edition's own values.
    private(set) var body = PackedRecordWriter()
    /// Title, subtitle and subjects to use instead of the work's if the catalog does not have the work.
    private(set) var standIn = PackedRecordWriter()
    private var numbers = DumpISBNs()
    /// The valid ISBNs, each once, in ascending order.
    var isbns: [ISBN] { numbers.valid }
    /// Values of the last record that are not valid ISBNs.
    var wrongISBNs: Int { numbers.wrong }
    /// ISBNs of the last record over the limit.
    var surplusISBNs: Int { numbers.surplus }
    /// Number of its work; 0 if it names none.
    private(set) var work: Int64 = 0
    /// Numbers of its authors.
    private(set) var authors: [Int64] = []
    /// Hash of its whole title.
    private(set) var title: FoldedHash?
    /// Whether it has an identifier by which it is found without an ISBN.
    private(set) var hasIdentifiers = false
    private(set) var text = DumpText()

    private var titleBytes: [UInt8] = []
    private var subtitleBytes: [UInt8] = []

    /// Maximum subjects kept of a record.
    static let subjectLimit = 100
    /// Maximum authors kept of a record.
    static let authorLimit = 32
    /// Maximum identifiers of a kind kept of a record.
    private static let identifierLimit = 4

    /// Reads a record.
    mutating func read(_ json: UnsafeRawBufferPointer, key: OpenLibraryKey) throws(JSONReadError) {
        reset()
        body.append(.editionKey) { key.append(to: &$0) }
        var reader = JSONReader(json)
        try reader.forEachKey { name, reader throws(JSONReadError) in
            try self.readValue(name, &reader)
        }
        try reader.finish()
        numbers.sort()
        body.append(isbns: numbers.valid)
        title = Self.hash(titleBytes, subtitleBytes)
    }

    private mutating func reset() {
        body.reset()
        standIn.reset()
        numbers.removeAll()
        authors.removeAll(keepingCapacity: true)
        titleBytes.removeAll(keepingCapacity: true)
        subtitleBytes.removeAll(keepingCapacity: true)
        work = 0
        hasIdentifiers = false
    }

    private mutating func readValue(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "title":
            try take(reader.openLibraryText(), .editionTitle, standIn: .title)
            titleBytes = text.bytes
        case "subtitle":
            try take(reader.openLibraryText(), .editionSubtitle, standIn: .subtitle)
            subtitleBytes = text.bytes
        case "isbn_13", "isbn_10":
            try numbers.take(name, &reader)
        case "works":
            try reader.forEachReference { key throws(JSONReadError) in
                if self.work == 0, key.kind == .work { self.work = key.number }
            }
        case "authors":
            try reader.forEachReference { key throws(JSONReadError) in
                if key.kind == .author, self.authors.count < Self.authorLimit {
                    self.authors.append(key.number)
                }
            }
        case "publishers": try takeFirst(&reader, .publisher)
        case "publish_date": try take(reader.openLibraryText(), .publicationDate)
        case "number_of_pages":
            if let pages = try reader.wholeNumber(), (1...99_999).contains(pages) {
                body.append(.pageCount) { $0.append(digitsOf: pages) }
            }
        case "physical_format": try takeFormat(reader.openLibraryText())
        case "languages": try takeLanguage(&reader, .language)
        case "translated_from": try takeLanguage(&reader, .originalLanguage)
        case "covers":
            if let id = try reader.firstImage() {
                body.append(.editionCover) { Self.appendCover(id, to: &$0) }
            }
        case "description":
            try take(reader.openLibraryText(), .editionDescription, limit: DumpText.longLimit)
        case "identifiers": try takeIdentifiers(&reader)
        case "oclc_numbers", "oclc_number": try take(.oclc, .oclcNumber, &reader)
        case "lccn": try take(.lccn, .lccn, &reader)
        case "subjects":
            try reader.forEachString { string throws(JSONReadError) in
                guard self.standIn.count < Self.subjectLimit else { return }
                self.text.read(string)
                self.text.withBytes { _ = self.standIn.append(.subject, $0) }
            }
        default: break
        }
    }

    private mutating func take(
        _ string: JSONString?, _ field: Field, standIn standInField: Field? = nil,
        limit: Int = DumpText.shortLimit
    ) {
        guard let string else { return }
        text.read(string, limit: limit)
        text.withBytes { bytes in
            body.append(field, bytes)
            if let standInField { standIn.append(standInField, bytes) }
        }
    }

    private mutating func takeFirst(_ reader: inout JSONReader, _ field: Field) throws(JSONReadError) {
        var isTaken = false
        try reader.forEachString { string throws(JSONReadError) in
            guard !isTaken else { return }
            self.text.read(string)
            isTaken = self.text.withBytes { self.body.append(field, $0) }
        }
    }

    private mutating func takeFormat(_ string: JSONString?) {
        guard let string else { return }
        text.read(string)
        guard let format = text.withBytes({ EditionFormat(binding: $0) }) else { return }
        body.append(.format, format.contractName)
    }

    private mutating func takeLanguage(_ reader: inout JSONReader, _ field: Field) throws(JSONReadError) {
        guard try reader.peek() == .array else { return try reader.skip() }
        var isTaken = false
        try reader.forEachElement { reader throws(JSONReadError) in
            guard let string = try reader.member("key"), !isTaken else { return }
            // `/languages/eng` today, `/l/eng` in old records.
            guard let letters = string.bytes.lend({ Languages.twoLetters($0) }) else { return }
            isTaken = self.body.append(field, [letters.0, letters.1])
        }
    }

    private mutating func takeIdentifiers(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return try reader.skip() }
        try reader.forEachKey { name, reader throws(JSONReadError) in
            switch name {
            case "isbn_13", "isbn_10": try self.numbers.take(name, &reader)
            case "goodreads": try self.take(.goodreads, .editionGoodreadsID, &reader)
            case "librarything": try self.take(.libraryThing, .editionLibraryThingID, &reader)
            case "amazon": try self.take(.amazon, .amazonASIN, &reader)
            case "oclc": try self.take(.oclc, .oclcNumber, &reader)
            case "lccn": try self.take(.lccn, .lccn, &reader)
            case "google": try self.takeFirst(&reader, .googleBooksVolumeID)
            default: break
            }
        }
    }

    /// Takes identifiers of a kind.
    private mutating func take(
        _ kind: BookIdentifier, _ field: Field, _ reader: inout JSONReader
    ) throws(JSONReadError) {
        var left = Self.identifierLimit
        try reader.forEachString { string throws(JSONReadError) in
            guard left > 0 else { return }
            self.text.read(string)
            guard self.text.withBytes({ kind.normalized($0) != nil }) else { return }
            left -= 1
            self.text.withBytes { _ = self.body.append(field, $0) }
            self.hasIdentifiers = true
        }
    }

    /// Appends the URL of the large cover with an id.
    static func appendCover(_ id: Int64, to bytes: inout [UInt8]) {
        bytes.append("https://covers.openlibrary.org/b/id/")
        bytes.append(digitsOf: id)
        bytes.append("-L.jpg")
    }

    /// Hash of a title with its subtitle; nil if there is no title.
    static func hash(_ title: [UInt8], _ subtitle: [UInt8]) -> FoldedHash? {
        guard !title.isEmpty else { return nil }
        return title.withUnsafeBytes { title in
            subtitle.withUnsafeBytes { FoldedHash.title(title, $0.isEmpty ? nil : $0) }
        }
    }
}

/// The ISBNs of an Open Library edition, each once: from its own two lists, and from its identifiers, where
/// responses of `/api/books` have them.
struct DumpISBNs {
    /// Maximum ISBNs per edition. Real editions have a handful, works in many volumes some dozens. The
    /// edition is stored once per ISBN, so thousands would turn one line into gigabytes.
    static let limit = 64

    private(set) var valid: [ISBN] = []
    /// ISBNs over the ``limit``.
    private(set) var surplus = 0
    /// Texts that are not ISBNs.
    private(set) var wrong = 0
    private var digits: [UInt8] = []

    mutating func removeAll() {
        valid.removeAll(keepingCapacity: true)
        (wrong, surplus) = (0, 0)
    }

    /// Reads a member of a record if it contains ISBNs.
    mutating func take(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "isbn_13", "isbn_10": try takeAll(&reader)
        default: break
        }
    }

    /// Reads a list of ISBNs.
    mutating func takeAll(_ reader: inout JSONReader) throws(JSONReadError) {
        try reader.forEachString { string throws(JSONReadError) in self.take(string) }
    }

    private mutating func take(_ string: JSONString) {
        digits.removeAll(keepingCapacity: true)
        string.append(to: &digits)
        // Hyphens, typographic ones too, and spaces separate the parts of an ISBN. Few have anything else.
        digits.removeAll { $0 == UInt8(ascii: "-") || $0 <= 0x20 || $0 >= 0x80 }
        guard !digits.isEmpty else { return }
        guard let isbn = digits.withUnsafeBytes({ ISBN(normalized: $0) }) ?? ISBN(written: string.string)
        else {
            wrong += 1
            return
        }
        guard !valid.contains(isbn) else { return }
        if valid.count < Self.limit { valid.append(isbn) } else { surplus += 1 }
    }

    /// Sorts the valid ISBNs.
    mutating func sort() { valid.sort() }
}
