import Testing

@testable import Books
@testable import Bytes
@testable import Sources

@Suite
struct AuthorIdentificationTests {
    typealias Author = AuthorIdentification.Author

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var author: Author
        var people: [PersonFacts]
        var expected: Identification
        var item: UInt32?
    }

    @Test(arguments: cases)
    func `the decision follows from the data of providers and Wikidata`(_ example: Case) {
        for people in [example.people, example.people.reversed()] {
            let decision = AuthorIdentification.decide(example.author, among: people)
            #expect(decision.identification == example.expected)
            #expect(decision.person?.item == example.item)
            #expect(decision.identification.isAccepted == (decision.person != nil))
        }
    }

    @Test func `an item that was merged is found by its former number and has the new one`() {
        var person = PersonFacts(item: 8, kind: .human)
        person.label = "Ada Byron"
        person.formerItem = 7
        let query = PersonQuery(item: 7, foldedName: Array("ada byron".utf8))
        let decision = AuthorIdentification.decide(Author(query), among: [person])
        #expect(decision.identification == .providerNamesItem)
        #expect(decision.person?.itemID == "Q8")
        person.formerItem = nil
        #expect(AuthorIdentification.decide(Author(query), among: [person]).person == nil)
    }

    @Test(arguments: cases)
    func `an author without candidates gets the reason that an empty search gives`(_ example: Case) {
        for name in ["", "various", "staff", "ada byron", "lonely planet publications", "inc", "anon ymous"] {
            var author = example.author
            author.query.foldedName = Array(name.utf8)
            #expect(
                AuthorIdentification.ofUnknown(author.query.foldedName, hasItem: author.query.item != nil)
                    == AuthorIdentification.decide(author, among: []).identification, "\(name)")
        }
    }

    static let cases: [Case] = [
        // The provider's record names the item.
        example("item named", author("Ada Byron", item: 1), [person(1, "Ada Byron")], .providerNamesItem, 1),
        example(
            "item and key name each other", author("A", item: 1, key: "OL1A"),
            [person(1, "A", keys: ["OL9A", "OL1A"])], .providerNamesItem, 1),
        example(
            "each names the other, a year is mistyped", author("A", item: 1, key: "OL1A", birth: 1850),
            [person(1, "A", keys: ["OL1A"], birth: 1950)], .providerNamesItem, 1),
        example(
            "the item names another author", author("A", item: 1, key: "OL1A"),
            [person(1, "A", keys: ["OL2A"])], .refusedContradiction),
        example(
            "another item claims the author", author("A", item: 1, key: "OL1A"),
            [person(1, "A"), person(2, "A", keys: ["OL1A"])], .refusedContradiction),
        example(
            "the item is the father", author("A", item: 1, birth: 1950), [person(1, "A", birth: 1920)],
            .refusedContradiction),
        example(
            "the item is not known", author("A", item: 1, birth: 1950), [person(2, "A", birth: 1950)],
            .unknownPerson),
        example(
            "the item has another name", author("Ada Byron", item: 1), [person(1, "Somebody Else")],
            .refusedContradiction),
        example(
            "the item has another script", author("Haruki Murakami", item: 1), [person(1, "村上春樹")],
            .providerNamesItem, 1),
        example("the item is a publisher", author("A", item: 1), [person(1, "A", kind: .other)], .notAPerson),
        example(
            "the item is a pen name", author("A", item: 1), [person(1, "A", kind: .pseudonym)],
            .providerNamesItem, 1),
        // The item names the Open Library author.
        example(
            "P648 names the author", author("Other Name", key: "OL1A"), [person(3, "A", keys: ["OL1A"])],
            .itemNamesAuthor, 3),
        example(
            "two items name the author", author("A", key: "OL1A"),
            [person(3, "A", keys: ["OL1A"]), person(4, "A", keys: ["OL1A"])], .refusedAmbiguous),
        example(
            "P648 names the author, years are far apart", author("A", key: "OL1A", birth: 1950),
            [person(3, "A", keys: ["OL1A"], birth: 1900)], .refusedContradiction),
        example(
            "P648 names the author, a year apart", author("A", key: "OL1A", birth: 1950),
            [person(3, "A", keys: ["OL1A"], birth: 1951)], .itemNamesAuthor, 3),
        // Other identifiers.
        example(
            "VIAF agrees", author("B", viaf: "77"), [person(5, "A", viaf: ["76", "77"])], .identifier, 5),
        example(
            "VIAF agrees with two", author("B", viaf: "77"),
            [person(5, "A", viaf: ["77"]), person(6, "B", viaf: ["77"])], .refusedAmbiguous),
        example(
            "VIAF agrees, the key does not", author("B", key: "OL1A", viaf: "77"),
            [person(5, "B", keys: ["OL2A"], viaf: ["77"])], .refusedContradiction),
        // Name and year.
        example(
            "name and birth", author("José Ação", birth: 1950), [person(7, "Jose Acao", birth: 1950)],
            .nameAndYear, 7),
        example(
            "name and death", author("A", death: 1900), [person(7, "A", birth: 1850, death: 1900)],
            .nameAndYear, 7),
        example(
            "an alias and birth", author("Samuel Clemens", birth: 1835),
            [person(7, "Mark Twain", aliases: ["Samuel Clemens"], birth: 1835)], .nameAndYear, 7),
        example(
            "an initial and birth", author("J. Smith", birth: 1950),
            [person(7, "J. Smith", birth: 1950)], .refusedAmbiguous),
        example(
            "birth agrees, but a namesake's year is not known", author("John Smith", birth: 1950),
            [person(7, "John Smith", birth: 1950), person(8, "John Smith")], .refusedAmbiguous),
        example(
            "both years agree, and a namesake's are not known",
            author("John Smith", birth: 1950, death: 2000),
            [person(7, "John Smith", birth: 1950, death: 2000), person(8, "John Smith")], .nameAndYear, 7),
        example(
            "birth agrees, death is far apart", author("A", birth: 1950, death: 1990),
            [person(7, "A", birth: 1950, death: 2011)], .refusedNameAlone),
        example(
            "birth is a year apart and nothing else", author("A", birth: 1950), [person(7, "A", birth: 1951)],
            .refusedNameAlone),
        example(
            "birth is a year apart, death agrees", author("A", birth: 1950, death: 2000),
            [person(7, "A", birth: 1951, death: 2000)], .nameAndYear, 7),
        example(
            "name alone", author("John Smith"), [person(8, "John Smith", birth: 1950)], .refusedNameAlone),
        example(
            "name alone, nothing known of the person", author("John Smith", birth: 1950),
            [person(8, "John Smith")], .refusedNameAlone),
        example(
            "homonyms, one of that year", author("John Smith", birth: 1950),
            [person(8, "John Smith", birth: 1950), person(9, "John Smith", birth: 1880)], .nameAndYear, 8),
        example(
            "homonyms of one year", author("John Smith", birth: 1950),
            [person(8, "John Smith", birth: 1950), person(9, "John Smith", birth: 1950)], .refusedAmbiguous),
        example(
            "father and son of one name", author("Alexandre Dumas", birth: 1824),
            [person(10, "Alexandre Dumas", birth: 1802), person(11, "Alexandre Dumas", birth: 1824)],
            .nameAndYear, 11),
        example(
            "the namesake is another author", author("A", key: "OL1A", birth: 1950),
            [person(7, "A", keys: ["OL2A"], birth: 1950)], .refusedContradiction),
        example(
            "a disambiguation page of that name", author("A", birth: 1950),
            [person(7, "A", kind: .other, birth: 1950)], .unknownPerson),
        example("nobody", author("A", birth: 1950), [], .unknownPerson),
        example(
            "people of other names", author("A", birth: 1950), [person(7, "B", birth: 1950)], .unknownPerson),
        // Not persons.
        example(
            "various", author("Various", key: "OL1A"), [person(7, "Various", keys: ["OL1A"])], .notAPerson),
        example(
            "anonymous, named as an item", author("ANONYMOUS.", item: 4_233_718),
            [person(4_233_718, "anonymous", kind: .other)], .notAPerson),
        example("no name", author("?!"), [], .notAPerson),
        example("an organisation", author("Lonely Planet Publications"), [], .notAPerson),
        example(
            "a person who is named like one", author("Jane Society", key: "OL1A"),
            [person(7, "Jane Society", keys: ["OL1A"])], .itemNamesAuthor, 7),
    ]

    private static func example(
        _ name: String, _ author: Author, _ people: [PersonFacts], _ expected: Identification,
        _ item: UInt32? = nil
    ) -> Case {
        Case(testDescription: name, author: author, people: people, expected: expected, item: item)
    }

    private static func author(
        _ name: String, item: UInt32? = nil, key: String? = nil, birth: Int32? = nil, death: Int32? = nil,
        viaf: String? = nil
    ) -> Author {
        let query = PersonQuery(item: item, authorKey: key, foldedName: Array(Folding.fold(name).utf8))
        return Author(query, birthYear: birth, deathYear: death, viaf: viaf)
    }

    private static func person(
        _ item: UInt32, _ label: String, aliases: [String] = [], kind: PersonFacts.Kind = .human,
        keys: [String] = [], birth: Int32? = nil, death: Int32? = nil, viaf: [String] = []
    ) -> PersonFacts {
        var person = PersonFacts(item: item, kind: kind)
        person.label = label
        person.aliases = aliases
        person.openLibraryKeys = keys
        person.birthYear = birth
        person.deathYear = death
        person.viaf = viaf
        return person
    }
}
