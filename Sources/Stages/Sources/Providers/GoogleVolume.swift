import Books
import FoundationEssentials
import Services
import Syntax

/// A Google Books volume, parsed and packed as a candidate's values.
struct GoogleVolume {
    private(set) var id = ""
    private(set) var title = ""
    private(set) var subtitle = ""
    private(set) var authors: [PeopleCell.Named] = []
    private(set) var isbns: [ISBN] = []
    private var values: [(Field, String)] = []

    /// - Throws: If the bytes are not JSON. A volume without known members is empty.
    init(_ json: [UInt8]) throws(JSONReadError) {
        var volume = GoogleVolume()
        try JSONReader.read(json) { reader throws(JSONReadError) in
            try reader.forEachKey { name, reader throws(JSONReadError) in
                switch name {
                case "id": volume.id = try reader.stringIfAny()?.string ?? ""
                case "volumeInfo": if try reader.peek() == .object { try volume.readInfo(&reader) }
                case "saleInfo": if try reader.peek() == .object { try volume.readSale(&reader) }
                default: break
                }
            }
            try reader.finish()
        }
        self = volume
    }

    private init() {}

    /// Number of values. Decides between several volumes that fit.
    var completeness: Int { values.count + authors.count }

    /// The volumes of a search response, each with its own part of the JSON. Volumes without an id or title
    /// are skipped.
    static func volumes(in items: [UInt8]) -> [(offered: MatchCandidate, json: [UInt8])] {
        guard let parts = try? JSONSlices.elements(of: items) else { return [] }
        return parts.compactMap { json in
            guard let volume = try? GoogleVolume(json), !volume.id.isEmpty, !volume.title.isEmpty else {
                return nil
            }
            return (volume.offered, json)
        }
    }

    /// The values that the matcher compares.
    private var offered: MatchCandidate {
        func value(_ field: Field) -> String? { values.first { $0.0 == field }?.1 }
        var book = MatchCandidate(record: id, title: title, subtitle: subtitle)
        book.authors = authors.map { [$0.name] }
        book.year = value(.publicationDate).flatMap { Int32($0.prefix(4)) }
        book.isEdition = true
        book.language = value(.language)
        book.isbns = isbns
        book.weight = Int64(completeness)
        return book
    }

    private mutating func readInfo(_ reader: inout JSONReader) throws(JSONReadError) {
        try reader.forEachKey { name, reader throws(JSONReadError) in
            switch name {
            case "title": self.title = try reader.stringIfAny()?.string ?? ""
            case "subtitle": self.subtitle = try reader.stringIfAny()?.string ?? ""
            case "authors":
                try reader.forEachString { string throws(JSONReadError) in
                    self.authors += ServiceTextCleaner.people(string.string)
                }
            case "publisher": try self.take(.publisher, reader.stringIfAny()?.string)
            case "publishedDate":
                try self.take(.publicationDate, reader.stringIfAny()?.string.filter { $0 != "*" })
            case "description": try self.take(.description, reader.stringIfAny()?.string)
            case "industryIdentifiers": try self.readIdentifiers(&reader)
            case "pageCount":
                if let pages = try reader.wholeNumber(), (1...99_999).contains(pages) {
                    self.values.append((.pageCount, String(pages)))
                }
            case "categories":
                try reader.forEachString { string throws(JSONReadError) in
                    self.take(.subject, string.string)
                }
            case "language":
                self.take(.language, try reader.stringIfAny().flatMap { Languages.twoLetters($0.string) })
            case "averageRating":
                if try reader.peek() == .number {
                    self.take(.averageRating, String(decoding: try reader.number(), as: UTF8.self))
                }
            case "ratingsCount": self.take(.ratingsCount, try reader.wholeNumber().map(String.init))
            case "imageLinks": try self.readImages(&reader)
            default: break
            }
        }
    }

    private mutating func readIdentifiers(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .array else { return }
        try reader.forEachElement { reader throws(JSONReadError) in
            guard let text = try reader.member("identifier")?.string, let isbn = ISBN(written: text) else {
                return
            }
            if !self.isbns.contains(isbn) { self.isbns.append(isbn) }
        }
    }

    /// The largest image, with https and without the page-curl effect.
    private mutating func readImages(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return }
        let ranks = ["smallThumbnail", "thumbnail", "small", "medium", "large", "extraLarge"]
        var best: (rank: Int, url: String)?
        try reader.forEachKey { name, reader throws(JSONReadError) in
            guard let rank = ranks.firstIndex(of: name.string), let url = try reader.stringIfAny()?.string,
                rank > best?.rank ?? -1
            else { return }
            best = (rank, url)
        }
        guard var url = best?.url else { return }
        if url.hasPrefix("http://") { url = "https://" + url.dropFirst(7) }
        url = url.split(separator: "&", omittingEmptySubsequences: false).filter { $0 != "edge=curl" }.joined(
            separator: "&")
        take(.editionCover, url)
    }

    private mutating func readSale(_ reader: inout JSONReader) throws(JSONReadError) {
        var isEbook = false
        try reader.forEachKey { name, reader throws(JSONReadError) in
            if name == "isEbook", try reader.peek() == .bool { isEbook = try reader.bool() }
        }
        if isEbook { values.append((.format, EditionFormat.ebook.contractName)) }
    }

    private mutating func take(_ field: Field, _ text: String?) {
        guard let text else { return }
        let plain = ServiceTextCleaner.plain(text)
        if !plain.isEmpty { values.append((field, plain)) }
    }

    /// The values of several volumes with one ISBN as one candidate's: those of the first, whose gaps in the work are
    /// filled from the others. The others are kept as further editions.
    static func packed(_ volumes: [GoogleVolume]) -> [UInt8] {
        guard var first = volumes.first else { return [] }
        for volume in volumes.dropFirst() {
            if first.authors.isEmpty { first.authors = volume.authors }
            for field in [Field.description, .subject] where !first.values.contains(where: { $0.0 == field })
            {
                first.values += volume.values.filter { $0.0 == field }
            }
        }
        var packed = first.packed
        for volume in volumes.dropFirst().prefix(maxFurther) {
            packed.append(.otherEdition, volume.packed.bytes)
        }
        return packed.bytes
    }

    /// Maximum number of further editions that are kept.
    private static let maxFurther = 9

    /// The candidate's values. Google has editions but no works, so the work's values are those of the
    /// edition.
    var packed: PackedRecordWriter {
        var packed = PackedRecordWriter()
        packed.append(.googleBooksVolumeID, id)
        packed.append(.title, ServiceTextCleaner.plain(title))
        packed.append(.subtitle, ServiceTextCleaner.plain(subtitle))
        packed.append(.editionTitle, ServiceTextCleaner.plain(title))
        packed.append(.editionSubtitle, ServiceTextCleaner.plain(subtitle))
        packed.append(isbns: isbns.sorted())
        for (field, text) in values { packed.append(field, text) }
        packed.append(people: authors)
        return packed
    }
}
