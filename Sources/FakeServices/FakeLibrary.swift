package import Books

/// A library of invented books. Each ISBN leads to one, always the same, except that one ISBN in ten has
/// none. Three neighbouring ISBNs are editions of one work. An author has many works.
package struct FakeLibrary: Sendable {
    /// An invented edition.
    package struct Book: Sendable, Hashable {
        /// The edition's number: the twelve digits before the check digit.
        var body: Int64
        var isbn: ISBN
        var work: Int64
        var author: Int64

        package var title: String { FakeLibrary.title(ofWork: work) }
        package var authorName: String { FakeLibrary.name(ofAuthor: author) }
        var year: Int64 { 1950 + body % 70 }
        var pages: Int64 { 90 + body % 700 }
        var publisher: String { "\(FakeLibrary.pick(FakeLibrary.nouns, body)) Press" }
        var isHardcover: Bool { body % 3 == 0 }
    }

    package init() {}

    /// The book with an ISBN; nil if the library has none.
    package func book(_ isbn: ISBN) -> Book? {
        let body = isbn.value / 10
        guard Self.mix(body) % 10 != 0 else { return nil }
        let work = body / 3 % 1_000_000_000 + 1
        return Book(body: body, isbn: isbn, work: work, author: Self.author(ofWork: work))
    }

    static func author(ofWork work: Int64) -> Int64 { Int64(mix(work) % UInt64(authors.count)) + 1 }
    package static func title(ofWork work: Int64) -> String {
        "\(pick(adjectives, work)) \(pick(nouns, work / 7)) \(work)"
    }
    /// The first edition of a work that has a book; nil if none has.
    static func edition(ofWork work: Int64) -> ISBN? {
        for body in (0..<3).map({ 978_000_000_000 + (work - 1) * 3 + $0 }) {
            let isbn = ISBN(number: body * 10 + Int64(ISBNCheckDigit.ofThirteen(body)))
            if let isbn, FakeLibrary().book(isbn)?.work == work { return isbn }
        }
        return nil
    }
    /// Some works of the author with a name, in any case; none if there is no such author.
    static func works(byAuthor name: String) -> [Int64] {
        guard let author = authors.first(where: { Self.name(ofAuthor: $0).lowercased() == name.lowercased() })
        else { return [] }
        return (1...Int64.max).lazy.filter { self.author(ofWork: $0) == author }.prefix(5).map(\.self)
    }
    /// The author's name, which no other author has.
    static func name(ofAuthor author: Int64) -> String {
        func name(_ names: [String], _ divisor: Int64) -> String {
            names[Int(UInt64(bitPattern: author / divisor) % UInt64(names.count))]
        }
        let (first, last) = (Int64(firstNames.count), Int64(lastNames.count))
        return "\(name(firstNames, 1)) \(name(lastNames, first)) \(name(lastNames, first * last))"
    }
    static func birthYear(ofAuthor author: Int64) -> Int64 { 1900 + author % 80 }
    /// The number of the author's Wikidata item; nil if there is no such author.
    package static func item(ofAuthor author: Int64) -> Int64? {
        authors.contains(author) ? firstItem + author : nil
    }
    /// The author of a Wikidata item; nil if the item is no author's.
    static func author(ofItem item: Int64) -> Int64? {
        let items = firstItem + authors.lowerBound...firstItem + authors.upperBound
        return items.contains(item) ? item - firstItem : nil
    }
    private static let authors: ClosedRange<Int64> = 1...997
    private static let firstItem: Int64 = 900_000_000

    private static func mix(_ value: Int64) -> UInt64 {
        var word = UInt64(bitPattern: value) &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    static func pick(_ words: [String], _ number: Int64) -> String {
        words[Int(mix(number) % UInt64(words.count))]
    }

    private static let adjectives = [
        "Silent", "Paper", "Northern", "Broken", "Amber", "Hidden", "Salt", "Slow",
    ]
    static let nouns = ["Lighthouse", "Orchard", "Harbour", "Clock", "Meadow", "Atlas", "Bridge", "Winter"]
    private static let firstNames = [
        "Ada", "Bruno", "Celia", "Dmitri", "Edith", "Farid", "Greta", "Hugo", "Ines",
    ]
    private static let lastNames = [
        "Marlow", "Okafor", "Lindqvist", "Tanaka", "Ferreira", "Novak", "Hale", "Ziegler", "Abara",
        "Castellano", "Dubois",
    ]
}
