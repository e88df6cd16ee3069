import System
import TestSupport
import Testing

@testable import Books
@testable import Sources

@Suite struct CatalogTitleTests {
    typealias Dump = DumpFixture

    private let leGuin = Dump.author(
        1, #""name": "Ursula K. Le Guin", "alternate_names": ["Le Guin, Ursula Kroeber", "Урсула Ле Гуин"]"#)

    @Test func `a work is found by title and author in any spelling`() async throws {
        let fixture = try await CatalogFixture([
            leGuin,
            Dump.work(2, #""title": "The Dispossessed!", "subtitle": "An ambiguous utopia""#, author: 1),
        ])
        for (title, author) in [
            ("The Dispossessed", "Ursula K. Le Guin"),
            ("the dispossessed: an ambiguous utopia", "Le Guin, Ursula K."),
            ("THE DISPOSSESSED", "Ursula K Le Guin"), ("Dispossessed", "Ursula K. Le Guin"),
            ("The  Dispossessed", "Ursula Kroeber Le Guin"),
            ("The Dispossessed", "Урсула Ле Гуин"),
        ] {
            let found = try await fixture.find(title, by: author)
            #expect(found.outcome == .found, "\(title) by \(author)")
            #expect(found.record == "OL2W")
            #expect(found[.title] == ["The Dispossessed!"])
            #expect(found.authorNames == ["Ursula K. Le Guin"])
            #expect(!found.isSynthetic)
        }
    }

    @Test(arguments: [("C", "OL2W"), ("C++", "OL3W"), ("C++ Primer", "OL4W"), ("A Guide to C", "OL6W")])
    func `C and C++ are different titles, though both fold to the same text`(title: String, work: String)
        async throws
    {
        let all = [
            (2, "C"), (3, "C++"), (4, "C++ Primer"), (5, "C Primer"), (6, "A Guide to C"),
            (7, "Guide: F# & B"),
        ].map { Dump.work($0.0, "\"title\": \"\($0.1)\"", author: 1) }
        let found = try await CatalogFixture([leGuin] + all).find(title, by: "Ursula K. Le Guin")
        #expect(found.outcome == .found)
        #expect(found.record == work)
    }

    @Test(arguments: [
        ("C", "C++"), ("C++", "C"), ("C# Primer", "C Primer"), ("Programming in C", "Programming in C#"),
    ])
    func `a title that differs only in symbols is not matched`(title: String, known: String) async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, "\"title\": \"\(known)\"", author: 1),
        ])
        let found = try await fixture.find(title, by: "Ursula K. Le Guin")
        #expect(found.outcome != .found)
        #expect(try await fixture.find(known, by: "Ursula K. Le Guin").outcome == .found)
    }

    @Test func `a title that folds to nothing is not searched by its author`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "???""#, author: 1), Dump.work(3, #""title": "!!!""#, author: 1),
        ])
        for author in ["Ursula K. Le Guin", ""] {
            let found = try await fixture.find("???", by: author)
            #expect(found.outcome == .notFound && found.options.isEmpty)
        }
    }

    /// It may be the title of another volume.
    @Test func `another subtitle is left to the user`() async throws {
        let fixture = try await CatalogFixture([
            leGuin,
            Dump.work(2, #""title": "The Dispossessed", "subtitle": "An ambiguous utopia""#, author: 1),
        ])
        let found = try await fixture.find(
            "The Dispossessed: Part of the Hainish Cycle", by: "Ursula K. Le Guin")
        #expect(found.outcome == .ambiguous)
        #expect(found.options.map(\.record) == ["OL2W"])
        #expect(found.options.first?.evidence.contains("against:subtitle_differs") == true)
    }

    @Test func `a title or an author alone is not enough for a match`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "Malafrena""#, author: 1), Dump.work(3, #""title": "Malafrena""#),
        ])
        #expect(try await fixture.find("Malafrena", by: "Somebody Else").outcome == .notFound)
        let byUnknown = try await fixture.find("Malafrena", by: "?")
        #expect(byUnknown.outcome == .ambiguous)
        #expect(Set(byUnknown.options.map(\.record)) == ["OL2W", "OL3W"])
        #expect(try await fixture.find("?", by: "Ursula K. Le Guin").outcome == .notFound)
        #expect(try await fixture.find(": Malafrena", by: "Ursula K. Le Guin").outcome == .found)
        #expect(try await fixture.find("Malafre", by: "Ursula K. Le Guin").outcome == .notFound)
    }

    @Test func `a near match is left to the user`() async throws {
        let fixture = try await CatalogFixture([
            leGuin,
            Dump.work(2, #""title": "The Dispossessed", "subtitle": "An ambiguous utopia""#, author: 1),
            Dump.work(3, #""title": "The Lathe of Heaven""#, author: 1),
        ])
        for (title, author) in [
            ("The Dispossesed (Hainish Cycle, #1)", "Le Guin, U. K."),
            ("The Dispossessed", ""), ("The Dispossessed", "Le Guin"),
        ] {
            let found = try await fixture.find(title, by: author)
            #expect(found.outcome == .ambiguous, "\(title) by \(author)")
            #expect(found.options.map(\.record) == ["OL2W"], "\(title) by \(author)")
            #expect(found.fields.isEmpty)
        }
        #expect(try await fixture.find("The Disposessed", by: "Ursula K. Le Guin").record == "OL2W")
        for (title, author) in [
            ("The Dispossessed", "Ursula Vernon"), ("The Repossessed", "Ursula K. Le Guin"),
            ("Something Else", ""), ("The", "Ursula K. Le Guin"),
            (String(repeating: "(The Dispossessed", count: 10_000), ""),
        ] {
            #expect(try await fixture.find(title, by: author).outcome == .notFound)
        }
    }

    @Test func `initials match one author or none`() async throws {
        let fixture = try await CatalogFixture([
            Dump.author(1, #""name": "John Smith""#), Dump.author(2, #""name": "Jane Smith""#),
            Dump.author(3, #""name": "Margaret Example""#),
            Dump.work(1, #""title": "Collected Stories""#, author: 1),
            Dump.work(2, #""title": "Collected Stories""#, author: 2),
            Dump.work(3, #""title": "Collected Letters""#, author: 3),
        ])
        let either = try await fixture.find("Collected Stories", by: "J. Smith")
        #expect(either.outcome == .ambiguous)
        #expect(Set(either.options.map(\.record)) == ["OL1W", "OL2W"])
        #expect(try await fixture.find("Collected Letters", by: "M. Example").record == "OL3W")
    }

    @Test func `a work is found by the title of a translation`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "The Dispossessed""#, author: 1),
            Dump.edition(1, #""title": "Planet der Habenichtse""#, work: 2),
        ])
        #expect(try await fixture.find("Planet der Habenichtse", by: "Ursula K. Le Guin").record == "OL2W")
    }

    @Test func `works with one title of different years are ambiguous`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "Poems", "first_publish_date": "1950""#, author: 1),
            Dump.work(3, #""title": "Poems", "first_publish_date": "1990""#, author: 1),
        ])
        let found = try await fixture.find("Poems", by: "Ursula K. Le Guin")
        #expect(found.outcome == .ambiguous)
        #expect(found.fields.isEmpty)
    }

    @Test func `records that nothing distinguishes are of one work`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "Poems""#, author: 1),
            Dump.work(3, #""title": "Poems", "first_publish_date": "1950""#, author: 1),
        ])
        let found = try await fixture.find("Poems", by: "Ursula K. Le Guin")
        #expect(found.record == "OL2W")
        #expect(found.match?.duplicates == ["OL3W"])
        #expect(found.match?.evidence == ["for:title_same", "for:author_same"])
    }

    @Test func `a work with more editions ranks higher`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "Poems""#, author: 1),
            Dump.work(3, #""title": "Poems""#, author: 1),
            Dump.work(4, #""title": "Poems""#, author: 1), Dump.edition(1, "", work: 3),
            Dump.edition(2, "", work: 3),
            Dump.edition(3, "", work: 4), Dump.edition(3, "", work: 4, revision: 2),
        ])
        #expect(try await fixture.find("Poems", by: "Ursula K. Le Guin").record == "OL3W")
    }

    @Test func `a complete title ranks above a partial one`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(2, #""title": "Dune", "subtitle": "the graphic novel""#, author: 1),
            Dump.work(3, #""title": "Dune""#, author: 1),
            Dump.edition(1, "", work: 2), Dump.edition(2, "", work: 2),
        ])
        #expect(try await fixture.find("Dune", by: "Ursula K. Le Guin").record == "OL3W")
        #expect(try await fixture.find("Dune: The Graphic Novel", by: "Ursula K. Le Guin").record == "OL2W")
    }

    @Test func `redirected works are found under their target`() async throws {
        let fixture = try await CatalogFixture([
            leGuin, Dump.redirect("/works/OL2W", to: "/works/OL3W"),
            Dump.work(3, #""title": "Poems""#, author: 1),
            Dump.edition(1, #""title": "Verse""#, work: 2),
        ])
        #expect(try await fixture.find("Verse", by: "Ursula K. Le Guin").record == "OL3W")
    }

    @Test func `a work is found by each of its first authors`() async throws {
        let fixture = try await CatalogFixture([
            Dump.author(1, #""name": "Terry Pratchett""#), Dump.author(2, #""name": "Neil Gaiman""#),
            Dump.work(
                1,
                #""title": "Good Omens", "authors": [{"author": {"key": "/authors/OL1A"}}, {"author": {"key": "/authors/OL2A"}}]"#
            ),
        ])
        #expect(try await fixture.find("Good Omens", by: "Neil Gaiman").record == "OL1W")
        #expect(try await fixture.find("Good Omens", by: "Terry Pratchett").record == "OL1W")
    }

    @Test func `a work whose number is too large for a title key is found by its ISBN only`() async throws {
        let number = Int(TitleEntry.highestWork) + 1
        let fixture = try await CatalogFixture([
            leGuin, Dump.work(number, #""title": "Malafrena""#, author: 1),
            Dump.edition(1, #""isbn_13": ["9781234567897"]"#, work: number),
            Dump.work(3, #""title": "Orsinia""#, author: 1),
        ])
        #expect(try await fixture.find("Orsinia", by: "Ursula K. Le Guin").record == "OL3W")
        #expect(try await fixture.find("Malafrena", by: "Ursula K. Le Guin").outcome == .notFound)
        #expect(try await fixture.find("9781234567897")[.workKey] == ["OL\(number)W"])
    }

    @Test func `more works with one title and author than are compared are reported as ambiguous`()
        async throws
    {
        for count in [CatalogTitles.workLimit + 1, 700] {
            let works = (1...count).map { Dump.work($0, #""title": "Poems""#, author: 1) }
            let found = try await CatalogFixture([leGuin] + works).find("Poems", by: "Ursula K. Le Guin")
            #expect(found.outcome == .ambiguous)
            #expect(found.options.first?.evidence.contains("against:too_many_books") == true)
        }
    }
}
