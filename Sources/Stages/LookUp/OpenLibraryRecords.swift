/// Reads Open Library's records, by the same readers that build the catalog from its dumps, and puts together what a
/// book's candidate says: edition, then work, then authors.
struct OpenLibraryRecords {
    private var editionReader = EditionDump()
    private var workReader: WorkDump
    private var authorReader: AuthorDump

    /// - Parameter latestYear: The last year that is taken for one in free text.
    init(latestYear: Int32) {
        workReader = WorkDump(latestYear: latestYear)
        authorReader = AuthorDump(latestYear: latestYear)
    }

    /// What an edition's record leads to.
    struct Edition {
        var body: [UInt8]
        var standIn: [UInt8]
        /// `OL1W`; nil where it names none.
        var work: String?
        var authors: [String]
        /// Of the title, for those who asked by title.
        var key: String
    }

    /// What a work's record leads to.
    struct Work {
        var body: [UInt8]
        var authors: [String]
    }

    mutating func edition(_ json: [UInt8]) -> Edition? {
        guard let key = Self.key(of: json, .edition) else { return nil }
        do throws(JSONReadError) {
            try json.lend { bytes throws(JSONReadError) in try editionReader.read(bytes, key: key) }
        } catch {
            return nil
        }
        return Edition(
            body: editionReader.body.bytes, standIn: editionReader.standIn.bytes,
            work: editionReader.work == 0 ? nil : OpenLibraryKey(.work, editionReader.work).name,
            authors: editionReader.authors.map { OpenLibraryKey(.author, $0).name }, key: key.name)
    }

    mutating func work(_ json: [UInt8]) -> Work? {
        guard let key = Self.key(of: json, .work) else { return nil }
        do throws(JSONReadError) {
            try json.lend { bytes throws(JSONReadError) in try workReader.read(bytes, key: key) }
        } catch {
            return nil
        }
        return Work(
            body: workReader.body.bytes,
            authors: workReader.authors.map { OpenLibraryKey(.author, $0).name })
    }

    mutating func author(_ json: [UInt8]) -> [UInt8]? {
        guard let key = Self.key(of: json, .author) else { return nil }
        do throws(JSONReadError) {
            try json.lend { bytes throws(JSONReadError) in try authorReader.read(bytes, key: key) }
        } catch {
            return nil
        }
        return authorReader.body.bytes
    }

    /// The key of a record, if it is of a kind.
    static func key(of json: [UInt8], _ kind: OpenLibraryKey.Kind) -> OpenLibraryKey? {
        guard let members = try? JSONSlices.members(of: json),
            let key = JSONSlices.string(members["key"]).flatMap({ OpenLibraryKey($0) }), key.kind == kind
        else { return nil }
        return key
    }

    /// Where a record that was moved points to: `OL2W`; nil for one that stands.
    static func redirect(_ json: [UInt8]) -> String? {
        guard let members = try? JSONSlices.members(of: json),
            let location = JSONSlices.string(members["location"])
        else { return nil }
        return OpenLibraryKey(location)?.name
    }
}
