package import Syntax

/// A possible match that is not good enough, or one of several. The user sees it in a review.
package struct ReviewCandidate: Sendable, Hashable, Codable {
    /// Contract name of the provider.
    package var provider: String
    /// The provider's id of the record: `OL45804W`.
    package var record: String
    /// The title with its subtitle.
    package var title: String
    /// The names of the authors.
    package var authors: [String]
    /// Year of first publication, or of the edition.
    package var year: Int32?
    /// From 0 to 1, in thousandths.
    package var score: Double
    /// Evidence for and against it: `for:title_same`, `against:year_differs`.
    package var evidence: [String]

    /// A candidate with everything a review shows.
    package init(
        provider: String, record: String, title: String, authors: [String], year: Int32?, score: Double,
        evidence: [String]
    ) {
        self.provider = provider
        self.record = record
        self.title = title
        self.authors = authors
        self.year = year
        self.score = score
        self.evidence = evidence
    }
}

extension ReviewCandidate {
    /// What names it among the candidates of a record, in lists and forms: `openlibrary/OL45804W`.
    package var name: String { "\(provider)/\(record)" }

    /// The decision that it is this record; nil if its provider is not known.
    package var acceptance: MatchDecisions.Decision? {
        Provider(contractName: provider).map { .accepted(ChosenRecord(provider: $0, record: record)) }
    }
}

/// The evidence of a match in words.
package enum EvidenceText {
    private static let favor = "for:"

    /// What speaks for a match or against it, in its order: `title same`.
    package static func words(_ evidence: [String]) -> [(isFor: Bool, text: String)] {
        evidence.map { word in
            let text = word.split(separator: ":", maxSplits: 1).dropFirst().first ?? ""
            return (word.hasPrefix(favor), String(text.replacing("_", with: " ")))
        }
    }
}

/// Certainty of a match by title and author, and the reasons.
package struct AcceptedMatch: Sendable, Hashable {
    /// From 0 to 1, in thousandths.
    package var score: Double
    /// Evidence for and against it: `for:title_same`, `against:year_differs`.
    package var evidence: [String]
    /// Further records that the provider has of the same book, by their ids.
    package var duplicates: [String]
    /// Whether the answer is of the row's edition, not only of its work.
    package var isOfEdition = false

    /// The evidence of a match by ISBN.
    package static let byISBN = "for:isbn_same"

    /// A match with its evidence.
    package init(score: Double, evidence: [String], duplicates: [String] = []) {
        self.score = score
        self.evidence = evidence
        self.duplicates = duplicates
    }
}

extension ReviewCandidate: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("provider", provider)
            out.field("record", record)
            out.field("title", title)
            out.key("authors")
            out.array { out in for author in authors { out.string(author) } }
            out.field("year", year.map { Int($0) })
            out.field("score", score)
            out.key("evidence")
            out.array { out in for word in evidence { out.string(word) } }
        }
    }
}

/// A row with possible matches that waits for the user's review (`etl review`).
package struct MatchAbstention: Sendable, Hashable {
    /// Index of the row in its batch.
    package var row: Int
    /// The row's title, as the row spells it.
    package var title: String
    /// The row's first author, as the row spells it.
    package var author: String
    /// A few possible matches, the best first.
    package var options: [ReviewCandidate]
    /// Whether the first one is used until the user decides: it has the row's ISBN, but another title or author.
    package var isUsed: Bool

    /// An abstention.
    package init(row: Int, title: String, author: String, options: [ReviewCandidate], isUsed: Bool = false) {
        self.row = row
        self.isUsed = isUsed
        self.title = title
        self.author = author
        self.options = options
    }
}

/// The user's decisions in reviews, by ``MatchKey``.
package struct MatchDecisions: Sendable {
    /// A decision about a title and author.
    package enum Decision: Sendable, Hashable {
        /// It is this record.
        case accepted(ChosenRecord)
        /// None of the possible matches is right.
        case refused
    }

    package var byKey: [String: Decision]

    package init(_ byKey: [String: Decision] = [:]) { self.byKey = byKey }

    package var isEmpty: Bool { byKey.isEmpty }
    package subscript(_ key: String) -> Decision? { byKey[key] }
}
