/// What was read of dumps, and what was noticed on the way.
package struct DumpCounts: Sendable, Hashable, Codable {
    /// Lines that were understood.
    package var records = 0
    package var editions = 0
    package var works = 0
    package var authors = 0
    package var people = 0
    package var redirects = 0
    package var deletes = 0
    /// Open Library records of types that are no books, and Wikidata entities that are no people who write.
    package var others = 0
    /// ISBNs with a wrong check digit, or that are none at all.
    package var wrongISBNs = 0
    /// ISBNs beyond those that are taken of one edition.
    package var surplusISBNs = 0
    /// Editions without a valid ISBN: they count for their work, and no look-up returns them.
    package var editionsWithoutISBN = 0
    /// Values cut at their bound.
    package var cutValues = 0

    /// ISBNs taken of one edition.
    package static var isbnsOfEdition: Int { DumpISBNs.limit }

    package init() {}

    /// Records of which a catalog is made.
    var content: Int { editions + works + authors + people }
    /// Records that change a catalog.
    var taken: Int { content + redirects + deletes }

    static func += (tally: inout DumpCounts, other: DumpCounts) {
        tally.records += other.records
        tally.editions += other.editions
        tally.works += other.works
        tally.authors += other.authors
        tally.people += other.people
        tally.redirects += other.redirects
        tally.deletes += other.deletes
        tally.others += other.others
        tally.wrongISBNs += other.wrongISBNs
        tally.surplusISBNs += other.surplusISBNs
        tally.editionsWithoutISBN += other.editionsWithoutISBN
        tally.cutValues += other.cutValues
    }
}
