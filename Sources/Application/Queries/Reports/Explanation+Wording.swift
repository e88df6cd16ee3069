import Books
import Contract
import Store

// The wording of an explanation: one sentence for each value that the store keeps as a number.

extension MergeRule {
    /// Why this value was taken, in one sentence.
    package var sentence: String {
        switch self {
        case .given: "It is the only value."
        case .firstInOrder: "It comes from the first provider, in order of precedence, that has a value."
        case .longest: "It is the longest text."
        case .union: "It combines the values of all sources."
        case .preferredProvider: "It comes from the provider preferred for this field."
        case .filledFromRow: "No provider had a value; it comes from your file."
        case .fromShelves: "No provider had a value; it is derived from your shelves."
        case .normalized: "It was converted to its canonical form."
        case .assumed: "No source has a value; it is assumed."
        case .repaired: "It was repaired from a damaged cell."
        case .majority: "Most providers have this value."
        case .earliest: "It is the earliest date."
        case .newest: "It is the latest date."
        case .edited: "It was set by hand."
        }
    }
}

extension Explanation.FieldTrace {
    /// Why this value was taken, in one sentence that takes the losing values into account.
    package var reason: String? {
        // The rule's sentence would name the user's own file.
        if source == .otherLibrary { return nil }
        guard rule == .given, !lost.isEmpty else { return rule?.sentence }
        if case .row = source { return "It comes from the first row; later rows only fill gaps." }
        return "Only one provider had a value; values from your file only fill gaps."
    }
}

extension Explanation.Element {
    /// Why the element was taken, in one sentence; nil if its source says enough.
    package var reason: String? {
        // The rule's sentence would name the user's own file.
        if source == .otherLibrary { return nil }
        return switch rule {
        case .given, .union: nil
        case .filledFromRow: "Only your file has it."
        default: rule.sentence
        }
    }
}

extension Identification {
    /// Why a person was identified or not, in one sentence.
    package var sentence: String {
        switch self {
        case .notTried: "Not identified yet."
        case .providerNamesItem: "Identified: the provider's author record names the Wikidata item."
        case .itemNamesAuthor: "Identified: the Wikidata item names the Open Library author."
        case .identifier: "Identified: another external identifier agrees."
        case .nameAndYear: "Identified: the name and a year of birth or death agree."
        case .nameAndTitle: "Identified: the name and a title agree."
        case .refusedNameAlone: "Not identified: only the name agrees, which is not enough evidence."
        case .refusedAmbiguous: "Not identified: several people match."
        case .refusedContradiction: "Not identified: the identifiers contradict each other."
        case .unknownPerson: "Not identified: no person with this name or key is known."
        case .notAPerson: "Not identified: the name is not the name of a person."
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
        case .identifier: "identifier"
        case .titleAuthorEdition: "titleAuthorEdition"
        }
    }

    /// Match of an answer and its meaning, in one sentence.
    package var sentence: String {
        switch self {
        case .isbn: "Matched by ISBN: it is the same book."
        case .openLibraryKey: "Matched by its Open Library key: it is the same book."
        case .identifier: "Matched by another identifier, such as Goodreads' Book Id: it is the same book."
        case .titleAuthorEdition:
            "Matched by title and author; year, pages, format, publisher or language single out this edition."
        case .titleAuthor:
            "Matched by title and author: only its work and authors are used, because the edition may differ."
        case .reviewed:
            "Chosen in a review: only its work and authors are used, because the edition may differ."
        }
    }
}

extension Explanation.Answer {
    /// When the answer was given and where it comes from, in one sentence; nil if neither is known.
    package var origin: String? {
        let service = provider.contractName
        var ways = catalogs.map(\.words)
        switch response {
        case .cached(let cached):
            ways.insert(
                "the cached answer of \(service) for \(cached.shown), fetched \(cached.moment)", at: 0)
        case .replaced(let cached):
            ways.append(
                "an answer of \(service) that is no longer cached (\(cached.shown) was fetched again \(cached.moment))"
            )
        case .notCached: ways.append("an answer of \(service) that is no longer cached")
        case nil: break
        }
        return ways.isEmpty ? nil : "From \(ways.joined(separator: ", or from "))."
    }
}

extension CachedSources.Found {
    /// The key in readable form. Stored keys separate title and author with a tab.
    package var shown: String { key.replacing("\t", with: ", ") }
    /// When it was fetched.
    package var moment: String { Timestamp.withoutFraction(fetchedAt) }
}

extension CatalogReference {
    /// The catalog as part of a sentence.
    fileprivate var words: String {
        var words = "the catalog \(path)"
        if let builtAt { words += ", built \(builtAt)" }
        if let dumps, !dumps.isEmpty { words += " from \(dumps.joined(separator: ", "))" }
        return words
    }
}

extension RecordOutcome {
    /// The outcome of a record, in one sentence.
    package var sentence: String {
        switch self {
        case .created: "Stored as a new entry."
        case .updated: "Updated; the book or the entry had changed."
        case .pending: "Stored; a service has not answered yet."
        case .duplicate: "Unchanged; already stored."
        case .rejected: "Rejected."
        }
    }
}

extension Explanation {
    /// Why no provider is among the sources; nil if one is, or if the record was rejected.
    package var sentenceWithoutAnswers: String? {
        guard answers.isEmpty, reject == nil else { return nil }
        return hasUncertainMatch
            ? "No match is certain: no candidate fits well enough, or several do."
            : "No provider matched; no value comes from one."
    }

    /// Whether a review can decide which book it is.
    package var hasUncertainMatch: Bool {
        answers.isEmpty && reject == nil
            && records.flatMap(\.warnings).contains {
                $0.code == ReasonCode.ambiguousMatch.code || $0.code == ReasonCode.isbnOtherBook.code
            }
    }
}
