import Books

// The words of an explanation: one sentence for each thing the store keeps as a number.

extension MergeRule {
    /// Why a value stands, in one sentence.
    package var sentence: String {
        switch self {
        case .given: "It is the only value there was."
        case .firstInOrder: "It is the first in the order of the providers."
        case .longest: "It is the longest of the texts."
        case .union: "It is everything that any of them gave."
        case .preferredProvider: "It is from the provider preferred for this field."
        case .filledFromRow: "No provider gave one: it is from the reader's own row."
        case .fromShelves: "No provider gave any: it is made from the reader's shelves."
        case .normalized: "It was brought into its canonical form."
        case .assumed: "Nobody says what it is: it is assumed."
        case .repaired: "It was repaired from a damaged cell."
        case .majority: "It is what most providers say."
        case .earliest: "It is the earliest of the dates."
        case .newest: "It is the latest of the dates."
        }
    }
}

extension Explanation.FieldTrace {
    /// Why the value stands, in one sentence: the rule's, in the light of what else was offered.
    package var reason: String? {
        guard rule == .given, !lost.isEmpty else { return rule?.sentence }
        if case .row = source { return "It is from the row that came first: others only fill gaps." }
        return "It is the only one a provider gave, and a reader's own row only fills gaps."
    }
}

extension Identification {
    /// Why a person was identified or not, in one sentence (contract.md section 6).
    package var sentence: String {
        switch self {
        case .notTried: "Nobody tried to identify this person."
        case .providerNamesItem: "Identified: the provider's record of the author names the Wikidata item."
        case .itemNamesAuthor: "Identified: the Wikidata item names the Open Library author."
        case .identifier: "Identified: another external identifier agrees."
        case .nameAndYear: "Identified: the name and a year of birth or death agree."
        case .nameAndTitle: "Identified: the name and a title agree."
        case .refusedNameAlone: "Refused: only the name agrees, and a wrong person is worse than none."
        case .refusedAmbiguous: "Refused: several people fit."
        case .refusedContradiction: "Refused: the identifiers contradict each other."
        case .unknownPerson: "Nobody of that name or key is known."
        case .notAPerson: "The name is no person's."
        }
    }
}

extension Candidate.Match {
    package var name: String {
        switch self {
        case .isbn: "isbn"
        case .titleAuthor: "titleAuthor"
        case .reviewed: "reviewed"
        case .openLibraryKey: "openLibraryKey"
        }
    }

    /// How an answer was found and what follows, in one sentence.
    package var sentence: String {
        switch self {
        case .isbn: "Matched by ISBN: it is this book."
        case .openLibraryKey: "Matched by its Open Library key: it is this book."
        case .titleAuthor:
            "Matched by title and author: it may be another edition, so it gave the work and its authors only."
        case .reviewed:
            "Reviewed: the reader has chosen it, so it gave the work and its authors; it may be another edition."
        }
    }
}

extension Explanation.Answer {
    /// When it was given and from what, in one sentence; nil where nothing is known of that.
    package var origin: String? {
        let service = provider.contractName
        var ways = catalogs.map(\.words)
        switch response {
        case .kept(let kept):
            ways.insert("the kept answer of \(service) to \(kept.shown), of \(kept.moment)", at: 0)
        case .replaced(let kept):
            ways.append(
                "an answer of \(service) that is no longer kept (it was asked \(kept.shown) again on \(kept.moment))"
            )
        case .notKept: ways.append("an answer of \(service) that is no longer kept")
        case nil: break
        }
        return ways.isEmpty ? nil : "From \(ways.joined(separator: ", or from "))."
    }
}

extension CachedSources.Found {
    /// The key as people read it: a title and an author are parted by a tab.
    package var shown: String { key.replacing("\t", with: ", ") }
    /// When it came.
    package var moment: String { Timestamp.withoutFraction(fetchedAt) }
}

extension CatalogReference {
    /// The catalog as a sentence has it.
    fileprivate var words: String {
        var words = "the catalog \(path)"
        if let builtAt { words += ", built \(builtAt)" }
        if let dumps, !dumps.isEmpty { words += " of \(dumps.joined(separator: ", "))" }
        return words
    }
}

extension RecordOutcome {
    /// What became of a record, in one sentence (contract.md section 7).
    package var sentence: String {
        switch self {
        case .created: "Stored, and new to its library."
        case .updated: "Stored: something of the book or of the reader's own had changed."
        case .pending: "Stored; a provider has not answered yet."
        case .duplicate: "There was nothing new in it."
        case .rejected: "Turned away."
        }
    }
}

extension Explanation {
    /// Why no provider's word is among the sources; nil where one is.
    package var sentenceWithoutAnswers: String? {
        guard answers.isEmpty, reject == nil else { return nil }
        let refused = records.flatMap(\.notices).contains { $0.code == ReasonCode.ambiguousMatch.code }
        return refused
            ? "A match was refused: what fits the title and author does not fit well enough, or not alone. "
                + "The list of reviews shows the candidates."
            : "No provider matched: all that is known is from the reader's own row."
    }
}
