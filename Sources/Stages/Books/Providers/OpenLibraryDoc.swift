import Services
import Syntax

/// A row of Open Library's search: a work, as far as it is told apart from others.
struct OpenLibraryDoc {
    private(set) var offered = MatchCandidate(record: "", title: "")

    /// The works of a search's answer; nil where it is none.
    static func works(in body: [UInt8]) -> [MatchCandidate]? {
        do throws(JSONReadError) {
            guard let docs = try JSONSlices.members(of: body)["docs"] else { return nil }
            var works: [MatchCandidate] = []
            for json in try JSONSlices.elements(of: docs) {
                let doc = try OpenLibraryDoc(json).offered
                if !doc.record.isEmpty, !doc.title.isEmpty { works.append(doc) }
            }
            return works
        } catch {
            return nil
        }
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
                self.offered.authors.append([author.string])
            }
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
