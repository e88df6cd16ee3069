import Testing

@testable import Books

@Suite struct ParsedTitleTests {
    @Test(arguments: [
        ("The Hobbit", ["hobbit"]), ("Catch-22", ["catch22"]), ("Nineteen Eighty-Four", ["1984"]),
        ("Pride & Prejudice", ["prideprejudice"]), ("Pride and Prejudice", ["prideprejudice"]),
        ("Moby-Dick; or, The Whale", ["mobydick", "orthewhale"]),
        ("Sapiens: A Brief History of Humankind", ["sapiens", "briefhistoryofhumankind"]),
        ("Sourcery (Discworld, #5)", ["sourcery"]), ("Emma (Norton Critical Edition)", ["emma"]),
        ("(Untitled)", ["untitled"]), ("Vol. 2", []), ("", []),
    ])
    func `a title is split into the parts that are compared`(title: String, keys: [String]) {
        #expect(ParsedTitle(title).parts.map(\.key) == keys)
    }

    @Test(
        arguments: [
            ("Saga, Vol. 2", "2"), ("Henry IV, Part II", "2"), ("My Struggle: Book Two", "2"),
            ("Harry Potter Boxed Set, Books 1-4", "1-4"),
            ("The Art of Computer Programming, Volume 4A", "4a"),
            ("Essays: Second Series", "2"), ("Les Misérables (Tome 1)", "1"), ("2001: A Space Odyssey", nil),
            ("Dune (2 of 2)", "2"), ("Dune (2/2)", "2"), ("Dune (2)", "2"), ("Dune (II)", "2"),
            ("Dune (1-3)", "1-3"),
            ("Dune (1 to 3)", "1-3"), ("Dune (1 bis 3)", "1-3"), ("Dune (1.5)", nil), ("Dune (007)", nil),
            ("Dune (24/7)", nil), ("Emma (1815)", nil), ("Emma (Vintage)", nil), ("Emma (2 volumes)", nil),
            ("The Jungle Book", nil), ("Sourcery (Discworld, #5)", nil), ("The Book of Three", nil),
        ] as [(String, String?)])
    func `a volume number is distinguished from numbers in the title`(title: String, volume: String?) {
        #expect(ParsedTitle(title).volume?.number == volume)
    }

    @Test func `a position in a series is not a volume`() {
        let form = ParsedTitle("Assassin's Apprentice: Book One of the Farseer Trilogy")
        #expect(form.volume?.isOfSeries == true)
        #expect(form.kinds.isEmpty)
        #expect(form.parts.map(\.key) == ["assassinsapprentice"])
    }

    @Test(arguments: [
        ("CliffsNotes on Hamlet", BookKind.guide), ("Dune: The Graphic Novel", .graphic),
        ("Mort: The Play", .performance),
        ("Mistborn Trilogy Boxed Set", .collection), ("Dune (Gesamtausgabe)", .collection),
        ("Dune (Intégrale)", .collection), ("Dune (Trilogie)", .collection), ("Dune (Coffret)", .collection),
        ("Dune (Set of 3)", .collection), ("Dune [Sammelband]", .collection), ("Dune 1-3", .collection),
        ("Dune 1\u{2013}3", .collection), ("Emma: A Modern Retelling", .adaptation),
        ("Harry Potter Colouring Book", .activity), ("Dune (Oxford Bookworms Library)", .adaptation),
        ("Jane Eyre (Classics Illustrated)", .graphic), ("Middlemarch (excerpt)", .adaptation),
        ("Middlemarch (Audiobook Sampler)", .adaptation),
        ("Moby Dick: Great Illustrated Classics", .adaptation),
        ("Becoming: A Guided Journal for Discovering Your Voice", .activity),
    ])
    func `the kind of book is recognized from its title`(title: String, kind: BookKind) {
        #expect(ParsedTitle(title).kinds == [kind])
    }

    @Test(arguments: [
        "Verblendung (Millennium-Trilogie 1)", "Dune (Dune Trilogy 2)", "World War 1914-1918", "Catch-22",
        "Area 51", "Apollo 13", "1-2", "Route 66 - 2",
    ])
    func `other numbers are not several volumes`(title: String) {
        #expect(ParsedTitle(title).kinds.isEmpty)
    }

    @Test func `a one-word title has no kind, whatever the word`() {
        #expect(ParsedTitle("Play").kinds.isEmpty)
        #expect(ParsedTitle("Summary").kinds.isEmpty)
    }

    @Test func `phrases that any edition may have are ignored`() {
        let form = ParsedTitle("The Shining: A Novel")
        #expect(form.significant.map(\.key) == ["shining"])
        #expect(ParsedTitle("Night School: A Jack Reacher Novel").significant.map(\.key) == ["nightschool"])
        #expect(ParsedTitle("Dune: 50th Anniversary Edition").significant.map(\.key) == ["dune"])
    }

    @Test(arguments: ["(", "(a", "a(b)", ": ", "[", "a - "])
    func `a title as long as a book is not parsed and costs nothing`(piece: String) {
        let huge = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
        #expect(ParsedTitle(huge).parts.isEmpty)
        #expect(ParsedTitle("Emma", subtitle: huge).parts.map(\.key) == ["emma"])
        #expect(TitleSearchFormsTests.forms(of: huge).count == 1)
        #expect(TitleAgreement.score(ParsedTitle(huge), ParsedTitle(huge)).value == 0)
    }
}
