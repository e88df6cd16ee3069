import Testing

@testable import Books

/// Titles with the name of their series, a number, an edition or a second title.
@Suite struct SeriesInTitlesTests {
    private static let author = "Ingrid Falk"

    /// A collection is called like the series. *Glass Winter* is not known.
    private static let known: [(title: String, year: Int32)] = [
        ("The Ember Crown", 2004), ("Ashfall", 1999), ("The Hollow Throne", 2001),
    ]

    private static func book(_ title: String, _ year: Int32?, by author: String = author) -> MatchCandidate {
        MatchCandidate(record: title, title: title, authors: [[author]], year: year)
    }

    private func matched(
        _ title: String, by author: String = author, year: Int32? = nil, series: [SeriesPosition] = [],
        among books: [MatchCandidate] = known.map { book($0.title, $0.year) }
    ) -> String? {
        let wanted = MatchQuery(title: title, author: author, firstYear: year, series: series)
        guard case .match(let number) = Matcher(wanted).decide(among: books).verdict else { return nil }
        return books[number].title
    }

    @Test(
        arguments: [
            ("The Hollow Throne: The Ember Crown", 2001, "The Hollow Throne"),
            ("The Hollow Throne - The Ember Crown", 2001, "The Hollow Throne"),
            ("The Ember Crown: The Hollow Throne", 2001, "The Hollow Throne"),
            ("The Hollow Throne: The Ember Crown Trilogy", nil, "The Hollow Throne"),
            ("The Hollow Throne (The Ember Crown Trilogy)", nil, "The Hollow Throne"),
            ("The Hollow Throne (Ember Crown Duology)", nil, "The Hollow Throne"),
            ("The Hollow Throne: The Ember Crown, Book 2", nil, "The Hollow Throne"),
            ("The Ember Crown 2: The Hollow Throne", nil, "The Hollow Throne"),
            ("The Ember Crown Trilogy: Ashfall", nil, "Ashfall"),
            ("Ashfall: The Lantern Road", 1999, "Ashfall"),
            ("Ashfall: The Lantern Road", nil, nil),
            // Without the year either can be the series.
            ("The Hollow Throne: The Ember Crown", nil, nil),
            ("The Ember Crown: The Hollow Throne", nil, nil),
            // What is behind the first separator is never enough.
            ("Glass Winter: The Ember Crown", nil, nil), ("Glass Winter: The Ember Crown", 2003, nil),
            ("Glass Winter: The Ember Crown, Book 3", 2003, nil),
            ("The Ember Crown (Trilogy)", nil, nil), ("The Complete Ember Crown Trilogy", nil, nil),
        ] as [(String, Int32?, String?)])
    func `a book is not the collection that has the name of its series`(
        title: String, year: Int32?, expected: String?
    ) {
        #expect(matched(title, year: year) == expected)
    }

    @Test(arguments: [
        "Ashfall; The Hollow Throne", "Ashfall / The Hollow Throne", "Ashfall; Our Winter Guests",
        "Ashfall (Ashfall, #1-3)", "The Ember Crown, Books 1-3",
    ])
    func `several books are not one of them`(title: String) {
        #expect(matched(title) == nil)
    }

    @Test func `a range of a series does not change the title of a collection`() {
        let books = [Self.book("The Ember Crown", 2004), Self.book("The Ember Crown Omnibus", 2010)]
        let range = [SeriesPosition(name: "Crowns of the North", number: "1-3")]
        #expect(matched("The Ember Crown", series: range, among: books) == "The Ember Crown")
        let own = [SeriesPosition(name: "The Ember Crown", number: "1-3")]
        #expect(matched("The Ember Crown", year: 2004, series: own, among: books) == "The Ember Crown")
        #expect(matched("The Ember Crown", series: own, among: books) == nil)
    }

    @Test(arguments: [
        ("Harbor Robots: Proceedings of the 5th Meeting, Bergen 2007", true),
        ("Harbor Robots; proceedings of the 5th meeting, Bergen 2007", true),
        ("Harbor Robots: Proceedings of the 5th Meeting, Bergen", true),
        ("Harbor Robots: Proceedings of the 6th Meeting, Turku 2009", false),
        ("Harbor Robots: Proceedings of the Sixth Meeting, Bergen 2007", false),
        ("Harbor Robots: Twelve Projects for the Garden Shed", false),
    ])
    func `a subtitle with other numbers or other words is left to the user`(title: String, isOne: Bool) {
        let book = Self.book("Harbor Robots: Proceedings of the 5th Meeting, Bergen 2007", 2007)
        #expect((matched(title, year: 2007, among: [book]) != nil) == isOne)
    }

    @Test func `the name of a series is not the title of its only known book`() {
        let book = Self.book("Starhaven: Ghosts of Carrow", 2006)
        for year in [nil, 2001, 2007] as [Int32?] {
            #expect(matched("Starhaven", year: year, among: [book]) == nil)
        }
        #expect(matched("Starhaven: Ghosts of Carrow", among: [book]) != nil)
    }

