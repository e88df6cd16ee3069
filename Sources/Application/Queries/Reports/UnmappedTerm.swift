import Contract
package import Syntax

/// A subject or shelf of a library that gives no genre: `etl genres --unmapped`.
package struct UnmappedTerm: Sendable, Hashable {
    /// Origin of the term.
    package enum Source: String, Sendable { case subject, shelf }

    /// One of its spellings; they differ in case only.
    package var text: String
    package var source: Source
    /// The number of works with the subject, or of entries with the shelf.
    package var count: Int
    /// The genres that it hints at, but does not name.
    package var hints: [String]

    package init(text: String, source: Source, count: Int, hints: [String]) {
        self.text = text
        self.source = source
        self.count = count
        self.hints = hints
    }
}

/// An element of the output of `etl genres --unmapped --json`.
extension UnmappedTerm: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("term", text)
        out.field("source", source.rawValue)
        out.field("count", count)
        out.field("hints", hints)
    }
}
