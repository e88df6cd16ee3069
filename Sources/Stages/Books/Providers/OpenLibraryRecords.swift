import Bytes
import Syntax

/// Reads Open Library's records, by the same readers that build the catalog from its dumps.
struct OpenLibraryRecords {
    private var editionReader = EditionDump()
    private var workReader: WorkDump
    private var authorReader: AuthorDump

    /// - Parameter latestYear: The last year that is taken for one in free text.
    init(latestYear: Int32) {
        workReader = WorkDump(latestYear: latestYear)
        authorReader = AuthorDump(latestYear: latestYear)
    }

    /// - Parameter fetchedAt: When the records came, in milliseconds since 1970: years up to the next but one are taken.
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
        // Other names are for a catalog's search; a candidate has no use for them.
        var body = PackedRecordWriter()
        authorReader.body.bytes.withUnsafeBytes { body.append(record: $0) { $0 != .authorAlternateName } }
        var record = OpenLibraryRecord(.author)
        record.body = body.bytes[...]
        return record
    }

    /// A record that was asked for by its key: of this kind, or moved.
    mutating func record(_ json: [UInt8], _ kind: OpenLibraryKey.Kind) -> OpenLibraryRecord? {
        if let place = Self.redirect(json) {
            var moved = OpenLibraryRecord(.moved)
            moved.work = place
            return moved
        }
        return kind == .work ? work(json) : author(json)
    }

    /// The key of a record, if it is of a kind.
    private static func key(of json: [UInt8], _ kind: OpenLibraryKey.Kind) -> OpenLibraryKey? {
        let key = text(of: "key", in: json).flatMap { OpenLibraryKey($0) }
        return key?.kind == kind ? key : nil
    }

    /// Where a record that was moved points to: `OL2W`; nil for one that stands.
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
