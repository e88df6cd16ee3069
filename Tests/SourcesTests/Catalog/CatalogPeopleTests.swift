import TestSupport
import Testing

@testable import Sources

@Suite struct CatalogPeopleTests {
    private func entity(
        _ item: Int, label: String, alias: String = "", openLibrary: String? = nil, kind: Int = 5
    ) -> String {
        let aliases = alias.isEmpty ? "[]" : #"{"en": [{"language": "en", "value": "\#(alias)"}]}"#
        let identifier = openLibrary.map {
            #", "P648": [{"mainsnak": {"snaktype": "value", "datavalue": {"type": "string", "value": "\#($0)"}}, "rank": "normal"}]"#
        }
        return
            #"{"type": "item", "id": "Q\#(item)", "labels": {"en": {"language": "en", "value": "\#(label)"}}, "aliases": \#(aliases), "#
            + #""claims": {"P31": [{"mainsnak": {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": {"id": "Q\#(kind)"}}}, "#
            + #""rank": "normal"}], "P106": [{"mainsnak": {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "#
            + #""value": {"id": "Q36180"}}}, "rank": "normal"}]\#(identifier ?? "")}},"#
    }

    private func find(_ catalog: Catalog, _ queries: PersonQuery...) async throws -> [[UInt32]] {
        try await catalog.find(queries).people.map { $0.map(\.item) }
    }

    @Test func `people are found by item, by Open Library author and by name`() async throws {
        let fixture = try await CatalogFixture([
            "[", entity(42, label: "Douglas Adams", alias: "Douglas Noël Adams", openLibrary: "OL272947A"),
            entity(7, label: "Douglas Adams"), entity(8, label: "Adams", openLibrary: "OL272947A"),
            entity(9, label: "Adams (name)", alias: "Douglas Adams", kind: 4_167_410), "]",
        ])
        #expect(fixture.report.people == 3)
        #expect(fixture.report.read.others == 1)
        let catalog = fixture.catalog
        #expect(!catalog.isWithoutPeople)
        let unknownName = Array("nobody".utf8)
        #expect(try await find(catalog, PersonQuery(item: 42, foldedName: unknownName)) == [[42]])
        #expect(
            try await find(catalog, PersonQuery(authorKey: "OL272947A", foldedName: unknownName)) == [
                [8, 42]
            ])
        #expect(try await find(catalog, PersonQuery(authorKey: "OL272947W", foldedName: unknownName)) == [[]])
        #expect(try await find(catalog, PersonQuery(foldedName: Array("douglas adams".utf8))) == [[7, 42]])
        #expect(try await find(catalog, PersonQuery(foldedName: Array("douglas noel adams".utf8))) == [[42]])
        #expect(
            try await find(
                catalog,
                PersonQuery(item: 42, authorKey: "OL272947A", foldedName: Array("douglas adams".utf8)),
                PersonQuery(foldedName: []), PersonQuery(item: 1_000, foldedName: unknownName)) == [
                    [42, 8, 7], [], [],
                ])
        let adams = try await catalog.find([PersonQuery(item: 42, foldedName: unknownName)]).people
        #expect(adams.first?.first?.label == "Douglas Adams")
        #expect(adams.first?.first?.openLibraryKeys == ["OL272947A"])
    }

    @Test func `authors have other names`() async throws {
        let fixture = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Haruki Murakami", "alternate_names": ["村上春樹"]"#),
            DumpFixture.work(1, #""title": "Reef""#, author: 1),
            DumpFixture.edition(1, #""title": "Reef", "isbn_13": ["9780306406157"]"#, work: 1),
        ])
        let names = try await fixture.catalog.otherNames(ofAuthors: ["OL1A", "OL2A", "OL1W"])
        #expect(names == [["Haruki Murakami", "村上春樹"], [], []])
    }

    @Test func `a catalog without people finds none`() async throws {
        let fixture = try await CatalogFixture([
            "[", entity(9, label: "Adams (name)", kind: 4_167_410),
            DumpFixture.author(1, #""name": "Adams""#), "]",
        ])
        #expect(fixture.catalog.isWithoutPeople)
        #expect(try await find(fixture.catalog, PersonQuery(item: 9, foldedName: [])) == [[]])
        #expect(CompositePersonDirectory([fixture.catalog]).isWithoutPeople)
        #expect(!CompositePersonDirectory([fixture.catalog], services: [PeopleList([])]).isWithoutPeople)
    }

    @Test func `only the first of many namesakes are returned`() async throws {
        let fixture = try await CatalogFixture((1...50).map { entity($0, label: "John Smith") })
        let found = try await find(fixture.catalog, PersonQuery(foldedName: Array("john smith".utf8)))
        #expect(found == [(1...16).map(UInt32.init)])
    }

    @Test func `a response with several entities is read from one line`() async throws {
        let one = entity(1, label: "One").dropLast()
        let two = entity(2, label: "Two").dropLast()
        let fixture = try await CatalogFixture([#"{"entities": {"Q1": \#(one), "Q2": \#(two)}}"#])
        #expect(try await find(fixture.catalog, PersonQuery(foldedName: Array("two".utf8))) == [[2]])
        #expect(fixture.report.people == 2)
    }

    @Test func `only Wikidata's entities of writers are kept`() async throws {
        let writer = entity(1, label: "Writer")
        let fixture = try await CatalogFixture([
            "[", writer, writer.replacing("Q36180", with: "Q937857").replacing("Q1\"", with: "Q2\""),
            writer.replacing("P106", with: "P101").replacing("Q1\"", with: "Q3\""),
            writer.replacing("P106", with: "P2963").replacing("Q1\"", with: "Q4\""),
            #"{"type": "item", "id": "Q5", "P106": "Q36180"#, "]",
        ])
        #expect(fixture.report.people == 2)
        #expect(fixture.report.read.others == 2)
        #expect(fixture.report.malformed == [.badJSON: 1])
    }

    @Test func `rows of Open Library's copy of Wikidata are read`() async throws {
        let json = entity(42, label: #"Douglas \"DNA\" Adams"#).dropLast().replacing("P106", with: "P101")
        let quoted = json.replacing("\"", with: "\"\"")
        let fixture = try await CatalogFixture([
            "id\tdata\tupdated", "Q42\t\"\(quoted)\"\t2026-01-02 03:04:05",
            "\"Q43\"\t\"\(quoted.replacing("Q42", with: "Q43"))\"\t\"2026-01-02\"",
            "Q44\t\(json.replacing("Q42", with: "Q44"))\t2026-01-02", "Q45\t\"\(quoted.prefix(60))\"\t2026",
        ])
        #expect(fixture.report.malformed == [.badJSON: 1])
        #expect(fixture.report.sources.first?.provider == "wikidata")
        let found = try await fixture.catalog.find(
            [42, 43, 44].map { PersonQuery(item: $0, foldedName: Array("nobody".utf8)) })
        #expect(found.people.map { $0.first?.label } == Array(repeating: #"Douglas "DNA" Adams"#, count: 3))
    }
}
