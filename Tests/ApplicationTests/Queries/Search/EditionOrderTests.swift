import Testing

@testable import Queries

@Suite struct EditionOrderTests {
    typealias Item = EditionOrder.Item<String>

    private static func sorted(_ items: [Item], _ languages: String...) -> [String] {
        EditionOrder(languages: languages).sorted(items)
    }

    @Test func `what is asked for goes before what readers have, that before the title that was found`() {
        let items = [
            Item(rank: .other, date: "2020", value: "new"), Item(rank: .found, value: "found"),
            Item(rank: .readers, value: "reader's"), Item(rank: .asked, value: "asked"),
        ]
        #expect(Self.sorted(items) == ["asked", "reader's", "found", "new"])
    }

    @Test func `then the language decides, then how new it is`() {
        let items = [
            Item(rank: .other, language: "fr", date: "2024", value: "fr 2024"),
            Item(rank: .other, language: "en", date: "1999", value: "en 1999"),
            Item(rank: .other, language: "de", date: "1990-05-01", value: "de 1990"),
            Item(rank: .other, language: "de", date: "2003", value: "de 2003"),
            Item(rank: .other, language: nil, date: "2010", value: "2010"),
        ]
        #expect(
            Self.sorted(items, "de", "en") == ["de 2003", "de 1990", "en 1999", "fr 2024", "2010"])
        #expect(Self.sorted(items) == ["fr 2024", "2010", "de 2003", "en 1999", "de 1990"])
    }

    @Test func `without a language the default of the source goes first`() {
        var items = (1990...2005).map { Item(rank: .other, language: "en", date: "\($0)", value: "\($0)") }
        items[3].isDefault = true
        #expect(Self.sorted(items).prefix(3) == ["1993", "2005", "2004"])
        #expect(Self.sorted(items).count == EditionOrder.most)
        items[5].language = "de"
        #expect(Self.sorted(items, "de").prefix(2) == ["1995", "1993"])
    }
}
