import TestSupport
import Testing

@testable import Books
@testable import Sources
@testable import Syntax

@Suite
struct WikidataEntityTests {
    @Test
    func `a line of the dump is read, including its comma`() throws {
        let facts = try #require(try person(Entity().json + ",\n"))
        #expect(facts.itemID == "Q900000001")
        #expect(facts.kind == .human && facts.isPerson)
        #expect(facts.label == "Ada Example")
        #expect(facts.aliases == ["Ada M. Example", "A. M. Example"])
        #expect(facts.gender == .female)
        #expect(facts.citizenships == [45])
        #expect(facts.nationality == "Portugal" && facts.region == .europe)
        #expect(facts.birthYear == 1950 && facts.deathYear == nil)
        #expect(facts.openLibraryKeys == ["OL90000001A", "OL90000002A"])
        #expect(
            facts.viaf == ["900001"] && facts.isni == ["000000012345678X"] && facts.goodreads == ["90001"])
    }

    @Test
    func `the REST format gives the same facts`() throws {
        let facts = try person(
            #"""
            {"type":"item","id":"Q900000001","labels":{"en":"Ada Example","mul":"Ada M. Example"},
             "aliases":{"en":["A. M. Example"],"fr":["Ada l'exemple"]},"statements":{
             "P31":[{"rank":"normal","property":{"id":"P31","data_type":"wikibase-item"},"qualifiers":[],
                     "value":{"type":"value","content":"Q5"}}],
             "P21":[{"rank":"normal","value":{"type":"value","content":"Q6581072"}}],
             "P27":[{"rank":"normal","value":{"type":"value","content":"Q1029"},
                     "qualifiers":[{"property":{"id":"P582","data_type":"time"},"value":{"type":"somevalue"}}]},
                    {"rank":"normal","value":{"type":"value","content":"Q45"},
                     "qualifiers":[{"property":{"id":"P582"},"value":{"type":"novalue"}}]}],
             "P569":[{"rank":"normal","value":{"type":"value","content":{"time":"+1950-03-03T00:00:00Z",
                     "precision":11,"calendarmodel":"x"}}}],
             "P570":[{"rank":"normal","value":{"type":"somevalue"}}],
             "P213":[{"rank":"normal","value":{"type":"value","content":"0000 0001 2345 678X"}}],
             "P214":[{"rank":"normal","value":{"type":"value","content":"900001"}}],
             "P2963":[{"rank":"normal","value":{"type":"value","content":"90001"}}],
             "P648":[{"rank":"normal","value":{"type":"value","content":"OL90000001A"}},
                     {"rank":"preferred","value":{"type":"value","content":"OL90000002A"}},
                     {"rank":"deprecated","value":{"type":"value","content":"OL90000003A"}},
                     {"rank":"normal","value":{"type":"value","content":"OL90000004W"}}]}}
            """#)
        #expect(facts == (try person(Entity().json)))
    }

    @Test(arguments: ["", "[", "]", "  ", "],", "{}", "\n"])
    func `lines without an item are skipped`(line: String) throws {
        #expect(try person(line) == nil)
    }

    @Test
    func `a line cut anywhere is rejected`() {
        let line = Array(Entity().json.utf8)
        for length in 2..<line.count {
            let error = self.error(of: Array(line[..<length]))
            #expect(error?.kind == .truncated, "cut at \(length)")
        }
    }

    @Test
    func `a response of wbgetentities has its items, targets of redirects, and nothing for missing ones`()
        throws
    {
        let answer =
            #"{"entities":{"Q7":{"id":"Q7","missing":""},"Q8":\#(Entity().json),"L1":{"id":"L1"}},"success":1}"#
        let found = try people(Array(answer.utf8))
        #expect(found.map(\.itemID) == ["Q7", "Q900000001"])
        #expect(found.map(\.isPerson) == [false, true])
        #expect(try people(Array(Entity().json.utf8)).count == 1)
    }

    @Test(
        arguments: [
            ([("45", "preferred", false), ("1029", "normal", false)], [45]),
            ([("1029", "normal", true), ("45", "normal", false)], [45]),
            ([("1029", "normal", true), ("45", "normal", true)], [1029, 45]),
            ([("1029", "preferred", true), ("45", "normal", false)], [1029]),
            ([("1029", "deprecated", false)], []),
            ([("45", "normal", false), ("45", "normal", false)], [45]),
            ([("30", "normal", false), ("145", "normal", false)], [30, 145]),
        ] as [([(String, String, Bool)], [UInt32])])
    func `of several citizenships the preferred one counts, else current ones, else all`(
        statements: [(String, String, Bool)], expected: [UInt32]
    ) throws {
        let list = statements.map { Entity.itemStatement("P27", $0.0, rank: $0.1, ended: $0.2) }
        let facts = try person(Entity(claims: #""P27":[\#(list.joined(separator: ","))]"#).json)
        #expect(facts?.citizenships == expected)
    }

    @Test(
        arguments: [
            (["6581097"], .male), (["1052281"], .female), (["48270"], .nonBinary), (["189125"], .other),
            (["99999999"], .other), (["6581072", "48270"], .nonBinary), (["6581072", "6581097"], .other),
            ([], .unknown),
        ] as [([String], AuthorGender)])
    func `gender is read, never guessed`(items: [String], expected: AuthorGender) throws {
        let list = items.map { Entity.itemStatement("P21", $0) }
        #expect(
            try person(Entity(claims: #""P21":[\#(list.joined(separator: ","))]"#).json)?.gender == expected)
    }

    @Test(
        arguments: [
            ([("+1952-03-11T00:00:00Z", 11)], 1952), ([("+1952-00-00T00:00:00Z", 9)], 1952),
            ([("+1950-00-00T00:00:00Z", 8)], nil), ([("-0044-03-15T00:00:00Z", 11)], -44),
            ([("+1950-00-00T00:00:00Z", 9), ("+1951-02-03T00:00:00Z", 11)], 1951),
            ([("+1950-00-00T00:00:00Z", 9), ("+1951-00-00T00:00:00Z", 9)], nil),
            ([("+1951-02-03T00:00:00Z", 11), ("+1951-05-03T00:00:00Z", 11)], 1951),
            ([("+0000-00-00T00:00:00Z", 9)], nil), ([("1952", 9)], nil),
            ([("+99999999999-00-00T00:00:00Z", 9)], nil),
        ] as [([(String, Int)], Int32?)])
    func `a year counts only if it is certain`(times: [(String, Int)], expected: Int32?) throws {
        let list = times.map { Entity.timeStatement("P569", $0.0, precision: $0.1) }
        #expect(
            try person(Entity(claims: #""P569":[\#(list.joined(separator: ","))]"#).json)?.birthYear
                == expected)
    }

    @Test
    func `without an English label the multilingual one is used, then any in Latin script`() throws {
        func label(_ labels: String) throws -> String? {
            try person(#"{"id":"Q1","labels":\#(labels)}"#)?.label
        }
        #expect(try label(#"{"ru":{"value":"Ада"},"mul":{"value":"Ada"},"pl":{"value":"Ada P"}}"#) == "Ada")
        #expect(
            try label(#"{"ru":{"value":"Ада"},"pl":{"value":"Zażółć"},"de":{"value":"Ada D"}}"#) == "Zażółć")
        #expect(try label(#"{"ru":{"value":"Ада"}}"#) == "")
        #expect(try label("[]") == "")
    }

    @Test
    func `only humans and pen names are persons`() throws {
        for (item, kind) in [
            ("5", .human), ("61002", .pseudonym), ("16017119", .pseudonym), ("4167410", .other),
        ]
            as [(String, PersonFacts.Kind)]
        {
            let claims = #""P31":[\#(Entity.itemStatement("P31", item))]"#
            #expect(try person(Entity(claims: claims).json)?.kind == kind)
        }
        #expect(try person(Entity(claims: "").json)?.isPerson == false)
    }

    @Test
    func `a value of an unexpected type is lost, the person is not`() throws {
        let facts = try person(
            #"""
            {"id":"Q1","labels":{"en":7},"aliases":[],"claims":{"P31":{},"P21":[7,{"mainsnak":null}],
            "P27":[{"mainsnak":{"datavalue":{"value":{"id":7}}},"qualifiers":7}],
            "P569":[{"mainsnak":{"datavalue":{"value":{"time":[],"precision":"11"}}}}],"P648":[{"mainsnak":{}}]}}
            """#)
        #expect(facts == PersonFacts(item: 1, kind: .other))
    }

    @Test(arguments: ["wikidata/etl_EntityData_Q990000101.json", "wikidata/etl_rest_Q990000101.json"])
    func `both forms of an entity as Wikidata sends it give the same person`(path: String) throws {
        let talvik = try #require(try people(TestFiles.bytes(path)).first)
        #expect(talvik.item == 990_000_101 && talvik.label == "Mira Talvik" && talvik.kind == .human)
        #expect(talvik.aliases == ["M. Talvik"])
        #expect(talvik.gender == .female && talvik.birthYear == 1951 && talvik.deathYear == 2020)
        // The citizenship of the Soviet Union has ended.
        #expect(talvik.nationality == "Estonia" && talvik.region == .europe)
        #expect(talvik.openLibraryKeys == ["OL99000101A"])
    }

    @Test(.enabled(if: TestFiles.hasShared, Comment(rawValue: TestFiles.needsShared)))
    func `real entities are read correctly`() throws {
        for path in ["wikidata/EntityData_Q42.json", "wikidata/rest_v1_item_Q42.json"] {
            let adams = try #require(try people(TestFiles.bytes(path)).first)
            #expect(adams.item == 42 && adams.label == "Douglas Adams" && adams.kind == .human)
            #expect(adams.gender == .male && adams.birthYear == 1952 && adams.deathYear == 2001)
            #expect(adams.nationality == "United Kingdom" && adams.region == .europe)
            #expect(adams.openLibraryKeys == ["OL272947A"])
        }
        for path in [
            "wikidata/EntityData_Q1.json", "wikidata/EntityData_Q45.json", "wikidata/wikibase-sdk_Q571.json",
        ] {
            let things = try people(TestFiles.bytes(path))
            #expect(things.count == 1 && things.allSatisfy { !$0.isPerson })
        }
    }

    private func person(_ line: String) throws(JSONReadError) -> PersonFacts? {
        try Array(line.utf8).withUnsafeBufferPointer { bytes throws(JSONReadError) in
            try WikidataEntity.person(UnsafeRawBufferPointer(bytes))
        }
    }

    private func people(_ document: [UInt8]) throws(JSONReadError) -> [PersonFacts] {
        try document.withUnsafeBufferPointer { bytes throws(JSONReadError) in
            try WikidataEntity.people(UnsafeRawBufferPointer(bytes))
        }
    }

    private func error(of line: [UInt8]) -> JSONReadError? {
        do throws(JSONReadError) {
            _ = try person(String(decoding: line, as: UTF8.self))
            return nil
        } catch {
            return error
        }
    }
}

/// Writes an item in the format of the dumps.
private struct Entity {
    var claims: String

    init(claims: String? = nil) {
        self.claims =
            claims
                ?? #"""
                "P31":[\#(Self.itemStatement("P31", "5"))],"P21":[\#(Self.itemStatement("P21", "6581072"))],
                "P27":[\#(Self.itemStatement("P27", "45", rank: "preferred")),
                       \#(Self.itemStatement("P27", "1029"))],
                "P569":[\#(Self.timeStatement("P569", "+1950-03-03T00:00:00Z", precision: 11))],
                "P570":[{"mainsnak":{"snaktype":"somevalue","property":"P570"},"rank":"normal"}],
                "P648":[\#(Self.textStatement("OL90000001A")),
                        \#(Self.textStatement("OL90000002A", rank: "preferred")),
                        \#(Self.textStatement("OL90000003A", rank: "deprecated")),
                        \#(Self.textStatement("OL90000004W"))],
                "P214":[\#(Self.textStatement("900001"))],
                "P213":[\#(Self.textStatement("0000 0001 2345 678X"))],
                "P2963":[\#(Self.textStatement("90001"))]
                """#
    }

    var json: String {
        #"""
        {"type":"item","id":"Q900000001","lastrevid":1,"labels":{"ru":{"language":"ru","value":"Ада"},
        "en":{"language":"en","value":"Ada Example"},"mul":{"language":"mul","value":"Ada M. Example"}},
        "aliases":{"en":[{"language":"en","value":"A. M. Example"}],"fr":[{"language":"fr","value":"x"}]},
        "claims":{\#(claims)},"sitelinks":{}}
        """#
    }

    static func itemStatement(
        _ property: String, _ item: String, rank: String = "normal", ended: Bool = false
    ) -> String {
        let end = #","qualifiers":{"P582":[{"snaktype":"value","property":"P582","datavalue":{"value":{}}}]}"#
        return #"""
            {"mainsnak":{"snaktype":"value","property":"\#(property)","datavalue":{"type":"wikibase-entityid",
            "value":{"entity-type":"item","numeric-id":\#(item),"id":"Q\#(item)"}}},
            "rank":"\#(rank)"\#(ended ? end : "")}
            """#
    }

    static func timeStatement(_ property: String, _ time: String, precision: Int) -> String {
        #"""
        {"mainsnak":{"snaktype":"value","property":"\#(property)","datavalue":{"type":"time",
        "value":{"time":"\#(time)",
        "timezone":0,"before":0,"after":0,"precision":\#(precision)}}},"rank":"normal"}
        """#
    }

    static func textStatement(_ text: String, rank: String = "normal") -> String {
        #"{"mainsnak":{"snaktype":"value","datavalue":{"type":"string","value":"\#(text)"}},"rank":"\#(rank)"}"#
    }
}