    @Test(arguments: [
        ("Ashfall (Volume 2)", true), ("Ashfall, Book 2", true), ("Ashfall: Book 2", false),
        ("Ashfall (Tome 2)", false),
        ("Ashfall, Vol. 2", false),
        ("Ashfall (Part 2)", false), ("Ashfall, Part 2", false), ("Ashfall (2 of 2)", false),
        ("Ashfall #2", false), ("Ashfall, Issue 2", false), ("Ashfall, Books 1-2", false),
    ])
    func `a number that the catalog lacks is accepted if it knows no other volume`(title: String, isOne: Bool)
    {
        let books = [Self.book("Ashfall", 1999)]
        #expect((matched(title, among: books) != nil) == isOne)
        #expect(matched(title, year: 2004, among: books) == nil)
        #expect(matched(title, among: books + [Self.book("Ashfall, Vol. 1", 1999)]) == nil)
        #expect(
            matched(title, among: books + [Self.book("Ashfall Omnibus", 1999)]) == (isOne ? "Ashfall" : nil))
    }

    @Test(arguments: [
        "Ashfall, 3rd Edition", "Ashfall (Third Edition)", "Ashfall / Edition 1",
        "Ashfall: Revised and Expanded",
        "Ashfall, Revised Edition", "Ashfall (Revised)", "Ashfall 2nd ed.", "Ashfall - Fully Updated",
    ])
    func `an edition is the same book on either side`(title: String) {
        #expect(matched(title) == "Ashfall")
        #expect(matched("Ashfall", among: [Self.book(title, 1999)]) == title)
    }

    @Test(
        arguments: [
            ("Fever", "Sever", 2012, false), ("Fever", "Fevre", nil, true), ("Fever", "Fover", 2012, true),
            ("Fever", "Fover", nil, false),
            ("The Wet Road", "The Wet Raod", 2012, true),
            ("The Wet Road", "The Wet Raod", nil, false), ("Ferret Row", "Ferret Row", nil, true),
            ("Persuasion", "Persuation", nil, true), ("Persuasion", "Persuation", 1998, false),
        ] as [(String, String, Int32?, Bool)])
    func `a typing error that makes another word needs the year`(
        title: String, mistyped: String, year: Int32?, isOne: Bool
    ) {
        #expect((matched(mistyped, year: year, among: [Self.book(title, 2012)]) != nil) == isOne)
    }

    @Test func `a title that is cut off is accepted with the year, if it ends in a word`() {
        let books = [Self.book("The Remarkable Lighthouse of Carrow Island", 1999)]
        #expect(matched("The Remarkable Lightho", year: 1999, among: books) != nil)
        #expect(matched("The Remarkable Lighthouse of", year: 1999, among: books) != nil)
        #expect(matched("The Remarkable Lightho", among: books) == nil)
        #expect(matched("The Remarkable Lighthouse", year: 1999, among: books) == nil)
    }

    @Test func `the whole title says more than a middle initial`() {
        let books = [
            Self.book(
                "Ashfall: A Novel of the North and Other Stories of Ice", 1999, by: "Ingrid Maria Falk"),
            Self.book("Ashfall", 1999, by: "Ingrid Falk"),
        ]
        #expect(matched("Ashfall", by: "Ingrid Maria Falk", among: books) == "Ashfall")
    }

    @Test func `all authors of the row are compared`() {
        let book = Self.book("Ashfall", 1999)
        var wanted = MatchQuery(title: "Ashfall", author: "Tomas Brand", otherAuthors: [Self.author])
        // An adaptation names its author first, and is of another year.
        #expect(Matcher(wanted).decide(among: [book]).verdict == .abstain(.notSure))
        wanted.firstYear = 2015
        #expect(Matcher(wanted).decide(among: [book]).verdict == .abstain(.notSure))
        wanted.firstYear = 1999
        #expect(Matcher(wanted).decide(among: [book]).verdict == .match(0))
    }

    @Test(
        arguments: [
            ("1Q84 Book 1", "1Q84", 2009), ("1Q84: 1Q84 Book 1", "1Q84", 2009),
            ("A Game of Thrones: Comic Book, Issue 1", "A Game of Thrones", nil),
            ("Bone: Quest for the Spark, Vol. 1", "Bone: The Complete Edition", nil),
        ] as [(String, String, Int32?)])
    func `a volume or an issue is not the whole book`(title: String, whole: String, year: Int32?) {
        #expect(matched(title, year: year, among: [Self.book(whole, 2009)]) == nil)
    }

    @Test(arguments: [
        ("Wild: A Journey from Lost to Found", "Wild: From Lost to Found on the Pacific Crest Trail", true),
        (
            "Knots: Ten Gifts for Winter Evenings", "Knots: Twelve Gifts for Winter Evenings by the Fire",
            false
        ),
        ("Knots: Gifts for Winter Evenings", "Knots: Gifts for Summer Evenings by the Fire", false),
    ])
    func `subtitles are of one book if they share a phrase`(title: String, other: String, isOne: Bool) {
        #expect((matched(title, among: [Self.book(other, 2009)]) != nil) == isOne)
    }

    @Test func `a cut-off title of a series needs exactly the year`() {
        let books = [Self.book("The Lantern Keepers and the Perilous Journey", 2008)]
        #expect(matched("The Lantern Keepers and the", year: 2009, among: books) == nil)
        #expect(matched("The Lantern Keepers and the", year: 2008, among: books) != nil)
    }

    @Test(arguments: [
        ("Avatar, Volume 1: The Promise, Part 2", "Avatar, Volume 1: The Promise, Part 3"),
        ("Avatar: The Promise, Part 1", "Avatar: The Promise, Part 2"),
        ("Avatar (The Promise, Part 1)", "Avatar (The Promise, Part 2)"),
        ("The Promise Part One", "The Promise Part Two"), ("The Promise, Pt. 1", "The Promise, Pt. 2"),
    ])
    func `two parts are not one book`(one: String, other: String) {
        #expect(Matcher(MatchQuery(title: one, author: Self.author)).score(Self.book(other, nil)).value < 0.8)
    }
}
