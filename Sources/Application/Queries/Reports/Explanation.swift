package import Books
package import Contract
package import Formats
package import Store
package import Syntax

/// Origin of every stored value of a book: the result of `etl explain`.
package struct Explanation: Sendable, Hashable {
    /// Remarks on the search for the book, for example that an ISBN was repaired, or that a key is an alias.
    package var remarks: [String] = []
    /// The requested record if it was rejected; then there is no book.
    package var reject: ListedError?
    package var work: Part?
    /// The requested edition, or all editions if the work was requested.
    package var editions: [Part] = []
    package var authors: [Person] = []
    /// Entries of the editions.
    package var entries: [Entry] = []
    /// The providers' answers, and how each was found.
    package var answers: [Answer] = []
    /// The records of jobs that led to this book, newest job first.
    package var records: [Visit] = []

    /// The title of the edition at hand: that of the first entry, else the first one with a title. Nil if the book
    /// has no title.
    package var title: ShownTitle? {
        let own = editions.first { $0.key == entries.first?.edition }
        let title = own?.text(.editionTitle) ?? editions.lazy.compactMap { $0.text(.editionTitle) }.first
        let shown = ShownTitle(edition: title, work: work?.text(.title))
        return shown.text.isEmpty ? nil : shown
    }

    /// A work or an edition, field by field.
    package struct Part: Sendable, Hashable {
        package var key: String
        /// Former keys of works that were merged into this one.
        package var aliases: [String] = []
        package var fields: [FieldTrace]
        /// Completeness, 0–100.
        package var quality: Int
        /// Providers that gave a value, the main one first.
        package var providers: [Provider]
        /// Works only.
        package var reviewStatus: ReviewStatus?

        /// The first value of a field; nil if it has none.
        package func text(_ field: Field) -> String? {
            fields.first { $0.field == field }?.values.first
        }
    }

    /// A field: its value, where the value comes from, and the values that lost.
    package struct FieldTrace: Sendable, Hashable {
        package var field: Field
        /// The value, or the elements of a list.
        package var values: [String]
        /// Nil if no source was noted.
        package var source: Source?
        package var rule: MergeRule?
        package var lost: [Lost]
        /// Whether no import and no service changes it.
        package var isLocked = false
        /// The elements of a list with several sources, each with its own; empty if all are from ``source``.
        package var elements: [Element] = []
    }

    /// An element of a list.
    package struct Element: Sendable, Hashable {
        package var value: String
        /// Nil if the source is gone.
        package var source: Source?
        package var rule: MergeRule
    }

    /// A value that was not taken.
    package struct Lost: Sendable, Hashable {
        package var source: Source
        package var values: [String]
    }

    /// Origin of a value.
    package enum Source: Sendable, Hashable {
        /// A provider, its own record, and how the record was found.
        case provider(Provider, record: String, match: Candidate.Match)
        /// A row of the user's file: library, format and source id.
        case row(library: String, formatName: String, sourceID: String)
        /// A row of the file of another user, who shares the work. ``Explanation/shown(to:)`` says no more.
        case otherLibrary
        /// The user, who has set the value by hand; when, in milliseconds since 1970, if it is known.
        case user(editedAt: Int64?)
    }

    /// An author, and how the person was identified or why not.
    package struct Person: Sendable, Hashable {
        package var author: AuthorDTO
        package var role: ContributorRole
        package var identification: Identification
        /// Wikidata's item, `Q42`.
        package var wikidata: String?
        /// The cached answer of the service about the item, if any.
        package var cached: CachedSources.Found?
    }

    /// An entry.
    package struct Entry: Sendable, Hashable {
        /// Its row id, which is for the program only.
        package var id: Int64
        package var library: String
        package var formatName: String
        package var sourceID: String
        /// Public key of the entry's edition.
        package var edition: String
        /// Stars, 0.25–5.
        package var rating: Double?
        package var shelf: String?
        package var dateRead: String?
        /// Certainty of the match between the provider's book and the entry; nil if no provider matched.
        package var match: AcceptedMatch?
        /// The fields that the user has set or locked.
        package var edits: [StoredEdits.Edit] = []
        /// Changes by the user's rules to its row.
        package var rules: [RuleUse] = []
        /// The photo in which a model has read it; nil if it is from another file.
        package var photo: PhotoSource?
    }

    /// What a model has read in a photo.
    package struct PhotoSource: Sendable, Hashable {
        /// The photo's name.
        package var name: String
        /// Name of the model.
        package var model: String
        /// Title and author as the photo shows them.
        package var title: String
        package var author: String
        /// How sure the model is, 0–1.
        package var confidence: Double
    }

    /// A provider's answer.
    package struct Answer: Sendable, Hashable {
        package var provider: Provider
        /// The provider's own record.
        package var record: String
        package var match: Candidate.Match
        /// Outcome for the service's answer; nil if no service was asked for it.
        package var response: Response?
        /// Catalogs that may have given the answer.
        package var catalogs: [CatalogReference] = []
    }

    /// Stored remains of a service's answer.
    package enum Response: Sendable, Hashable {
        /// The answer is cached.
        case cached(CachedSources.Found)
        /// The service was asked again later: this newer answer replaced the one that was used.
        case replaced(CachedSources.Found)
        case notCached
    }

    /// A record of a job that led to the book.
    package struct Visit: Sendable, Hashable {
        package var job: String
        package var row: Int
        package var line: Int
        /// The file's name, if the job had several.
        package var file: String?
        package var outcome: RecordOutcome
        /// Whether a provider matched.
        package var isEnriched: Bool
        /// Milliseconds since 1970.
        package var startedAt: Int64
        package var endedAt: Int64?
        package var warnings: [Warning]
        /// The services that it still waits for.
        package var pending: [Pending] = []
    }

    /// Why a service has not answered yet.
    package struct Pending: Sendable, Hashable {
        package var service: String
        /// As stored: `timeout`.
        package var reason: String
    }
}

