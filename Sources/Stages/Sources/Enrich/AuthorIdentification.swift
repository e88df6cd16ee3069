package import Books
import Bytes

/// Decides which person of Wikidata an author is, or why none can be accepted.
///
/// A wrong person is worse than none. An identifier is enough unless identifiers contradict each other.
/// Otherwise the name counts only together with a year of birth or death, or with the title of one of the
/// person's works; a name alone is never enough. A year is not enough either if another person of that name may
/// have the same, or if the given name is only an initial.
package enum AuthorIdentification {
    /// An author as providers describe them.
    package struct Author: Sendable, Hashable {
        package var query: PersonQuery
        package var birthYear: Int32?
        package var deathYear: Int32?
        package var viaf: String?
        package var isni: String?
        package var goodreads: String?
        /// The book's title; nil if it is not evidence.
        package var title: String?

        package init(
            _ query: PersonQuery, birthYear: Int32? = nil, deathYear: Int32? = nil, viaf: String? = nil,
            isni: String? = nil, goodreads: String? = nil, title: String? = nil
        ) {
            self.query = query
            self.birthYear = birthYear
            self.deathYear = deathYear
            self.viaf = viaf
            self.isni = isni
            self.goodreads = goodreads
            self.title = title
        }
    }

    /// The decision, with the person if one was accepted.
    package struct Decision: Sendable, Hashable {
        package var identification: Identification
        package var person: PersonFacts?

        fileprivate static func refused(_ reason: Identification) -> Decision {
            Decision(identification: reason)
        }
    }

    /// Decides among the people found by a directory.
    package static func decide(_ author: Author, among people: [PersonFacts]) -> Decision {
        if AuthorNames.isPlaceholder(author.query.foldedName) { return .refused(.notAPerson) }
        if let item = author.query.item { return byNamedItem(item, author, people) }
        return byAuthorKey(author, people) ?? byIdentifier(author, people) ?? byName(author, people)
    }

    /// The reason if a directory found no one; the same as ``decide(_:among:)`` returns for an empty list.
    ///
    /// - Parameters:
    ///   - name: The author's folded name.
    ///   - hasItem: Whether the provider's record names a Wikidata item.
    static func ofUnknown(_ name: [UInt8], hasItem: Bool) -> Identification {
        let isNobody =
            AuthorNames.isPlaceholder(name) || !hasItem && AuthorNames.isOrganisation(name)
        return isNobody ? .notAPerson : .unknownPerson
    }

    /// The provider's record names the item. Accepted unless this item or another one contradicts it.
    private static func byNamedItem(_ item: UInt32, _ author: Author, _ people: [PersonFacts]) -> Decision {
        let owners = owners(of: author.query.authorKey, people)
        if owners.contains(where: { !$0.isItem(item) }) { return .refused(.refusedContradiction) }
        guard let person = people.first(where: { $0.isItem(item) }) else { return .refused(.unknownPerson) }
        guard person.isPerson else { return .refused(.notAPerson) }
        // If record and item name each other, a wrong year in one of them does not matter.
        if owners.isEmpty,
            namesOthers(person, author) || years(of: person, author) == .apart || hasOtherName(person, author)
        {
            return .refused(.refusedContradiction)
        }
        return Decision(identification: .providerNamesItem, person: person)
    }

    /// A Wikidata item names the Open Library author.
    private static func byAuthorKey(_ author: Author, _ people: [PersonFacts]) -> Decision? {
        let owners = owners(of: author.query.authorKey, people)
        guard let person = owners.first else { return nil }
        if owners.count > 1 { return .refused(.refusedAmbiguous) }
        guard person.isPerson else { return .refused(.notAPerson) }
        if years(of: person, author) == .apart { return .refused(.refusedContradiction) }
        return Decision(identification: .itemNamesAuthor, person: person)
    }

    /// Another identifier agrees.
    private static func byIdentifier(_ author: Author, _ people: [PersonFacts]) -> Decision? {
        let sharing = people.filter { person in
            person.isPerson
                && (author.viaf.map(person.viaf.contains) == true
                    || author.isni.map(person.isni.contains) == true
                    || author.goodreads.map(person.goodreads.contains) == true)
        }
        guard let person = sharing.first else { return nil }
        if sharing.count > 1 { return .refused(.refusedAmbiguous) }
        if namesOthers(person, author) || years(of: person, author) == .apart {
            return .refused(.refusedContradiction)
        }
        return Decision(identification: .identifier, person: person)
    }

    /// The name agrees, and also a year or a title.
    private static func byName(_ author: Author, _ people: [PersonFacts]) -> Decision {
        guard !AuthorNames.isOrganisation(author.query.foldedName) else { return .refused(.notAPerson) }
        let namesakes = people.filter { $0.isPerson && hasName(author.query.foldedName, $0) }
        guard !namesakes.isEmpty else { return .refused(.unknownPerson) }
        let agreeing = namesakes.filter { years(of: $0, author) == .agree }
        if agreeing.isEmpty { return byTitle(author, namesakes) }
        if agreeing.count > 1 { return .refused(.refusedAmbiguous) }
        if namesOthers(agreeing[0], author) { return .refused(.refusedContradiction) }
        guard isYearEnough(agreeing[0], author, namesakes) else {
            let known = byTitle(author, namesakes)
            return known.person == nil ? .refused(.refusedAmbiguous) : known
        }
        return Decision(identification: .nameAndYear, person: agreeing[0])
    }

    /// Whether name and year identify a person: the name has more than an initial, and both years agree or no
    /// other person of that name has an unknown year.
    private static func isYearEnough(
        _ person: PersonFacts, _ author: Author, _ namesakes: [PersonFacts]
    ) -> Bool {
        let name = ParsedName(String(decoding: author.query.foldedName, as: UTF8.self))
        if name.given.count == 1, name.given.first?.unicodeScalars.count == 1 { return false }
        let agreeBoth =
            author.birthYear != nil && author.birthYear == person.birthYear && author.deathYear != nil
            && author.deathYear == person.deathYear
        return agreeBoth
            || !namesakes.contains { other in
                other.item != person.item
                    && (author.birthYear == nil || other.birthYear == nil)
                    && (author.deathYear == nil || other.deathYear == nil)
            }
    }

    /// Whether none of the person's names can be the author's. Names in other scripts are not compared.
    private static func hasOtherName(_ person: PersonFacts, _ author: Author) -> Bool {
        let names = ([person.label] + person.aliases).map { Folding.fold($0) }.filter(isLatin)
        let own = String(decoding: author.query.foldedName, as: UTF8.self)
        guard isLatin(own), !names.isEmpty else { return false }
        let name = ParsedName(own)
        return names.allSatisfy { NameAgreement.score(name, ParsedName($0)).value == 0 }
    }

    private static func isLatin(_ folded: String) -> Bool {
        !folded.isEmpty && folded.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Exactly one person with this name is known for the book, and no year contradicts it.
    private static func byTitle(_ author: Author, _ namesakes: [PersonFacts]) -> Decision {
        guard let title = author.title.map({ ParsedTitle($0).key }), !title.isEmpty else {
            return .refused(.refusedNameAlone)
        }
        let known = namesakes.filter { person in
            years(of: person, author) != .apart && person.titles.contains { ParsedTitle($0).key == title }
        }
        guard let person = known.first else { return .refused(.refusedNameAlone) }
        if known.count > 1 { return .refused(.refusedAmbiguous) }
        if namesOthers(person, author) { return .refused(.refusedContradiction) }
        return Decision(identification: .nameAndTitle, person: person)
    }

    /// The people who name this Open Library author.
    private static func owners(of key: String?, _ people: [PersonFacts]) -> [PersonFacts] {
        guard let key else { return [] }
        return people.filter { $0.openLibraryKeys.contains(key) }
    }

    /// Whether the person names Open Library authors, but not this one.
    private static func namesOthers(_ person: PersonFacts, _ author: Author) -> Bool {
        guard let key = author.query.authorKey, !person.openLibraryKeys.isEmpty else { return false }
        return !person.openLibraryKeys.contains(key)
    }

    private static func hasName(_ foldedName: [UInt8], _ person: PersonFacts) -> Bool {
        ([person.label] + person.aliases).contains { Folding.fold($0).utf8.elementsEqual(foldedName) }
    }

    /// Comparison of the years of birth and death.
    private enum Years {
        /// At least one year is equal, and none differs by more than one.
        case agree
        /// No year to compare, or a difference of one year.
        case silent
        /// A year differs by more than one, as for father and son.
        case apart
    }

    private static func years(of person: PersonFacts, _ author: Author) -> Years {
        var result = Years.silent
        for (ours, theirs) in [(author.birthYear, person.birthYear), (author.deathYear, person.deathYear)] {
            guard let ours, let theirs else { continue }
            if abs(Int(ours) - Int(theirs)) > 1 { return .apart }
            if ours == theirs { result = .agree }
        }
        return result
    }
}

/// Names of authors that are not persons. All names are folded (`Folding`), UTF-8.
enum AuthorNames {
    /// Whether the name is a placeholder: `Various`, `Anonymous`.
    static func isPlaceholder(_ name: [UInt8]) -> Bool {
        name.isEmpty || name.withUnsafeBytes { placeholders.contains($0) }
    }

    /// Whether the name has a word that is typical of organisations: `Lonely Planet Publications`.
    static func isOrganisation(_ name: [UInt8]) -> Bool {
        name.withUnsafeBytes { name in
            TableLine.Pieces(rest: name, separator: 0x20).contains { organizations.contains($0) }
        }
    }

    /// A set of a few words, indexed by first letter because every author's name is looked up in it.
    private struct Words {
        private var byFirstLetter: [[StaticString]] = Array(repeating: [], count: 256)

        init(_ words: [StaticString]) {
            for word in words { byFirstLetter[Int(word.utf8Start[0])].append(word) }
        }

        func contains(_ name: UnsafeRawBufferPointer) -> Bool {
            guard let first = name.first else { return false }
            return byFirstLetter[Int(first)].contains { $0 == name }
        }
    }

    private static let placeholders = Words([
        "various", "various authors", "various artists", "varios", "varios autores", "diverse",
        "verschiedene",
        "collectif", "anonymous", "anonymus", "anonym", "anonyme", "anonimo", "anon", "unknown",
        "unknown author",
        "author unknown", "not available", "n a", "na", "none", "no author", "et al", "multiple authors",
        "others",
        "staff", "editors", "unbekannt",
    ])

    private static let organizations = Words([
        "inc", "ltd", "llc", "gmbh", "plc", "corporation", "company", "university", "college", "publishing",
        "publications", "publishers", "verlag", "association", "committee", "commission", "institute",
        "society",
        "foundation", "museum", "library", "department", "ministry", "staff", "editors", "magazine",
        "council",
        "bureau", "agency", "congress", "federation", "orchestra",
    ])
}
