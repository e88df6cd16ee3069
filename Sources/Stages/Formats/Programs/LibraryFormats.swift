package import System

/// All formats. Each is one file in `Programs` and an entry in this list.
package enum LibraryFormats {
    /// The name that stands for the format that fits best.
    package static let automatic = "auto"

    /// All formats, specific ones before the generic one.
    package static let all: [any LibraryFormat] = [
        Goodreads(), LibraryThing(), LibraryThingJSON(), StoryGraph(), Calibre(), CalibreDatabase(),
        BookWyrm(), BookWyrmArchive(), Readarr(), EtlSpreadsheet(),
        ReadingLog(), Openreads(), BookBuddy(), BookCatalogue(), Libib(), Hardcover(), Inventaire(), Libby(),
        Libation(), Babelio(), PhotoScan(), Zotero(), MARC(),
        MARCXML(),
        MARCJSON(), ONIX(), BibTeX(), RIS(),
        PlainISBNs(), BetterWorldBooks(), Generic(),
    ]

    /// The formats that a library can be written in too. Each stands in the file of the format that reads it.
    package static let layouts: [any ExportLayout] = [
        Goodreads.layout, StoryGraph.layout, LibraryThing.layout, BookWyrm.layout, ReadingLog.layout,
        Hardcover.layout, Openreads.layout, Libib.layout, Calibre.layout, CalibreLibrary.layout,
        Inventaire.layout,
        BibTeX.layout, RIS.layout, CSLJSON.layout,
    ]

    /// The name of a format's program for people: `The StoryGraph`.
    package static func title(of name: String) -> String {
        layouts.first { $0.name == name }?.title ?? titlesOfOthers[name] ?? name
    }

    /// Where records of a format are from, to complete "from": `Goodreads`, or `another table`.
    package static func origin(of name: String) -> String {
        name == Generic().name ? "another table" : title(of: name)
    }

    /// The names of formats that are only read.
    private static let titlesOfOthers = [
        "librarything-json": "LibraryThing (JSON)", "calibre-db": "calibre (metadata.db)",
        "bookwyrm-archive": "BookWyrm (archive)", "readarr": "Readarr", "etl": "Spreadsheet of etl",
        "bookbuddy": "BookBuddy", "book-catalogue": "Book Catalogue", "libby": "Libby",
        "libation": "Libation (Audible)", "babelio": "Babelio", "zotero": "Zotero", "marc": "MARC 21",
        "marcxml": "MARCXML", "marc-json": "MARC-in-JSON", "onix": "ONIX", "isbn-list": "List of ISBNs",
        "betterworldbooks": "Better World Books", "photo-scan": "Photos of shelves",
        "generic": "Any other table",
    ]

    /// The minimum score at which a format matches a file.
    package static let threshold = 0.5

    /// The format with this name.
    ///
    /// - Throws: `configuration` if there is none; the message lists all names.
    package static func named(_ name: String) throws(ETLError) -> any LibraryFormat {
        guard let format = all.first(where: { $0.name == name.lowercased() }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw ETLError(
                .configuration, "There is no library format `\(name)`.",
                advice: "Formats are auto, \(names).")
        }
        return format
    }

    /// The structured format of a file and how it was recognized; nil if the file may be delimited text, or
    /// if the user chose such a format.
    ///
    /// - Throws: `configuration` for an unknown format.
    static func structured(
        head: [UInt8], explicit name: String?
    ) throws(ETLError) -> (format: any StructuredFormat, evidence: String)? {
        if let name, name != automatic {
            guard let explicit = try named(name) as? any StructuredFormat else {
                return sibling(of: name, head: head)
            }
            if let evidence = explicit.evidence(in: head) { return (explicit, evidence) }
            return sibling(of: name, head: head) ?? (explicit, "As specified.")
        }
        for case let format as any StructuredFormat in all {
            if let evidence = format.evidence(in: head) { return (format, evidence) }
        }
        return nil
    }

    /// A structured format of the same exporter, if the bytes match it. The user may write `librarything` for
    /// LibraryThing's JSON too.
    private static func sibling(
        of name: String, head: [UInt8]
    ) -> (format: any StructuredFormat, evidence: String)? {
        let beginning = name.lowercased() + "-"
        for case let format as any StructuredFormat in all where format.name.hasPrefix(beginning) {
            if let evidence = format.evidence(in: head) { return (format, evidence) }
        }
        return nil
    }

    /// The scores of all formats of delimited text, the best first. Equal scores keep the order of ``all``.
    package static func scores(_ header: HeaderNames) -> [FormatScore] {
        let formats = all.filter { !($0 is any StructuredFormat) }
        let scores = formats.map { FormatScore(formatName: $0.name, score: $0.score(header)) }
        return scores.enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element)
    }
}

/// Quality of a header's match with a format.
package struct FormatScore: Sendable, Hashable {
    package var formatName: String
    /// 0…1.
    package var score: Double
}