/// The explanation as JSON. The value of a list field is an array, any other value a string.
extension Explanation: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        if !remarks.isEmpty { out.field("remarks", remarks) }
        out.field("title", title?.text)
        out.field("originalTitle", title?.original)
        out.field("reject", reject)
        out.field("work", work)
        out.field("editions", editions)
        out.field("authors", authors)
        out.field("entries", entries)
        out.field("answers", answers)
        out.field("noAnswer", sentenceWithoutAnswers)
        out.field("records", records)
    }
}

extension Explanation.Part: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("key", key)
        if !aliases.isEmpty { out.field("aliases", aliases) }
        out.field("providers", providers)
        out.field("quality", quality)
        out.field("reviewStatus", reviewStatus)
        out.field("fields", fields)
    }
}

extension Explanation.FieldTrace: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("field", field.name)
        if field.isList || field == .authorName {
            out.field("values", values)
        } else {
            out.field("value", values.first)
        }
        out.field("from", source)
        out.field("rule", rule.map { String(describing: $0) })
        out.field("because", reason)
        if !elements.isEmpty { out.field("elements", elements) }
        if !lost.isEmpty { out.field("lost", lost) }
        if isLocked { out.field("locked", true) }
    }
}

extension Explanation.Element: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("value", value)
        out.field("from", source)
        out.field("rule", String(describing: rule))
        out.field("because", reason)
    }
}

extension Explanation.Lost: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("from", source)
        out.field("values", values)
    }
}

extension Explanation.Source: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        switch self {
        case .provider(let provider, let record, let match):
            out.field("provider", provider)
            out.field("record", record)
            out.field("match", match.name)
        case .row(let library, let formatName, let sourceID):
            out.field("library", library)
            out.field("sourceFormat", formatName)
            out.field("sourceId", sourceID)
        case .otherLibrary: out.field("otherLibrary", true)
        case .user(let editedAt):
            out.field("user", true)
            out.field("editedAt", editedAt.map { Timestamp.withoutFraction($0) })
        }
    }
}

extension Explanation.Person: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("author", author)
        out.field("role", String(describing: role))
        out.field("wikidata", wikidata)
        out.field("identification", String(describing: identification))
        out.field("because", identification.sentence)
        cached?.writeFields(into: &out)
    }
}

extension Explanation.Entry: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("library", library)
        out.field("sourceFormat", formatName)
        out.field("sourceId", sourceID)
        out.field("edition", edition)
        out.field("rating", rating)
        out.field("shelf", shelf)
        out.field("dateRead", dateRead)
        if let match {
            out.field("matchScore", match.score)
            out.field("evidence", match.evidence)
            if !match.duplicates.isEmpty { out.field("duplicates", match.duplicates) }
        }
        if !edits.isEmpty { out.field("edits", edits) }
        if !rules.isEmpty { out.field("rules", rules) }
    }
}

extension RuleUse: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("field", String(describing: field))
        out.field("before", before)
        out.field("after", after)
        out.field("rule", "\(origin)")
    }
}

extension StoredEdits.Edit: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("field", field.name)
        out.field("set", isSet)
        out.field("editedAt", Timestamp.withoutFraction(editedAt))
    }
}

extension Explanation.Answer: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("provider", provider)
        out.field("record", record)
        out.field("match", match.name)
        out.field("because", match.sentence)
        switch response {
        case .cached(let cached):
            out.field("kept", true)
            cached.writeFields(into: &out)
        case .replaced(let cached):
            out.field("kept", false)
            out.field("askedAgainAt", cached.moment)
        case .notCached: out.field("kept", false)
        case nil: break
        }
        if !catalogs.isEmpty { out.field("catalogs", catalogs) }
        out.field("origin", origin)
    }
}

extension CachedSources.Found {
    /// Writes the fields into an object that has further ones.
    fileprivate func writeFields(into out: inout JSONWriter) {
        out.field("fetchedAt", moment)
        out.field("service", service)
        out.field("key", key)
    }
}

extension CatalogReference: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("path", path)
        out.field("builtAt", builtAt)
        if let dumps { out.field("dumps", dumps) }
    }
}

extension Explanation.Visit: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("job", job)
        out.field("row", row)
        out.field("line", line)
        out.field("file", file)
        out.field("outcome", outcome.name)
        out.field("because", outcome.sentence)
        out.field("matched", isEnriched)
        out.field("startedAt", Timestamp.withoutFraction(startedAt))
        out.field("endedAt", endedAt.map(Timestamp.withoutFraction))
        if !warnings.isEmpty { out.field("warnings", warnings) }
        if !pending.isEmpty { out.field("pending", pending) }
    }
}

extension Explanation.Pending: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("service", service)
        out.field("reason", reason)
    }
}

extension Warning: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("code", code)
        out.field("field", field)
        out.field("value", value)
        out.field("message", message)
    }
}
