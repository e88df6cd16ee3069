package import Syntax

/// A book in its three records: an entry of `enrichedBooks` (plan v3.2 appendix C, `EnrichedBookDTO`).
package struct EnrichedBook: Sendable, Hashable {
    package var work: WorkDTO?
    package var edition: EditionDTO?
    package var authors: [AuthorDTO]

    package init(work: WorkDTO?, edition: EditionDTO?, authors: [AuthorDTO]) {
        self.work = work
        self.edition = edition
        self.authors = authors
    }
}

extension EnrichedBook: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("work", work)
            out.field("edition", edition)
            out.field("authors", authors)
        }
    }
}
