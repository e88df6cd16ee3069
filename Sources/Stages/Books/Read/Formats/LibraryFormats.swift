package import Pipeline

/// The profiles there are: one file each in `Formats/`, and its name here.
package enum LibraryFormats {
    /// All profiles, the particular ones before the general one.
    package static let all: [any LibraryFormat] = [
        Goodreads(), LibraryThing(), LibraryThingJSON(), StoryGraph(), Calibre(), CalibreDatabase(),
        BookWyrm(), EtlSpreadsheet(),
        ReadingLog(), Openreads(), BookBuddy(), Libib(), Hardcover(), Inventaire(), MARC(), MARCXML(),
        MARCJSON(), ONIX(),
        PlainISBNs(), BetterWorldBooks(), Generic(),
    ]

    /// The score from which a profile claims a file.
    package static let threshold = 0.5

    /// The profile of a name.
    ///
    /// - Throws: `configuration` where there is none, naming those there are.
    package static func named(_ name: String) throws(StageFailure) -> any LibraryFormat {
        guard let format = all.first(where: { $0.name == name.lowercased() }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw StageFailure(
                .configuration, "There is no library format \u{201C}\(name)\u{201D}.",
                advice: "Formats are auto, \(names).")
        }
        return format
    }

    /// The format that knows a file by its bytes, and what tells it; nil where the file may be delimited text, or is
    /// told to be.
    ///
    /// - Throws: `configuration` for a format that does not exist.
    static func structured(
        head: [UInt8], explicit name: String?
    ) throws(StageFailure) -> (format: any StructuredFormat, evidence: String)? {
        if let name, name != "auto" {
            guard let explicit = try named(name) as? any StructuredFormat else {
                return sibling(of: name, head: head)
            }
            if let evidence = explicit.evidence(in: head) { return (explicit, evidence) }
            return sibling(of: name, head: head) ?? (explicit, "As told.")
        }
        for case let format as any StructuredFormat in all {
            if let evidence = format.evidence(in: head) { return (format, evidence) }
        }
        return nil
    }

    /// The same exporter's format of another syntax, where the bytes tell it: `librarything` is said of its JSON
    /// too.
    private static func sibling(
        of name: String, head: [UInt8]
    ) -> (format: any StructuredFormat, evidence: String)? {
        let beginning = name.lowercased() + "-"
        for case let format as any StructuredFormat in all where format.name.hasPrefix(beginning) {
            if let evidence = format.evidence(in: head) { return (format, evidence) }
        }
        return nil
    }

    /// The scores of all profiles of delimited text, the best first; the order of the list where two are equal.
    package static func scores(_ header: HeaderNames) -> [ProfileScore] {
        let profiles = all.filter { !($0 is any StructuredFormat) }
        let scores = profiles.map { ProfileScore(profile: $0.name, score: $0.score(header)) }
        return scores.enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element)
    }
}

/// How much a header looks like a profile's.
package struct ProfileScore: Sendable, Hashable {
    package var profile: String
    /// 0…1.
    package var score: Double
}
